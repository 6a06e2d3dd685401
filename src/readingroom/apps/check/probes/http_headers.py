"""Headers that say what the body says: those that differ are refused, those that are written otherwise are understood."""

import base64
from typing import Any

from ....protocol.headers import mirrors_of
from ..asking import Reply, request
from ..bench import Bench
from ..frames import as_object
from ..http_peer import Headers
from ..probing import Probe
from ..schemas import fitting
from ..verdicts import NotReached
from .calls import callable_tools

_MISMATCH = -32020
_NO_VERSION: Headers = {"MCP-Protocol-Version": None}
_NAME = "readingroom_check_no_such_tool"


def _refused(
    bench: Bench, rule: str, what: str, headers: Headers, message: dict[str, Any] | None = None
) -> None:
    """Expect 400 and -32020."""
    reply: Reply = bench.peer.attempt(message or request("server/discover"), headers)
    if not reply.status:
        raise NotReached(f"{what} was {reply.told}")
    found = as_object(reply.message.get("error")).get("code")
    if reply.result is not None:
        bench.note.broke(rule, f"{what} was served, not refused", reply.sent, reply.got)
    elif reply.status != 400 or found != _MISMATCH:
        told = f"{what} was refused with {found or 'no code'} and the status {reply.status}, not with {_MISMATCH} and 400"
        # Without a version it may have been taken for a message of the older era, which has other errors.
        counts = False if headers == _NO_VERSION else None
        bench.note.broke(rule, told, reply.sent, reply.got, counts=counts)


def _understood(
    bench: Bench, rule: str, what: str, headers: Headers, message: dict[str, Any] | None = None
) -> None:
    """Expect anything but -32020."""
    reply: Reply = bench.peer.attempt(message or request("server/discover"), headers)
    if as_object(reply.message.get("error")).get("code") == _MISMATCH:
        bench.note.broke(rule, f"{what} was refused with {_MISMATCH}", reply.sent, reply.got)
    elif reply.state != "answered":
        raise NotReached(f"{what} was {reply.told}")


def _call(name: str = _NAME) -> dict[str, Any]:
    return request("tools/call", {"name": name, "arguments": {}})


def _differing(bench: Bench) -> None:
    bench.discovery()
    _refused(bench, "HDR-3", "a request without MCP-Protocol-Version", _NO_VERSION)
    _refused(
        bench, "HDR-3", "a request whose MCP-Protocol-Version differs", {"MCP-Protocol-Version": "2099-01-01"}
    )
    _refused(bench, "HDR-3", "a request without Mcp-Method", {"Mcp-Method": None})
    _refused(bench, "HDR-3", "a request whose Mcp-Method differs", {"Mcp-Method": "tools/list"})
    if "tools" in bench.capabilities():
        _refused(bench, "HDR-3", "a call without Mcp-Name", {"Mcp-Name": None}, _call())
        _refused(bench, "HDR-3", "a call whose Mcp-Name differs", {"Mcp-Name": "another"}, _call())


def _spelling(bench: Bench) -> None:
    bench.discovery()
    lower: Headers = {"Mcp-Method": None, "mcp-method": "server/discover", "MCP-Protocol-Version": None}
    version: Headers = {"mcp-protocol-version": "  2026-07-28 \t"}
    _understood(bench, "HDR-4", "a request whose headers are in lower case and padded", {**lower, **version})
    _refused(bench, "HDR-4", "a request whose Mcp-Method is in capitals", {"Mcp-Method": "SERVER/DISCOVER"})


def _doubled(bench: Bench) -> None:
    bench.discovery()
    twice = ("server/discover", "server/discover")
    _refused(bench, "HDR-5", "a request with Mcp-Method twice", {"Mcp-Method": twice})


def _encoded(bench: Bench) -> None:
    bench.needs("tools")
    marked = f"=?base64?{base64.b64encode(_NAME.encode()).decode()}?="
    _understood(bench, "HDR-6", "a call whose Mcp-Name is encoded", {"Mcp-Name": marked}, _call())
    literal = "=?BASE64?eA==?="
    _understood(
        bench, "ENC-2", "a call whose name looks encoded, in capitals", {"Mcp-Name": literal}, _call(literal)
    )


def _badly_encoded(bench: Bench) -> None:
    bench.needs("tools")
    for wrong in ("=?base64?SGVsbG8?=", "=?base64?SGVs!!!bG8=?=", "=?base64?/w==?="):
        _refused(bench, "ENC-3", f"a call whose Mcp-Name is {wrong}", {"Mcp-Name": wrong}, _call("Hello"))
    _refused(
        bench,
        "ENC-5",
        "a call whose Mcp-Name has a byte that is no ASCII",
        {"Mcp-Name": b"caf\xe9"},
        _call("caf\xe9"),
    )


def _arguments(bench: Bench) -> None:
    for tool in callable_tools(bench):
        schema = as_object(tool.get("inputSchema"))
        for mirror in mirrors_of(schema):
            arguments = fitting(schema)
            if mirror.path[0] not in arguments:
                arguments[mirror.path[0]] = fitting(as_object(schema.get("properties")).get(mirror.path[0]))
            message = request("tools/call", {"name": tool["name"], "arguments": arguments})
            header = mirror.header.decode()
            _refused(bench, "XH-6", f"a call of {tool['name']} without {header}", {header: None}, message)
            _refused(
                bench,
                "XH-6",
                f"a call of {tool['name']} whose {header} differs",
                {header: "another-9"},
                message,
            )
            return
    raise NotReached("no tool that may be called mirrors an argument in a header")


PROBES = (
    Probe(("HDR-3",), "headers are left out, or say something else than the body", _differing, "http"),
    Probe(("HDR-4",), "headers are written otherwise", _spelling, "http"),
    Probe(("HDR-5",), "a header is sent twice", _doubled, "http"),
    Probe(("HDR-6", "ENC-2"), "names are encoded, or look so", _encoded, "http"),
    Probe(("ENC-3", "ENC-5"), "names are badly encoded", _badly_encoded, "http"),
    Probe(("XH-6",), "headers of arguments are left out, or say something else", _arguments, "http"),
)
