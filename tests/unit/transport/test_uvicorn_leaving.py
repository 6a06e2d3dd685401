"""Clients that leave the guarded HTTP connection, in memory, whatever of theirs stands behind one another."""

import asyncio
import select
import socket
from typing import Any

import pytest

from support.guarded import GET, POST, Connection, run, settle


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
