"""The one table from exceptions to answers. What is not meant for the peer is masked under an incident id (design.md).

The log gets the incident with the exception's class and where it was raised; its text only in debug, for it may hold
what a document says.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from ..errors import Refused, ToolError
from ..protocol import CallResult
from ..wire import INTERNAL_ERROR, RequestId, encode_error
from .context import Cancelled
from .schema import BadArguments
from .values import failed_call


class Error(msgspec.Struct, frozen=True):
    """An error answer without its id."""

    code: int
    message: str
    data: Any = None


Outcome: TypeAlias = CallResult | Error | None


class Failures:
    """Turns exceptions into answers; `incident` makes the ids, `report` writes the log."""

    __slots__ = ("_incident", "_report")

    def __init__(self, incident: Callable[[], str], report: Callable[[str, BaseException], None]) -> None:
        self._incident = incident
        self._report = report

    def outcome(self, error: BaseException, *, is_tool: bool) -> Outcome:
        """Say how a failure is answered; None when it is not: its request was cancelled."""
        if isinstance(error, BadArguments):
            return failed_call(str(error))
        if isinstance(error, ToolError):
            return failed_call(str(error)) if is_tool else Error(INTERNAL_ERROR, str(error))
        if isinstance(error, Refused):
            return Error(error.code, error.message, error.data)
        if isinstance(error, Cancelled) or type(error).__name__ == "CancelledError":
            return None
        incident = self._incident()
        self._report(incident, error)
        return Error(INTERNAL_ERROR, "Internal error", {"incident": incident})

    @staticmethod
    def encode(request_id: RequestId, outcome: Error | None) -> bytes | None:
        """Encode an error answer; one whose data cannot be encoded is sent without it."""
        if outcome is None:
            return None
        try:
            return encode_error(request_id, outcome.code, outcome.message, outcome.data)
        except (TypeError, ValueError, RecursionError, OverflowError):
            return encode_error(request_id, outcome.code, "Internal error")
