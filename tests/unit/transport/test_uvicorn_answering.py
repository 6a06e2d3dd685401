"""Answers on the guarded HTTP connection, in memory: their order, and how one ends whose request breaks or is not read."""

import asyncio
from typing import Any

from readingroom.limits import Limits
from support.guarded import CHUNKED, GET, HOST, POST, Connection, head, run, settle


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
        await connection.say(GET, head(HOST, CHUNKED) + b"nonsense\r\n")
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
        await connection.say(head(HOST, b"Content-Length: 2000000"), b"a" * 10_000)
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
        await connection.say(head(HOST, CHUNKED), b"nonsense\r\n")
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
