"""What every answer must have, whatever it answers: judged on each that comes. Pure."""

from typing import Any

from ...client import shapes
from ...protocol import SERVER_INFO
from .frames import Frame, as_object
from .owed import LISTEN, Owed
from .verdicts import Notebook

RULES = (
    "RES-1", "RES-3", "META-10", "CACHE-1", "CACHE-2", "MRTR-1", "MRTR-2", "MRTR-3", "MRTR-4", "SHAPE-1",
)  # fmt: skip
_DEFINED = (-32020, -32021, -32022)
_RETIRED = (-32002, -32042)


def judge_error(frame: Frame, note: Notebook) -> None:
    """Judge the code of an error."""
    code = frame.message["error"]["code"]
    note.kept("ERR-5")
    if code in _RETIRED:
        note.broke("ERR-2", f"the code {code} is of an older revision", b"", frame.line)
    elif -32099 <= code <= -32020 and code not in _DEFINED:
        note.broke("ERR-1", f"the code {code} is reserved and means nothing", b"", frame.line)
    elif -32019 <= code <= -32000:
        note.broke("ERR-3", f"the code {code} is of a range that is not to be used", b"", frame.line)
    else:
        note.kept("ERR-1", "ERR-2", "ERR-3")


def judge_result(owed: Owed, frame: Frame, note: Notebook) -> None:
    """Judge a result by its type, its metadata and its form."""
    result = frame.message["result"]
    sort = result.get("resultType")
    _judge_type(sort, owed, frame, note)
    _judge_server(result, owed, frame, note)
    if sort == "input_required":
        _judge_question(result, owed, frame, note)
    elif sort in ("complete", None):
        _judge_complete(result, owed, frame, note)


def _judge_type(sort: Any, owed: Owed, frame: Frame, note: Notebook) -> None:
    if "resultType" not in frame.message["result"]:
        note.broke("RES-1", f"the result of {owed.method} has no resultType", b"", frame.line)
    elif sort not in ("complete", "input_required"):
        note.broke(
            "RES-3", f"the result of {owed.method} has a type that is not known", b"", frame.line, counts=True
        )
    else:
        note.kept("RES-1", "RES-3")


def _judge_server(result: dict[str, Any], owed: Owed, frame: Frame, note: Notebook) -> None:
    told = as_object(result.get("_meta")).get(SERVER_INFO)
    info = as_object(told)
    if told is None:
        note.broke(
            "META-10", f"the result of {owed.method} does not say which server it is from", b"", frame.line
        )
    elif not all(isinstance(info.get(name), str) for name in ("name", "version")):
        note.broke("META-10", "a server has a name and a version, both texts", b"", frame.line)
    else:
        note.kept("META-10")


def _judge_question(result: dict[str, Any], owed: Owed, frame: Frame, note: Notebook) -> None:
    """Judge a result that asks for input. None of our requests declares that its client could give any."""
    if owed.method not in shapes.ROUNDS:
        note.broke("MRTR-1", f"{owed.method} must not ask for input", b"", frame.line)
        return
    asked = result.get("inputRequests")
    if asked is None and "requestState" not in result:
        note.broke("MRTR-2", "nothing is asked, and there is no state to come back with", b"", frame.line)
    elif asked is not None and not isinstance(asked, dict):
        note.broke("MRTR-3", "what is asked is an object of requests by key", b"", frame.line)
    elif asked:
        note.broke("MRTR-4", "something is asked that the request did not declare", b"", frame.line)
    else:
        note.kept("MRTR-1", "MRTR-2", "MRTR-3", "MRTR-4")
    if "ttlMs" in result or "cacheScope" in result:
        note.broke("CACHE-2", "a result that asks for input has no cache hints", b"", frame.line)
    else:
        note.kept("CACHE-2")


def _judge_complete(result: dict[str, Any], owed: Owed, frame: Frame, note: Notebook) -> None:
    if owed.method in shapes.CACHED:
        try:
            shapes.check_hints(owed.method, result)
            note.kept("CACHE-1")
        except shapes.Violation as fault:
            note.broke("CACHE-1", f"{owed.method}: {fault.detail}", b"", frame.line)
    if owed.method == LISTEN:
        return
    try:
        shapes.read_result(owed.method, result)
        note.kept("SHAPE-1")
    except shapes.Violation as fault:
        note.broke(fault.rule, f"{owed.method}: {fault.detail}", b"", frame.line)
