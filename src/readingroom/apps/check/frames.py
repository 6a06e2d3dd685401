"""One line or body from a server to what it is, with the first rule that it breaks. Pure; knows no request.

Stricter than the client, which takes null for an id that could not be read.
"""

from typing import Any, Literal

import msgspec

from ...wire import Malformed, TooDeep, decode, is_request_id

Kind = Literal["answer", "notice", "broken"]


class Frame(msgspec.Struct, frozen=True):
    """What came: an answer, a notification, or what is neither; `fault` is the rule that it breaks and how."""

    kind: Kind
    line: bytes
    message: dict[str, Any] = {}
    fault: tuple[str, str] | None = None

    @property
    def has_id(self) -> bool:
        """Whether it has an id that a request can have."""
        return is_request_id(self.message.get("id"))

    @property
    def method(self) -> str:
        """The method of a notification."""
        return str(self.message.get("method"))

    @property
    def params(self) -> dict[str, Any]:
        """The parameters, where they are an object."""
        return as_object(self.message.get("params"))


def as_object(value: Any) -> dict[str, Any]:
    """Give the value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Give the value if it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def read(line: bytes, nesting: int, stray: str) -> Frame:
    """Say what a line is; `stray` is the rule that bytes break which are no message at all."""
    try:
        value = decode(line, nesting)
    except TooDeep:
        return Frame("broken", line, fault=("RPC-10", f"it nests deeper than {nesting}"))
    except Malformed as error:
        return _malformed(line, str(error), stray)
    if isinstance(value, list):
        return Frame("broken", line, fault=("RPC-8", "an array is no message"))
    if not isinstance(value, dict):
        return Frame("broken", line, fault=(stray, "it is no message"))
    return _of(value, line, stray)


def _malformed(line: bytes, detail: str, stray: str) -> Frame:
    if line.lstrip()[:1] != b"{":
        return Frame("broken", line, fault=(stray, "it is no message"))
    try:
        line.decode()
    except UnicodeDecodeError:
        return Frame("broken", line, fault=("RPC-1", "a message must be UTF-8"))
    return Frame("broken", line, fault=("RPC-1", f"a message must be JSON: {detail}"))


def _of(value: dict[str, Any], line: bytes, stray: str) -> Frame:
    if "method" in value:
        return _with_method(value, line)
    if "result" not in value and "error" not in value:
        return Frame(
            "broken", line, value, (stray, "an object without method, result and error is no message")
        )
    return Frame("answer", line, value, _version_fault(value) or _answer_fault(value) or _id_fault(value))


def _with_method(value: dict[str, Any], line: bytes) -> Frame:
    if "id" in value:
        rule = "RPC-6" if str(value["method"]).startswith("notifications/") else "RPC-7"
        told = "a notification has no id" if rule == "RPC-6" else "a server must not send requests"
        return Frame("broken", line, value, (rule, told))
    if not isinstance(value["method"], str):
        return Frame("broken", line, value, ("RPC-1", "a method is a text"))
    return Frame("notice", line, value, _version_fault(value))


def _version_fault(value: dict[str, Any]) -> tuple[str, str] | None:
    return None if value.get("jsonrpc") == "2.0" else ("RPC-1", 'jsonrpc must be "2.0"')


def _answer_fault(value: dict[str, Any]) -> tuple[str, str] | None:
    if "result" in value and "error" in value:
        return "RPC-5", "an answer has either a result or an error, not both"
    if "result" in value:
        return None if isinstance(value["result"], dict) else ("RPC-5", "a result must be an object")
    error = value["error"]
    if not isinstance(error, dict):
        return "RPC-5", "an error must be an object"
    if error.get("code").__class__ is not int:
        return "ERR-5", "the code of an error must be an integer"
    return (
        None if isinstance(error.get("message"), str) else ("ERR-5", "the message of an error must be a text")
    )


def _id_fault(value: dict[str, Any]) -> tuple[str, str] | None:
    if "id" in value:
        if value["id"] is None:
            return (
                "RPC-4",
                "an id is that of the request, or left out where none could be read, and never null",
            )
        return None if is_request_id(value["id"]) else ("RPC-4", "an id is a text or an integer")
    return ("RPC-4", "a result must have the id of its request") if "result" in value else None
