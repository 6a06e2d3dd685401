"""A client's session in the older era: what was agreed in its handshake, and everything that is remembered between messages.

A request of that era becomes one of today's (protocol.older) and is answered by the same dispatcher and the same handlers;
its answer is translated back. No request of today's era ever comes here. Carriers call `receive` for each message, from one
thread at a time, and run the calls that it gives, on any thread.
"""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

import msgspec

from ..errors import InvalidParams, Refused
from ..limits import DEFAULT_LIMITS, Limits
from ..protocol import Admitted, Params
from ..protocol.older import (
    HAS_BATCHES,
    Handshake,
    admit_older,
    meta_of,
    not_found,
    read_address,
    read_handshake,
    read_level,
)
from ..protocol.older_answers import older_answer, older_discovery, result_frame
from ..wire import (
    INVALID_REQUEST,
    Message,
    Notification,
    Request,
    RequestId,
    Response,
    encode_error,
    is_request_id,
)
from .dispatch import Dispatcher
from .older_batches import TOO_LONG, split
from .older_calls import Call, Questions, Service
from .older_notices import Notices
from .older_shares import Shares


class Way(Protocol):
    """Where what belongs to one message of the client goes. Its methods may be called from any thread.

    `can_ask` says whether a request to the client would reach it.
    """

    can_ask: bool

    @property
    def is_absent(self) -> bool:
        """Whether the client has been gone for so long that no answer of it is waited for."""

    @property
    def is_full(self) -> bool:
        """Whether it has no room for answers any more, so that nothing need be done for them."""

    def tell(self, frame: bytes) -> None:
        """Send what comes before the answer; it may be dropped when the client does not read."""

    def ask(self, frame: bytes) -> None:
        """Send a request of the server to the client, or what withdraws one; it is never dropped."""

    def answer(self, frame: bytes) -> None:
        """Send the answer; nothing follows it."""

    def drop(self) -> None:
        """End without an answer: the client has cancelled."""


class Session:
    """One session. `push` sends what belongs to no request: that a list or a resource has changed (LEG-6).

    It does so once the client is ready, or, without `pushes_at_once`, once `start_notices` is called. `waiting` counts the
    calls that wait for answers of clients in this session and in others; `clock` gives seconds.
    """

    def __init__(
        self,
        dispatcher: Dispatcher,
        principal: str,
        push: Callable[[bytes], None],
        limits: Limits = DEFAULT_LIMITS,
        *,
        pushes_at_once: bool = True,
        waiting: Shares | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._dispatcher = dispatcher
        self._service = Service(dispatcher, principal, limits)
        self._agreed: Handshake | None = None
        self._level: str | None = None
        self._lock = threading.Lock()
        self._calls: dict[RequestId, Call] = {}
        # One item for each answer that is no longer owed and not yet on its way.
        self._answering: list[None] = []
        shares = waiting or Shares(limits.older_waiting, limits.older_waiting)
        self.questions = Questions(limits, principal, shares, clock)
        self._is_closed = False
        self._pushes_at_once = pushes_at_once
        self._notices = Notices(dispatcher, principal, push, limits)
        self._own: dict[str, Callable[[Request, Handshake], Any]] = {
            "logging/setLevel": self._set_level,
            "resources/subscribe": self._subscribe,
            "resources/unsubscribe": self._unsubscribe,
        }

    @property
    def is_agreed(self) -> bool:
        """Whether a handshake has succeeded."""
        return self._agreed is not None

    @property
    def version(self) -> str:
        """The version that was agreed on, or ""."""
        return self._agreed.version if self._agreed is not None else ""

    def split(self, frame: bytes) -> list[tuple[Message, bytes]]:
        """Give the messages of a batch. Raises: Refused when it is none, or the version that was agreed on has none."""
        if self.version not in HAS_BATCHES:
            raise Refused("Batches are not supported", code=INVALID_REQUEST)
        return split(frame, self._service.limits)

    @property
    def owed(self) -> int:
        """How many answers are owed that need nothing of the client any more."""
        return self.running + len(self._answering)

    @property
    def is_closed(self) -> bool:
        """Whether nothing is taken any more."""
        return self._is_closed

    @property
    def is_busy(self) -> bool:
        """Whether a request is being handled, or waits for the client's answers."""
        return bool(self._calls)

    @property
    def running(self) -> int:
        """How many requests are being handled; those that wait for the client's answers are not counted."""
        return len(self._calls) - self.questions.waiting

    def receive(self, message: Message, frame: bytes, way: Way) -> Call | None:
        """Take one message, which `frame` was; give the call that is to be run, if one is.

        A request's call comes when it is read; a response's is the call that it was the last answer for (LEG-8).
        """
        self.questions.expire()
        if isinstance(message, Request):
            return self._receive_request(message, way)
        if isinstance(message, Response):
            return self.questions.answered(message.id, frame)
        if isinstance(message, Notification):
            self._receive_notification(message)
        else:
            way.answer(encode_error(message.id, message.code, message.message))
        return None

    def start_notices(self) -> None:
        """Send notices from here on. When the server has no room for one more listener there are none."""
        with suppress(Refused):
            self._notices.start()

    def close(self) -> None:
        """Forget everything: what is being handled is cancelled, and nothing more is sent."""
        with self._lock:
            self._is_closed = True
            calls, self._calls = list(self._calls.values()), {}
        for call in calls:
            self.questions.withdraw(call)
            call.cancel()
        self._notices.close()

    def finish(self, call: Call, frame: bytes) -> None:
        """Answer a call, unless it was cancelled or has been answered."""
        self._answering.append(None)
        if self._settle(call):
            call.way.answer(frame)
        self._answering.pop()

    def _settle(self, call: Call) -> bool:
        """End a call, once; says whether it had not ended yet."""
        with self._lock:
            if self._calls.get(call.id) is not call:
                return False
            del self._calls[call.id]
            return True

    def awaits(self, call: Call) -> bool:
        """Say whether the client still waits for the answer to a call."""
        return self._calls.get(call.id) is call

    def _receive_request(self, request: Request, way: Way) -> Call | None:
        try:
            if request.id in self._calls:
                way.answer(encode_error(None, INVALID_REQUEST, "id is already in use by a request in flight"))
                return None
            if request.method == "ping":
                way.answer(result_frame(request.id, {}))
                return None
            if request.method == "initialize":
                way.answer(result_frame(request.id, self._initialize(request)))
                return None
            return self._receive_feature(request, way)
        except Refused as error:
            way.answer(encode_error(request.id, error.code, error.message, error.data))
        return None

    def _receive_feature(self, request: Request, way: Way) -> Call | None:
        agreed = self._agreed
        if agreed is None:
            raise Refused("No version was agreed on: initialize comes first", code=INVALID_REQUEST)
        own = self._own.get(request.method)
        if own is not None:
            own(request, agreed)
            way.answer(result_frame(request.id, {}))
            return None
        if way.is_full:
            raise Refused(TOO_LONG)
        if self.running >= self._service.limits.requests_in_flight:
            raise Refused("Too many requests are in flight")
        admitted = admit_older(request, agreed, self._level, self._dispatcher.capabilities)
        try:
            work = self._dispatcher.route(admitted, self._service.principal)
        except Exception as error:  # noqa: BLE001  -- the one table answers whatever was raised
            refused = self._dispatcher.refused(admitted, error)
            way.answer(older_answer(refused, request.method, agreed.version))
            return None
        call = Call(self, self._service, admitted, work, way, agreed.version)
        call.size = _size(request.params)
        with self._lock:
            self._calls[call.id] = call
        return call

    def _initialize(self, request: Request) -> dict[str, Any]:
        """Agree on a version; a second handshake begins anew, and leaves what is in flight alone (LEG-1)."""
        most = self._service.limits.older_handshake_bytes
        if _size(request.params) > most:
            raise InvalidParams(f"params: a handshake has at most {most} bytes")
        agreed = read_handshake(request.params)
        discover = Admitted(request.id, "server/discover", Params(meta_of(agreed)))
        frame = self._dispatcher.run(self._dispatcher.route(discover, self._service.principal), None)
        assert frame is not None  # noqa: S101  -- nobody can have cancelled it; for the type checker
        self._agreed, self._level = agreed, None
        self._notices.begin(agreed)
        return older_discovery(frame, agreed.version)

    def _set_level(self, request: Request, _agreed: Handshake) -> None:
        if "logging" not in self._dispatcher.capabilities:
            raise not_found(request.method)
        self._level = read_level(request.params)

    def _subscribe(self, request: Request, _agreed: Handshake) -> None:
        if not self._notices.has_updates:
            raise not_found(request.method)
        self._notices.add(read_address(request.params))
        if self._pushes_at_once:
            self._notices.start()

    def _unsubscribe(self, request: Request, _agreed: Handshake) -> None:
        if not self._notices.has_updates:
            raise not_found(request.method)
        self._notices.remove(read_address(request.params))

    def _receive_notification(self, notification: Notification) -> None:
        params = notification.params
        if notification.method == "notifications/initialized" and self._pushes_at_once:
            self.start_notices()
        elif notification.method == "notifications/cancelled" and isinstance(params, dict):
            request_id = params.get("requestId")
            call = self._calls.get(request_id) if is_request_id(request_id) else None  # type: ignore[arg-type]  # is_request_id has seen it
            if call is not None and self._settle(call):
                self.questions.withdraw(call)
                call.cancel()


def _size(params: Any) -> int:
    """Give the length of parameters in bytes."""
    return 0 if params is msgspec.UNSET else memoryview(params).nbytes
