"""What is in flight on one connection, kept once: bytes go in, and what is to be done about them comes out.

Pure: no clock, no loop, no thread of its own. A carrier calls `receive` from one thread, and `settle` once for every flight,
from any thread.
"""

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from ..limits import DEFAULT_LIMITS, Limits
from ..protocol import Admitted, admit
from ..wire import (
    INVALID_REQUEST,
    Fault,
    Message,
    Notification,
    OverLong,
    Request,
    RequestId,
    classify,
    encode_error,
    is_request_id,
)

_LARGE = 16 * 1024


class Flight(msgspec.Struct):
    """A request that has been admitted and not been settled.

    `on_cancel`, which a carrier may set, is called on the thread that reads when the client cancels the request.
    """

    request: Admitted
    cancelled: bool = False
    on_cancel: Callable[[], None] | None = None


class Reply(msgspec.Struct, frozen=True):
    """A frame that is to be written at once."""

    frame: bytes


class Cancel(msgspec.Struct, frozen=True):
    """A flight that the client has cancelled: its handler may be stopped, and nothing more is sent for it."""

    flight: Flight


Action: TypeAlias = Flight | Reply | Cancel | None


class Connection:
    """The requests in flight on one connection, and the ladder that each must climb."""

    __slots__ = ("_cancelled", "_capabilities", "_flights", "_large", "_limits")

    def __init__(self, capabilities: frozenset[str], limits: Limits = DEFAULT_LIMITS) -> None:
        self._capabilities = capabilities
        self._limits = limits
        self._flights: dict[RequestId, Flight] = {}
        self._large: dict[RequestId, int] = {}
        self._cancelled: set[RequestId] = set()

    def receive(self, frame: bytes | OverLong) -> Action:
        """Take one frame and say what is to be done: run a flight, write a reply, cancel a flight, or nothing."""
        if frame.__class__ is OverLong:
            return Reply(
                encode_error(None, INVALID_REQUEST, f"Message is longer than {self._limits.line_bytes} bytes")
            )
        message = classify(frame, self._limits.nesting)  # type: ignore[arg-type]  # the class has been compared
        if message.__class__ is not Request:
            return self._receive_other(message)
        if message.id in self._flights and message.id not in self._cancelled:
            # With its id the refusal would settle the first request (RPC-2).
            return Reply(encode_error(None, INVALID_REQUEST, "id is already in use by a request in flight"))
        verdict = admit(message, self._capabilities)
        if not isinstance(verdict, Admitted):
            return Reply(verdict.encode())
        flight = Flight(verdict)
        self._flights[verdict.id] = flight
        if len(frame) > _LARGE:  # type: ignore[arg-type]
            self._large[verdict.id] = len(frame)  # type: ignore[arg-type]
        return flight

    def _receive_other(self, message: Message) -> Action:
        if isinstance(message, Fault):
            return Reply(encode_error(message.id, message.code, message.message))
        if isinstance(message, Notification) and message.method == "notifications/cancelled":
            return self._cancel(message.params)
        # Other notifications ask for nothing, and a server is owed no responses (RPC-7).
        return None

    def _cancel(self, params: object) -> Cancel | None:
        """Cancel what is named; anything unknown or malformed is passed over in silence (CAN-4).

        Its id may be used again at once, while the handler that nobody waits for comes to its end.
        """
        request_id = params.get("requestId") if isinstance(params, dict) else None
        flight = self._flights.get(request_id) if is_request_id(request_id) else None  # type: ignore[arg-type]
        if flight is None or flight.cancelled:
            return None
        flight.cancelled = True
        self._cancelled.add(flight.request.id)
        return Cancel(flight)

    def settle(self, flight: Flight) -> bool:
        """End a flight, once; says whether its answer is still owed (CAN-3)."""
        request_id = flight.request.id
        if self._flights.get(request_id) is flight:
            del self._flights[request_id]
            if self._large:
                self._large.pop(request_id, None)
            if self._cancelled:
                self._cancelled.discard(request_id)
        return not flight.cancelled

    @property
    def owed(self) -> int:
        """How many answers are owed."""
        return len(self._flights) - len(self._cancelled)

    @property
    def is_full(self) -> bool:
        """Whether as much is in flight as is allowed: the carrier then stops reading (limits.py)."""
        if len(self._flights) >= self._limits.requests_in_flight:
            return True
        return bool(self._large) and sum(self._large.copy().values()) >= self._limits.bytes_in_flight // 2

    @property
    def has_room(self) -> bool:
        """Whether a carrier that stopped reading may go on: half of what is allowed is free again."""
        return len(self._flights) <= self._limits.requests_in_flight // 2 and not self.is_full
