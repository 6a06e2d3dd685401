"""Requests as a client sends them."""

import json
from typing import Any

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
CLIENT = "io.modelcontextprotocol/clientInfo"
LOG_LEVEL = "io.modelcontextprotocol/logLevel"
SERVER = "io.modelcontextprotocol/serverInfo"
LATEST = "2026-07-28"

META: dict[str, Any] = {VERSION: LATEST, CAPABILITIES: {}}


def params(members: dict[str, Any] | None = None, meta: dict[str, Any] | None = None) -> dict[str, Any]:
    """Parameters with the required metadata, and `meta` over it."""
    return {**(members or {}), "_meta": {**META, **(meta or {})}}


def message(
    request_id: Any, method: str, members: dict[str, Any] | None = None, meta: dict[str, Any] | None = None
) -> dict[str, Any]:
    """A request as a value."""
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params(members, meta)}


def frame(
    request_id: Any, method: str, members: dict[str, Any] | None = None, meta: dict[str, Any] | None = None
) -> bytes:
    """A request as bytes, without the line end."""
    return json.dumps(message(request_id, method, members, meta)).encode()


def call(
    request_id: Any, tool: str, arguments: dict[str, Any] | None = None, meta: dict[str, Any] | None = None
) -> bytes:
    """A call of a tool as bytes, without the line end."""
    return frame(request_id, "tools/call", {"name": tool, "arguments": arguments or {}}, meta)


def cancel(request_id: Any, **more: Any) -> bytes:
    """A cancellation as bytes, without the line end."""
    told = {"requestId": request_id, **more}
    return json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": told}).encode()
