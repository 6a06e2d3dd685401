"""What is in flight on one connection, kept once: bytes go in, and what is to be done about them comes out.

Pure: no clock, no loop, no thread of its own. A carrier calls `receive` from one thread and `settle` from any: whether
an answer is still owed is decided by taking the one token of its flight, which only one of the two can have.
"""

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from ..limits import DEFAULT_LIMITS, Limits
from ..protocol import Admitted, admit
from ..wire import INVALID_REQUEST, Fault, Notification, OverLong, Request, RequestId, classify, encode_error

_LARGE = 16 * 1024


class Flight:
    """A request that has been admitted and not been answered.

    `on_cancel` is called once, on the thread that reads, when the client cancels it.
    """

    __slots__ = ("_token", "on_cancel", "request")

    def __init__(self, request: Admitted) -> None:
        self.request = request
        self.on_cancel: Callable[[], None] | None = None
        self._token = [True]

    @property
    def settled(self) -> bool:
        """Whether it has been answered or cancelled."""
        return not self._token

    def take(self) -> bool:
        """Take the right to settle it; only the first to ask gets it."""
        try:
            return self._token.pop()
        except IndexError:
            return False


class Reply(msgspec.Struct, frozen=True):
    """A frame that is to be written at once."""

    frame: bytes


class Cancel(msgspec.Struct, frozen=True):
    """A flight that the client has cancelled: its handler may be stopped, and nothing more is sent for it."""

    flight: Flight


Action: TypeAlias = Flight | Reply | Cancel | None


class Connection:
    """The requests in flight on one connection, and the ladder that each must climb."""

    __slots__ = ("_capabilities", "_flights", "_large", "_limits")

    def __init__(self, capabilities: frozenset[str], limits: Limits = DEFAULT_LIMITS) -> None:
        self._capabilities = capabilities
        self._limits = limits
        self._flights: dict[RequestId, Flight] = {}
        self._large: dict[Flight, int] = {}

    def receive(self, frame: bytes | OverLong) -> Action:
        """Take one frame and say what is to be done: run a flight, write a reply, cancel a flight, or nothing."""
        if isinstance(frame, OverLong):
            return Reply(
                encode_error(None, INVALID_REQUEST, f"Message is longer than {self._limits.line_bytes} bytes")
            )
        message = classify(frame, self._limits.nesting)
        if message.__class__ is Request:
            return self._receive_request(message, len(frame))
        if isinstance(message, Fault):
            return Reply(encode_error(message.id, message.code, message.message))
        if isinstance(message, Notification) and message.method == "notifications/cancelled":
            return self._cancel(message.params)
        # Other notifications ask for nothing, and a server is owed no responses (RPC-7).
        return None

    def _receive_request(self, request: Request, size: int) -> Action:
        if request.id in self._flights:
            # With its id the refusal would settle the first request (RPC-2).
            return Reply(encode_error(None, INVALID_REQUEST, "id is already in use by a request in flight"))
        verdict = admit(request, self._capabilities)
        if verdict.__class__ is not Admitted:
            return Reply(verdict.encode())  # type: ignore[union-attr]  # the class has been compared
        flight = Flight(verdict)
        self._flights[request.id] = flight
        if size > _LARGE:
            self._large[flight] = size
        return flight

    def _cancel(self, params: object) -> Cancel | None:
        """Cancel what is named; anything unknown or malformed is passed over in silence (CAN-4)."""
        request_id = params.get("requestId") if isinstance(params, dict) else None
        if isinstance(request_id, bool) or not isinstance(request_id, str | int):
            return None
        flight = self._flights.get(request_id)
        if flight is None or not self.settle(flight):
            return None
        return Cancel(flight)

    def settle(self, flight: Flight) -> bool:
        """End a flight; says whether its answer is still owed. After that its id may be used again."""
        if not flight.take():
            return False
        del self._flights[flight.request.id]
        self._large.pop(flight, None)
        return True

    @property
    def owed(self) -> int:
        """How many answers are owed."""
        return len(self._flights)

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

    def flights(self) -> tuple[Flight, ...]:
        """Give what is in flight."""
        return tuple(self._flights.values())
