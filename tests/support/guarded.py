"""The guarded HTTP connection in memory: a transport that keeps what is written, an application that answers `path=body`."""

import asyncio
from collections.abc import Callable
from typing import Any

from uvicorn.config import Config
from uvicorn.server import ServerState

from readingroom.limits import Limits
from readingroom.transport.connection_counts import ConnectionCounts
from readingroom.transport.uvicorn_protocol import GuardedProtocol

GET = b"GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
POST = b"POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n"
HOST = b"Host: h"
CHUNKED = b"Transfer-Encoding: chunked"


def head(*fields: bytes, line: bytes = b"POST / HTTP/1.1") -> bytes:
    """The head of a request: its line, and fields."""
    return b"\r\n".join([line, *fields, b"", b""])


class _Wire(asyncio.Transport):
    """A transport in memory. What is not `read_by_client` waits."""

    def __init__(self, peer: str = "203.0.113.5") -> None:
        self.more: dict[str, Any] = {"peername": [peer, 4], "sockname": ["127.0.0.1", 80]}
        super().__init__(self.more)
        self.out = b""
        self.waiting = 0
        self.is_tls = False
        self.is_reading = True
        self.ends: list[str] = []

    def write(self, data: Any) -> None:
        self.out += data

    def close(self) -> None:
        self.ends.append("close")

    def abort(self) -> None:
        self.ends.append("abort")

    def is_closing(self) -> bool:
        return bool({"close", "abort"} & set(self.ends))

    def can_write_eof(self) -> bool:
        return not self.is_tls

    def write_eof(self) -> None:
        self.ends.append("eof")

    def pause_reading(self) -> None:
        self.is_reading = False

    def resume_reading(self) -> None:
        self.is_reading = True

    def get_write_buffer_size(self) -> int:
        return self.waiting


class Connection:
    """One connection with the application that answers `path=body`, unless it is told to do otherwise."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        app: Any = None,
        limits: Limits | None = None,
        counts: ConnectionCounts | None = None,
        peer: str = "203.0.113.5",
        *,
        is_tls: bool = False,
        **more: Any,
    ) -> None:
        limits = limits or Limits()
        self.loop = loop
        self.told: list[str] = []
        self.asked: list[tuple[str, bytes]] = []
        self.scopes: list[Any] = []
        self.answering = asyncio.Event()
        self.answering.set()
        self.wire = _Wire(peer)
        self.wire.is_tls = is_tls
        self.protocol = GuardedProtocol(
            Config(app or self._echo, log_config=None, lifespan="off", interface="asgi3"),
            ServerState(),
            {},
            loop,
            limits=limits,
            counts=counts or ConnectionCounts(limits),
            tell=self.told.append,
            **more,
        )
        self.protocol.connection_made(self.wire)
        self.began = loop.time()

    async def _echo(self, scope: Any, receive: Any, send: Any) -> None:
        self.scopes.append(scope)
        body, more = b"", True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                self.asked.append((scope["path"], b"GONE"))
                return
            body += message["body"]
            more = message["more_body"]
        self.asked.append((scope["path"], body))
        await self.answering.wait()
        answer = scope["path"].encode() + b"=" + body
        fields = [(b"content-length", b"%d" % len(answer))]
        await send({"type": "http.response.start", "status": 200, "headers": fields})
        await send({"type": "http.response.body", "body": answer})

    async def say(self, *pieces: bytes) -> bytes:
        """Let pieces arrive, and the application run; give all that was answered."""
        for piece in pieces:
            self.protocol.data_received(piece)
            await settle()
        return self.wire.out

    def after(self, seconds: float) -> list[str]:
        """Let the sweeper come by so many seconds after the beginning; give how the connection was ended."""
        self.protocol.look(self.began + seconds)
        return self.wire.ends


async def settle() -> None:
    """Let whatever can run do so."""
    for _ in range(8):
        await asyncio.sleep(0)


def run(scene: Callable[[asyncio.AbstractEventLoop], Any]) -> None:
    """Run a scene on a loop of its own."""

    async def main() -> None:
        await scene(asyncio.get_running_loop())

    asyncio.run(main())
