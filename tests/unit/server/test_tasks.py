"""Tasks of several processes on one store: what happens in one is seen in the other, and who is gone is found out."""

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from readingroom import ElicitForm, Limits, MemoryTasks
from readingroom.server import Hub, Tasks
from readingroom.server.task_lives import Lives
from readingroom.server.task_lookout import Lookout
from readingroom.server.task_running import Running
from readingroom.server.task_states import asking, change
from readingroom.server.task_store import Task, TaskBounds
from support.processes import until
from support.task_replicas import Dead, server
from support.tasking import TAKES, TaskServer, accepted

NAME = ElicitForm("Name?", {"type": "object", "properties": {"name": {"type": "string"}}})
SOON = Limits(task_lost_seconds=0.2)


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


def test_a_forked_process_has_a_name_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it does not take the tasks of the other for its own."""
    tasks = Tasks(MemoryTasks(), SOON, Hub((), SOON, lambda *_: None), lambda *_: None)
    before = tasks._owner
    monkeypatch.setattr("os.getpid", lambda: -1)
    assert tasks._owner != before
