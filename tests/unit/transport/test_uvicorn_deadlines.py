"""The deadlines of the guarded HTTP connection, in memory, with a clock that is set by hand."""

import asyncio
from typing import Any

import pytest

from support.guarded import GET, HOST, POST, Connection, head, run, settle


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
        await connection.say(head(HOST, b"Content-Length: 2000000"))
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
        await connection.say(head(HOST, b"Content-Length: 2000000"), b"a" * 100_000)
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
