"""Speaking to places that others have named: where not to, for how long, and how much."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from readingroom import LoginFailed
from readingroom.transport import oauth_fetch
from readingroom.transport.oauth_fetch import LONGEST, Fetcher, NoAnswer
from support.issuers import Site, answer, certificate_for, redirect, site

HERE = "http://127.0.0.1:9/mcp"
ELSEWHERE = "https://docs.example/mcp"


@pytest.fixture
def at() -> Iterator[Site]:
    """A site on this machine."""
    with site() as found:
        yield found


def test_a_document(at: Site) -> None:
    """Its status, what a challenge says, and the JSON; what is none is None. It is not shown, for it may hold secrets."""
    fetcher = Fetcher(HERE)
    assert fetcher.get(at.publish("/a?b=c", {"x": 1})).document == {"x": 1}
    assert fetcher.get(at.publish("/html", b"<p>")).document is None
    refused = at.publish("/no", lambda to: answer(to, 401, b"{}", WWW_Authenticate="Bearer a=b"))
    reply = fetcher.get(refused)
    assert (reply.status, reply.challenges) == (401, ("Bearer a=b",))
    assert "Bearer" not in repr(reply)


def test_redirects_are_not_followed(at: Site) -> None:
    """Where they lead is told, and not asked."""
    reply = Fetcher(HERE).get(at.publish("/from", redirect(f"{at.url}/to")))
    assert (reply.status, reply.location) == (302, f"{at.url}/to")
    assert at.asked == ["/from"]


def test_a_stream_is_not_read(at: Site) -> None:
    """It might not end."""
    page = at.publish("/s", lambda to: answer(to, 200, b"data: x\n\n", Content_Type="text/event-stream"))
    assert Fetcher(HERE).get(page).body == b""


def test_too_much(at: Site) -> None:
    """A quarter of a mebibyte, and not a byte more."""
    assert len(Fetcher(HERE).get(at.publish("/a", b"x" * LONGEST)).body) == LONGEST
    with pytest.raises(NoAnswer, match="more than"):
        Fetcher(HERE).get(at.publish("/b", b"x" * (LONGEST + 1)))


def test_too_slow(at: Site) -> None:
    """A byte now and then does not keep us waiting: the time is for all of it."""

    def trickle(to: Any) -> None:
        to.send_response(200)
        to.send_header("Content-Length", "1000")
        to.end_headers()
        for _ in range(100):
            try:
                to.wfile.write(b"x")
            except OSError:
                return
            time.sleep(0.05)

    begun = time.monotonic()
    with pytest.raises(NoAnswer, match=r"did not answer within 0\.3 s"):
        Fetcher(HERE, seconds=0.3).get(at.publish("/slow", trickle))
    assert time.monotonic() - begun < 4


def test_a_handshake_that_does_not_go_on() -> None:
    """It is given up in the same time, and so is a name with many addresses of which none answers."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"https://127.0.0.1:{silent.getsockname()[1]}/x"
        with pytest.raises(NoAnswer, match=r"did not answer within 0\.2 s"):
            Fetcher(HERE, seconds=0.2).get(url)


def test_many_addresses_have_one_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """When it is over, the rest is not tried."""
    found = network(monkeypatch, **{"as": [f"93.184.216.{number}" for number in range(100)]})
    now = [0.0]
    monkeypatch.setattr(oauth_fetch.time, "monotonic", lambda: now[0])

    def tried(address: tuple[str, int], seconds: float) -> socket.socket:
        found.tried.append(address[0])
        now[0] += min(seconds, 4.0)
        raise TimeoutError

    monkeypatch.setattr(oauth_fetch.socket, "create_connection", tried)
    with pytest.raises(NoAnswer, match="did not answer within 10 s"):
        Fetcher(ELSEWHERE).get("https://as.example/x")
    assert len(found.tried) == 3


def test_nonsense(at: Site) -> None:
    """It is said what happened, and nothing of what came."""
    page = at.publish("/n", lambda to: to.wfile.write(b"secret nonsense\r\n\r\n"))
    with pytest.raises(NoAnswer, match="BadStatusLine") as raised:
        Fetcher(HERE).get(page)
    assert "secret" not in str(raised.value)
    with pytest.raises(NoAnswer, match="has no port"):
        Fetcher(HERE).get("http://localhost:99999/")


def test_who_it_is_has_to_be_proved(tmp_path: Path) -> None:
    """By a certificate that is trusted, for the name that is asked."""
    certificate = certificate_for("127.0.0.1", tmp_path)
    with site(certificate) as at:
        page = at.publish("/a", {"x": 1})
        assert Fetcher(HERE, verify=str(certificate)).get(page).document == {"x": 1}
        with pytest.raises(NoAnswer, match="did not prove"):
            Fetcher(HERE).get(page)
        with pytest.raises(NoAnswer, match="did not prove"):
            Fetcher(HERE, verify=str(certificate)).get(page.replace("127.0.0.1", "localhost"))


class Network:
    """Names and their addresses; nothing can be reached, but it is noted what was tried."""

    def __init__(self, names: dict[str, list[str]]) -> None:
        self.names = names
        self.asked: list[str] = []
        self.tried: list[str] = []

    def getaddrinfo(self, host: str, port: int, **_given: Any) -> list[Any]:
        """Resolve a name."""
        self.asked.append(host)
        return [(0, 0, 0, "", (address, port)) for address in self.names[host]]

    def create_connection(self, address: tuple[str, int], _seconds: float) -> socket.socket:
        """Reach nothing."""
        self.tried.append(address[0])
        raise ConnectionRefusedError(111, "Connection refused")


def network(monkeypatch: pytest.MonkeyPatch, **names: list[str]) -> Network:
    """Have names of `.example`, and localhost, mean addresses."""
    made = Network(
        {name if name == "localhost" else f"{name}.example": found for name, found in names.items()}
    )
    monkeypatch.setattr(oauth_fetch.socket, "getaddrinfo", made.getaddrinfo)
    monkeypatch.setattr(oauth_fetch.socket, "create_connection", made.create_connection)
    return made


@pytest.mark.parametrize(
    ("addresses", "private"),
    [
        (["10.0.0.1"], False),
        (["93.184.216.34", "10.0.0.1"], False),
        (["127.0.0.1"], False),
        (["::ffff:10.0.0.1"], False),
        (["64:ff9b::a9fe:a9fe"], False),
        (["2002:7f00:1::"], False),
        (["169.254.169.254"], True),
        (["fe80::1"], True),
        (["nonsense"], True),
    ],
)
def test_addresses_that_are_not_asked(
    monkeypatch: pytest.MonkeyPatch, addresses: list[str], private: bool
) -> None:
    """One among several is enough; nothing is connected to."""
    found = network(monkeypatch, **{"as": addresses})
    with pytest.raises(NoAnswer, match="where nothing is asked") as raised:
        Fetcher(ELSEWHERE, private=private).get("https://as.example/x")
    assert raised.value.rule == "CL-19"
    assert found.tried == []


@pytest.mark.parametrize(
    ("url", "addresses", "private"),
    [
        ("https://as.example/x", ["93.184.216.34", "2606:2800:220:1::1"], False),
        ("https://as.example/x", ["10.0.0.1"], True),
        ("https://docs.example/x", ["10.0.0.1"], False),
        ("https://docs.example/x", ["127.0.0.1"], False),
    ],
)
def test_addresses_that_are_asked(
    monkeypatch: pytest.MonkeyPatch, url: str, addresses: list[str], private: bool
) -> None:
    """The open network, the host that was chosen, and private ones where that is allowed: the name is resolved once."""
    host = url.split("/")[2].partition(".")[0]
    found = network(monkeypatch, **{host: addresses})
    with pytest.raises(NoAnswer, match="Connection refused"):
        Fetcher(ELSEWHERE, private=private).get(url)
    assert found.tried == addresses
    assert found.asked == [f"{host}.example"]


def test_a_name_of_this_machine_that_means_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not asked; and a name that means nothing cannot be."""
    found = network(monkeypatch, localhost=["93.184.216.34"])
    with pytest.raises(NoAnswer, match="where nothing is asked"):
        Fetcher(HERE).get("http://localhost:1/x")
    found.names["as.example"] = []
    with pytest.raises(NoAnswer, match="could not be asked"):
        Fetcher(ELSEWHERE).get("https://as.example/x")
    assert found.tried == []


@pytest.mark.parametrize(
    "url", ["http://as.example/x", "https://localhost/x", "https://me@as.example/", "file:///x", "x"]
)
def test_places_that_are_not_asked(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """Not even their names are resolved."""
    found = network(monkeypatch)
    with pytest.raises(LoginFailed) as raised:
        Fetcher(ELSEWHERE).get(url)
    assert raised.value.rule == "CL-19"
    assert found.asked == []
