"""What is in flight on one connection, kept once: bytes go in, and what is to be done about them comes out.

Pure: no clock, no loop, no thread of its own. A carrier calls `receive` from one thread, and `settle` once for every flight,
from any thread: whichever of a cancellation and an answer takes the flight out of the table has ended it.
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
    readable_id,
)

# Smaller frames are not counted: as many as may be in flight take half of the bytes that may be.
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


class Older(msgspec.Struct, frozen=True):
    """A message of the older era, with its bytes: for the adapter of that era, which keeps its own account (ERA-14)."""

    message: Message
    frame: bytes


Action: TypeAlias = Flight | Reply | Cancel | Older | None


class Connection:
    """The requests in flight on one connection, and the ladder that each must climb.

    With `older_era` a client may begin the older era by `initialize`; messages of that era are given on, and never enter
    what is kept here (ERA-12, ERA-14).
    """

    __slots__ = (
        "_capabilities",
        "_flights",
        "_is_older_on",
        "_large",
        "_limits",
        "_lingering",
        "_older_era",
        "_open",
    )

    def __init__(
        self, capabilities: frozenset[str], limits: Limits = DEFAULT_LIMITS, *, older_era: bool = False
    ) -> None:
        self._capabilities = capabilities
        self._limits = limits
        self._older_era = older_era
        self._is_older_on = False
        self._flights: dict[RequestId, Flight] = {}
        # Both by `id(flight)`: the size of large frames, and flights that are cancelled while their handlers still run.
        self._large: dict[int, int] = {}
        self._lingering: set[int] = set()
        # And those that stay open until their client ends them.
        self._open: set[int] = set()

    def receive(self, frame: bytes | OverLong) -> Action:
        """Take one frame and say what is to be done: run a flight, write a reply, cancel a flight, or nothing."""
        if isinstance(frame, OverLong):
            told = f"Message is longer than {self._limits.line_bytes} bytes"
            return self._refuse(INVALID_REQUEST, told, readable_id(frame.head, frame.tail))
        message = classify(frame, self._limits.nesting)
        if message.__class__ is not Request:
            return self._receive_other(message, frame)
        if message.id in self._flights:
            return self._refuse(INVALID_REQUEST, "id is already in use by a request in flight", message.id)
        verdict = admit(message, self._capabilities)
        if not isinstance(verdict, Admitted):
            return Older(message, frame) if self._is_older(message) else Reply(verdict.encode())
        flight = Flight(verdict)
        self._flights[verdict.id] = flight
        if len(frame) > _LARGE:
            self._large[id(flight)] = len(frame)
        return flight

    def _refuse(self, code: int, message: str, request_id: RequestId | None) -> Reply:
        """Refuse a frame; without its id while that is in flight, or the refusal would settle the first (RPC-2)."""
        return Reply(encode_error(None if request_id in self._flights else request_id, code, message))

    def _is_older(self, request: Request) -> bool:
        """Say whether a request that the ladder refused is of the older era; its handshake turns that on (ERA-14)."""
        if not self._older_era or not (self._is_older_on or request.method == "initialize"):
            return False
        from ..protocol.eras import names_version

        if names_version(request.params):
            return False
        self._is_older_on = True
        return True

    def _receive_other(self, message: Message, frame: bytes) -> Action:
        if isinstance(message, Fault):
            if self._is_older_on and frame.lstrip()[:1] == b"[":
                return Older(message, frame)
            return self._refuse(message.code, message.message, message.id)
        if isinstance(message, Notification) and message.method == "notifications/cancelled":
            found = self._cancel(message.params)
            if found is not None:
                return found
        # Other notifications ask for nothing, and a server is owed no responses (RPC-7); the older era has both.
        return Older(message, frame) if self._is_older_on else None

    def _cancel(self, params: object) -> Cancel | None:
        """Cancel what is named; anything unknown or malformed is passed over in silence (CAN-4).

        Its id may be used again at once, while the handler that nobody waits for comes to its end.
        """
        request_id = params.get("requestId") if isinstance(params, dict) else None
        flight = self._flights.get(request_id) if is_request_id(request_id) else None  # type: ignore[arg-type]  # is_request_id has seen it
        if flight is None:
            return None
        self._lingering.add(id(flight))
        if self._flights.pop(flight.request.id, None) is None:
            self._lingering.discard(id(flight))
            return None
        flight.cancelled = True
        return Cancel(flight)

    def settle(self, flight: Flight) -> bool:
        """End a flight, once; says whether its answer is still owed (CAN-3)."""
        if self._large:
            self._large.pop(id(flight), None)
        if self._open:
            self._open.discard(id(flight))
        request_id = flight.request.id
        found = None if flight.cancelled else self._flights.pop(request_id, None)
        if found is flight:
            return True
        self._lingering.discard(id(flight))
        if found is not None:
            # Between the two looks it was cancelled, and its id was used again.
            self._flights[request_id] = found
        return False

    def awaits(self, flight: Flight) -> bool:
        """Say whether the client still waits for the answer: what belongs to the request may be sent (PROG-2, LOG-2)."""
        return self._flights.get(flight.request.id) is flight

    def keep_open(self, flight: Flight) -> None:
        """Let a flight be open without end: it is owed no answer and takes no room; its id stays its own (a listen)."""
        self._large.pop(id(flight), None)
        self._open.add(id(flight))

    @property
    def owed(self) -> int:
        """How many answers are owed."""
        return len(self._flights) - len(self._open)

    @property
    def is_full(self) -> bool:
        """Whether as much is in flight as is allowed: the carrier then stops reading (limits.py)."""
        if len(self._flights) + len(self._lingering) - len(self._open) >= self._limits.requests_in_flight:
            return True
        return bool(self._large) and sum(self._large.copy().values()) >= self._limits.bytes_in_flight // 2

    @property
    def has_room(self) -> bool:
        """Whether a carrier that stopped reading may go on: half of what is allowed is free again."""
        in_flight = len(self._flights) + len(self._lingering) - len(self._open)
        return in_flight <= self._limits.requests_in_flight // 2 and not self.is_full
