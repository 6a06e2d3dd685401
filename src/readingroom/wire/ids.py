"""Ids of requests: strings and integers, each with its JSON type (RPC-2 to RPC-4), and what can be read of one in a line
that is no message. Knows nothing of MCP.
"""

from typing import Any, TypeAlias

import msgspec

from .strict_json import STRING, encode

RequestId: TypeAlias = int | str

# An id that stands further in than this is not looked for.
_SEARCHED = 65_536
_EDGE = 1_024
_TOKEN = STRING + rb'|[\[\]{}:,]|[^\s\[\]{}:,"]+'
# The last members of the outermost object, after one named id: what ends the line ends that object.
_SCALAR = rb'(?:"[^"\\]*+"|[^\s\[\]{}:,"]++)'
_AT_THE_END = (
    rb'[{,]\s*"id"\s*:\s*(' + STRING + rb'|-?\d+)\s*(?:,\s*"[^"\\]*+"\s*:\s*' + _SCALAR + rb"\s*)*\}\s*\Z"
)


def is_request_id(value: Any) -> bool:
    """Say whether `value` may be an id: a string or an integer, and no bool (RPC-3)."""
    return isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))


def encode_id(request_id: RequestId) -> bytes:
    """Encode an id as it came, type and all."""
    return b"%d" % request_id if request_id.__class__ is int else encode(request_id)


def readable_id(line: bytes, end: bytes | None = None) -> RequestId | None:
    """Find the id in a line that is no message, or in one of which only the beginning and the end are known.

    It is the value of a member named `id` at the outermost level, and is whole. Looked for are the first such member near
    the beginning, then the last one near the end, for clients write it first or last.
    """
    found = _id_near_the_beginning(line)
    if found is None:
        found = _id_near_the_end(line[-_EDGE:] if end is None else end)
    return found


def _id_near_the_beginning(line: bytes) -> RequestId | None:
    import re

    depth = 0
    before: tuple[bytes, bytes, bytes] = (b"", b"", b"")
    for match in re.compile(_TOKEN, re.DOTALL).finditer(line, 0, _SEARCHED):
        token = match[0]
        if depth == 1 and token in (b",", b"}") and before[:2] == (b'"id"', b":"):
            return _id_value(before[2])
        depth += (token in (b"{", b"[")) - (token in (b"}", b"]"))
        before = (before[1], before[2], token)
    return None


def _id_near_the_end(end: bytes) -> RequestId | None:
    import re

    found = re.search(_AT_THE_END, end, re.DOTALL)
    return None if found is None else _id_value(found[1])


def _id_value(token: bytes) -> RequestId | None:
    try:
        return msgspec.json.decode(token, type=RequestId)
    except msgspec.DecodeError:
        return None
