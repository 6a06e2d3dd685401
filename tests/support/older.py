"""Clients of the older era: on a session in memory, and over HTTP in memory."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from readingroom import Server
from readingroom.limits import DEFAULT_LIMITS, Limits
from readingroom.server.older import Session
from readingroom.server.older_calls import Call
from readingroom.wire import classify

from .asgi import Asgi, Reply

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
NEWEST = VERSIONS[0]
CLIENT = {"name": "old", "version": "1"}


def message(request_id: Any, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A request of the older era."""
    told = {"jsonrpc": "2.0", "id": request_id, "method": method}
    return told if params is None else {**told, "params": dict(params)}


def notice(method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A notification of the older era."""
    told = {"jsonrpc": "2.0", "method": method}
    return told if params is None else {**told, "params": dict(params)}


def call(request_id: Any, tool: str, **arguments: Any) -> dict[str, Any]:
    """A call of a tool."""
    return message(request_id, "tools/call", {"name": tool, "arguments": arguments})


def handshake(
    version: str = NEWEST, capabilities: dict[str, Any] | None = None, request_id: Any = "hello"
) -> dict[str, Any]:
    """The request that begins a session."""
    params = {"protocolVersion": version, "capabilities": capabilities or {}, "clientInfo": CLIENT}
    return message(request_id, "initialize", params)


class Way:
    """Keeps what is sent, decoded."""

    can_ask = True
    is_absent = False
    is_full = False

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.dropped = 0

    def tell(self, frame: bytes) -> None:
        """Keep a frame, which is one line."""
        assert b"\n" not in frame
        self.sent.append(json.loads(frame))

    ask = answer = tell

    def drop(self) -> None:
        """Count."""
        self.dropped += 1


class OlderClient:
    """A client on a session in memory, on which every handler runs on the spot; `held` keeps calls from being run."""

    def __init__(
        self,
        app: Server,
        version: str | None = NEWEST,
        capabilities: dict[str, Any] | None = None,
        *,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.way = Way()
        self.pushed: list[Any] = []
        self.held: list[Call] | None = None
        self.nesting = limits.nesting
        self.session = Session(
            app.dispatcher(), "local", lambda frame: self.pushed.append(json.loads(frame)), limits
        )
        if version is not None:
            self.greeting = self.take(handshake(version, capabilities))[0]
            self.take(notice("notifications/initialized"))

    def take(self, told: dict[str, Any] | bytes) -> list[Any]:
        """Send a message and give everything that it brings."""
        before = len(self.way.sent)
        frame = told if isinstance(told, bytes) else json.dumps(told).encode()
        found = self.session.receive(classify(frame, self.nesting), frame, self.way)
        if found is not None and self.held is not None:
            self.held.append(found)
        elif found is not None:
            run(found)
        return self.way.sent[before:]

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Send a request that is answered with one message, and give that."""
        (answer,) = self.take(message("ask", method, params))
        return answer

    def result(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Send a request that is answered with a result, and give that."""
        answer = self.ask(method, params)
        assert "result" in answer, answer
        return answer["result"]

    def error(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Send a request that is answered with an error, and give that."""
        answer = self.ask(method, params)
        assert "error" in answer, answer
        return answer["error"]

    def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool and give its result."""
        return self.result("tools/call", {"name": tool, "arguments": arguments})

    def reply(self, request: Any, result: Any) -> list[Any]:
        """Answer a request of the server, and give what that brings."""
        return self.take({"jsonrpc": "2.0", "id": request["id"], "result": result})


def run(found: Call) -> None:
    """Run a round of a call."""
    if found.mode == "async":
        asyncio.run(found.run_async())
    else:
        found.run()


class OlderAsgi(Asgi):
    """A client of the older era over HTTP, with the session that it was given."""

    session_id: str | None = None
    version: str | None = NEWEST

    def fields(self, **changed: str | None) -> list[tuple[bytes, bytes]]:
        """The header fields of a well-behaved client."""
        named: dict[str, str | None] = {
            "host": "127.0.0.1:8000",
            "content_type": "application/json",
            "accept": "application/json, text/event-stream",
            "mcp_session_id": self.session_id,
            "mcp_protocol_version": self.version if self.session_id else None,
            **changed,
        }
        return [
            (name.replace("_", "-").encode(), value.encode())
            for name, value in named.items()
            if value is not None
        ]

    def begin(
        self, version: str = NEWEST, capabilities: dict[str, Any] | None = None, **changed: str
    ) -> Reply:
        """Begin a session."""
        self.session_id = None
        reply = self.say(handshake(version, capabilities), **changed)
        self.session_id, self.version = reply.fields.get("mcp-session-id"), version
        return reply

    def say(self, told: Any, verb: str = "POST", **changed: str | None) -> Reply:
        """Post a message of the older era, or several."""
        body = b"" if told is None else json.dumps(told).encode()
        return self.send(body, self.fields(**changed), verb=verb)


def events(reply: Reply) -> list[tuple[str, Any]]:
    """The events of a stream: the id of each, and its message, or None where there is none."""
    found = []
    for block in reply.body.decode().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "id" in lines:
            data = lines.get("data", "")
            found.append((lines["id"], json.loads(data) if data else None))
    return found
