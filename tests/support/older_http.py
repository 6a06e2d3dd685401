"""For the older era over HTTP: a server whose calls hold, ask and wait, requests that stay open, and tokens."""

import asyncio
import contextlib
import json
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from readingroom import Context, ElicitForm, Server
from readingroom.protocol.authorization import Denied, Grant

from .asgi import Reply
from .older import OlderAsgi, events, message

FORM = {"type": "object", "properties": {"yes": {"type": "boolean"}}, "required": ["yes"]}


class Gate:
    """Holds handlers until it is opened."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.open = threading.Event()


def served(gate: Gate, **more: Any) -> Server:
    """A server with handlers of every kind."""
    app = Server("srv", version="1", notices=("tools", "updates"), logging=True, **more)

    @app.tool
    def add(a: int, b: int = 1) -> int:
        """Add."""
        return a + b

    @app.tool(quick=True)
    def now() -> str:
        """Answer at once."""
        return "now"

    @app.tool
    def tells(ctx: Context) -> str:
        """Tell of progress."""
        ctx.progress(1, 2)
        return "told"

    @app.tool
    def holds(ctx: Context) -> str:
        """Tell of progress, and wait."""
        ctx.progress(1, 2)
        gate.begun.set()
        gate.open.wait(20)
        return "held"

    @app.tool
    async def asks(ctx: Context) -> str:
        """Ask."""
        return str((await ctx.ask(ok=ElicitForm("Well?", FORM)))["ok"].action)

    @app.tool
    async def waits(ctx: Context) -> str:
        """Wait for ever."""
        ctx.progress(1)
        await asyncio.Event().wait()
        return "never"

    @app.tool(scopes=("docs:write",))
    def writes() -> str:
        """Write."""
        return "written"

    return app


def progressing(request_id: Any, tool: str) -> dict[str, Any]:
    """A call that wants to be told of progress."""
    return message(request_id, "tools/call", {"name": tool, "_meta": {"progressToken": 0}})


async def until(true: Callable[[], bool]) -> None:
    """Wait until that is so, for as long as it takes on a busy machine."""
    async with asyncio.timeout(20):
        while not true():  # noqa: ASYNC110  -- it happens on other threads, and sets nothing
            await asyncio.sleep(0.005)


class Open:
    """A request whose reply is still coming; `task` ends when the server has ended it."""

    def __init__(self, client: OlderAsgi, told: Any, verb: str = "POST", **changed: str | None) -> None:
        self.sent: list[dict[str, Any]] = []
        self._parts = [b"" if told is None else json.dumps(told).encode()]
        self._leave = asyncio.Event()
        scope = {
            "type": "http",
            "method": verb,
            "path": "/mcp",
            "headers": client.fields(**changed),
            "server": ("127.0.0.1", 8000),
            "client": ("127.0.0.1", 50000),
            "query_string": b"",
            "root_path": "",
        }
        self.task = asyncio.ensure_future(client.app(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        if self._parts:
            return {"type": "http.request", "body": self._parts.pop(), "more_body": False}
        await self._leave.wait()
        return {"type": "http.disconnect"}

    async def _send(self, event: dict[str, Any]) -> None:
        self.sent.append(event)

    @property
    def status(self) -> int:
        """The status."""
        return Reply(self.sent).status

    @property
    def events(self) -> list[tuple[str, Any]]:
        """The events so far."""
        return events(Reply(self.sent))

    async def seen(self, what: bytes) -> list[tuple[str, Any]]:
        """Wait until that has come, and give the events so far."""
        await until(lambda: what in b"".join(part.get("body", b"") for part in self.sent))
        return self.events

    async def ended(self) -> Reply:
        """Wait until the server has ended it."""
        await asyncio.wait_for(self.task, 20)
        return Reply(self.sent)

    async def leave(self) -> None:
        """Close the connection."""
        self._leave.set()
        await asyncio.wait_for(self.task, 20)


async def said(client: OlderAsgi, told: Any, verb: str = "POST") -> Reply:
    """Send a request that is answered at once."""
    return await Open(client, told, verb).ended()


@contextlib.asynccontextmanager
async def opened(
    client: OlderAsgi, told: Any, verb: str = "POST", **changed: str | None
) -> AsyncIterator[Open]:
    """Open a request, and leave it at the end."""
    request = Open(client, told, verb, **changed)
    yield request
    await request.leave()


class Tokens:
    """Takes a name as a token; scopes come after a colon. What is revoked holds no more."""

    def __init__(self) -> None:
        self.revoked: set[str] = set()

    async def authenticate(self, authorization: Sequence[str], address: str) -> Grant:
        """Give the grant of a token."""
        (given,) = authorization
        name, _, scopes = given.removeprefix("Bearer ").partition(":")
        return Grant(name, frozenset(scopes.split()))

    def holds(self, grant: Grant) -> bool:
        """Whether it was not revoked."""
        return grant.principal not in self.revoked

    def insufficient(self, needed: frozenset[str]) -> Denied:
        """Refuse."""
        return Denied(403, 'Bearer error="insufficient_scope"')

    def document(self, path: str) -> bytes | None:
        """There is none."""
