"""A client in memory for an ASGI application: one request at a time, with everything that is sent back."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from .messages import LATEST, message

Pairs = Iterable[tuple[bytes, bytes]]
NAMES = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


class Reply:
    """What came back: the status, the header fields, the body, and the messages in it."""

    def __init__(self, sent: list[dict[str, Any]]) -> None:
        start = sent[0]
        self.sent = sent
        self.status: int = start["status"]
        self.fields = {name.decode(): value.decode() for name, value in start["headers"]}
        self.body = b"".join(part.get("body", b"") for part in sent[1:])
        self.is_stream = self.fields.get("content-type") == "text/event-stream"

    @property
    def messages(self) -> list[Any]:
        """Every message, decoded."""
        if self.is_stream:
            events = [event for event in self.body.split(b"\n\n") if event.startswith(b"data: ")]
            return [json.loads(event.removeprefix(b"data: ")) for event in events]
        return [json.loads(self.body)] if self.body else []

    @property
    def answer(self) -> Any:
        """The last message."""
        return self.messages[-1]

    @property
    def code(self) -> int:
        """The code of the error that came back."""
        code: int = self.answer["error"]["code"]
        return code


def headers_for(told: dict[str, Any], **changed: str | bytes | None) -> list[tuple[bytes, bytes]]:
    """The header fields of a well-behaved client for a message; `mcp_name=None` leaves one out."""
    method, params = told.get("method", ""), told.get("params") or {}
    fields: dict[str, str | bytes | None] = {
        "host": "127.0.0.1:8000",
        "content_type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp_protocol_version": LATEST,
        "mcp_method": method,
        "mcp_name": params.get(NAMES.get(method, "")),
        **changed,
    }
    return [
        (name.replace("_", "-").encode(), value if isinstance(value, bytes) else str(value).encode())
        for name, value in fields.items()
        if value is not None
    ]


async def exchange(
    app: Any,
    body: bytes,
    fields: Pairs,
    *,
    verb: str = "POST",
    path: str = "/mcp",
    query: bytes = b"",
    server: tuple[str, int] = ("127.0.0.1", 8000),
    until: Callable[[list[dict[str, Any]]], Awaitable[None]] | None = None,
) -> Reply:
    """Send one request and give the reply; with `until` the client leaves when that has returned."""
    sent: list[dict[str, Any]] = []
    parts = [body]
    leaving: asyncio.Event = asyncio.Event()

    async def receive() -> dict[str, Any]:
        if parts:
            return {"type": "http.request", "body": parts.pop(), "more_body": False}
        await leaving.wait()
        return {"type": "http.disconnect"}

    async def send(event: dict[str, Any]) -> None:
        sent.append(event)

    scope = {
        "type": "http", "method": verb, "path": path, "headers": list(fields), "server": server,
        "client": ("127.0.0.1", 50000), "query_string": query, "root_path": "",
    }  # fmt: skip
    served = asyncio.ensure_future(app(scope, receive, send))
    if until is not None:
        await until(sent)
        leaving.set()
    await asyncio.wait_for(served, 20)
    return Reply(sent)


class Asgi:
    """An application on a loop of its own."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.runner = asyncio.Runner()

    def close(self) -> None:
        """End the loop."""
        self.runner.close()

    def send(self, body: bytes, fields: Pairs, **more: Any) -> Reply:
        """Send one request, in every particular."""
        return self.runner.run(exchange(self.app, body, fields, **more))

    def post(self, told: dict[str, Any] | bytes, **changed: str | bytes | None) -> Reply:
        """Post a message with the header fields of a well-behaved client, some of them changed."""
        as_value = json.loads(told) if isinstance(told, bytes) else told
        body = told if isinstance(told, bytes) else json.dumps(told).encode()
        return self.send(body, headers_for(as_value, **changed))

    def ask(self, method: str, members: dict[str, Any] | None = None, **changed: str | bytes | None) -> Reply:
        """Post a request."""
        return self.post(message(1, method, members), **changed)

    def call(
        self, tool: str, arguments: dict[str, Any] | None = None, **changed: str | bytes | None
    ) -> Reply:
        """Post a call of a tool."""
        return self.ask("tools/call", {"name": tool, "arguments": arguments or {}}, **changed)
