"""Calls of tools that may become tasks: the handler runs apart, so that who called it can answer while it goes on.

A plain handler has a daemon thread of its own, a coroutine an asyncio task. Whoever began the call waits until the handler
has come to its end, or has detached; a worker is then free, and nothing is in flight. A carrier sees none of this.
"""

import threading
from collections.abc import Generator
from contextvars import copy_context
from typing import Any

from ..errors import MissingCapability, Refused, UsageError
from ..protocol import Admitted, Wrapper
from ..protocol.asking import Ask
from ..protocol.asking_answers import Answers, read_answer
from ..protocol.params import declares_tasks
from ..protocol.tasks import TASKS_REQUIRED
from .connection import Flight
from .context import Asks, Cancelled, Context
from .detaching import Detached, Detaching
from .dispatch import Dispatcher, Step, Work
from .features import TaskUse
from .task_requests import Route, routes
from .task_running import Running, Wait, decoded
from .task_store import Task
from .task_telling import state_of
from .tasks import Tasks


class TaskCalls:
    """What a dispatcher needs of tasks: the steps of tools that may become one, and those of the extension's requests."""

    def __init__(self, dispatcher: Dispatcher, tasks: Tasks, wrapper: Wrapper) -> None:
        self._dispatcher = dispatcher
        self._tasks = tasks
        self._wrapper = wrapper

    def routes(self) -> dict[str, Route]:
        """Give what finds the steps of the extension's requests."""
        return routes(self._tasks, self._wrapper)

    def step(self, step: Step, request: Admitted, principal: str, use: TaskUse) -> Step:
        """Give the step that answers a call of a tool that may become a task (TASK-2, TASK-3).

        Raises: MissingCapability when it must, and this request did not declare that its client takes tasks.
        """
        if not declares_tasks(request.params.meta.capabilities):
            if use == "required":
                raise MissingCapability(TASKS_REQUIRED)
            return step
        kind = AsyncCall if step.mode == "async" else PlainCall
        call = kind(self._dispatcher, self._tasks, step, request, principal, use)
        tell_created = self._wrapper.created

        def finish(value: Any) -> bytes:
            return tell_created(state_of(value)) if isinstance(value, Task) else step.finish(value)

        return Step(step.mode, call.run, finish, kind=step.kind, name=step.name)


class _Call:
    """What both kinds of calls have in common."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        tasks: Tasks,
        step: Step,
        request: Admitted,
        principal: str,
        use: TaskUse,
    ) -> None:
        self._dispatcher = dispatcher
        self._tasks = tasks
        self._step = step
        self._request = request
        self._principal = principal
        self._use = use
        self._running: Running | None = None
        self._task: Task | None = None
        self._flight = Flight(request)

    def _begin_task(self, ctx: Context, asks: Asks) -> bool:
        """Make a task of the call; from here on its context is the task's, and `asks` answers it. May take a while."""
        name = self._step.name
        begun = self._tasks.begin(self._principal, self._request.method, name, self._stop)
        if begun is None:
            if self._use == "required":
                raise Refused("Too many tasks; try again later")
            return False
        self._running, self._task = begun
        ctx.leave(self._flight, asks)
        return True

    def _stop(self) -> None:
        """Let the handler see that nobody wants its task any more."""
        self._flight.cancelled = True

    def _end(self, running: Running, value: Any, error: BaseException | None) -> None:
        """End the task as the handler has. May take a while."""
        dispatcher, kept = self._dispatcher, self._step
        step = Step("plain", lambda _argument, _ctx: value, kept.finish, kind=kept.kind, name=kept.name)
        work = Work(self._request.id, step, None)
        frame = dispatcher.run(work, None) if error is None else dispatcher.failed(work, error)
        if frame is None and not running.cancelled:
            frame = dispatcher.abandoned(work)
        self._tasks.finish(running, frame)


def _answers(asks: dict[str, Ask], wait: Wait) -> Answers[Any]:
    """Give what came. Raises: Cancelled when nothing did, because the task was cancelled."""
    if wait.answers is None:
        raise Cancelled
    return Answers({name: read_answer(asks[name], answer) for name, answer in decoded(wait.answers)})


class PlainCall(_Call):
    """A call of a plain handler, on a thread of its own."""

    def run(self, argument: Any, ctx: Context) -> Any:
        """Give what the handler gives, or the task that it has become. Raises: what the handler raises."""
        self._done = threading.Semaphore(0)
        self._value: Any = None
        self._error: BaseException | None = None
        ctx.detaches = lambda: Detached(self._detach(ctx))
        thread = threading.Thread(
            target=copy_context().run, args=(self._work, argument, ctx), name="readingroom-task", daemon=True
        )
        thread.start()
        self._done.acquire()
        if self._task is not None:
            return self._task
        if self._error is not None:
            raise self._error
        return self._value

    def _work(self, argument: Any, ctx: Context) -> None:
        value, error = None, None
        try:
            value = self._step.begin(argument, ctx)
        except BaseException as raised:  # noqa: BLE001  -- whatever a handler raises is answered, or ends its task
            error = raised
        if self._running is not None:
            self._end(self._running, value, error)
        else:
            self._value, self._error = value, error
            self._done.release()

    def _detach(self, ctx: Context) -> bool:
        if self._running is None:
            ctx.check()
            if self._begin_task(ctx, self._ask):
                self._done.release()
        return self._running is not None

    def _ask(self, ctx: Context, request: Admitted, asks: dict[str, Ask]) -> Answers[Any]:
        """Wait on this thread until the client has answered."""
        assert self._running is not None  # noqa: S101  -- the context is the task's; for the type checker
        answered = threading.Semaphore(0)
        wait, task = self._running.park(asks, answered.release)
        self._tasks.show(task)
        answered.acquire()
        return _answers(asks, wait)


class AsyncCall(_Call):
    """A call of a coroutine handler, as an asyncio task of its own. What takes a while is done on threads."""

    _is_detaching = False

    async def run(self, argument: Any, ctx: Context) -> Any:
        """Give what the handler gives, or the task that it has become. Raises: what the handler raises."""
        import asyncio

        loop = self._loop = asyncio.get_running_loop()
        self._detached: asyncio.Future[Task] = loop.create_future()
        ctx.detaches = lambda: Detaching(lambda: self._detach(ctx))
        self._inner = loop.create_task(self._work(argument, ctx))
        try:
            await asyncio.wait((self._inner, self._detached), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            # What is becoming a task at this moment goes on as one, as if its answer had been lost on the way.
            if not self._is_detaching:
                self._inner.cancel()
                await asyncio.wait((self._inner,))
            raise
        return self._detached.result() if self._detached.done() else self._inner.result()

    async def _work(self, argument: Any, ctx: Context) -> Any:
        value, error = None, None
        try:
            value = await self._step.begin(argument, ctx)
        except BaseException as raised:
            if self._running is None:
                raise
            error = raised
        if self._running is None:
            return value
        # Not awaited: a cancellation that comes now must not keep the end from being told.
        self._tasks.threads.submit(self._end, self._running, value, error)
        return None

    async def _detach(self, ctx: Context) -> bool:
        if self._running is None:
            ctx.check()
            self._is_detaching = True
            try:
                await self._loop.run_in_executor(self._tasks.threads, self._begin_task, ctx, self._ask)
            finally:
                self._is_detaching = self._running is not None
            if self._task is not None:
                self._detached.set_result(self._task)
        return self._running is not None

    def _stop(self) -> None:
        super()._stop()
        self._loop.call_soon_threadsafe(self._inner.cancel)

    def _ask(self, ctx: Context, request: Admitted, asks: dict[str, Ask]) -> Answers[Any]:
        return _Awaited(self, asks)

    async def wait_for(self, asks: dict[str, Ask]) -> Answers[Any]:
        """Give the answers when they have come; what is given up before is asked no longer."""
        import asyncio

        running, loop = self._running, self._loop
        assert running is not None  # noqa: S101  -- the context is the task's; for the type checker
        answered = asyncio.Event()
        parking = loop.run_in_executor(
            self._tasks.threads, running.park, asks, lambda: loop.call_soon_threadsafe(answered.set)
        )
        try:
            wait, task = await asyncio.shield(parking)
            self._tasks.show(task)
            await answered.wait()
        except asyncio.CancelledError:
            parking.add_done_callback(lambda done: self._withdraw(running, done))
            raise
        return _answers(asks, wait)

    def _withdraw(self, running: Running, parked: Any) -> None:
        if parked.exception() is None:
            wait, _task = parked.result()
            self._loop.run_in_executor(self._tasks.threads, running.withdraw, wait)


class _Awaited(Answers[Any]):
    """The answers that a coroutine has to wait for."""

    __slots__ = ("_asks", "_call")

    def __init__(self, call: AsyncCall, asks: dict[str, Ask]) -> None:
        super().__init__({})
        self._call = call
        self._asks = asks

    # Each is one of its own, as what is awaited must be: `asyncio.gather` keeps them in a dict.
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __getitem__(self, name: str) -> Any:
        raise UsageError("in a coroutine the answers come by `await ctx.ask(...)`")

    def __await__(self) -> Generator[Any, None, Answers[Any]]:
        return self._call.wait_for(self._asks).__await__()
