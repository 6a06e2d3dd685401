"""Who listens to tasks is told of theirs, in whichever process they run, and of nobody else's."""

import json
import threading
from collections.abc import Collection
from typing import Any

import pytest

from readingroom import ElicitForm, Limits, MemoryTasks
from readingroom.server.task_store import Task
from support.messages import frame
from support.processes import until
from support.task_replicas import Dead, server
from support.tasking import TAKES, TaskServer, accepted

NAME = ElicitForm("Name?", {"type": "object", "properties": {"name": {"type": "string"}}})
SOON = Limits(task_lost_seconds=0.2)


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
