"""How the guarded HTTP connection reads requests, in memory: what is refused, what is served, how large a head may be."""

import asyncio

import pytest

from readingroom.limits import Limits
from support.guarded import CHUNKED, GET, HOST, POST, Connection, head, run, settle

REFUSED: dict[str, bytes] = {
    "length and chunks": head(HOST, b"Content-Length: 3", CHUNKED) + b"0\r\n\r\n",
    "chunks and length": head(HOST, CHUNKED, b"Content-Length: 3") + b"0\r\n\r\n",
    "two lengths": head(HOST, b"Content-Length: 3", b"Content-Length: 4") + b"abcd",
    "the same length twice": head(HOST, b"Content-Length: 3", b"Content-Length: 3") + b"abc",
    "a list of lengths": head(HOST, b"Content-Length: 3, 3") + b"abc",
    "a length with a sign": head(HOST, b"Content-Length: +3") + b"abc",
    "a negative length": head(HOST, b"Content-Length: -3") + b"abc",
    "a hexadecimal length": head(HOST, b"Content-Length: 0x3") + b"abc",
    "no number for a length": head(HOST, b"Content-Length: "),
    "a length beyond 64 bits": head(HOST, b"Content-Length: 99999999999999999999999"),
    "gzip": head(HOST, b"Transfer-Encoding: gzip"),
    "gzip, chunked": head(HOST, b"Transfer-Encoding: gzip, chunked") + b"0\r\n\r\n",
    "chunked, identity": head(HOST, b"Transfer-Encoding: chunked, identity") + b"0\r\n\r\n",
    "chunked twice": head(HOST, CHUNKED, CHUNKED) + b"0\r\n\r\n",
    "xchunked": head(HOST, b"Transfer-Encoding: xchunked") + b"0\r\n\r\n",
    "Chunked": head(HOST, b"Transfer-Encoding: Chunked") + b"0\r\n\r\n",
    "chunked after a vertical tab": head(HOST, b"Transfer-Encoding: \x0bchunked") + b"0\r\n\r\n",
    "chunks in HTTP/1.0": head(HOST, CHUNKED, line=b"POST / HTTP/1.0") + b"0\r\n\r\n",
    "a folded line": head(HOST, b"X: a", b" b"),
    "a folded first line": head(b" X: a", HOST),
    "NUL in a value": head(HOST, b"X: a\0b"),
    "CR in a value": head(HOST, b"X: a\rb"),
    "a control character in a value": head(HOST, b"X: a\x01b"),
    "DEL in a value": head(HOST, b"X: a\x7fb"),
    "space before the colon": head(HOST, b"X : a"),
    "no name": head(HOST, b": a"),
    "no colon": head(HOST, b"XXX"),
    "a character that no name has": head(HOST, b"X(: a"),
    "bare line feeds": b"GET / HTTP/1.1\nHost: h\n\n",
    "a bare line feed between fields": b"GET / HTTP/1.1\r\nHost: h\nX: a\r\n\r\n",
    "no host": head(),
    "two hosts": head(HOST, b"Host: i"),
    "one host twice": head(HOST, HOST),
    "two hosts in HTTP/1.0": head(HOST, HOST, line=b"GET / HTTP/1.0"),
    "a target of another host": head(HOST, line=b"GET http://i/ HTTP/1.1"),
    "a target with a user": head(HOST, line=b"GET http://u@h/ HTTP/1.1"),
    "a target with a host and no path": head(HOST, line=b"GET http://h HTTP/1.1"),
    "a target of another scheme": head(HOST, line=b"GET ftp://h/ HTTP/1.1"),
    "a target of an authority": head(HOST, line=b"GET h:80 HTTP/1.1"),
    "a star": head(HOST, line=b"OPTIONS * HTTP/1.1"),
    "a fragment": head(HOST, line=b"GET /a#b HTTP/1.1"),
    "bytes that no target has": head(HOST, line=b"GET /\xff HTTP/1.1"),
    "a tunnel": head(HOST, line=b"CONNECT h:80 HTTP/1.1"),
    "HTTP/0.9": b"GET /\r\n\r\n",
    "HTTP/0.9, said": head(HOST, line=b"GET / HTTP/0.9"),
    "HTTP/1.2": head(HOST, line=b"GET / HTTP/1.2"),
    "HTTP/2.0": head(HOST, line=b"GET / HTTP/2.0"),
    "the preface of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a TLS handshake": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "a method that is none": head(HOST, line=b"FOO / HTTP/1.1"),
    "a method of RTSP": head(HOST, line=b"DESCRIBE / RTSP/1.0"),
    "a chunk that is longer than it says": head(HOST, CHUNKED) + b"3\r\nabcXX0\r\n\r\n",
    "chunks with bare line feeds": head(HOST, CHUNKED) + b"3\nabc\n0\n\n",
    "a bare line feed in an extension": head(HOST, CHUNKED) + b"3;a\nb\r\nabc\r\n0\r\n\r\n",
    "space after the size of a chunk": head(HOST, CHUNKED) + b"3 \r\nabc\r\n0\r\n\r\n",
    "a size of a chunk beyond 64 bits": head(HOST, CHUNKED) + b"fffffffffffffffff\r\nabc\r\n0\r\n\r\n",
    "a negative size of a chunk": head(HOST, CHUNKED) + b"-1\r\nabc\r\n0\r\n\r\n",
    "a length as a trailer": head(HOST, CHUNKED) + b"0\r\nContent-Length: 3\r\n\r\nabc",
}
SERVED: dict[str, tuple[bytes, list[tuple[str, bytes]]]] = {
    "a request": (GET, [("/a", b"")]),
    "a body": (POST + b"abc", [("/p", b"abc")]),
    "chunks": (head(HOST, CHUNKED) + b"1\r\na\r\n2;x=y\r\nbc\r\n0\r\nX-T: 1\r\n\r\n", [("/", b"abc")]),
    "the host in the target, too": (head(HOST, line=b"GET http://H/x?y HTTP/1.1"), [("/x", b"")]),
    "HTTP/1.0 without a host": (b"GET / HTTP/1.0\r\n\r\n", [("/", b"")]),
    "empty lines before": (b"\r\n\r\n" + GET, [("/a", b"")]),
    "two in a row": (GET + POST + b"abc", [("/a", b""), ("/p", b"abc")]),
    "bytes beyond ASCII in a value": (head(HOST, b"X: \xff", line=b"GET /b HTTP/1.1"), [("/b", b"")]),
    "a wish in HTTP/1.0": (
        head(b"Connection: Upgrade", b"Upgrade: websocket", line=b"GET /w HTTP/1.0"),
        [("/w", b"")],
    ),
    "a wish for WebSocket": (
        head(HOST, b"Connection: Upgrade", b"Upgrade: websocket", line=b"GET /w HTTP/1.1"),
        [("/w", b"")],
    ),
    "a wish for h2c with a body, and one more": (
        head(HOST, b"Connection: Upgrade, HTTP2-Settings", b"Upgrade: h2c", b"Content-Length: 3")
        + b"abc"
        + GET,
        [("/", b"abc"), ("/a", b"")],
    ),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("split", [None, 1], ids=["whole", "by bytes"])
def test_what_two_readers_may_read_otherwise_is_refused(name: str, split: int | None) -> None:
    """One answer of 400, then the connection ends; neither the request nor what hides behind it is handed on."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop)
        data = REFUSED[name] + GET
        pieces = [data] if split is None else [data[i : i + split] for i in range(0, len(data), split)]
        out = await connection.say(*pieces)
        assert out.startswith(b"HTTP/1.1 400 Bad Request\r\n")
        assert b"connection: close" in out
        assert out.count(b"HTTP/1.1 ") == 1
        assert connection.protocol.connections == {connection.protocol}
        assert connection.wire.ends
        assert [body for _, body in connection.asked if body != b"GONE"] == []

    run(scene)


@pytest.mark.parametrize("name", SERVED)
@pytest.mark.parametrize("split", [None, 1], ids=["whole", "by bytes"])
def test_what_is_well_formed_is_served(name: str, split: int | None) -> None:
    """However it is cut up on the way; the head that the application sees holds no trailers."""
    data, asked = SERVED[name]

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop)
        out = await connection.say(
            *([data] if split is None else [data[i : i + 1] for i in range(len(data))])
        )
        await settle()
        assert connection.asked == asked
        assert out.count(b"HTTP/1.1 200 ") == len(asked)
        assert all(name != b"x-t" for scope in connection.scopes for name, _ in scope["headers"])

    run(scene)


def test_a_wish_for_another_protocol_does_not_undo_a_wish_to_close() -> None:
    """`Connection: close, Upgrade` is answered, and then the connection is closed."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop)
        await connection.say(
            head(HOST, b"Connection: close, Upgrade", b"Upgrade: h2c", line=b"GET / HTTP/1.1")
        )
        assert connection.asked == [("/", b"")]
        assert connection.wire.ends == ["close"]

    run(scene)


LARGE: dict[str, tuple[bytes, ...]] = {
    "a long value": (head(HOST, b"X: " + b"a" * 2000),),
    "a long value that does not end": (b"GET / HTTP/1.1\r\nX: ", *[b"a" * 200] * 6),
    "a long target": (head(HOST, line=b"GET /" + b"a" * 2000 + b" HTTP/1.1"),),
    "a target that does not end": (b"GET /", *[b"a" * 200] * 6),
    "many fields": (head(HOST, *[b"X: a"] * 30),),
    "empty lines that do not end": (*[b"\r\n" * 100] * 6,),
}


@pytest.mark.parametrize("name", LARGE)
def test_a_large_head_is_refused(name: str) -> None:
    """With 431, once it is larger than may be, whether or not it ends."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop, limits=Limits(head_bytes=1000, head_fields=20))
        out = await connection.say(*LARGE[name])
        assert out.startswith(b"HTTP/1.1 431 ")
        assert out.endswith(b"the head of a request has at most 1000 bytes and 20 fields\n")
        assert connection.asked == []

    run(scene)


def test_a_long_row_of_small_heads_is_not_large() -> None:
    """Only the head that is being read counts, also where a piece ends in the middle of one."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop, limits=Limits(head_bytes=100))
        await connection.say(GET * 8 + GET[:9], GET[9:])
        assert len(connection.asked) == 9
        assert connection.wire.ends == []

    run(scene)


def test_chunks_that_hold_more_than_a_body_are_refused() -> None:
    """Extensions and trailers do not go on for ever, though they are passed over."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop)
        await connection.say(head(HOST, CHUNKED) + b"1;", *[b"a" * 65536] * 3)
        assert connection.wire.ends == []
        out = await connection.say(*[b"a" * 65536] * 2)
        assert out.startswith(b"HTTP/1.1 400 ")

    run(scene)
