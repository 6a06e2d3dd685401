"""Clients that reset the guarded HTTP connection at the worst moment: in the midst of what the sweeper does to it."""

import asyncio
import http.client
import socket
import struct
from collections.abc import Callable
from typing import Any

import pytest
from uvicorn.config import Config
from uvicorn.server import ServerState

from readingroom.limits import Limits
from readingroom.transport import uvicorn_protocol
from readingroom.transport.connection_counts import ConnectionCounts
from readingroom.transport.uvicorn_protocol import GuardedProtocol
from support.guarded import GET, POST, run
from support.processes import PATIENCE
from support.threaded_server import Serving

BEGUN = {
    "nothing": b"",
    "half a head": GET[:9],
    "half a body": POST + b"a",
    "half a body that was answered early": POST.replace(b"/p", b"/early") + b"a",
    "a request that was answered": GET,
}


async def _app(scope: Any, receive: Any, send: Any) -> None:
    if scope["path"] == "/p":
        await receive()
        await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def _reset(client: socket.socket) -> None:
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


async def _until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110  -- what is looked at is the connection's own state, which sets no event
            await asyncio.sleep(0.001)


@pytest.mark.parametrize("begun", BEGUN)
def test_a_connection_that_was_reset_unseen_is_ended_without_a_fault(begun: str) -> None:
    """The loop has not heard of the reset yet when a deadline passes; ending the connection raises nothing."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        lost = asyncio.Event()
        made: list[GuardedProtocol] = []

        class Protocol(GuardedProtocol):
            def connection_lost(self, exc: Exception | None) -> None:
                super().connection_lost(exc)
                lost.set()

        def protocol() -> GuardedProtocol:
            config = Config(_app, log_config=None, lifespan="off", interface="asgi3")
            counts = ConnectionCounts(Limits())
            made.append(
                Protocol(config, ServerState(), {}, loop, limits=Limits(), counts=counts, tell=lambda _: None)
            )
            return made[-1]

        server = await loop.create_server(protocol, "127.0.0.1", 0)
        async with server:
            client = socket.create_connection(server.sockets[0].getsockname(), PATIENCE)
            client.sendall(BEGUN[begun] or b"\r\n")
            await _until(lambda: bool(made) and made[0]._is_heard)
            if b"early" in BEGUN[begun]:
                await _until(lambda: bool(made[0].cycle.response_complete))
            _reset(client)
            made[0].look(loop.time() + 10_000)
            await asyncio.wait_for(lost.wait(), PATIENCE)

    run(scene)


def test_a_fault_of_one_connection_ends_it_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sweeper tells its kind and goes on; the server serves the others, and those that come."""
    look = uvicorn_protocol.GuardedProtocol.look
    faulty: list[GuardedProtocol] = []

    def failing(self: GuardedProtocol, now: float) -> None:
        faulty.append(self)
        if self is faulty[0]:
            raise LookupError("what the client has sent")
        look(self, now)

    monkeypatch.setattr(uvicorn_protocol.GuardedProtocol, "look", failing)
    serving = Serving(_app)
    with socket.create_connection(serving.address, PATIENCE) as client:
        assert client.recv(100) == b""
    connection = http.client.HTTPConnection(*serving.address, timeout=PATIENCE)
    connection.request("GET", "/")
    assert connection.getresponse().status == 200
    connection.close()
    assert serving.end() == 0
    assert serving.told == ["HTTP: a connection was cut after a fault of this server (LookupError)"]
