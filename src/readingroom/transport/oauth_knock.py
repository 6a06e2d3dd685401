"""Asks an endpoint for something small, to see whether it lets the client in; what it answers otherwise is not looked at."""

from ..client import RequestBuilder
from ..protocol import LATEST, Identity
from .oauth_fetch import Fetcher, Reply

_METHOD = "tools/list"
_FIELDS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": LATEST,
    "Mcp-Method": _METHOD,
}


def knock(fetcher: Fetcher, endpoint: str, version: str, header: str | None = None) -> Reply:
    """Send a request to an endpoint, with this value of Authorization or without one. Raises: NoAnswer."""
    builder = RequestBuilder(Identity("readingroom", version), {})
    fields = _FIELDS if header is None else {**_FIELDS, "Authorization": header}
    return fetcher.post(endpoint, builder.prepare(_METHOD, None).framed(1), fields)
