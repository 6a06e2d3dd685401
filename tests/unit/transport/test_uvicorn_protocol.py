"""The guarded HTTP connection, in memory: a transport that keeps what is written, a clock that is set by hand."""

import asyncio
import select
import socket
from typing import Any

import pytest

from readingroom.limits import Limits
from readingroom.transport.connection_counts import ConnectionCounts
from support.guarded import Connection, run, settle

GET = b"GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
POST = b"POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n"


def _head(*fields: bytes, line: bytes = b"POST / HTTP/1.1") -> bytes:
    return b"\r\n".join([line, *fields, b"", b""])


HOST = b"Host: h"
CHUNKED = b"Transfer-Encoding: chunked"
REFUSED: dict[str, bytes] = {
    "length and chunks": _head(HOST, b"Content-Length: 3", CHUNKED) + b"0\r\n\r\n",
    "chunks and length": _head(HOST, CHUNKED, b"Content-Length: 3") + b"0\r\n\r\n",
    "two lengths": _head(HOST, b"Content-Length: 3", b"Content-Length: 4") + b"abcd",
    "the same length twice": _head(HOST, b"Content-Length: 3", b"Content-Length: 3") + b"abc",
    "a list of lengths": _head(HOST, b"Content-Length: 3, 3") + b"abc",
    "a length with a sign": _head(HOST, b"Content-Length: +3") + b"abc",
    "a negative length": _head(HOST, b"Content-Length: -3") + b"abc",
    "a hexadecimal length": _head(HOST, b"Content-Length: 0x3") + b"abc",
    "no number for a length": _head(HOST, b"Content-Length: "),
    "a length beyond 64 bits": _head(HOST, b"Content-Length: 99999999999999999999999"),
    "gzip": _head(HOST, b"Transfer-Encoding: gzip"),
    "gzip, chunked": _head(HOST, b"Transfer-Encoding: gzip, chunked") + b"0\r\n\r\n",
    "chunked, identity": _head(HOST, b"Transfer-Encoding: chunked, identity") + b"0\r\n\r\n",
    "chunked twice": _head(HOST, CHUNKED, CHUNKED) + b"0\r\n\r\n",
    "xchunked": _head(HOST, b"Transfer-Encoding: xchunked") + b"0\r\n\r\n",
    "Chunked": _head(HOST, b"Transfer-Encoding: Chunked") + b"0\r\n\r\n",
    "chunked after a vertical tab": _head(HOST, b"Transfer-Encoding: \x0bchunked") + b"0\r\n\r\n",
    "chunks in HTTP/1.0": _head(HOST, CHUNKED, line=b"POST / HTTP/1.0") + b"0\r\n\r\n",
    "a folded line": _head(HOST, b"X: a", b" b"),
    "a folded first line": _head(b" X: a", HOST),
    "NUL in a value": _head(HOST, b"X: a\0b"),
    "CR in a value": _head(HOST, b"X: a\rb"),
    "a control character in a value": _head(HOST, b"X: a\x01b"),
    "DEL in a value": _head(HOST, b"X: a\x7fb"),
    "space before the colon": _head(HOST, b"X : a"),
    "no name": _head(HOST, b": a"),
    "no colon": _head(HOST, b"XXX"),
    "a character that no name has": _head(HOST, b"X(: a"),
    "bare line feeds": b"GET / HTTP/1.1\nHost: h\n\n",
    "a bare line feed between fields": b"GET / HTTP/1.1\r\nHost: h\nX: a\r\n\r\n",
    "no host": _head(),
    "two hosts": _head(HOST, b"Host: i"),
    "one host twice": _head(HOST, HOST),
    "two hosts in HTTP/1.0": _head(HOST, HOST, line=b"GET / HTTP/1.0"),
    "a target of another host": _head(HOST, line=b"GET http://i/ HTTP/1.1"),
    "a target with a user": _head(HOST, line=b"GET http://u@h/ HTTP/1.1"),
    "a target with a host and no path": _head(HOST, line=b"GET http://h HTTP/1.1"),
    "a target of another scheme": _head(HOST, line=b"GET ftp://h/ HTTP/1.1"),
    "a target of an authority": _head(HOST, line=b"GET h:80 HTTP/1.1"),
    "a star": _head(HOST, line=b"OPTIONS * HTTP/1.1"),
    "a fragment": _head(HOST, line=b"GET /a#b HTTP/1.1"),
    "bytes that no target has": _head(HOST, line=b"GET /\xff HTTP/1.1"),
    "a tunnel": _head(HOST, line=b"CONNECT h:80 HTTP/1.1"),
    "HTTP/0.9": b"GET /\r\n\r\n",
    "HTTP/0.9, said": _head(HOST, line=b"GET / HTTP/0.9"),
    "HTTP/1.2": _head(HOST, line=b"GET / HTTP/1.2"),
    "HTTP/2.0": _head(HOST, line=b"GET / HTTP/2.0"),
    "the preface of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a TLS handshake": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "a method that is none": _head(HOST, line=b"FOO / HTTP/1.1"),
    "a method of RTSP": _head(HOST, line=b"DESCRIBE / RTSP/1.0"),
    "a chunk that is longer than it says": _head(HOST, CHUNKED) + b"3\r\nabcXX0\r\n\r\n",
    "chunks with bare line feeds": _head(HOST, CHUNKED) + b"3\nabc\n0\n\n",
    "a bare line feed in an extension": _head(HOST, CHUNKED) + b"3;a\nb\r\nabc\r\n0\r\n\r\n",
    "space after the size of a chunk": _head(HOST, CHUNKED) + b"3 \r\nabc\r\n0\r\n\r\n",
    "a size of a chunk beyond 64 bits": _head(HOST, CHUNKED) + b"fffffffffffffffff\r\nabc\r\n0\r\n\r\n",
    "a negative size of a chunk": _head(HOST, CHUNKED) + b"-1\r\nabc\r\n0\r\n\r\n",
    "a length as a trailer": _head(HOST, CHUNKED) + b"0\r\nContent-Length: 3\r\n\r\nabc",
}
SERVED: dict[str, tuple[bytes, list[tuple[str, bytes]]]] = {
    "a request": (GET, [("/a", b"")]),
    "a body": (POST + b"abc", [("/p", b"abc")]),
    "chunks": (_head(HOST, CHUNKED) + b"1\r\na\r\n2;x=y\r\nbc\r\n0\r\nX-T: 1\r\n\r\n", [("/", b"abc")]),
    "the host in the target, too": (_head(HOST, line=b"GET http://H/x?y HTTP/1.1"), [("/x", b"")]),
    "HTTP/1.0 without a host": (b"GET / HTTP/1.0\r\n\r\n", [("/", b"")]),
    "empty lines before": (b"\r\n\r\n" + GET, [("/a", b"")]),
    "two in a row": (GET + POST + b"abc", [("/a", b""), ("/p", b"abc")]),
    "bytes beyond ASCII in a value": (_head(HOST, b"X: \xff", line=b"GET /b HTTP/1.1"), [("/b", b"")]),
    "a wish in HTTP/1.0": (
        _head(b"Connection: Upgrade", b"Upgrade: websocket", line=b"GET /w HTTP/1.0"),
        [("/w", b"")],
    ),
    "a wish for WebSocket": (
        _head(HOST, b"Connection: Upgrade", b"Upgrade: websocket", line=b"GET /w HTTP/1.1"),
        [("/w", b"")],
    ),
    "a wish for h2c with a body, and one more": (
        _head(HOST, b"Connection: Upgrade, HTTP2-Settings", b"Upgrade: h2c", b"Content-Length: 3")
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
            _head(HOST, b"Connection: close, Upgrade", b"Upgrade: h2c", line=b"GET / HTTP/1.1")
        )
        assert connection.asked == [("/", b"")]
        assert connection.wire.ends == ["close"]

    run(scene)


LARGE: dict[str, tuple[bytes, ...]] = {
    "a long value": (_head(HOST, b"X: " + b"a" * 2000),),
    "a long value that does not end": (b"GET / HTTP/1.1\r\nX: ", *[b"a" * 200] * 6),
    "a long target": (_head(HOST, line=b"GET /" + b"a" * 2000 + b" HTTP/1.1"),),
    "a target that does not end": (b"GET /", *[b"a" * 200] * 6),
    "many fields": (_head(HOST, *[b"X: a"] * 30),),
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
        await connection.say(_head(HOST, CHUNKED) + b"1;", *[b"a" * 65536] * 3)
        assert connection.wire.ends == []
        out = await connection.say(*[b"a" * 65536] * 2)
        assert out.startswith(b"HTTP/1.1 400 ")

    run(scene)


# Clocks --------------------------------------------------------------------------------------------------------------


def test_a_silent_connection_is_closed_without_a_word() -> None:
    """After `head_seconds`, not before."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop)
        assert connection.after(9.9) == []
        assert connection.after(10.1) == ["close"]
        assert connection.wire.out == b""

    run(scene)


def test_a_slow_head_is_refused_however_often_a_byte_comes() -> None:
    """The deadline counts from its first byte."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop)
        for second in range(1, 10):
            await connection.say(GET[second - 1 : second])
            assert connection.after(second) == []
        assert connection.after(10.5) == ["eof"]
        assert connection.wire.out.startswith(b"HTTP/1.1 408 ")

    run(scene)


def test_the_time_before_a_head_does_not_count() -> None:
    """A connection may be used again at the last moment."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop)
        await connection.say(GET)
        connection.protocol._since -= 14
        await connection.say(GET[:5])
        assert connection.after(9) == []
        assert connection.after(11) == ["eof"]

    run(scene)


def test_empty_lines_do_not_keep_a_connection() -> None:
    """They are part of a head that does not come."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop)
        await connection.say(GET, b"\r\n")
        assert connection.after(9) == []
        assert connection.after(11) == ["eof"]

    run(scene)


@pytest.mark.parametrize(("seconds", "sent"), [(11.5, 1), (60.5, 1_000_000)], ids=["trickle", "too long"])
def test_a_slow_body_is_refused(seconds: float, sent: int) -> None:
    """One that trickles soon after `head_seconds`, and any after `body_seconds`; the application learns that it is over."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop)
        await connection.say(_head(HOST, b"Content-Length: 2000000"))
        for _ in range(sent // 50_000 or 1):
            await connection.say(b"a" * min(sent, 50_000))
        assert connection.after(seconds - 1.6) == []
        assert connection.after(seconds) == ["eof"]
        await settle()
        assert connection.wire.out.startswith(b"HTTP/1.1 408 ")
        assert connection.asked == [("/", b"GONE")]

    run(scene)


def test_no_deadline_runs_while_it_is_we_who_do_not_read() -> None:
    """A body that the application does not take is not slow."""

    async def lazy(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(3600)

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop, lazy)
        await connection.say(_head(HOST, b"Content-Length: 2000000"), b"a" * 100_000)
        assert not connection.wire.is_reading
        assert connection.after(100) == []

    run(scene)


def test_a_connection_is_kept_between_requests_for_a_while() -> None:
    """For `idle_seconds`, or for longer behind a proxy."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        for has_proxy, seconds in ((False, 15), (True, 90)):
            connection = Connection(loop, has_proxy=has_proxy)
            await connection.say(GET)
            assert connection.after(seconds - 0.5) == []
            assert connection.after(seconds + 0.5) == ["close"]

    run(scene)


def test_no_deadline_runs_while_an_answer_is_awaited() -> None:
    """A handler may take as long as it likes."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop)
        connection.answering.clear()
        await connection.say(POST + b"abc")
        assert connection.after(1000) == []

    run(scene)


def test_a_client_that_takes_nothing_is_cut_off() -> None:
    """After `stalled_seconds` without progress; one that takes a little is waited for."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop)
        connection.answering.clear()
        await connection.say(GET)
        assert connection.after(0) == []
        connection.protocol.transport.write(b"x" * 500)
        for second, waiting in ((1, 500), (29, 500), (30, 400), (59, 400)):
            connection.wire.waiting = waiting
            assert connection.after(second) == []
        assert connection.after(61) == ["abort"]

    run(scene)


def test_a_client_that_takes_something_is_served_though_as_much_waits_as_before() -> None:
    """What is written anew hides what was taken, for whoever looks at what waits alone."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop)
        connection.answering.clear()
        await connection.say(GET)
        for second in range(0, 300, 20):
            connection.protocol.transport.write(b"x" * 500)
            connection.wire.waiting = 400
            assert connection.after(second) == []

    run(scene)


def test_what_is_still_to_be_sent_is_waited_for_after_the_end() -> None:
    """A connection that is closing is not cut while its client takes what is left."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop)
        connection.protocol.transport.write(b"x" * 500)
        await connection.say(b"nonsense\r\n")
        for second, waiting in ((1, 500), (20, 400), (40, 300)):
            connection.wire.waiting = waiting
            assert connection.after(second) == ["eof"]
        connection.wire.waiting = 0
        assert connection.after(41) == ["eof", "abort"]

    run(scene)


def test_under_tls_an_answer_has_time_to_leave() -> None:
    """What still waits below cannot be seen: a connection that is closing is cut much later."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop, is_tls=True)
        await connection.say(b"nonsense\r\n")
        assert connection.after(29) == ["close"]
        assert connection.after(31) == ["close", "abort"]

    run(scene)


# Order and ends ------------------------------------------------------------------------------------------------------


def test_what_comes_broken_behind_a_request_does_not_disturb_its_answer() -> None:
    """The request is answered whole, then the connection is closed, and nothing else was said."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop)
        connection.answering.clear()
        await connection.say(GET, b"nonsense\r\n\r\n", GET)
        assert connection.wire.out == b""
        connection.answering.set()
        await settle()
        assert connection.wire.out.endswith(b"connection: close\r\n\r\n/a=")
        assert connection.wire.ends

    run(scene)


def test_a_broken_body_behind_a_request_cuts_the_connection() -> None:
    """An answer in its place would be taken for that of the request before."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop)
        connection.answering.clear()
        await connection.say(GET, _head(HOST, CHUNKED) + b"nonsense\r\n")
        assert connection.wire.out == b""
        assert connection.wire.ends == ["abort"]

    run(scene)


def test_answers_come_in_the_order_of_requests() -> None:
    """One request at a time is worked on."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop)
        connection.answering.clear()
        await connection.say(GET + POST + b"abc" + GET)
        assert connection.asked == [("/a", b"")]
        connection.answering.set()
        await settle()
        await settle()
        assert [part[:6] for part in connection.wire.out.split(b"\r\n\r\n")[1:]] == [
            b"/a=HTT",
            b"/p=abc",
            b"/a=",
        ]

    run(scene)


def test_few_requests_wait_for_their_turn() -> None:
    """Those beyond `pipelined` are not read; what was asked before is answered, and the connection closed."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop, limits=Limits(pipelined=3))
        connection.answering.clear()
        await connection.say(GET * 10)
        connection.answering.set()
        for _ in range(6):
            await settle()
        assert len(connection.asked) == 4
        assert connection.wire.ends

    run(scene)


def test_an_early_answer_leaves_the_connection_usable() -> None:
    """A little of the body may still come; the next request is read from where it begins."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop, _refuse_early)
        await connection.say(POST, b"ab", b"c" + POST, b"abc")
        assert connection.wire.out.count(b"HTTP/1.1 413 ") == 2
        assert connection.wire.ends == []

    run(scene)


async def _refuse_early(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 413, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body"})


def test_a_body_that_is_not_wanted_is_not_read_for_long() -> None:
    """After an early answer, more than a little ends the connection, and so does a wait."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop, _refuse_early)
        await connection.say(_head(HOST, b"Content-Length: 2000000"), b"a" * 10_000)
        assert connection.wire.ends == []
        await connection.say(b"a" * 10_000)
        assert connection.wire.ends == ["eof"]
        await connection.say(*[b"a" * 1_000_000] * 9)
        assert connection.wire.ends[-1] == "abort"
        waiting = Connection(loop, _refuse_early)
        await waiting.say(POST)
        assert waiting.after(2.5) == ["eof"]

    run(scene)


def test_an_answer_that_has_begun_is_cut_when_its_request_breaks() -> None:
    """The client sees that it is not whole."""

    async def begin(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await receive()
        await receive()

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop, begin)
        await connection.say(_head(HOST, CHUNKED), b"nonsense\r\n")
        assert connection.wire.out.count(b"HTTP/1.1 ") == 1
        assert connection.wire.ends == ["abort"]

    run(scene)


def test_a_failure_of_the_application_is_told_without_its_text() -> None:
    """The client gets 500, the log the kind of error alone."""

    async def fail(scope: Any, receive: Any, send: Any) -> None:
        raise ValueError("secret")

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop, fail)
        out = await connection.say(GET)
        assert out.startswith(b"HTTP/1.1 500 ")
        assert connection.told == ["HTTP: Exception in ASGI application: ValueError"]

    run(scene)


def test_the_end_of_a_connection_reaches_the_application() -> None:
    """What waits for more learns that its client has gone (HTTP-20)."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop)
        await connection.say(POST)
        connection.protocol.connection_lost(None)
        await settle()
        assert connection.asked == [("/p", b"GONE")]
        assert connection.protocol.eof_received() is None

    run(scene)


# Counts --------------------------------------------------------------------------------------------------------------


def test_connections_beyond_the_cap_are_refused_until_others_end() -> None:
    """With 503 and Retry-After; one that has ended makes room."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        limits = Limits(connections=2)
        counts = ConnectionCounts(limits)
        first, _, third = (Connection(loop, limits=limits, counts=counts) for _ in range(3))
        assert third.wire.out.startswith(b"HTTP/1.1 503 ")
        assert b"retry-after: 5\r\n" in third.wire.out
        assert third.wire.ends == ["close"]
        assert counts.open == 2
        await third.say(GET)
        assert third.asked == []
        third.protocol.connection_lost(None)
        first.protocol.connection_lost(ConnectionResetError())
        assert counts.open == 1
        assert Connection(loop, limits=limits, counts=counts).wire.out == b""

    run(scene)


@pytest.mark.parametrize(
    ("peers", "refused"),
    [
        (["203.0.113.5", "203.0.113.5", "203.0.113.5"], 1),
        (["203.0.113.5", "203.0.113.5", "203.0.113.6"], 0),
        (["2001:db8::1", "2001:db8::2", "2001:db8::3"], 1),
        (["2001:db8::1", "2001:db8:0:1::1", "2001:db8:0:2::1"], 0),
        (["::ffff:203.0.113.5", "203.0.113.5", "203.0.113.5"], 1),
        (["::ffff:203.0.113.5", "::ffff:203.0.113.6", "::ffff:203.0.113.7"], 0),
        (["127.0.0.1", "127.0.0.1", "127.0.0.1"], 0),
        (["::1", "::1", "::1"], 0),
        (["", "", ""], 0),
    ],
)
def test_no_address_takes_all(peers: list[str], refused: int) -> None:
    """An IPv4 address or an IPv6 network of 64 bits counts as one; loopback and what is no address do not count."""
    limits = Limits(connections_per_address=2)
    counts = ConnectionCounts(limits)
    assert [counts.enter(peer) is None for peer in peers].count(False) == refused
    for peer in peers[: 3 - refused]:
        counts.leave(peer)
    assert counts.open == 0
    assert [counts.enter(peer) is None for peer in peers].count(False) == refused


def test_behind_a_proxy_addresses_are_those_that_it_tells() -> None:
    """The last one, which the proxy itself has seen; and connections are not counted by address."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        fields = (HOST, b"X-Forwarded-For: 1.1.1.1", b"X-Forwarded-For: 2.2.2.2, 198.51.100.7")
        for has_proxy, address in ((True, "198.51.100.7"), (False, "203.0.113.5")):
            connection = Connection(loop, has_proxy=has_proxy)
            await connection.say(_head(*fields, line=b"GET / HTTP/1.1"))
            assert connection.scopes[0]["client"][0] == address
        limits = Limits(connections_per_address=1)
        counts = ConnectionCounts(limits, has_proxy=True)
        assert [counts.enter("203.0.113.5") for _ in range(3)] == [None, None, None]
        unnamed = Connection(loop, has_proxy=True)
        await unnamed.say(GET)
        assert unnamed.scopes[0]["client"][0] == "203.0.113.5"

    run(scene)


# Who leaves with requests behind one another ---------------------------------------------------------------------------


class _Waiting:
    """An application that says which requests have begun, and which have learned that nobody waits for them."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.gone: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.begun.append(scope["path"])
        while (await receive())["type"] != "http.disconnect":
            pass
        self.gone.append(scope["path"])


BEHIND: dict[str, bytes] = {
    "nothing": b"",
    "a request": POST + b"abc",
    "two requests": GET + POST + b"abc",
    "half a body": POST + b"a",
    "half a head": POST[:20],
}


@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("apart", [False, True], ids=["in one packet", "apart"])
def test_what_runs_learns_that_its_client_has_gone_whatever_waits_behind_it(
    behind: str, *, apart: bool
) -> None:
    """The request that is being answered is told; those behind it, which had not begun, never begin."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        app = _Waiting()
        connection = Connection(loop, app)
        await connection.say(*((GET, BEHIND[behind]) if apart else (GET + BEHIND[behind],)))
        connection.protocol.connection_lost(None)
        await settle()
        assert (app.begun, app.gone) == (["/a"], ["/a"])
        assert not connection.protocol.pipeline
        assert connection.told == []

    run(scene)


def test_what_runs_second_learns_that_its_client_has_gone_as_well() -> None:
    """Once the first is answered it is the one that runs, with a third behind it."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        waiting = _Waiting()

        async def app(scope: Any, receive: Any, send: Any) -> None:
            if scope["path"] != "/first":
                await waiting(scope, receive, send)
                return
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b""})

        connection = Connection(loop, app)
        await connection.say(GET.replace(b"/a", b"/first") + GET.replace(b"/a", b"/second") + GET)
        connection.protocol.connection_lost(None)
        await settle()
        assert (waiting.begun, waiting.gone) == (["/second"], ["/second"])

    run(scene)


@pytest.mark.skipif(
    not hasattr(select, "POLLRDHUP"), reason="Linux alone tells of it before everything is read"
)
def test_a_client_that_has_gone_is_seen_though_nothing_is_read() -> None:
    """The sweeper asks the socket, for the end of what was sent stands behind what is not read yet."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            connection = Connection(loop, _Waiting())
            connection.wire.more["socket"] = ours
            await connection.say(GET)
            await connection.say(POST + b"a")
            assert not connection.wire.is_reading
            assert connection.after(1) == []
            theirs.sendall(b"more")
            assert connection.after(2) == []
            theirs.close()
            assert connection.after(3) == ["abort"]

    run(scene)


def test_a_connection_that_is_closed_already_is_not_asked() -> None:
    """Its socket may be no more."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        ours, theirs = socket.socketpair()
        theirs.close()
        ours.close()
        connection = Connection(loop, _Waiting())
        connection.wire.more["socket"] = ours
        await connection.say(GET + POST + b"abc")
        connection.wire.close()
        connection.protocol.flow.pause_reading()
        assert connection.after(1) == ["close"]

    run(scene)


@pytest.mark.parametrize("has_proxy", [False, True])
def test_a_proxy_in_front_speaks_tls(*, has_proxy: bool) -> None:
    """So what comes through it was asked by https, though it comes in the clear."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop, has_proxy=has_proxy)
        await connection.say(GET)
        assert connection.scopes[0]["scheme"] == ("https" if has_proxy else "http")

    run(scene)
