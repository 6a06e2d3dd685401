"""What a server says on the way to an answer: progress, and lines of its log."""

import math

from .shapes import Violation
from .values import Object, Progress

LOG = "notifications/message"
"""A line of a log, which comes only to a request that asked for it (LOG-1)."""


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
