"""Fetching what an issuer publishes: small, soon, from where it was said, and nothing else."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from readingroom.transport import auth_fetch
from readingroom.transport.auth_fetch import (
    LONGEST,
    FetchFailed,
    Unreachable,
    document,
    keys_url,
    metadata_urls,
)
from support.issuers import Site, answer, certificate_for, redirect, site


@pytest.fixture
def issuer() -> Iterator[Site]:
    """A site on this machine."""
    with site() as found:
        yield found


def test_a_document(issuer: Site) -> None:
    """What is JSON is given, with the query that was asked for."""
    assert document(issuer.publish("/keys?a=b", {"keys": [1]})) == {"keys": [1]}
    assert document(issuer.publish("/", [1])) == [1]
    assert document(issuer.url) == [1]


def test_just_large_enough(issuer: Site) -> None:
    """A quarter of a mebibyte passes, and one byte more does not."""
    body = b'"' + b"x" * (LONGEST - 2) + b'"'
    assert len(document(issuer.publish("/a", body))) == LONGEST - 2
    with pytest.raises(FetchFailed, match="more than"):
        document(issuer.publish("/b", body[:-1] + b'x"'))


@pytest.mark.parametrize(
    ("page", "told"),
    [
        (None, "status 404"),
        (lambda to: answer(to, 500, b"{}"), "status 500"),
        (lambda to: answer(to, 204, b""), "status 204"),
        (redirect("/good"), "status 302"),
        (b"hello", "JSON"),
        (b"", "JSON"),
        (b"\xff\xfe{\x00}\x00", "JSON"),
        (b"[" * 100 + b"]" * 100, "JSON"),
        (lambda to: to.wfile.write(b"nonsense\r\n\r\n"), "BadStatusLine"),
        (lambda to: answer(to, 200, b"{}", X="y" * 70_000), "LineTooLong"),
    ],
)
def test_what_does_not_come(issuer: Site, page: Any, told: str) -> None:
    """Is told in words of ours; nothing is followed."""
    issuer.publish("/good", {})
    issuer.pages["/page"] = page
    with pytest.raises(FetchFailed, match=told):
        document(issuer.url + "/page")
    assert issuer.asked == ["/page"]


def test_nobody_is_there() -> None:
    """A port that nobody listens on."""
    with site() as gone:
        url = gone.url
    with pytest.raises(FetchFailed, match="ConnectionRefusedError"):
        document(url)


def test_one_that_never_ends(issuer: Site) -> None:
    """The time is for all of it, and not for each byte."""
    done = threading.Event()

    def drip(to: BaseHTTPRequestHandler) -> None:
        to.send_response(200)
        to.end_headers()
        while not done.wait(0.02):
            try:
                to.wfile.write(b" ")
            except OSError:
                return

    url = issuer.publish("/drip", drip)
    try:
        with pytest.raises(FetchFailed, match="TimeoutError"):
            document(url, seconds=0.3)
    finally:
        done.set()


def test_no_plain_text_over_tls(issuer: Site) -> None:
    """What is asked for over TLS is not taken without it."""
    with pytest.raises(FetchFailed, match="SSLError"):
        document(issuer.url.replace("http:", "https:"))


@pytest.mark.parametrize(
    ("name", "trusted", "good"),
    [("127.0.0.1", True, True), ("127.0.0.1", False, False), ("other.example", True, False)],
)
def test_who_answers_over_tls_has_proved_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, trusted: bool, good: bool
) -> None:
    """By a certificate of the system's authorities, or of those that SSL_CERT_FILE names."""
    certificate = certificate_for(name, tmp_path)
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with site(certificate) as issuer:
        url = issuer.publish("/keys", {"keys": []})
        if good:
            assert document(url) == {"keys": []}
        else:
            with pytest.raises(Unreachable, match="SSLCertVerificationError"):
                document(url)
            assert issuer.asked == []


@pytest.mark.parametrize(
    ("issuer_url", "urls"),
    [
        (
            "https://a.example",
            [
                "https://a.example/.well-known/oauth-authorization-server",
                "https://a.example/.well-known/openid-configuration",
            ],
        ),
        (
            "https://a.example/t/1",
            [
                "https://a.example/.well-known/oauth-authorization-server/t/1",
                "https://a.example/.well-known/openid-configuration/t/1",
                "https://a.example/t/1/.well-known/openid-configuration",
            ],
        ),
        (
            "https://a.example/",
            [
                "https://a.example/.well-known/oauth-authorization-server",
                "https://a.example/.well-known/openid-configuration",
            ],
        ),
    ],
)
def test_where_metadata_is_looked_for(issuer_url: str, urls: list[str]) -> None:
    """The places of RFC 8414, then those of OpenID."""
    assert metadata_urls(issuer_url) == urls


@pytest.mark.parametrize("place", [0, 1, 2])
def test_metadata_is_found_in_each_of_its_places(issuer: Site, place: int) -> None:
    """With the path of the issuer before or after."""
    name = issuer.url + "/t"
    path = metadata_urls(name)[place].removeprefix(issuer.url)
    issuer.publish(path, {"issuer": name, "jwks_uri": issuer.url + "/keys"})
    assert keys_url(name) == issuer.url + "/keys"


@pytest.mark.parametrize(
    "change",
    [
        lambda told: {**told, "issuer": told["issuer"] + "/"},
        lambda told: {**told, "issuer": told["issuer"].upper()},
        lambda told: {"jwks_uri": told["jwks_uri"]},
        lambda told: {"issuer": told["issuer"]},
        lambda told: {**told, "jwks_uri": 1},
        lambda told: {**told, "jwks_uri": "http://keys.example/"},
        lambda told: {**told, "jwks_uri": "file:///etc/passwd"},
        lambda told: [told],
    ],
)
def test_metadata_that_is_not_the_issuers(issuer: Site, change: Callable[[dict[str, str]], Any]) -> None:
    """Is not used: the name is compared as it is written, and keys come over TLS alone."""
    told = {"issuer": issuer.url, "jwks_uri": issuer.url + "/keys"}
    issuer.publish("/.well-known/oauth-authorization-server", change(told))
    with pytest.raises(FetchFailed, match="metadata of the issuer"):
        keys_url(issuer.url)


def test_an_issuer_that_does_not_answer_is_asked_once(issuer: Site) -> None:
    """Its other pages would not come either, and somebody waits."""
    issuer.publish(
        "/.well-known/oauth-authorization-server/t", lambda to: to.wfile.write(b"nonsense\r\n\r\n")
    )
    with pytest.raises(Unreachable):
        keys_url(issuer.url + "/t")
    assert issuer.asked == ["/.well-known/oauth-authorization-server/t"]


def test_an_issuer_elsewhere_does_not_send_us_to_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """What listens here is not its to be asked."""
    told = {"issuer": "https://a.example", "jwks_uri": "http://127.0.0.1:8080/keys"}
    monkeypatch.setattr(auth_fetch, "document", lambda url, seconds: json.loads(json.dumps(told)))
    with pytest.raises(FetchFailed, match="this machine"):
        keys_url("https://a.example")
