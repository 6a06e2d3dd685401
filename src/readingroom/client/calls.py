"""What one client has in flight, and what each line from the server means for it. Pure: lines in, effects out.

A broken line fails the request whose id it carries. One that names no request fails, in strict mode, every request in
flight: whose answer it was cannot be known, and a call must not wait for an answer that may be lost. Violations that
cost no one an answer (a second answer, a notification nobody asked for) are only recorded.

What was heard before a request was sent cannot be about it: `hear` draws that line, and neither an answer nor a
broken line reaches a request beyond it.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from ..errors import PeerProtocolError, ReadingRoomError, RemoteError, SubscriptionCancelled
from ..wire import Notification, RequestId, readable_id
from . import batches
from .effects import Asked, Effect, Noticed, Reported, Settled
from .frames import EXCERPT, Answered, Asking, Broken, read_frame
from .listening import OF_SUBSCRIPTIONS, Listening, subscription_id
from .rounds import input_required
from .shapes import Violation, check_hints, read_result, refuse
from .unasked import LOG, read_progress
from .values import Answer, Greeting, Object
from .violations import Violations

_RETIRED = 4096


class _Call(msgspec.Struct, gc=False):
    """A request in flight: whose it is, its method, its last progress, and what it listens to, if it does."""

    owner: Any
    method: str
    has_token: bool
    last: float | None = None
    listening: Listening | None = None


class Calls:
    """The requests in flight on one connection. Ids are integers from 1 (RPC-2).

    One thread adds at a time and one takes lines; any may drop. Whoever takes a request out is the one to end it.
    """

    __slots__ = (
        "_capabilities",
        "_flight",
        "_has_batches",
        "_has_stray_logs",
        "_heard",
        "_is_older",
        "_issued",
        "_listened",
        "_logging",
        "_nesting",
        "_retired",
        "_strict",
        "_violations",
    )

    def __init__(
        self, capabilities: Object, nesting: int, *, strict: bool, violations: Violations | None = None
    ) -> None:
        self._capabilities = capabilities
        self._nesting = nesting
        self._strict = strict
        self._issued = 0
        self._heard = 0
        self._flight: dict[int, _Call] = {}
        # Requests in flight that asked for log lines, and whether one was given up. Lines do not name their request, so
        # from then on none can be told from those that are still on their way.
        self._logging: set[int] = set()
        self._has_stray_logs = False
        # Requests that ended without their answer; it may still come, and is ignored (CAN-5).
        self._retired: dict[int, None] = {}
        # Subscriptions that have ended: a server may say so twice (SUB-12).
        self._listened: set[int] = set()
        self._is_older = False
        self._has_batches = False
        self._violations = violations or Violations()

    def __len__(self) -> int:
        return len(self._flight)

    @property
    def violations(self) -> Violations:
        """What the server broke."""
        return self._violations

    def turn_older(self, version: str | None = None) -> None:
        """Read what comes from now on by the rules of the older era (LEG-5 to LEG-7); of `version`, if it is known."""
        self._is_older = True
        self._has_batches = version == batches.VERSION

    def add(self, owner: Any, method: str, *, has_token: bool = False, wants_log: bool = False) -> int:
        """Put a request in flight and give its id."""
        self._issued += 1
        if wants_log:
            self._logging.add(self._issued)
        self._flight[self._issued] = _Call(owner, method, has_token)
        return self._issued

    def add_listen(self, owner: Any, wanted: Mapping[str, Any]) -> int:
        """Put a `subscriptions/listen` for `wanted` in flight and give its id."""
        request_id = self.add(owner, "subscriptions/listen")
        self._flight[request_id].listening = Listening(wanted)
        return request_id

    def drop(self, request_id: int) -> bool:
        """Take a request out; False when it has ended already. Its answer, should it come, is ignored."""
        if self._out(request_id) is None:
            return False
        self._retire(request_id)
        return True

    def drop_all(self) -> list[Any]:
        """Take every request out and give their owners, oldest first."""
        return [call.owner for _, call in self._pick_all(self._issued)]

    def owners(self) -> list[Any]:
        """Give the owners of the requests in flight that are no subscriptions."""
        return [call.owner for call in list(self._flight.values()) if call.listening is None]

    def hear(self) -> None:
        """Note that bytes have come, of which the lines to be taken next are made."""
        self._heard = self._issued

    def take(self, line: bytes) -> list[Effect]:
        """Say what `line` means for the requests in flight."""
        parts = batches.parts(line) if self._has_batches else None
        if parts is None:
            return self._take_one(line)
        return [effect for part in parts for effect in self._take_one(part)]

    def _take_one(self, line: bytes) -> list[Effect]:
        """Take a line that is one message, or none."""
        frame = read_frame(line, self._nesting)
        if isinstance(frame, Broken) and frame.meant is not None and not self._strict:
            self._violations.record(frame.rule, frame.detail, frame.excerpt)
            frame = frame.meant
        if isinstance(frame, Answered):
            call = self._pick(frame.id)
            if call is None:
                return self._take_unmatched(frame, line)
            return [self._answer(call, frame, line)]
        if isinstance(frame, Notification):
            return self._take_notification(frame, line)
        if isinstance(frame, Asking):
            return self._take_request(frame)
        return self._take_broken(frame)

    def take_overlong(self, length: int, limit: int, head: bytes, tail: bytes = b"") -> list[Effect]:
        """Say what a line means that was longer than `limit` and of which only the beginning and the end are known.

        It fails the request whose id stands in these or else, in either mode, all: an answer is lost.
        """
        detail = f"an answer of {length} bytes is longer than the {limit} allowed"
        return self._take_broken(Broken("RPC-10", detail, readable_id(head, tail), head[:EXCERPT]), lost=True)

    def _pick(self, request_id: RequestId | None) -> _Call | None:
        """Take out the request with this id, if it is one that was in flight when the bytes came."""
        if isinstance(request_id, int) and request_id <= self._heard:
            self._logging.discard(request_id)
            return self._out(request_id)
        return None

    def _out(self, request_id: int) -> _Call | None:
        """Take a request out of flight, if it is still there."""
        call = self._flight.pop(request_id, None)
        if call is not None and call.listening is not None:
            if len(self._listened) >= _RETIRED:
                self._listened.clear()
            self._listened.add(request_id)
        return call

    def _pick_all(self, newest: int) -> list[tuple[int, _Call]]:
        """Take out every request up to `newest`, oldest first."""
        picked = []
        for request_id in list(self._flight):
            call = self._out(request_id) if request_id <= newest else None
            if call is not None:
                self._retire(request_id)
                picked.append((request_id, call))
        return picked

    def _take_request(self, asking: Asking) -> list[Effect]:
        """Take a request of the server."""
        if self._is_older:
            return [Asked(asking.id, asking.method, asking.params)]
        detail = f"a server must not send requests, and sent {asking.method}"
        return self._take_broken(Broken("RPC-7", detail, None, asking.excerpt))

    def _answer(self, call: _Call, frame: Answered, line: bytes) -> Settled:
        """End a request with the answer it got."""
        if call.listening is not None:
            self._end_listening(call.listening, frame, line)
        if frame.result is None:
            return Settled(call.owner, error=_remote(frame.error))
        try:
            value = self._read(call.method, frame.result, line)
        except Violation as fault:
            error = self._violations.record(fault.rule, f"{call.method}: {fault.detail}", line[:EXCERPT])
            return Settled(call.owner, error=error)
        if isinstance(value, ReadingRoomError):
            return Settled(call.owner, error=value)
        return Settled(call.owner, frame.result, value)

    def _read(self, method: str, result: Object, line: bytes) -> Answer | ReadingRoomError | None:
        """Verify a result (RES-1 to RES-3, CACHE-1, and the shape that its method has)."""

        def note(rule: str, detail: str, *, is_harmless: bool = False) -> None:
            if self._strict and not is_harmless:
                refuse(rule, detail)
            self._violations.record(rule, f"{method}: {detail}", line[:EXCERPT])

        if self._is_older:
            value = read_result(method, result, note)
            if isinstance(value, Greeting):
                self._has_batches = value.version == batches.VERSION
            return value
        kind = result.get("resultType", "complete")
        if kind == "input_required":
            return input_required(method, result, self._capabilities, note)
        if kind != "complete":
            raise Violation("RES-3", f"the resultType {kind!r:.40} is not known")
        try:
            check_hints(method, result)
        except Violation as fault:
            note(fault.rule, fault.detail)
        return read_result(method, result, note)

    def _take_unmatched(self, frame: Answered, line: bytes) -> list[Effect]:
        """Take a well-formed answer that has the id of no request in flight."""
        if frame.id is None:
            # The server could not read the id of one of the requests, and nobody can say of which (RPC-4).
            return [
                Settled(call.owner, error=_remote(frame.error)) for _, call in self._pick_all(self._heard)
            ]
        if isinstance(frame.id, str) and frame.id.isascii() and frame.id.isdecimal() and len(frame.id) < 20:
            detail = f"the id {frame.id!r} has another type than that of the request"
            return self._take_broken(Broken("RPC-4", detail, int(frame.id), line[:EXCERPT]))
        if isinstance(frame.id, int) and frame.id in self._retired:
            self._retired.pop(frame.id, None)
            return []
        detail = "an answer must carry the id of a request in flight, and each has one answer"
        return self._take_broken(Broken("RPC-4", detail, frame.id, line[:EXCERPT]))

    def _take_broken(self, broken: Broken, *, lost: bool = False) -> list[Effect]:
        """Record a violation and fail what it concerns: one request, none, or all."""
        error = self._violations.record(broken.rule, broken.detail, broken.excerpt)
        request_id = _as_id(broken.id)
        call = self._pick(request_id)
        if call is not None:
            return [Settled(call.owner, error=error)]
        if isinstance(request_id, int) and 0 < request_id <= self._heard:
            # That request has ended already: nobody waits for what was broken here.
            self._retired.pop(request_id, None)
            return []
        if not (self._strict or lost):
            return []
        return [_fail(call, broken, failed_id) for failed_id, call in self._pick_all(self._heard)]

    def _take_notification(self, notice: Notification, line: bytes) -> list[Effect]:
        """Take a notification: one that was asked for, or something that only is recorded."""
        params = notice.params if isinstance(notice.params, dict) else {}
        if notice.method == "notifications/progress":
            return self._take_progress(params, line)
        if notice.method == "notifications/cancelled":
            return self._take_cancelled(params.get("requestId"), line)
        if notice.method in OF_SUBSCRIPTIONS:
            return self._take_notice(notice.method, params, line)
        if notice.method == LOG and not (self._logging or self._has_stray_logs or self._is_older):
            self._violations.record("LOG-1", f"{notice.method} was not asked for", line[:EXCERPT])
        return []

    def _take_cancelled(self, request_id: Any, line: bytes) -> list[Effect]:
        """Take a cancellation. A server may end only a subscription so (CAN-7); an older one, what it asked itself."""
        if self._is_older or (isinstance(request_id, int) and request_id in self._listened):
            return []
        call = self._flight.get(request_id) if _is_plain_id(request_id) else None
        if call is None or call.listening is None:
            # Whatever it names here, it will not answer.
            detail = "a server must not cancel a request"
            return self._take_broken(Broken("CAN-7", detail, request_id, line[:EXCERPT]))
        if not self.drop(request_id):
            return []
        return [Settled(call.owner, error=SubscriptionCancelled("the server cancelled the subscription"))]

    def _take_notice(self, method: str, params: Object, line: bytes) -> list[Effect]:
        """Take a notification that belongs to a subscription, and is told from others by its id (SUB-6)."""
        found = subscription_id(params)
        if self._is_older and found is None:
            return [Noticed(None, method, params)]
        call = self._flight.get(found) if _is_plain_id(found) else None
        if call is None or call.listening is None:
            # One that has just been ended may still be told of.
            if not (_is_plain_id(found) and found in self._listened):
                rule = "SUB-4" if found is None else "SUB-3"
                self._violations.record(rule, f"{method} is of no subscription", line[:EXCERPT])
            return []
        fault = call.listening.fault(method, params)
        if fault is not None:
            self._violations.record(fault.rule, fault.detail, line[:EXCERPT])
        return [] if fault is not None and not fault.is_usable else [Noticed(call.owner, method, params)]

    def _end_listening(self, listening: Listening, frame: Answered, line: bytes) -> None:
        """Take the end of a subscription: a result that carries its id, after an acknowledgement (SUB-11); or an error."""
        if frame.result is None:
            return
        if subscription_id(frame.result) != frame.id:
            detail = "the result of a subscription must carry its id"
            self._violations.record("SUB-11", detail, line[:EXCERPT])
        if not listening.is_acknowledged:
            self._violations.record("SUB-2", "a subscription must be acknowledged first", line[:EXCERPT])

    def _take_progress(self, params: Object, line: bytes) -> list[Effect]:
        """Take progress for a token in use; unknown tokens are ignored (PROG-3)."""
        token: Any = params.get("progressToken")
        call = self._flight.get(token) if _is_plain_id(token) else None
        if call is None or not call.has_token:
            return []
        try:
            progress = read_progress(params, call.last)
        except Violation as fault:
            broken = Broken(fault.rule, fault.detail, token, line[:EXCERPT])
            self._violations.record(broken.rule, broken.detail, broken.excerpt)
            if not self._strict or not self.drop(token):
                return []
            return [_fail(call, broken, token)]
        call.last = progress.progress
        return [Reported(call.owner, progress)]

    def _retire(self, request_id: int) -> None:
        if request_id in self._logging:
            self._logging.discard(request_id)
            self._has_stray_logs = True
        # Forgetting them costs nothing but a violation too many, and only with a server that never answers.
        if len(self._retired) >= _RETIRED:
            self._retired.clear()
        self._retired[request_id] = None


def _fail(call: _Call, broken: Broken, request_id: int) -> Settled:
    """Fail a request whose answer is still owed; each gets an exception of its own, for each is raised on its own."""
    error = PeerProtocolError(broken.rule, broken.detail, broken.excerpt)
    return Settled(call.owner, error=error, owed=request_id)


def _is_plain_id(value: Any) -> bool:
    """Say whether a value can be one of our ids: an integer, and no boolean."""
    return isinstance(value, int) and not isinstance(value, bool)


def _as_id(value: Any) -> int | None:
    """Give what a broken line carries as an id as one of ours: `1.0` was meant for 1, and true for nothing."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if value == value // 1 else None


def _remote(error: Object | None) -> RemoteError:
    """Give the peer's error as an exception; its members have been checked."""
    known = error or {}
    return RemoteError(known["code"], known["message"], known.get("data"))
