"""What the header fields of a request decide before its body is read: whose it is, and what may be sent and answered.

Clients send the same few fields with every request, so what they decide is remembered.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from .http_guard import Guard
from .http_media import accepted, is_json

_FORBIDDEN = 403
_REMEMBERED = 1024


class Front(msgspec.Struct, frozen=True):
    """The verdict: `names` and `media` are a status and a sentence where a request is to be refused, else None.

    `streams` says whether its answer may be a stream of events.
    """

    names: tuple[int, str] | None
    media: tuple[int, str] | None
    streams: bool


class Fronts:
    """Judges requests by their header fields, for one server."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._known: dict[tuple[Any, ...], Front] = {}

    def judge(self, scope: Mapping[str, Any], values: Mapping[bytes, bytes]) -> Front:
        """Give the verdict on a request with these fields, each of which came once."""
        get = values.get
        server = scope.get("server")
        address = server[0] if server else ""
        key = (
            get(b"host"),
            get(b"origin"),
            get(b"content-type"),
            get(b"content-encoding"),
            get(b"accept"),
            address,
            scope.get("scheme"),
        )
        found = self._known.get(key)
        if found is None:
            found = self._judged(values, str(address), is_secure=scope.get("scheme") == "https")
            if len(self._known) < _REMEMBERED:
                self._known[key] = found
        return found

    def _judged(self, values: Mapping[bytes, bytes], address: str, *, is_secure: bool) -> Front:
        host, origin = values.get(b"host", b""), values.get(b"origin")
        status = self._guard.status(host, origin, address, is_secure=is_secure)
        takes_json, streams = accepted(values)
        media = None
        if not is_json(values):
            media = 415, "The body must be application/json in UTF-8, not compressed"
        elif not takes_json:
            media = 406, "Accept must list application/json and text/event-stream"
        return Front(_told(status), media, streams)


def _told(status: int) -> tuple[int, str] | None:
    if status == _FORBIDDEN:
        return status, "Pages of this origin may not ask; the server's administrator can allow it"
    return (
        (status, "The server is not known by this Host; its administrator can allow it") if status else None
    )
