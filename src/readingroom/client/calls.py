"""What one client has in flight, and what each line from the server means for it. Pure: lines in, effects out.

A broken line fails the request whose id it carries. One that names no request fails, in strict mode, every request in
flight: whose answer it was cannot be known, and a call must not wait for an answer that may be lost. Violations that
cost no one an answer (a second answer, a notification nobody asked for) are only recorded.

What was heard before a request was sent cannot be about it: `hear` draws that line, and neither an answer nor a
broken line reaches a request beyond it.
"""

from collections import deque
from typing import Any, TypeAlias

import msgspec

from ..errors import PeerProtocolError, ReadingRoomError, RemoteError
from ..wire import Notification, RequestId, readable_id
from .frames import EXCERPT, Answered, Broken, read_frame
from .rounds import input_required
from .shapes import Violation, check_hints, read_result
from .unasked import read_progress, unasked_rule
from .values import Answer, Object, Progress

_REMEMBERED = 100
_RETIRED = 4096


class Settled(msgspec.Struct, frozen=True, gc=False):
    """A request has ended: `error`, or `result` with the value read from it, if its method is of the core.

    `owed` is its id when the server still owes the answer and is to be told that nobody waits for it (CAN-1).
    """

    owner: Any
    result: Object | None = None
    value: Answer | None = None
    error: ReadingRoomError | None = None
    owed: int | None = None


class Reported(msgspec.Struct, frozen=True, gc=False):
    """A request has come further."""

    owner: Any
    progress: Progress


Effect: TypeAlias = Settled | Reported


class _Call(msgspec.Struct, gc=False):
    """A request in flight: whose it is, its method, and its last progress."""

    owner: Any
    method: str
    has_token: bool
    last: float | None = None


class Calls:
    """The requests in flight on one connection. Ids are integers from 1 (RPC-2).

    One thread adds at a time and one takes lines; any may drop. Whoever takes a request out is the one to end it.
    """

    __slots__ = (
        "_capabilities",
        "_flight",
        "_has_stray_logs",
        "_heard",
        "_issued",
        "_logging",
        "_nesting",
        "_retired",
        "_strict",
        "violation_count",
        "violations",
    )

    def __init__(self, capabilities: Object, nesting: int, *, strict: bool) -> None:
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
        self.violations: deque[PeerProtocolError] = deque(maxlen=_REMEMBERED)
        self.violation_count = 0

    def __len__(self) -> int:
        return len(self._flight)

    def add(self, owner: Any, method: str, *, has_token: bool = False, wants_log: bool = False) -> int:
        """Put a request in flight and give its id."""
        self._issued += 1
        if wants_log:
            self._logging.add(self._issued)
        self._flight[self._issued] = _Call(owner, method, has_token)
        return self._issued

    def drop(self, request_id: int) -> bool:
        """Take a request out; False when it has ended already. Its answer, should it come, is ignored."""
        if self._flight.pop(request_id, None) is None:
            return False
        self._retire(request_id)
        return True

    def drop_all(self) -> list[Any]:
        """Take every request out and give their owners, oldest first."""
        return [call.owner for _, call in self._pick_all(self._issued)]

    def hear(self) -> None:
        """Note that bytes have come, of which the lines to be taken next are made."""
        self._heard = self._issued

    def take(self, line: bytes) -> list[Effect]:
        """Say what `line` means for the requests in flight."""
        frame = read_frame(line, self._nesting)
        if isinstance(frame, Answered):
            call = self._pick(frame.id)
            if call is None:
                return self._take_unmatched(frame, line)
            return [self._answer(call, frame, line)]
        if isinstance(frame, Notification):
            return self._take_notification(frame, line)
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
            return self._flight.pop(request_id, None)
        return None

    def _pick_all(self, newest: int) -> list[tuple[int, _Call]]:
        """Take out every request up to `newest`, oldest first."""
        picked = []
        for request_id in list(self._flight):
            call = self._flight.pop(request_id, None) if request_id <= newest else None
            if call is not None:
                self._retire(request_id)
                picked.append((request_id, call))
        return picked

    def _answer(self, call: _Call, frame: Answered, line: bytes) -> Settled:
        """End a request with the answer it got."""
        if frame.result is None:
            return Settled(call.owner, error=_remote(frame.error))
        try:
            value = self._read(call.method, frame.result, line)
        except Violation as fault:
            error = self._record(fault.rule, f"{call.method}: {fault.detail}", line[:EXCERPT])
            return Settled(call.owner, error=error)
        if isinstance(value, ReadingRoomError):
            return Settled(call.owner, error=value)
        return Settled(call.owner, frame.result, value)

    def _read(self, method: str, result: Object, line: bytes) -> Answer | ReadingRoomError | None:
        """Verify a result (RES-1 to RES-3, CACHE-1, and the shape that its method has)."""
        kind = result.get("resultType", "complete")
        if kind == "input_required":
            return input_required(method, result, self._capabilities)
        if kind != "complete":
            raise Violation("RES-3", f"the resultType {kind!r:.40} is not known")
        try:
            check_hints(method, result)
        except Violation as fault:
            if self._strict:
                raise
            self._record(fault.rule, f"{method}: {fault.detail}", line[:EXCERPT])
        return read_result(method, result)

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
        error = self._record(broken.rule, broken.detail, broken.excerpt)
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
        """Take a notification: progress that was asked for, or something that only is recorded."""
        params = notice.params if isinstance(notice.params, dict) else {}
        if notice.method == "notifications/progress":
            return self._take_progress(params, line)
        if notice.method == "notifications/cancelled":
            # A server may end only a subscription so; whatever it names here, it will not answer (CAN-7).
            detail = "a server must not cancel a request"
            return self._take_broken(Broken("CAN-7", detail, params.get("requestId"), line[:EXCERPT]))
        rule = unasked_rule(notice.method)
        if rule == "LOG-1" and (self._logging or self._has_stray_logs):
            return []
        if rule is not None:
            self._record(rule, f"{notice.method} was not asked for", line[:EXCERPT])
        return []

    def _take_progress(self, params: Object, line: bytes) -> list[Effect]:
        """Take progress for a token in use; unknown tokens are ignored (PROG-3)."""
        token: Any = params.get("progressToken")
        call = self._flight.get(token) if isinstance(token, int) and not isinstance(token, bool) else None
        if call is None or not call.has_token:
            return []
        try:
            progress = read_progress(params, call.last)
        except Violation as fault:
            broken = Broken(fault.rule, fault.detail, token, line[:EXCERPT])
            self._record(broken.rule, broken.detail, broken.excerpt)
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

    def _record(self, rule: str, detail: str, excerpt: bytes) -> PeerProtocolError:
        error = PeerProtocolError(rule, detail, excerpt)
        self.violations.append(error)
        self.violation_count += 1
        return error


def _fail(call: _Call, broken: Broken, request_id: int) -> Settled:
    """Fail a request whose answer is still owed; each gets an exception of its own, for each is raised on its own."""
    error = PeerProtocolError(broken.rule, broken.detail, broken.excerpt)
    return Settled(call.owner, error=error, owed=request_id)


def _as_id(value: Any) -> int | None:
    """Give what a broken line carries as an id as one of ours: `1.0` was meant for 1, and true for nothing."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if value == value // 1 else None


def _remote(error: Object | None) -> RemoteError:
    """Give the peer's error as an exception; its members have been checked."""
    known = error or {}
    return RemoteError(known["code"], known["message"], known.get("data"))
