"""Clients that are asked: the requests of a call's rounds, one after the other."""

from typing import Any

from .memory import MemoryServer
from .messages import CAPABILITIES

ALL: dict[str, Any] = {
    "elicitation": {"form": {}, "url": {}},
    "sampling": {"tools": {}, "context": {}},
    "roots": {},
}
"""Everything that a client can declare."""


class AskedCall:
    """One call, prompt or reading, made in as many rounds as it takes; `result` and `error` are those of the last."""

    def __init__(
        self,
        server: MemoryServer,
        method: str,
        members: dict[str, Any],
        declared: dict[str, Any] | None = None,
    ) -> None:
        self._server = server
        self.method = method
        self.members = members
        self.meta = {CAPABILITIES: ALL if declared is None else declared}
        self.result: dict[str, Any] = {}
        self.error: dict[str, Any] = {}
        self.send({})

    def send(self, more: dict[str, Any]) -> None:
        """Send the request once, with these members besides."""
        answer = self._server.ask(self.method, {**self.members, **more}, self.meta)
        self.result, self.error = answer.get("result", {}), answer.get("error", {})

    def answer(self, **answers: Any) -> "AskedCall":
        """Answer what was asked, as a client does, and give this call."""
        assert self.result["resultType"] == "input_required", (self.result, self.error)
        self.send({"inputResponses": answers, "requestState": self.result["requestState"]})
        return self

    @property
    def asked(self) -> dict[str, Any]:
        """What is asked, by key."""
        requests: dict[str, Any] = self.result["inputRequests"]
        return requests


def calling(
    server: MemoryServer, tool: str, arguments: dict[str, Any] | None = None, **declared: Any
) -> AskedCall:
    """Call a tool, as a client that declared everything, or what is given."""
    return AskedCall(server, "tools/call", {"name": tool, "arguments": arguments or {}}, declared or None)


def accept(**content: Any) -> dict[str, Any]:
    """A form that was filled in."""
    return {"action": "accept", "content": content}
