"""The head of a request over HTTP: what it says of the body (requirements §8.3, §8.4), and the caller's own fields.

Pure: values in, bytes out.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import UsageError
from ..protocol import Identity
from ..protocol.headers import Mirror, encoded
from .requests import Prepared
from .values import ToolInfo

NAMED = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    "tasks/get": "taskId",
    "tasks/update": "taskId",
    "tasks/cancel": "taskId",
}
"""The parameter that Mcp-Name says as well, by method (HDR-2)."""

_OURS = frozenset(
    (
        *("host", "content-length", "content-type", "transfer-encoding", "accept", "accept-encoding"),
        *("connection", "te", "upgrade", "expect", "mcp-session-id", "last-event-id"),
        *("mcp-protocol-version", "mcp-method", "mcp-name"),
    )
)
_TOKEN = frozenset("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_BOTH = b"Accept: application/json, text/event-stream\r\n"
POSTED = b"Content-Type: application/json\r\n" + _BOTH
"""The fields of every message that is posted (HTTP-11)."""


def own_fields(headers: Mapping[str, str] | None, identity: Identity | None = None) -> bytes:
    """Give the caller's own fields, and the one that names the client if `identity` is given and they do not.

    Raises: UsageError for one that the client sets itself, or that no field may be.
    """
    fields = b"".join(_own(name, value) for name, value in (headers or {}).items())
    is_named = any(name.lower() == "user-agent" for name in headers or {})
    return fields if is_named or identity is None else _agent(identity) + fields


def _agent(identity: Identity) -> bytes:
    """Give the field that names the client; a name that no product may have there is left out."""
    is_token = all(part and _TOKEN.issuperset(part) for part in (identity.name, identity.version))
    return f"User-Agent: {identity.name}/{identity.version}\r\n".encode("ascii") if is_token else b""


def _own(name: str, value: str) -> bytes:
    if not isinstance(name, str) or not name or not _TOKEN.issuperset(name):
        raise UsageError(f"{name!r} is not the name of a header")
    if name.lower() in _OURS or name.lower().startswith("mcp-param-"):
        raise UsageError(f"the header {name} is set by the client itself")
    if not isinstance(value, str) or not all(" " <= c <= "~" or c == "\t" for c in value):
        raise UsageError(f"the header {name} may hold visible ASCII alone")
    return f"{name}: {value}\r\n".encode("ascii")


def mirrored(prepared: Prepared, mirrors: Iterable[Mirror] = ()) -> bytes:
    """Give the fields that say what a request of the modern era says in its body (HDR-1, HDR-2, XH-5).

    `mirrors` are those of the tool that is called, as it was last listed; none where it never was (XH-7).
    """
    method = prepared.method
    fields = f"MCP-Protocol-Version: {prepared.version}\r\nMcp-Method: {method}\r\n".encode("ascii")
    params = prepared.params or {}
    name = params.get(NAMED[method]) if method in NAMED else None
    if isinstance(name, str):
        fields += b"Mcp-Name: %b\r\n" % encoded(name)
    for mirror in mirrors:
        value = value_at(params.get("arguments"), mirror.path)
        if value is not None:
            fields += b"%b: %b\r\n" % (mirror.header, encoded(said(value)))
    return fields


def value_at(arguments: Any, path: tuple[str, ...]) -> Any:
    """Give the argument at a path; None where there is none, or one that no header can say."""
    found = arguments
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found if isinstance(found, str | bool | int | float) else None


def said(value: str | float) -> str:
    """Give the text of an argument: a string as it is, an integer in decimal, a boolean as true or false (ENC-4)."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def usable(tools: Iterable[ToolInfo]) -> tuple[list[ToolInfo], list[tuple[str, str, str]]]:
    """Part the tools that can be called over HTTP from those whose annotations break the rules (XH-4).

    Of the latter: the name, the rule and what is wrong.
    """
    from ..protocol.headers import ANNOTATION, BadAnnotation, mirrors_of

    kept, broken = [], []
    for tool in tools:
        try:
            if ANNOTATION in repr(tool.input_schema):
                mirrors_of(tool.input_schema)
            kept.append(tool)
        except BadAnnotation as error:
            broken.append((tool.name, error.rule, str(error)))
    return kept, broken
