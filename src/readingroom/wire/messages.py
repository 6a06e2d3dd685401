"""Frames to JSON-RPC messages and back. What a message is, is decided by the keys it has, never by trying shapes.

Ids keep their JSON type: `7` and `"7"` are two ids (RPC-2, RPC-4). A frame that is no message becomes a Fault that says
with which code, and whether with an id, it is to be answered. Knows nothing of MCP.
"""

from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from .codes import INVALID_REQUEST, PARSE_ERROR
from .ids import RequestId, readable_id
from .strict_json import encode_value, is_deeper, is_json, is_utf8

# What no value can be: a message with such a member is not taken by the decoder of requests.
_Absent = Annotated[str, msgspec.Meta(min_length=1, max_length=0)] | msgspec.UnsetType


class Request(msgspec.Struct, gc=False):
    """A request: `params` is its JSON text as it came, or UNSET when the member is absent.

    It is also the record that requests are decoded by: a message that is anything else as well does not fit into it.
    """

    id: RequestId
    method: str
    jsonrpc: Literal["2.0"]
    # Not `| None`: in a union with None, msgspec takes null alone for Raw.
    params: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    result: _Absent = msgspec.UNSET
    error: _Absent = msgspec.UNSET


class Notification(msgspec.Struct, frozen=True, gc=False):
    """A notification: never answered, whatever it holds (RPC-6)."""

    method: str
    params: Any


class Response(msgspec.Struct, frozen=True):
    """An answer: `id` is None when it has none that could be one."""

    id: RequestId | None


class Fault(msgspec.Struct, frozen=True):
    """A frame that is no message: how it is to be answered. `id` is None when none could be read (RPC-4)."""

    code: int
    message: str
    id: RequestId | None = None


Message: TypeAlias = Request | Notification | Response | Fault


_decode_request = msgspec.json.Decoder(Request).decode
_decode_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
# The shortest request has 40 bytes, and an object in an object costs five more: a shorter one without lists need not be
# measured.
_SHORTEST, _LEVEL = 37, 5
_LIST = ord("[")  # bytes look for a number faster than for other bytes


def classify(frame: bytes, nesting: int) -> Message:
    """Give the message that `frame` is.

    Requests are decoded once, by one compiled decoder; whatever it does not take goes to `_classify_other`, which
    decides by the keys present.
    """
    try:
        request = _decode_request(frame)
    except (msgspec.DecodeError, RecursionError):
        return _classify_other(frame, nesting)
    if (_LIST in frame or len(frame) >= _SHORTEST + _LEVEL * nesting) and is_deeper(frame, nesting):
        return _classify_other(frame, nesting)
    if not (frame.isascii() or is_utf8(frame)):
        return _classify_other(frame, nesting)
    return request


def _classify_other(frame: bytes, nesting: int) -> Message:
    """Classify what is no well-formed request, in the order of the rules."""
    if not is_utf8(frame):
        return Fault(PARSE_ERROR, "Parse error: not UTF-8")
    if is_deeper(frame, nesting):
        return Fault(INVALID_REQUEST, f"Message nests deeper than {nesting}", readable_id(frame))
    try:
        members = _decode_members(frame)
    except (msgspec.DecodeError, RecursionError):
        if not is_json(frame):
            return Fault(PARSE_ERROR, "Parse error")
        is_batch = frame.lstrip().startswith(b"[")
        return Fault(
            INVALID_REQUEST, "Batches are not supported" if is_batch else "Message must be a JSON object"
        )
    return _classify_object(members)


def _classify_object(members: dict[str, msgspec.Raw]) -> Message:
    """Classify by the keys present."""
    is_answer = "result" in members or "error" in members
    known = _read(members, "id", RequestId)
    if "method" not in members:
        if is_answer:
            return Response(known)
        return Fault(INVALID_REQUEST, "Message has neither method nor result nor error", known)
    if is_answer:
        return Fault(INVALID_REQUEST, "Message has both a method and a result or error", known)
    method = _read(members, "method", str)
    if method is None:
        return Fault(INVALID_REQUEST, "method must be a string", known)
    if "id" in members and known is None:
        return Fault(INVALID_REQUEST, "id must be a string or an integer")
    if _read(members, "jsonrpc", str) != "2.0":
        return Fault(INVALID_REQUEST, 'jsonrpc must be "2.0"', known)
    if known is None:
        return Notification(method, _read(members, "params", Any))
    return Request(known, method, "2.0", members.get("params", msgspec.UNSET))


def _read(members: dict[str, msgspec.Raw], name: str, type_: Any) -> Any:
    """Give a member of that type, or None when it is absent, of another type, or a number that is out of range."""
    try:
        return msgspec.json.decode(members[name], type=type_)
    except (KeyError, msgspec.ValidationError):
        return None


def encode_error(request_id: RequestId | None, code: int, message: str, data: Any = None) -> bytes:
    """Encode an error answer; without an id when it could not be read (RPC-4)."""
    error: dict[str, Any] = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    if request_id is None:
        return encode_value({"jsonrpc": "2.0", "error": error})
    return encode_value({"jsonrpc": "2.0", "id": request_id, "error": error})


def encode_notification(method: str, params: Any) -> bytes:
    """Encode a notification; without parameters where there are none."""
    if params is None:
        return encode_value({"jsonrpc": "2.0", "method": method})
    return encode_value({"jsonrpc": "2.0", "method": method, "params": params})
