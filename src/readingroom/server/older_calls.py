"""One request of the older era while it is served, and the questions that its handler asks the client (LEG-5, LEG-8).

A handler that asks ends its round; what it asks goes to the client as requests of the server's own. When the last of their
answers has come, the call is to be run anew, with them. No thread waits meanwhile.
"""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from ..limits import Limits
from ..protocol import Admitted
from ..protocol.older_answers import (
    asked,
    failed_frame,
    older_answer,
    older_notice,
    older_request,
)
from ..wire import RequestId, encode_notification
from .connection import Flight
from .context import Context
from .dispatch import Dispatcher, Work
from .older_shares import Shares

if TYPE_CHECKING:
    from ..protocol.asking import Ask
    from ..protocol.asking_answers import Answers
    from .older import Session, Way
    from .rounds import Round


_SHARE_BYTES = 64 * 1024


class Service(msgspec.Struct, frozen=True):
    """What answers the requests of a session, and for whom."""

    dispatcher: Dispatcher
    principal: str
    limits: Limits


class Call:
    """A request of the older era that is being served. `run` or `run_async` is called for each round, by `mode`."""

    def __init__(
        self, session: "Session", service: Service, request: Admitted, work: Work, way: "Way", version: str
    ) -> None:
        self.id = request.id
        self.method = request.method
        self.way = way
        self.version = version
        self.flight = Flight(request)
        # Bytes that it keeps while it waits: what came with it, and what its client has answered so far.
        self.size = 0
        self._session = session
        self._service = service
        self._work = work
        self._round: Round | None = None

    @property
    def mode(self) -> str:
        """Where its handler belongs: quick, plain or async."""
        return self._work.step.mode

    def run(self) -> None:
        """Run a round of a plain or quick handler, and send what comes of it."""
        if not self.flight.cancelled:
            self._take(self._service.dispatcher.run(self._work, self._context()))

    async def run_async(self) -> None:
        """Run a round of a coroutine handler, and send what comes of it."""
        if not self.flight.cancelled:
            self._take(await self._service.dispatcher.run_async(self._work, self._context()))

    @property
    def principal(self) -> str:
        """For whom it is served."""
        return self._service.principal

    @property
    def is_awaited(self) -> bool:
        """Whether the client still waits for the answer."""
        return self._session.awaits(self)

    def cancel(self) -> None:
        """Stop: nothing is answered. Called once, by whoever took the call out of its session."""
        self.flight.cancelled = True
        if self.flight.on_cancel is not None:
            self.flight.on_cancel()
        self.way.drop()

    def fail(self, text: str) -> None:
        """Answer that the client's own answer, or the lack of one, made it impossible."""
        self._session.finish(self, failed_frame(self.id, self.method, text))

    def resume(self, answers: dict[str, Any]) -> None:
        """Make it ready to be run anew with what the client has answered, by the names of the questions."""
        assert self._round is not None  # noqa: S101  -- it has asked; for the type checker
        self._round = self._round.after(answers)

    def _context(self) -> Context | None:
        if not self._work.step.wants_context:
            return None
        service = self._service
        ctx = service.dispatcher.context(self.flight.request, self.flight, self._emit, service.principal)
        ctx.asks = self._ask
        return ctx

    def _ask(self, ctx: Context, request: Admitted, requests: "dict[str, Ask]") -> "Answers[Any]":
        """Give the answers to a handler, or end its round: what is asked leaves the process, its state does not (LEG-8)."""
        if self._round is None:
            from .rounds import Round

            self._round = Round(limits=self._service.limits)
        return self._round.ask(ctx, request, requests)

    def _emit(self, _flight: Flight, frame: bytes) -> None:
        if self.is_awaited:
            self.way.tell(older_notice(frame, self.version))

    def _take(self, frame: bytes | None) -> None:
        if frame is None:
            if not self.is_awaited:
                return
            frame = self._service.dispatcher.abandoned(self._work)
        wanted = asked(frame)
        if wanted is None:
            self._answer(frame)
            return
        if not self.way.can_ask:
            self.fail("This needs an answer of the client, whose request takes no stream to be asked on")
        elif self.is_awaited:
            self._session.questions.ask(self, wanted)

    def _answer(self, frame: bytes) -> None:
        self._session.finish(self, older_answer(frame, self.method, self.version))


class _Asked:
    """What one round of a call has asked, the answers so far, until when they are waited for, and its share."""

    __slots__ = ("answers", "call", "deadline", "missing", "share")

    def __init__(self, call: Call, deadline: float) -> None:
        self.call = call
        self.deadline = deadline
        self.share = 1 + call.size // _SHARE_BYTES
        self.missing: dict[str, str] = {}
        self.answers: dict[str, Any] = {}


class Questions:
    """The requests of the server that the client of a session has not answered yet.

    Calls that wait for answers are bounded in each session, and by `shares` in all that have those, where a call that keeps
    much takes one for every 64 KiB of it; none waits for longer than `round_seconds`, nor for a client that has gone.
    `expire` is to be called from time to time.
    """

    def __init__(self, limits: Limits, principal: str, shares: Shares, clock: Callable[[], float]) -> None:
        self._limits = limits
        self._principal = principal
        self._shares = shares
        self._clock = clock
        self._lock = threading.Lock()
        self._count = 0
        self._rounds: dict[str, _Asked] = {}
        self._by_call: dict[int, _Asked] = {}

    @property
    def waiting(self) -> int:
        """How many calls wait for answers."""
        return len(self._by_call)

    def ask(self, call: Call, requests: dict[str, Any]) -> None:
        """Send what a round asks for. A call for which there is no room fails."""
        asking = _Asked(call, self._clock() + self._limits.round_seconds)
        frames: list[bytes] = []
        with self._lock:
            has_room = len(self._by_call) < self._limits.older_waiting and self._shares.take(
                self._principal, asking.share
            )
            if has_room:
                self._by_call[id(call)] = asking
                for key, request in requests.items():
                    self._count += 1
                    name = f"s{self._count}"
                    asking.missing[name] = key
                    self._rounds[name] = asking
                    frames.append(older_request(name, request, call.version, name))
        if not has_room:
            call.fail("Too many requests wait for answers of the client")
        for frame in frames:
            call.way.ask(frame)
        if has_room and not call.is_awaited:
            self.withdraw(call)

    def answered(self, request_id: RequestId | None, frame: bytes) -> Call | None:
        """Take an answer of the client; give the call that may go on, when it was the last that it waited for.

        What answers nothing is passed over. An error, or an answer that is none, fails the call.
        """
        result, error = _read_answer(frame)
        with self._lock:
            asking = self._rounds.pop(request_id, None) if isinstance(request_id, str) else None
            if asking is None:
                return None
            key = asking.missing.pop(str(request_id))
            if result is not None:
                asking.answers[key] = result
                asking.call.size += len(frame)
                if asking.missing:
                    return None
                self._end(asking.call)
        call = asking.call
        if result is None:
            self._fail(call, f"The client did not answer what it was asked: {error}")
            return None
        call.resume(asking.answers)
        return call

    def expire(self) -> None:
        """Fail the calls that have waited for too long, or for a client that is not there to answer."""
        if not self._by_call:
            return
        now = self._clock()
        for asking in list(self._by_call.values()):
            if now >= asking.deadline:
                self._fail(asking.call, "The client did not answer in time what it was asked")
            elif asking.call.way.is_absent:
                self._fail(asking.call, "The client left before it answered what it was asked")

    def give_up(self, why: str) -> None:
        """Fail the calls that wait for answers."""
        for asking in list(self._by_call.values()):
            self._fail(asking.call, why)

    def withdraw(self, call: Call) -> bool:
        """Tell the client that the answers for a call are no longer wanted; says whether it waited for any."""
        with self._lock:
            asking = self._end(call)
            names = list(asking.missing) if asking is not None else []
            for name in names:
                del self._rounds[name]
        for name in names:
            call.way.ask(encode_notification("notifications/cancelled", {"requestId": name}))
        return asking is not None

    def _fail(self, call: Call, why: str) -> None:
        """Fail a call, unless the last answer that it waited for has come at this moment."""
        if self.withdraw(call):
            call.fail(why)

    def _end(self, call: Call) -> _Asked | None:
        """Note that a call waits no longer; the lock is held."""
        asking = self._by_call.pop(id(call), None)
        if asking is not None:
            self._shares.give(self._principal, asking.share)
        return asking


def _read_answer(frame: bytes) -> tuple[dict[str, Any] | None, str]:
    """Give the result of a client's answer, or None and why there is none; its own words may help a model."""
    try:
        answer = msgspec.json.decode(frame)
    except (msgspec.DecodeError, RecursionError):
        return None, "it cannot be read"
    result, error = answer.get("result"), answer.get("error")
    if isinstance(result, dict) and error is None:
        return {name: value for name, value in result.items() if name != "_meta"}, ""
    told = error.get("message") if isinstance(error, dict) else None
    return None, told if isinstance(told, str) else "it gave no result"
