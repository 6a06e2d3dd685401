"""What browsers want to be told before a page of another origin may ask and read: cross-origin resource sharing.

Which origins may is for `http_guard` to say; here stands what is answered to those that may.
"""

from collections.abc import Mapping
from typing import Any

from .http_replies import Pair, Send

_METHODS = b"POST, GET, DELETE"
_EXPOSED = b"WWW-Authenticate, Mcp-Session-Id, Retry-After"
_WANTED = b"access-control-request-headers"
_REMEMBERED_SECONDS = b"600"


def is_preflight(method: str, values: Mapping[bytes, bytes]) -> bool:
    """Say whether a browser asks, before the page's own request, whether that may be sent."""
    return method == "OPTIONS" and b"origin" in values and b"access-control-request-method" in values


def preflight(values: Mapping[bytes, bytes]) -> tuple[Pair, ...]:
    """Give the header fields that let a page send its request, with the fields that it wants to send."""
    wanted = values.get(_WANTED)
    return (
        (b"access-control-allow-methods", _METHODS),
        *(((b"access-control-allow-headers", wanted),) if wanted else ()),
        (b"access-control-max-age", _REMEMBERED_SECONDS),
    )


def for_page(send: Send, origin: bytes) -> Send:
    """Give a `send` whose answers the page of that origin may read."""
    told = [
        (b"access-control-allow-origin", origin),
        (b"access-control-expose-headers", _EXPOSED),
        (b"vary", b"Origin"),
    ]

    async def send_to_page(event: dict[str, Any]) -> None:
        if event["type"] == "http.response.start":
            event = {**event, "headers": [*event["headers"], *told]}
        await send(event)

    return send_to_page
