"""Tasks of several processes on one store: what happens in one is seen in the other, and who is gone is found out."""

import asyncio
import json
import threading
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from readingroom import Context, ElicitForm, Limits, MemoryTasks, Server, SqliteTasks, TaskStore
from readingroom.server import Hub, Tasks
from readingroom.server.task_lives import Lives
from readingroom.server.task_lookout import Lookout
from readingroom.server.task_running import Running
from readingroom.server.task_states import asking, change
from readingroom.server.task_store import Task, TaskBounds
from support.messages import call, frame
from support.processes import until
from support.tasking import TAKES, TaskServer, accepted

NAME = ElicitForm("Name?", {"type": "object", "properties": {"name": {"type": "string"}}})
SOON = Limits(task_lost_seconds=0.2)


def server(store: MemoryTasks, go: threading.Event | None = None, limits: Limits = SOON) -> Server:
    """A server as each process has one."""
    app = Server("srv", tasks=store, limits=limits)

    @app.tool(task="optional")
    def work(what: str, ctx: Context) -> str:
        """Work."""
        ctx.detach()
        if what == "ask":
            return f"{ctx.ask(name=NAME)['name'].content}"
        while not (go and go.wait(0.001)):
            ctx.check()
        return "done"

    return app


def test_what_is_told_in_one_process_reaches_the_handler_in_another() -> None:
    """An answer, and a cancellation."""
    store = MemoryTasks()
    here, there = TaskServer(server(store)), TaskServer(server(store))
    task_id = here.begin("work", {"what": "ask"})
    there.await_status(task_id, "input_required")
    there.update(task_id, name=accepted(name="Ada"))
    assert "Ada" in json.dumps(there.await_end(task_id)["result"])
    task_id = here.begin("work", {"what": "wait"})
    there.cancel(task_id)
    assert there.await_end(task_id)["status"] == "cancelled"


class Dead(MemoryTasks):
    """A store in which nobody gives a sign of life."""

    def beat(self, owner: str) -> None:
        """Do nothing."""


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_the_tasks_of_a_process_that_is_gone_have_failed(is_cancelled: bool) -> None:
    """Or were cancelled, if that was wished; the process that shows no pulse is given its time first."""
    store, go = Dead(), threading.Event()
    here, there = TaskServer(server(store, go)), TaskServer(server(store))
    task_id = here.begin("work", {"what": "wait"})
    if is_cancelled:
        # As if it had been wished, and the process had ended before it saw it.
        found = store.get(task_id)
        assert found is not None
        store.replace(change_of(found, cancel=True, owner="gone"))
    assert there.get(task_id)["status"] == "working"
    done = there.await_end(task_id)
    if is_cancelled:
        assert done["status"] == "cancelled"
    else:
        assert done["error"] == {"code": -32603, "message": "The process that ran the task has ended"}
    go.set()
    assert there.get(task_id) == done


def change_of(task: Task, **members: Any) -> Task:
    """A task with other members."""
    from msgspec.structs import replace

    return replace(task, **members)


def test_a_process_that_shows_its_pulse_is_alive() -> None:
    """However long its handler takes."""
    store, go = MemoryTasks(), threading.Event()
    here, there = TaskServer(server(store, go)), TaskServer(server(store))
    task_id = here.begin("work", {"what": "wait"})
    pulses: set[int] = set()

    def has_beaten() -> bool:
        assert there.get(task_id)["status"] == "working"
        found = store.get(task_id)
        assert found is not None
        pulses.add(store.pulse(found.owner))
        return len(pulses) > 7

    until(has_beaten)
    go.set()
    assert there.await_end(task_id)["status"] == "completed"


def test_lives_are_judged_by_what_was_seen() -> None:
    """Never at the first look, and by this process's own clock; few are remembered."""
    pulses, now = {"a": 1}, [0.0]
    lives = Lives(lambda owner: pulses.get(owner, 0), 10, lambda: now[0])
    seen = []
    for moment, pulse in ((0, 1), (100, 2), (109, 2), (110.5, 2), (111, 3)):
        now[0], pulses["a"] = moment, pulse
        seen.append(lives.is_lost("a"))
    assert seen == [False, False, False, True, False]
    for number in range(2000):
        assert not lives.is_lost(str(number))
    assert not lives.is_lost("a")


def test_the_lookout_looks_while_there_is_reason_to() -> None:
    """And ends; a fault of the store is reported, and it looks again."""
    looks: list[bool | Exception] = [True, OSError("disk"), False, True, False]
    reported: list[BaseException] = []
    seen: list[int] = []

    def look() -> bool:
        seen.append(len(looks))
        found = looks.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    lookout = Lookout(look, reported.append)
    assert not lookout.is_on
    lookout.begin()
    lookout.begin()
    until(lambda: not lookout.is_on)
    assert [str(error) for error in reported] == ["disk"]
    assert len(looks) == 2
    lookout.begin()
    until(lambda: not lookout.is_on)
    assert seen == [5, 4, 3, 2, 1]


def test_a_wish_to_look_that_comes_late_is_heard() -> None:
    """While the last look says that there is no reason."""
    looks: list[int] = []
    lookout: Lookout

    def look() -> bool:
        looks.append(1)
        if len(looks) == 1:
            lookout.begin()
        return False

    lookout = Lookout(look, lambda _: None)
    lookout.begin()
    until(lambda: not lookout.is_on)
    assert len(looks) == 2


def test_nobody_looks_when_no_task_runs() -> None:
    """The thread ends with the last of them."""
    app = server(MemoryTasks())
    here = TaskServer(app)
    task_id = here.begin("work", {"what": "wait"})
    assert "readingroom-tasks" in {thread.name for thread in threading.enumerate()}
    here.cancel(task_id)
    until(lambda: not any(thread.name == "readingroom-tasks" for thread in threading.enumerate()))
    assert app._tasks is not None
    assert app._tasks.count == 0


class Failing(MemoryTasks):
    """A store that cannot be written for a while."""

    is_broken = False

    def replace(self, task: Task) -> bool:
        """Raise, while it is broken."""
        if self.is_broken:
            raise OSError("no space left")
        return super().replace(task)


def test_an_end_that_cannot_be_kept_is_kept_later(capsys: pytest.CaptureFixture[str]) -> None:
    """It is reported, and the handler's result is not lost."""
    store, go = Failing(), threading.Event()
    here = TaskServer(server(store, go))
    task_id = here.begin("work", {"what": "wait"})
    store.is_broken = True
    go.set()
    told: list[str] = []
    until(lambda: "tasks: OSError" in (told.append(capsys.readouterr().err) or "".join(told)))  # type: ignore[func-returns-value]  # nothing is given, which is the point
    assert here.get(task_id)["status"] == "working"
    store.is_broken = False
    assert here.await_end(task_id)["status"] == "completed"


def test_a_fault_of_the_store_is_an_internal_error() -> None:
    """For who asks it, and nothing is told of it."""
    store = Failing()
    here = TaskServer(server(store))
    task_id = here.begin("work", {"what": "wait"})
    store.is_broken = True
    error = here.error("tasks/cancel", {"taskId": task_id}, TAKES)
    assert (error["code"], error["message"]) == (-32603, "Internal error")
    store.is_broken = False
    here.cancel(task_id)
    here.await_end(task_id)


def listen(here: TaskServer, app_principal: str, *task_ids: str) -> Any:
    """Listen to tasks; gives the subscription and the event that it wakes."""
    woken = threading.Event()
    members = {"notifications": {"taskIds": list(task_ids)}}
    flight = here.connection.receive(frame("l", "subscriptions/listen", members, TAKES))
    return here.dispatcher.listen(flight.request, app_principal, woken.set), woken


def taken(subscription: Any, woken: threading.Event) -> list[Any]:
    """What a listener is told next."""
    assert woken.wait(20)
    woken.clear()
    return [json.loads(one) for one in subscription.take()]


@pytest.mark.parametrize("is_elsewhere", [False, True])
def test_listeners_are_told_of_their_tasks(is_elsewhere: bool) -> None:
    """What they are at first, and each change, in this process and another; nothing of others' tasks (TASK-14)."""
    store = MemoryTasks()
    here = TaskServer(server(store))
    there = TaskServer(server(store)) if is_elsewhere else here
    other = TaskServer(server(store), principal="other")
    task_id, others = here.begin("work", {"what": "ask"}), other.begin("work", {"what": "ask"})
    here.await_status(task_id, "input_required")
    subscription, woken = listen(there, "local", task_id, others, "unknown")
    acknowledged = json.loads(subscription.acknowledgement)["params"]["notifications"]
    assert acknowledged == {"taskIds": [task_id]}
    (first,) = taken(subscription, woken)
    assert first["method"] == "notifications/tasks"
    assert first["params"]["_meta"] == {"io.modelcontextprotocol/subscriptionId": "l"}
    now = there.get(task_id)
    assert {**first["params"], "_meta": 0, "resultType": "complete"} == {**now, "_meta": 0}
    here.update(task_id, name=accepted(name="Ada"))
    told: list[Any] = []
    while not told or told[-1]["params"]["status"] != "completed":
        told += taken(subscription, woken)
    assert "Ada" in json.dumps(told[-1]["params"]["result"])
    other.cancel(others)
    other.await_end(others)
    assert not woken.is_set()
    subscription.close()


def test_a_task_that_has_ended_is_told_to_who_comes_late() -> None:
    """Once, and the lookout ends."""
    here = TaskServer(server(MemoryTasks()))
    task_id = here.begin("work", {"what": "wait"})
    here.cancel(task_id)
    here.await_end(task_id)
    subscription, woken = listen(here, "local", task_id)
    (told,) = taken(subscription, woken)
    assert told["params"]["status"] == "cancelled"
    until(lambda: not any(thread.name == "readingroom-tasks" for thread in threading.enumerate()))
    assert not woken.is_set()


def test_a_listener_hears_of_a_process_that_is_gone() -> None:
    """Though nobody asks after the task."""
    store, go = Dead(), threading.Event()
    here, there = TaskServer(server(store, go)), TaskServer(server(store))
    subscription, woken = listen(there, "local", here.begin("work", {"what": "wait"}))
    assert taken(subscription, woken)[0]["params"]["status"] == "working"
    assert taken(subscription, woken)[0]["params"]["status"] == "failed"
    go.set()


def test_who_has_gone_is_not_looked_for() -> None:
    """A listener that closes is forgotten, and so is the task's id."""
    store, go = MemoryTasks(), threading.Event()
    here, there = TaskServer(server(store, go)), TaskServer(server(store))
    subscription, woken = listen(there, "local", here.begin("work", {"what": "wait"}))
    taken(subscription, woken)
    subscription.close()
    tasks = there.dispatcher._hub.accept_tasks.__self__  # type: ignore[union-attr]  # it is a method of the tasks
    until(lambda: not tasks._listened)
    until(lambda: not tasks._lookout.is_on)
    go.set()


def test_a_listen_that_names_tasks_declares_that_it_takes_them() -> None:
    """Before the ids are looked at (TASK-11)."""
    here = TaskServer(server(MemoryTasks()))
    flight = here.connection.receive(
        frame("l", "subscriptions/listen", {"notifications": {"taskIds": ["a"]}})
    )
    with pytest.raises(Exception, match="capability required") as caught:
        here.dispatcher.listen(flight.request, "local", lambda: None)
    assert caught.value.code == -32021  # type: ignore[attr-defined]  # it is a MissingCapability


def test_a_task_that_vanishes_stops_its_handler() -> None:
    """Its time was up, and another process has thrown it away."""

    class Vanishing(MemoryTasks):
        """A store that loses everything."""

        is_gone = False

        def get(self, task_id: str) -> Task | None:
            """Give nothing."""
            return None if self.is_gone else super().get(task_id)

        def versions(self, task_ids: Collection[str]) -> dict[str, int]:
            """Give nothing."""
            return {} if self.is_gone else super().versions(task_ids)

    store = Vanishing()
    app = server(store)
    here = TaskServer(app)
    subscription, woken = listen(here, "local", here.begin("work", {"what": "wait"}))
    taken(subscription, woken)
    store.is_gone = True
    assert app._tasks is not None
    until(lambda: app._tasks.count == 0)  # type: ignore[union-attr]  # seen above, which a lambda forgets
    until(lambda: not app._tasks._listened)  # type: ignore[union-attr]  # seen above, which a lambda forgets


def test_a_handler_asks_no_more_after_it_was_cancelled() -> None:
    """The question never reaches the store."""
    from readingroom.server import Cancelled

    store, stopped = MemoryTasks(), []
    task = Task(id="a", principal="me", method="m", name="n", owner="o", created=0, updated=0, ttl_ms=None)
    store.add(task, TaskBounds(tasks=1, tasks_of_one=1, size=1))
    running = Running("a", store, lambda: stopped.append(1))
    running.see(None)
    running.see(None)
    with pytest.raises(Cancelled):
        running.park({"name": NAME}, lambda: None)
    assert (stopped, store.get("a")) == ([1], task)


def test_a_question_of_a_task_that_has_ended_is_never_answered() -> None:
    """Who waits for it is woken without answers; who has been answered already waits no more."""
    store, woken = MemoryTasks(), list[str]()
    task = Task(id="a", principal="me", method="m", name="n", owner="o", created=0, updated=0, ttl_ms=None)
    store.add(task, TaskBounds(tasks=1, tasks_of_one=1, size=1))
    running = Running("a", store, lambda: None)
    wait, parked = running.park({"name": NAME}, lambda: woken.append("woken"))
    assert parked is not None
    assert list(parked.asked) == ["name"]
    running.see(None)
    assert (woken, wait.answers) == (["woken"], None)
    assert running.withdraw(wait) is not None


def test_two_servers_have_two_owners() -> None:
    """Of the same store."""
    store = MemoryTasks()
    reported: list[str] = []

    def made() -> Tasks:
        return Tasks(store, SOON, Hub((), SOON, lambda *_: None), lambda _error, what: reported.append(what))

    owners = set()
    stop: Callable[[], None] = lambda: None  # noqa: E731  -- a name for nothing
    for tasks in (made(), made()):
        begun = tasks.begin("me", "tools/call", "t", stop)
        assert begun is not None
        running, task = begun
        owners.add(task.owner)
        change(store, task.id, asking({"k": b"{}"}, 0))
        tasks.finish(running, None)
        found = store.get(task.id)
        assert found is not None
        assert found.status == "cancelled"
    assert len(owners) == 2
    assert reported == []


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


def test_who_listens_to_nothing_of_theirs_makes_nobody_look() -> None:
    """An id that is unknown is not looked after."""
    app = server(MemoryTasks())
    here = TaskServer(app)
    subscription, woken = listen(here, "local", "unknown")
    assert json.loads(subscription.acknowledgement)["params"]["notifications"] == {"taskIds": []}
    tasks = app._tasks
    assert tasks is not None
    assert not tasks._lookout.is_on
    assert not woken.is_set()


def test_a_forked_process_has_a_name_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it does not take the tasks of the other for its own."""
    tasks = Tasks(MemoryTasks(), SOON, Hub((), SOON, lambda *_: None), lambda *_: None)
    before = tasks._owner
    monkeypatch.setattr("os.getpid", lambda: -1)
    assert tasks._owner != before
