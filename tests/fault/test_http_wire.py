"""The HTTP server as a process, with raw sockets: what is slow, silent, large, broken or many, and how it ends."""

import contextlib
import random
import signal
import socket
import sys
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.http_wire import BODY, GET, HOLD, QUICK, TELLS_OF_LEAVING, Http, refused, rest_of, serving
from support.processes import until

if sys.platform == "win32":
    pytest.skip("processes are ended by signals here", allow_module_level=True)


@pytest.fixture(scope="module")
def quick() -> Iterator[Http]:
    """A server whose deadlines are a second long."""
    with serving(QUICK) as http:
        yield http


SLOW: dict[str, tuple[bytes, bytes]] = {
    "a silent connection": (b"", b""),
    "half a head": (GET[:9], b"HTTP/1.1 408 "),
    "a body that does not come": (BODY, b"HTTP/1.1 408 "),
    "a connection that is not used again": (GET, b"HTTP/1.1 200 "),
    "an early answer to a body that does not come": (BODY.replace(b"/a", b"/early"), b"HTTP/1.1 413 "),
}


@pytest.mark.parametrize("name", SLOW)
def test_whoever_is_slow_is_ended(quick: Http, name: str) -> None:
    """Each at its deadline, with what there is to be said; the server goes on."""
    data, answer = SLOW[name]
    with quick.connect() as client:
        client.sendall(data)
        assert rest_of(client).startswith(answer)
    assert quick.is_serving()


def test_a_trickle_is_ended(quick: Http) -> None:
    """A byte now and then does not keep a connection, neither of a head nor of a body."""
    for start in (b"GET / HTTP/1.1\r\nX: ", BODY):
        with quick.connect() as client:
            client.sendall(start)
            client.settimeout(0.2)
            answer = b""
            while not answer:
                with contextlib.suppress(TimeoutError):
                    answer = client.recv(100)
                    break
                client.sendall(b"a")
            assert answer.startswith(b"HTTP/1.1 408 ")


def test_a_client_that_does_not_read_is_cut_off() -> None:
    """Its 64 MB are not kept for it, and it ends."""
    with serving(QUICK) as http:
        assert http.is_serving()
        until(lambda: http.descriptors() == http.descriptors())
        before = http.descriptors()
        with http.connect(receives=4096) as client:
            client.sendall(GET.replace(b"/a", b"/flood"))
            assert client.recv(100).startswith(b"HTTP/1.1 200 ")
            assert http.descriptors() > before
            until(lambda: http.descriptors() <= before)
        assert http.is_serving()


LARGE = {
    "300 kB in one field": b"GET / HTTP/1.1\r\nHost: h\r\nX: " + b"a" * 300_000 + b"\r\n\r\n",
    "300 kB that do not end": b"GET / HTTP/1.1\r\nHost: h\r\nX: " + b"a" * 300_000,
    "300 kB in many fields": b"GET / HTTP/1.1\r\nHost: h\r\n" + b"X: aaaa\r\n" * 30_000,
    "300 kB of a target": b"GET /" + b"a" * 300_000 + b" HTTP/1.1\r\nHost: h\r\n\r\n",
}


@pytest.mark.parametrize("name", LARGE)
def test_a_large_head_is_refused(quick: Http, name: str) -> None:
    """The client, which writes before it reads, does get to read why."""
    assert quick.ask(LARGE[name]).startswith(b"HTTP/1.1 431 ")


SMUGGLED = {
    "length and chunks": (
        b"POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        + GET
    ),
    "two lengths": b"POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nContent-Length: 29\r\n\r\n" + GET,
    "chunks after a vertical tab": (
        b"POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n" + GET
    ),
    "a folded length": b"POST /a HTTP/1.1\r\nHost: h\r\nContent-Length:\r\n 29\r\n\r\n" + GET,
    "space before the colon": b"POST /a HTTP/1.1\r\nHost: h\r\nContent-Length : 29\r\n\r\n" + GET,
    "two hosts": b"GET /a HTTP/1.1\r\nHost: h\r\nHost: evil\r\n\r\n" + GET,
    "no host": b"GET /a HTTP/1.1\r\n\r\n" + GET,
    "another host in the target": b"GET http://evil/a HTTP/1.1\r\nHost: h\r\n\r\n" + GET,
    "the preface of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + GET,
    "HTTP/0.9": b"GET /a\r\n\r\n" + GET,
    "a TLS handshake": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + GET,
}


@pytest.mark.parametrize("name", SMUGGLED)
def test_nothing_is_smuggled_through(quick: Http, name: str) -> None:
    """One 400 comes, and the connection ends; the request behind is never seen."""
    answer = quick.ask(SMUGGLED[name])
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.count(b"HTTP/1.1 ") == 1


def test_connections_beyond_the_cap_are_refused_and_room_comes_back() -> None:
    """Those that are open are served on."""
    with serving({"connections": 3}) as http:
        open_ones = [http.connect() for _ in range(3)]
        for client in open_ones:
            client.sendall(GET)
            assert client.recv(12) == b"HTTP/1.1 200"
        assert http.ask(b"").startswith(b"HTTP/1.1 503 ")
        open_ones[0].sendall(GET)
        assert b"/a=" in _until(open_ones[0], b"\r\n0\r\n\r\n", 2)
        for client in open_ones:
            client.close()
        until(http.is_serving)


def _until(client: socket.socket, end: bytes, times: int) -> bytes:
    out = b""
    while out.count(end) < times:
        piece = client.recv(65536)
        assert piece, out
        out += piece
    return out


# The end -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_lets_what_is_under_way_come_to_its_end(number: int) -> None:
    """A request is answered, a stream is ended by the application, an idle connection is closed; the exit code is 0."""
    with serving() as http:
        asking, streaming, idle = (http.connect() for _ in range(3))
        asking.sendall(GET.replace(b"/a", b"/slow"))
        streaming.sendall(GET.replace(b"/a", b"/stream"))
        for _ in range(2):
            http.event("asked")
        assert http.process.process.poll() is None
        http.process.process.send_signal(number)
        assert rest_of(idle) == b""
        assert rest_of(asking).endswith(b"/slow=\r\n0\r\n\r\n")
        assert b"data: end\n\n" in rest_of(streaming)
        assert http.event("lifespan") == {"lifespan": "shutdown"}
        assert http.process.wait() == 0
        assert http.process.stderr() == ""


def test_what_does_not_end_is_cut_off() -> None:
    """After `drain_seconds`; no new connection is taken meanwhile; the exit code is 0, and the log has a line of it."""
    with serving({"drain_seconds": 0.5}) as http, http.connect() as client:
        client.sendall(GET.replace(b"/a", b"/hold"))
        http.event("asked")
        http.process.process.terminate()
        assert rest_of(client) == b""
        http.event("gone")
        assert http.process.wait() == 0
        assert http.process.stderr() == "HTTP: cut 1 connection that was still open at the end\n"
        with pytest.raises(ConnectionRefusedError):
            http.connect()


def test_a_second_signal_ends_at_once() -> None:
    """Whatever is under way."""
    with serving({"drain_seconds": 1000.0}) as http, http.connect() as client:
        client.sendall(GET.replace(b"/a", b"/hold"))
        http.event("asked")
        http.process.process.terminate()
        until(lambda: not _is_listening(http.port))
        http.process.process.terminate()
        assert http.process.wait() == 0


def _is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_port_in_use_is_told() -> None:
    """By an error that says what to do; two processes may share one when both ask for it."""
    with serving(shares_port=True) as http:
        other = refused(port=http.port)
        assert other.returncode == 1
        assert "TransportError: cannot listen at 127.0.0.1 port" in other.stderr
        assert "another program listens there; end it, or choose another port" in other.stderr
        with serving(port=http.port, shares_port=True) as second:
            assert second.port == http.port


# Rubbish and leaks ---------------------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        b"GET ", b"POST ", b"/a", b"/early", b" HTTP/1.1", b" HTTP/1.0", b"\r\n", b"\r\n\r\n", b"\n", b"\r", b"Host: h",
        b"Content-Length: 3", b"Transfer-Encoding: chunked", b"abc", b"0", b"3", b";", b": ", b" ", b"\0", b"\xff",
        b"Connection: close", b"Connection: upgrade", b"Upgrade: h2c", b"Expect: 100-continue", GET, BODY,
    ]
)  # fmt: skip


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES | st.binary(max_size=40), max_size=12).map(b"".join))
def test_rubbish_is_answered_by_the_book_or_not_at_all(quick: Http, data: bytes) -> None:
    """Every answer is whole, of a status that there is, and the server goes on."""
    with quick.connect() as client:
        client.sendall(data)
        client.shutdown(socket.SHUT_WR)
        answer = rest_of(client)
    assert answer == b"" or answer.startswith(b"HTTP/1.1 ")
    assert quick.process.process.poll() is None


def test_broken_connections_leave_nothing_behind() -> None:
    """After 1,000 of them there are as many descriptors as at the start, and the cap has all its room."""
    with serving({**QUICK, "connections": 50}) as http:
        assert http.is_serving()
        until(lambda: http.descriptors() == http.descriptors())
        before = http.descriptors()
        chosen = random.Random(7)
        ways: list[Callable[[socket.socket], None]] = [
            lambda client: client.sendall(GET),
            lambda client: client.sendall(GET[:20]),
            lambda client: client.sendall(BODY),
            lambda client: client.sendall(b"\0\1nonsense\r\n\r\n"),
            lambda client: client.sendall(GET.replace(b"/a", b"/flood")),
            lambda client: client.sendall(GET.replace(b"/a", b"/hold")),
            lambda client: client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0"),
            lambda client: None,
        ]
        for _ in range(1000):
            with http.connect() as client, contextlib.suppress(OSError):
                chosen.choice(ways)(client)
        until(lambda: http.descriptors() <= before)
        held = [http.connect() for _ in range(49)]
        assert http.is_serving()
        for client in held:
            client.close()


# Leaving -------------------------------------------------------------------------------------------------------------

STREAM = GET.replace(b"/a", b"/trickle")
LEAVINGS = {
    f"{first}, {name}, {how}": (request, behind, how)
    for first, request in (("a silent call", HOLD), ("a stream", STREAM))
    for name, behind in (("a request behind", GET), ("many behind", GET * 9), ("half a body behind", BODY))
    for how in ("closed", "reset")
}


@TELLS_OF_LEAVING
@pytest.mark.parametrize("name", LEAVINGS)
def test_a_client_that_leaves_with_more_behind_is_noticed(quick: Http, name: str) -> None:
    """What was being answered learns of it soon, and nothing is written to the log for it."""
    request, behind, how = LEAVINGS[name]
    with quick.connect() as client:
        client.sendall(request)
        while quick.event("asked")["asked"] not in ("/hold", "/trickle"):
            pass
        client.sendall(behind)
        if how == "reset":
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    quick.event("gone")
    assert quick.is_serving()
    assert quick.process.stderr() == ""
