"""What comes at once to a task: it ends once, and what is given up while it is under way is given up whole."""

import asyncio
import threading
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path

import pytest

from readingroom import Context, ElicitForm, Limits, MemoryTasks, Server, SqliteTasks, TaskStore
from readingroom.server import Tasks
from readingroom.server.task_store import Task, TaskBounds
from support.messages import call
from support.processes import until
from support.task_replicas import server
from support.tasking import TAKES, TaskServer, accepted

NAME = ElicitForm("Name?", {"type": "object", "properties": {"name": {"type": "string"}}})
SOON = Limits(task_lost_seconds=0.2)


def all_at_once(tasks: Tasks, task_id: str) -> None:
    """Cancel a task three times and answer it five times, on as many threads."""
    actions: list[Callable[[], None]] = [lambda: tasks.cancel(task_id, "local")] * 3
    for number in range(5):
        answer = {"name": accepted(name=str(number))}
        actions.append(partial(tasks.update, task_id, "local", answer))
    begin = threading.Barrier(len(actions))

    def run(action: Callable[[], None]) -> None:
        begin.wait()
        action()

    threads = [threading.Thread(target=run, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_whatever_comes_at_once_a_task_ends_once(kind: str, tmp_path: Path) -> None:
    """Answers, cancellations and the handler's own end, from many threads: one final state that stays, told as it is."""
    store: TaskStore = MemoryTasks() if kind == "memory" else SqliteTasks(tmp_path / "tasks.db")
    app = Server("srv", tasks=store)
    ends: list[str] = []

    @app.tool(task="optional")
    def plain(ctx: Context) -> str:
        """Ask once."""
        ctx.detach()
        try:
            return str(ctx.ask(name=NAME)["name"].content)
        finally:
            ends.append("plain")

    @app.tool(task="optional")
    async def coroutine(ctx: Context) -> str:
        """Ask once."""
        await ctx.detach()
        try:
            return str((await ctx.ask(name=NAME))["name"].content)
        finally:
            ends.append("coroutine")

    here = TaskServer(app)
    tasks = app._tasks
    assert tasks is not None
    for number in range(12):
        task_id = here.begin(("plain", "coroutine")[number % 2])
        if number % 4 < 2:
            here.await_status(task_id, "input_required")
        all_at_once(tasks, task_id)
        done = here.await_end(task_id)
        assert done["status"] in ("completed", "cancelled")
        assert ("result" in done) == (done["status"] == "completed")
        assert "inputRequests" not in done
        until(lambda n=number + 1: len(ends) == n)  # type: ignore[misc]  # a default binds it
        tasks.cancel(task_id, "local")
        tasks.update(task_id, "local", {"name": accepted(name="late")})
        assert here.get(task_id) == done
    until(lambda: tasks.count == 0)


class Slow(MemoryTasks):
    """A store that is held up while it adds or replaces a task, and then may fail."""

    fails = False

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.go = threading.Event(), threading.Event()
        self.is_slow = True
        self.gets = 0

    def add(self, task: Task, bounds: TaskBounds) -> bool:
        """Add it later."""
        self._wait()
        return super().add(task, bounds)

    def replace(self, task: Task) -> bool:
        """Replace it later."""
        self._wait()
        return super().replace(task)

    def get(self, task_id: str) -> Task | None:
        """Count."""
        self.gets += 1
        return super().get(task_id)

    def _wait(self) -> None:
        if self.is_slow:
            self.begun.set()
            assert self.go.wait(20)
            if self.fails:
                raise OSError("no space left")


def test_a_call_that_is_cancelled_while_it_becomes_a_task_goes_on_as_one() -> None:
    """As if its answer had been lost on the way."""
    store = Slow()
    app = Server("srv", tasks=store)
    detached: list[bool] = []

    @app.tool(task="optional")
    async def work(ctx: Context) -> str:
        """Work."""
        detached.append(await ctx.detach())
        return "done"

    here = TaskServer(app)
    flight = here.connection.receive(call(1, "work", {}, TAKES))
    work_ = here.dispatcher.route(flight.request, "local")
    ctx = here.dispatcher.context(flight.request, flight, lambda *_: None, "local")
    running = asyncio.run_coroutine_threadsafe(here.dispatcher.perform_async(work_, ctx), here.loop)
    assert store.begun.wait(20)
    running.cancel()
    store.is_slow = False
    store.go.set()
    until(lambda: any(task.status == "completed" for task in store._tasks.values()))
    assert detached == [True]


@pytest.mark.parametrize("fails", [False, True])
def test_a_question_that_is_given_up_while_it_is_asked(fails: bool) -> None:
    """Is withdrawn when it has been asked, and is nothing when it could not be."""
    store = Slow()
    store.is_slow, store.fails = False, fails
    app = Server("srv", tasks=store)
    go_on = threading.Event()

    @app.tool(task="optional")
    async def work(ctx: Context) -> str:
        """Ask in vain."""
        await ctx.detach()
        store.is_slow = True
        asked = asyncio.ensure_future(ctx.ask(first=NAME))
        await asyncio.to_thread(store.begun.wait)
        asked.cancel()
        store.is_slow = False
        store.go.set()
        await asyncio.to_thread(go_on.wait)
        return "done"

    here = TaskServer(app)
    task_id = here.begin("work")

    def is_withdrawn() -> bool:
        found = here.get(task_id)
        return found["status"] == "working" and store.versions([task_id])[task_id] == (0 if fails else 2)

    until(is_withdrawn)
    go_on.set()
    assert here.await_end(task_id)["status"] == "completed"


def test_what_has_not_changed_is_not_read_again() -> None:
    """A look costs one question for all tasks."""
    store = Slow()
    store.is_slow = False
    app, go = server(store, limits=Limits()), threading.Event()
    here = TaskServer(app)
    task_id = here.begin("work", {"what": "wait"})
    tasks = app._tasks
    assert tasks is not None
    until(lambda: task_id in tasks._versions)
    asked: list[int] = []
    versions = store.versions

    def counted(task_ids: Collection[str]) -> dict[str, int]:
        asked.append(store.gets)
        return versions(task_ids)

    store.versions = counted  # type: ignore[method-assign]  # to look on
    until(lambda: len(asked) > 4)
    assert len(set(asked)) == 1
    here.cancel(task_id)
    here.await_end(task_id)
    assert not go.is_set()
