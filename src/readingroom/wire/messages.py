"""Frames to JSON-RPC messages and back. What a message is, is decided by the keys it has, never by trying shapes.

Ids keep their JSON type: `7` and `"7"` are two ids (RPC-2, RPC-4). A frame that is no message becomes a Fault that says
with which code, and whether with an id, it is to be answered. Knows nothing of MCP.
"""

from typing import Any, TypeAlias

import msgspec

from .codes import INVALID_REQUEST, PARSE_ERROR
from .ids import RequestId, is_request_id, readable_id
from .strict_json import Malformed, OutOfRange, TooDeep, decode, encode, is_deeper, is_utf8


class Request(msgspec.Struct, gc=False):
    """A request: `params` is its JSON text as it came, or UNSET when the member is absent.

    It is also the record that requests are decoded by, with the members that would make a message something else.
    """

    id: RequestId
    method: str
    # Not `| None`: in a union with None, msgspec takes null alone for Raw.
    params: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    jsonrpc: str = ""
    result: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    error: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class Notification(msgspec.Struct, frozen=True, gc=False):
    """A notification: never answered, whatever it holds (RPC-6)."""

    method: str
    params: Any


class Response(msgspec.Struct, frozen=True):
    """An answer: the decoded message, with its id as it came."""

    id: Any
    message: dict[str, Any]


class Fault(msgspec.Struct, frozen=True):
    """A frame that is no message: how it is to be answered. `id` is None when none could be read (RPC-4)."""

    code: int
    message: str
    id: RequestId | None = None


Message: TypeAlias = Request | Notification | Response | Fault


_decode_request = msgspec.json.Decoder(Request).decode
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
    if (
        request.jsonrpc != "2.0"
        or request.result is not msgspec.UNSET
        or request.error is not msgspec.UNSET
        or ((_LIST in frame or len(frame) >= _SHORTEST + _LEVEL * nesting) and is_deeper(frame, nesting))
        or not (frame.isascii() or is_utf8(frame))
    ):
        return _classify_other(frame, nesting)
    return request


def _classify_other(frame: bytes, nesting: int) -> Message:
    """Classify what is no well-formed request, in the order of the rules."""
    if not is_utf8(frame):
        return Fault(PARSE_ERROR, "Parse error: not UTF-8")
    try:
        value = decode(frame, nesting)
    except TooDeep:
        return Fault(INVALID_REQUEST, f"Message nests deeper than {nesting}", readable_id(frame))
    except OutOfRange:
        return Fault(INVALID_REQUEST, "Message holds a number out of range", readable_id(frame))
    except Malformed:
        return Fault(PARSE_ERROR, "Parse error")
    if not isinstance(value, dict):
        what = "Batches are not supported" if isinstance(value, list) else "Message must be a JSON object"
        return Fault(INVALID_REQUEST, what)
    return _classify_object(frame, value)


def _classify_object(frame: bytes, value: dict[str, Any]) -> Message:
    """Classify by the keys present."""
    has_id = "id" in value
    is_answer = "result" in value or "error" in value
    found = value.get("id")
    known = found if is_request_id(found) else None
    if "method" not in value:
        if is_answer:
            return Response(found, value)
        return Fault(INVALID_REQUEST, "Message has neither method nor result nor error", known)
    if is_answer:
        return Fault(INVALID_REQUEST, "Message has both a method and a result or error", known)
    method = value["method"]
    if not isinstance(method, str):
        return Fault(INVALID_REQUEST, "method must be a string", known)
    if has_id and known is None:
        return Fault(INVALID_REQUEST, "id must be a string or an integer")
    if value.get("jsonrpc") != "2.0":
        return Fault(INVALID_REQUEST, 'jsonrpc must be "2.0"', known)
    if known is None:
        return Notification(method, value.get("params"))
    return Request(known, method, _params_text(frame) if "params" in value else msgspec.UNSET)


class _ParamsOnly(msgspec.Struct):
    params: msgspec.Raw


def _params_text(frame: bytes) -> msgspec.Raw:
    return msgspec.json.decode(frame, type=_ParamsOnly).params


def encode_error(request_id: RequestId | None, code: int, message: str, data: Any = None) -> bytes:
    """Encode an error answer; without an id when it could not be read (RPC-4)."""
    error: dict[str, Any] = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    if request_id is None:
        return encode({"jsonrpc": "2.0", "error": error})
    return encode({"jsonrpc": "2.0", "id": request_id, "error": error})


def encode_notification(method: str, params: Any) -> bytes:
    """Encode a notification."""
    return encode({"jsonrpc": "2.0", "method": method, "params": params})
