"""The one table from exceptions to answers. What is not meant for the peer is masked under an incident id.

The log gets the incident with the feature, the exception's class and where it was raised; the exception's text only in
debug, for it may hold what a document says, or when the kit itself made it (`faults`).
"""

import contextlib
from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from ..errors import Refused, ToolError
from ..protocol import CallResult
from ..wire import HTTP_STATUS, INTERNAL_ERROR, RequestId, encode_error
from .context import Cancelled
from .schema import BadArguments
from .values import failed_call


class Error(msgspec.Struct, frozen=True):
    """An error answer without its id."""

    code: int
    message: str
    data: Any = None


Outcome: TypeAlias = CallResult | Error | None

_RESERVED = range(-32768, -31999)


class Failures:
    """Turns exceptions into answers; `incident` makes the ids, `report` writes the log: the id, the error, the feature."""

    __slots__ = ("_incident", "_report")

    def __init__(
        self, incident: Callable[[], str], report: Callable[[str, BaseException, str], None]
    ) -> None:
        self._incident = incident
        self._report = report

    def outcome(self, error: BaseException, *, is_tool: bool, feature: str) -> Outcome:
        """Say how a failure is answered; None when it is not: its request was cancelled."""
        if isinstance(error, BadArguments):
            return failed_call(str(error))
        if isinstance(error, ToolError):
            return failed_call(str(error)) if is_tool else Error(INTERNAL_ERROR, str(error))
        if isinstance(error, Refused) and _may_be_sent(error.code):
            return Error(error.code, error.message, error.data)
        # Those of asyncio and of concurrent.futures, by name: importing either costs more than the rest of a start.
        if isinstance(error, Cancelled) or type(error).__name__ == "CancelledError":
            return None
        return self.masked(error, feature)

    def masked(self, error: BaseException, feature: str) -> Error:
        """Give the answer that tells nothing of a failure but its incident id, and report it under that."""
        incident = self._incident()
        # A log that cannot be written must not cost the answer.
        with contextlib.suppress(Exception):
            self._report(incident, error, feature)
        return Error(INTERNAL_ERROR, "Internal error", {"incident": incident})

    @staticmethod
    def encode(request_id: RequestId, error: Error) -> bytes:
        """Encode an error answer; one that cannot be encoded is sent without its words."""
        try:
            return encode_error(request_id, error.code, error.message, error.data)
        except (TypeError, ValueError, RecursionError):
            return encode_error(request_id, error.code, "Internal error")


def status_of(error: BaseException) -> int:
    """Give the HTTP status that goes with a failure's answer, where none has been sent yet (requirements §1.6)."""
    is_told = isinstance(error, Refused) and _may_be_sent(error.code)
    return HTTP_STATUS.get(error.code, 200) if is_told else 200  # type: ignore[attr-defined]  # it is a Refused


def _may_be_sent(code: int) -> bool:
    """Say whether a handler may answer with `code`: of the reserved ones, only those that this revision names (ERR-1)."""
    is_code = isinstance(code, int) and not isinstance(code, bool)
    return is_code and (code not in _RESERVED or code in HTTP_STATUS)
