"""Where handlers of requests over HTTP run: quick ones on the loop, plain ones in worker threads, coroutines as tasks."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from ..limits import Limits
from ..protocol import Admitted
from ..server import Dispatcher, Flight, Work, status_of
from .http_exchange import Exchange, Mailbox
from .http_replies import Receive, Send, respond, send_frames, start_stream
from .http_timers import Timers
from .shares import Shares
from .workers import Workers


class Call(msgspec.Struct, frozen=True, gc=False):
    """An admitted request over HTTP: who serves it, for whom, whether it may be answered by a stream, and the wire.

    `holds` says whether who asks still may; None where everybody may.
    """

    dispatcher: Dispatcher
    request: Admitted
    principal: str
    streams: bool
    receive: Receive
    send: Send
    holds: Callable[[], bool] | None = None


class Job(msgspec.Struct, frozen=True, gc=False):
    """A call with the work that answers it, and the exchange that carries what is said."""

    call: Call
    work: Work
    flight: Flight
    exchange: Exchange

    def context(self) -> Any:
        """Give what the handler gets, if it wants it."""
        if not self.work.step.wants_context:
            return None
        call = self.call
        return call.dispatcher.context(call.request, self.flight, self.exchange.emit, call.principal)


async def run_quick(call: Call, work: Work) -> None:
    """Run a handler here and now; what it says before its answer makes that a stream."""
    said: list[bytes] = []

    def emit(_flight: Flight, frame: bytes) -> None:
        if call.streams:
            said.append(frame)

    flight = Flight(call.request)
    wants_context = work.step.wants_context
    ctx = call.dispatcher.context(call.request, flight, emit, call.principal) if wants_context else None
    frame, status = _performed(call.dispatcher, work, ctx, flight)
    if said:
        await start_stream(call.send)
        await send_frames(call.send, [*said, frame], is_last=True)
    else:
        await respond(call.send, status, frame)


class Running:
    """Runs what takes longer, for one server on one loop; knows how many requests are under way.

    With `shares`, for principals that are known, each has a share of that and of the workers.
    """

    def __init__(self, limits: Limits, timers: Timers, *, shares: bool = False) -> None:
        self._limits = limits
        self._timers = timers
        self._workers: Workers[Job] = Workers(limits.workers, self._run_plain)
        self._shares: Shares[Job] | None = Shares(limits, self._workers.put) if shares else None
        self._mailbox: Mailbox | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._under_way = 0

    async def run(self, call: Call, work: Work) -> bool:
        """Run a handler and deliver what it says; false when too many are under way, and nothing was done."""
        if self._under_way >= self._limits.requests_at_once:
            return False
        shares = self._shares
        if shares is not None and not shares.enter(call.principal):
            return False
        loop = asyncio.get_running_loop()
        if self._mailbox is None:
            self._mailbox = Mailbox(loop)
        flight = Flight(call.request)
        exchange = Exchange(
            self._mailbox,
            self._timers,
            call.receive,
            call.send,
            flight,
            self._limits,
            streams=call.streams,
            holds=call.holds,
        )
        job = Job(call, work, flight, exchange)
        self._under_way += 1
        if work.step.mode != "plain":
            self._begin_coroutine(loop, job)
        elif shares is None:
            self._workers.put(job)
        else:
            shares.work(call.principal, job)
        await exchange.deliver()
        return True

    def _begin_coroutine(self, loop: asyncio.AbstractEventLoop, job: Job) -> None:
        task = loop.create_task(self._run_coroutine(job))
        self._tasks.add(task)
        task.add_done_callback(lambda task: self._end_task(task, job))
        job.flight.on_cancel = lambda: _cancel(task)

    def _run_plain(self, job: Job) -> None:
        """Run a plain handler on a worker."""
        assert self._mailbox is not None  # noqa: S101  -- made before any job; for the type checker
        answer = None
        if not job.flight.cancelled:
            answer = _performed(job.call.dispatcher, job.work, job.context(), job.flight)
        # Before the answer: whoever has that has room for the next request.
        self._mailbox.post(self._end_plain, job)
        if answer is not None:
            job.exchange.answer(*answer)

    async def _run_coroutine(self, job: Job) -> None:
        dispatcher = job.call.dispatcher
        try:
            frame, status = await dispatcher.perform_async(job.work, job.context()), 200
        except BaseException as error:  # noqa: BLE001  -- whatever a handler raises is answered, never lost
            frame, status = _failed(dispatcher, job.work, error, job.flight)
        job.exchange.answer(frame, status)

    def _end_task(self, task: asyncio.Task[None], job: Job) -> None:
        self._tasks.discard(task)
        self._end_one(job)

    def _end_plain(self, job: Job) -> None:
        if self._shares is not None:
            self._shares.end_work(job.call.principal)
        self._end_one(job)

    def _end_one(self, job: Job) -> None:
        """A handler has ended, whether or not somebody still waited for it."""
        self._under_way -= 1
        if self._shares is not None:
            self._shares.leave(job.call.principal)


def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()


def _performed(dispatcher: Dispatcher, work: Work, ctx: Any, flight: Flight) -> tuple[bytes, int]:
    """Run a plain or quick handler; the answer's frame and its status."""
    try:
        return dispatcher.perform(work, ctx), 200
    except BaseException as error:  # noqa: BLE001  -- whatever a handler raises is answered, never lost
        return _failed(dispatcher, work, error, flight)


def _failed(dispatcher: Dispatcher, work: Work, error: BaseException, flight: Flight) -> tuple[bytes, int]:
    """Answer a failure; also one that ended as if its request had been cancelled, unless it was."""
    frame = dispatcher.failed(work, error)
    if frame is None and not flight.cancelled:
        frame = dispatcher.abandoned(work)
    return frame or b"", status_of(error)
