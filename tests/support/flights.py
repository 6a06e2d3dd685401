"""Calls in flight on one connection, and the lines that a server sends."""

import json

from readingroom.client import Calls
from readingroom.errors import PeerProtocolError

TEXT = {"content": [{"type": "text", "text": "t"}]}


class Flight:
    """A table of calls with some in flight, owned by `a`, `b`, …, and what lines do to them."""

    def __init__(
        self, methods: tuple[str, ...] = ("tools/call",), *, strict: bool = True, token: bool = False
    ) -> None:
        self.calls = Calls({}, 64, strict=strict)
        for owner, method in zip("abcdef", methods, strict=False):
            self.calls.add(owner, method, has_token=token)

    def hear(self, *lines: bytes) -> list:
        """Take lines that came together."""
        self.calls.hear()
        return [effect for line in lines for effect in self.calls.take(line)]

    def failures(self, *lines: bytes) -> list[tuple[str, str, int | None]]:
        """Take lines and give who failed, by which rule, and the id of what is still owed."""
        found = []
        for effect in self.hear(*lines):
            assert isinstance(effect.error, PeerProtocolError)
            found.append((effect.owner, effect.error.rule, effect.owed))
        return found

    def recorded(self) -> list[str]:
        """Give the rules of the violations recorded."""
        assert self.calls.violations.count == len(self.calls.violations.last)
        return [error.rule for error in self.calls.violations.last]


def result(request_id: object, **members: object) -> bytes:
    """Encode an answer; a complete result of a tool unless said otherwise."""
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "result": members or TEXT}).encode()


def error(**members: object) -> bytes:
    """Encode an error answer."""
    return json.dumps(
        {"jsonrpc": "2.0", "error": {"code": -32602, "message": "no", "data": 1}, **members}
    ).encode()
