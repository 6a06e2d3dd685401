"""Judges what stands around the messages over HTTP: statuses, headers, the form of a stream. Pure."""

from .frames import Frame, as_object
from .post import Came
from .verdicts import Notebook

RULES = ("HTTP-1", "HTTP-6", "HTTP-13", "HTTP-16", "HTTP-17", "HTTP-18", "HTTP-19")
"""The rules that are judged on whatever comes."""

_STATUS = {-32601: 404, -32020: 400, -32021: 400, -32022: 400}


def judge(note: Notebook, came: Came, heard: list[Frame], sent: bytes, *, is_modern: bool) -> None:
    """Judge what stands around the messages: status, headers, the form of a stream."""
    if "mcp-session-id" in came.headers:
        note.broke(
            "HTTP-6", "a session id was sent", sent, f"Mcp-Session-Id: {came.headers['mcp-session-id']}"
        )
    elif came.status:
        note.kept("HTTP-6")
    if came.is_stream:
        _judge_stream(note, came, sent)
    for frame in heard:
        code = as_object(frame.message.get("error")).get("code")
        expected = _STATUS.get(code) if isinstance(code, int) else None
        if expected and is_modern and not came.is_stream and came.status != expected:
            told = f"{code} came with the status {came.status}, not {expected}"
            note.broke("HTTP-19", told, sent, frame.line, counts=True)
        elif expected and is_modern:
            note.kept("HTTP-19")
    if came.status // 100 == 2 and not heard and not came.fault:
        note.broke("HTTP-13", f"a request was answered with {came.status} and no message", sent, came.body)
    elif heard:
        note.kept("HTTP-13")


def _judge_stream(note: Notebook, came: Came, sent: bytes) -> None:
    if came.stray:
        told = "an event is one line of data and nothing besides"
        note.broke("HTTP-17", told, sent, " / ".join(came.stray[:3]))
    else:
        note.kept("HTTP-16", "HTTP-17")
    if came.headers.get("x-accel-buffering", "").lower() != "no":
        note.broke("HTTP-18", "a stream came without X-Accel-Buffering: no", sent)
    else:
        note.kept("HTTP-18")
