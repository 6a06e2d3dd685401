"""Servers over HTTP in memory, and a door that knows a few tokens."""

import json
from collections.abc import Sequence
from typing import Any

from readingroom import Limits, Server
from readingroom.protocol.authorization import Denied, Grant

from .asgi import headers_for
from .messages import message


def server_with(limits: Limits | None = None, **more: Any) -> Server:
    """A server with one quick and one slow tool."""
    app = Server("srv", limits=limits or Limits(), **more)

    @app.tool(quick=True)
    def quick(text: str = "") -> int:
        """Count."""
        return len(text)

    return app


def discover(**changed: Any) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    """The body and the header fields of a request."""
    told = message(1, "server/discover")
    return json.dumps(told).encode(), headers_for(told, **changed)


class Door:
    """Lets one token pass."""

    grant = Grant("ann", frozenset({"docs:read"}), role="reader")
    held = True

    async def authenticate(self, authorization: Sequence[str], address: str) -> Grant:
        """Let it pass."""
        if list(authorization) == ["Bearer good"]:
            return self.grant
        raise Denied(
            429 if authorization else 401, "" if authorization else 'Bearer scope="a"', retry_after=3
        )

    def holds(self, grant: Grant) -> bool:
        """As long as it does."""
        return self.held

    def insufficient(self, needed: frozenset[str]) -> Denied:
        """Name what is missing."""
        return Denied(403, f'Bearer scope="{" ".join(sorted(needed))}"')

    def document(self, path: str) -> bytes | None:
        """Give one."""
        return b'{"resource":"x"}' if path.endswith("/mcp") else None
