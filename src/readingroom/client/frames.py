"""Lines from a server to what they are: an answer, a notification, or a broken line with what is wrong.

A broken line names the id that can still be read in it, for it is the only trace of the request that it was to answer.
"""

from typing import Any, TypeAlias

import msgspec

from ..wire import (
    Malformed,
    Notification,
    RequestId,
    TooDeep,
    decode,
    is_deeper,
    is_request_id,
    readable_id,
)
from .values import Object

EXCERPT = 200


class Answered(msgspec.Struct, frozen=True, gc=False):
    """A well-formed answer: exactly one of `result` and `error` is an object, the other is None."""

    id: RequestId | None
    result: Object | None
    error: Object | None


class Broken(msgspec.Struct, frozen=True, gc=False):
    """A line that breaks a rule; `id` is what it carries as an id, if anything can be read.

    `meant` is what it was meant to be, where nothing but its `jsonrpc` is wrong.
    """

    rule: str
    detail: str
    id: Any
    excerpt: bytes
    meant: "Answered | Notification | None" = None


class Asking(msgspec.Struct, frozen=True, gc=False):
    """A request of the server, which only one of the older era may send (RPC-7, LEG-5)."""

    id: RequestId
    method: str
    params: Object
    excerpt: bytes


_VERSION = ("RPC-1", 'jsonrpc must be "2.0"')

Frame: TypeAlias = Answered | Notification | Asking | Broken


class _Result(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    jsonrpc: str
    id: RequestId
    result: dict[str, Any]


_decode_result = msgspec.json.Decoder(_Result).decode


def read_frame(line: bytes, nesting: int) -> Frame:
    """Say what `line` is. Results are decoded once, by one compiled decoder; everything else is looked at closely."""
    try:
        answer = _decode_result(line)
    except (msgspec.DecodeError, RecursionError):
        return _read_other(line, nesting)
    if answer.jsonrpc != "2.0" or is_deeper(line, nesting):
        return _read_other(line, nesting)
    return Answered(answer.id, answer.result, None)


def _read_other(line: bytes, nesting: int) -> Frame:
    """Read a line that is no plain result, in the order of the rules."""
    try:
        value = decode(line, nesting)
    except TooDeep:
        detail = f"a message must not nest deeper than {nesting}"
        return Broken("RPC-10", detail, readable_id(line), line[:EXCERPT])
    except Malformed as error:
        return _read_malformed(line, str(error))
    if isinstance(value, dict):
        return _read_object(line[:EXCERPT], value)
    if isinstance(value, list):
        return Broken("RPC-8", "an array is not a message", None, line[:EXCERPT])
    return Broken("STDIO-2", "only messages may be written to stdout", None, line[:EXCERPT])


def _read_malformed(line: bytes, detail: str) -> Broken:
    """Name the rule that a line breaks which is not JSON."""
    excerpt = line[:EXCERPT]
    if line.lstrip()[:1] != b"{":
        return Broken("STDIO-2", "only messages may be written to stdout", None, excerpt)
    try:
        line.decode()
    except UnicodeDecodeError:
        return Broken("RPC-1", "a message must be UTF-8", readable_id(line), excerpt)
    return Broken("RPC-1", f"a message must be JSON: {detail}", readable_id(line), excerpt)


def _read_object(excerpt: bytes, value: Object) -> Frame:
    """Decide by the keys present."""
    found = value.get("id")
    method = value.get("method")
    if "method" in value:
        return _read_method(excerpt, value, method)
    if "result" not in value and "error" not in value:
        return Broken(
            "STDIO-2", "an object without method, result and error is not a message", found, excerpt
        )
    fault = _answer_fault(value)
    if fault is not None:
        return Broken(*fault, found, excerpt)
    error = value.get("error")
    if found is None and error is None:
        return Broken("RPC-4", "a result must carry the id of its request", None, excerpt)
    if found is not None and not is_request_id(found):
        return Broken("RPC-4", "an answer must carry the id of its request", found, excerpt)
    answered = Answered(found, value.get("result"), error)
    return answered if value.get("jsonrpc") == "2.0" else Broken(*_VERSION, found, excerpt, answered)


def _read_method(excerpt: bytes, value: Object, method: Any) -> Frame:
    """Read a message with a method: a notification, or what looks like a request (RPC-6)."""
    if not isinstance(method, str) or "result" in value or "error" in value:
        return Broken("RPC-1", "a message is either a notification or an answer", value.get("id"), excerpt)
    if "id" not in value:
        notice = Notification(method, value.get("params"))
        return notice if value.get("jsonrpc") == "2.0" else Broken(*_VERSION, None, excerpt, notice)
    if method.startswith("notifications/"):
        return Broken("RPC-6", f"the notification {method} must have no id", None, excerpt)
    params = value.get("params", {})
    if not is_request_id(value["id"]) or not isinstance(params, dict) or value.get("jsonrpc") != "2.0":
        return Broken("RPC-7", f"a server must not send requests, and sent {method}", None, excerpt)
    return Asking(value["id"], method, params, excerpt)


def _answer_fault(message: Object) -> tuple[str, str] | None:
    """Find what is wrong with the members of an answer besides its id."""
    if "result" in message and "error" in message:
        return "RPC-5", "an answer has either a result or an error, not both"
    if "result" in message:
        return None if isinstance(message["result"], dict) else ("RPC-5", "result must be an object")
    return _error_fault(message["error"])


def _error_fault(error: Any) -> tuple[str, str] | None:
    if not isinstance(error, dict):
        return "RPC-5", "error must be an object"
    code = error.get("code")
    if not isinstance(code, int) or isinstance(code, bool):
        return "ERR-5", "the code of an error must be an integer"
    if not isinstance(error.get("message"), str):
        return "ERR-5", "the message of an error must be a string"
    return None
