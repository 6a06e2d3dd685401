"""One exchange over HTTP: whatever a server drips, and wherever, it ends within its time."""

import socket
import threading
from collections.abc import Iterator

import pytest

from readingroom.apps.check.asking import request
from readingroom.apps.check.http_peer import HttpPeer
from readingroom.apps.check.post import Came, exchange, place_of
from readingroom.apps.check.verdicts import Notebook

SECONDS = 0.3
# Far more than an exchange takes, and far less than for ever.
ENOUGH = 6.0
PAUSE = 0.02
HEADERS = (("Host", "x"), ("Content-Length", "2"))
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
STREAMS = {
    "to the end of the connection": (HEAD + b"Connection: close\r\n\r\n", b": alive\n\n"),
    "without a word on the connection": (HEAD + b"\r\n", b": alive\n\n"),
    "in chunks": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"9\r\n: alive\n\n\r\n"),
    "of HTTP/1.0": (HEAD.replace(b"1.1", b"1.0") + b"\r\n", b": alive\n\n"),
}


@pytest.fixture
def dripping() -> Iterator[tuple[int, list[bytes]]]:
    """A port at which each connection gets the first of the pieces, and then the second until it is left."""
    pieces: list[bytes] = []
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65536)
                try:
                    connection.sendall(pieces[0])
                    while not over.wait(PAUSE):
                        connection.sendall(pieces[1])
                except OSError:
                    return

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listening.getsockname()[1], pieces
        over.set()
        thread.join(ENOUGH)


def _ended(url: str) -> Came:
    """Exchange in a thread of its own, so that one without an end fails the test and does not hold it."""
    came: list[Came] = []

    def run() -> None:
        came.append(exchange(place_of(url), "POST", HEADERS, b"{}", SECONDS, lambda _: True))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(ENOUGH)
    assert came, "the exchange has no end"
    return came[0]


@pytest.mark.parametrize("kind", STREAMS)
def test_a_stream_without_end(kind: str, dripping: tuple[int, list[bytes]]) -> None:
    """It is left in time, whoever of connection and response holds the socket; that is told apart from an end."""
    port, pieces = dripping
    pieces += STREAMS[kind]
    came = _ended(f"http://127.0.0.1:{port}/mcp")
    assert (came.status, came.is_stream) == (200, True)
    assert "0.3 s" in came.fault


def test_a_body_without_end(dripping: tuple[int, list[bytes]]) -> None:
    """A body that goes to the end of the connection is left in time, too."""
    port, pieces = dripping
    pieces += (b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n", b" ")
    came = _ended(f"http://127.0.0.1:{port}/mcp")
    assert (came.status, came.is_stream) == (200, False)
    assert "0.3 s" in came.fault


def test_headers_without_end(dripping: tuple[int, list[bytes]]) -> None:
    """A head that does not end is left in time."""
    port, pieces = dripping
    pieces += (b"HTTP/1.1 200 OK\r\nX-A: ", b"b")
    assert "0.3 s" in _ended(f"http://127.0.0.1:{port}/mcp").fault


def test_a_handshake_without_end(dripping: tuple[int, list[bytes]]) -> None:
    """A handshake of TLS of which a byte comes now and then is left in time."""
    port, pieces = dripping
    pieces += (b"\x16\x03\x03\x3f\xff\x02\x00\x3f\xfb\x03\x03", b"\x00")
    assert "0.3 s" in _ended(f"https://127.0.0.1:{port}/mcp").fault


def test_an_end_in_time(dripping: tuple[int, list[bytes]]) -> None:
    """What comes whole in time has no fault."""
    port, pieces = dripping
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
    pieces += (head, b"")
    came = _ended(f"http://127.0.0.1:{port}/mcp")
    assert (came.status, came.body, came.fault) == (200, b"{}", "")


def test_what_is_cut_is_no_answer(dripping: tuple[int, list[bytes]]) -> None:
    """A request whose stream goes on without its answer is one that was not answered in time (RPC-0)."""
    port, pieces = dripping
    pieces += STREAMS["in chunks"]
    note = Notebook()
    peer = HttpPeer(place_of(f"http://127.0.0.1:{port}/mcp"), note, SECONDS, {})
    assert peer.ask(request("server/discover")).state == "silent"
    assert note.is_broken("RPC-0")


def test_no_time_is_left() -> None:
    """Where connecting has taken all the time, nothing is sent."""
    came = exchange(place_of("http://127.0.0.1:1/mcp"), "POST", HEADERS, b"{}", 0.0, lambda _: True)
    assert (came.status, came.is_late) == (0, True)
