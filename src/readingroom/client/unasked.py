"""What a server says without being asked for an answer: progress, and notifications that need a subscription."""

import math

from .shapes import Violation
from .values import Object, Progress

_UNASKED = {
    "notifications/message": "LOG-1",
    "notifications/tools/list_changed": "SUB-4",
    "notifications/prompts/list_changed": "SUB-4",
    "notifications/resources/list_changed": "SUB-4",
    "notifications/resources/updated": "SUB-4",
    "notifications/subscriptions/acknowledged": "SUB-4",
}


def unasked_rule(method: str) -> str | None:
    """Give the rule that a notification breaks which nobody asked for; None for those of extensions."""
    return _UNASKED.get(method)


def read_progress(params: Object, last: float | None) -> Progress:
    """Read the progress of a request whose last one was `last` (PROG-2, PROG-3).

    Raises: Violation.
    """
    progress = _number(params.get("progress"))
    if progress is None:
        raise Violation("PROG-3", "progress must be a number")
    total = params.get("total")
    if total is not None and _number(total) is None:
        raise Violation("PROG-3", "total must be a number")
    message = params.get("message")
    if message is not None and not isinstance(message, str):
        raise Violation("PROG-3", "message must be a string")
    if last is not None and progress <= last:
        raise Violation("PROG-2", f"progress must increase, and {progress} followed {last}")
    return Progress(progress, total, message)


def _number(value: object) -> float | None:
    """Give a number, and None for anything else; JSON knows no NaN, but an integer may be beyond a float."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if isinstance(value, int) or math.isfinite(value) else None
