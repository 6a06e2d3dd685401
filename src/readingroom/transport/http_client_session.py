"""What a client over HTTP keeps of a server of the older era: the version agreed on, and the session, also a new one.

In the modern era there is nothing of this (HTTP-6). Knows no requests but the handshake.
"""

import threading
from collections.abc import Mapping
from typing import Any

from ..client import Prepared
from ..client.http_fields import POSTED
from ..errors import HttpRefused
from ..wire import encode_notification
from .http_client_replies import Poster, Reply
from .http_client_sockets import Hold

_INITIALIZED = encode_notification("notifications/initialized", None)
_VISIBLE = range(0x21, 0x7F)


class OlderSession:
    """The session with one server, if it is of the older era. May be used from any thread."""

    def __init__(self, poster: Poster) -> None:
        self._poster = poster
        self._lock = threading.Lock()
        self.is_older = False
        self.id: str | None = None
        self.version: str | None = None
        self._initialize: bytes | None = None

    def fields(self) -> bytes:
        """Give the fields that every message has after the handshake (LEG-2, LEG-3)."""
        fields = b"" if self.version is None else f"MCP-Protocol-Version: {self.version}\r\n".encode("ascii")
        return fields if self.id is None else fields + f"Mcp-Session-Id: {self.id}\r\n".encode("ascii")

    def begin(self, prepared: Prepared, request_id: int) -> None:
        """Take the handshake that is about to be made, so that it can be made again; the one before is over."""
        self._initialize = prepared.framed(request_id)
        self.id = self.version = None

    def agree(self, reply: Reply, result: Mapping[str, Any]) -> None:
        """Take what was agreed on: the version, and the session if the server has them (LEG-1, LEG-2)."""
        version = result.get("protocolVersion")
        self.version = (
            version if isinstance(version, str) and version.isascii() and version.isprintable() else None
        )
        self.id = session_id(reply)

    def renew(self, lost: str | None, hold: Hold, fields: bytes) -> None:
        """Begin a new session in place of one that the server has ended (LEG-2); once for all that notice it.

        Raises: TransportError; HttpRefused when the server does not want that.
        """
        with self._lock:
            if self._initialize is None or self.id != lost:
                return
            with self._poster.send(hold, "POST", POSTED + fields, self._initialize) as reply:
                reply.whole(1 << 20)
                if not 200 <= reply.status < 300:
                    raise HttpRefused(
                        "the server ended the session, and begins no other", status=reply.status
                    )
                self.id = session_id(reply)
            with self._poster.send(hold, "POST", POSTED + fields + self.fields(), _INITIALIZED) as reply:
                reply.whole(1 << 20)

    def end(self, hold: Hold, fields: bytes) -> None:
        """Tell the server that the session is over (LEG-2); it may not care."""
        if self.id is not None:
            with self._poster.send(hold, "DELETE", fields + self.fields()) as reply:
                reply.whole(1 << 16)


def session_id(reply: Reply) -> str | None:
    """Give the session that a reply names: visible ASCII, or none at all (LEG-2)."""
    found = reply.field("Mcp-Session-Id")
    return found if found and all(ord(c) in _VISIBLE for c in found) else None
