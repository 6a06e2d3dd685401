"""Asks an endpoint for something small, to see whether it lets the client in; what it answers otherwise is not looked at."""

from ..client import RequestBuilder
from ..protocol import LATEST, Identity
from .oauth_fetch import Fetcher, Reply

_METHOD = "tools/list"
_REDIRECT, _BAD_REQUEST, _SERVER_ERROR = 300, 400, 500
_NOT_HERE = (404, 405, 410)
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


def problem_of(reply: Reply, endpoint: str) -> str:
    """Say what is wrong with an answer that is neither yes nor a refusal; empty when it is one of an MCP server."""
    if _REDIRECT <= reply.status < _BAD_REQUEST:
        return f"{endpoint} leads elsewhere, to {reply.location!r:.200}; if that is the endpoint, give it instead"
    if reply.status in _NOT_HERE and not isinstance(
        reply.document, dict
    ):  # else it is a method that is not there
        return f"there is no MCP server at {endpoint} (status {reply.status})"
    if reply.status >= _SERVER_ERROR:
        return f"{endpoint} answered with status {reply.status}; try again later"
    return ""
