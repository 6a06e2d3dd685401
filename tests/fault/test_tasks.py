"""Tasks in processes of their own: on one store together, at their end, and when one is killed."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.messages import call, frame
from support.tasking import FINAL, TAKES, TaskClient

KINDS = ("plain", "coroutine")


@pytest.fixture
def start() -> Iterator[Any]:
    """Starts servers, and ends them."""
    clients: list[TaskClient] = []

    def starts(*arguments: str) -> TaskClient:
        clients.append(TaskClient("tasks_server.py", *arguments))
        return clients[-1]

    yield starts
    for client in clients:
        client.process.close()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", ["ask", "cancel"])
def test_an_answer_and_a_cancellation_reach_the_handler_in_another_process(
    start: Any, tmp_path: Path, kind: str, what: str
) -> None:
    """Of two that share a file; soon, which is half a second when the machine has time for it."""
    store = str(tmp_path / "tasks.db")
    here, there = start(store), start(store)
    for _ in range(3):
        task_id = here.begin(kind, what)
        if what == "ask":
            there.await_status(task_id, "input_required")
        assert there.get(task_id)["status"] in ("working", "input_required")
        there.tell(task_id, what)
        told = time.time()
        done = there.await_status(task_id, *FINAL)
        assert done["status"] == "completed"
        assert done["result"]["structuredContent"]["result"] - told < 5


@pytest.mark.skipif(os.name != "posix", reason="there is no such signal")
def test_the_task_of_a_process_that_was_killed_has_failed(start: Any, tmp_path: Path) -> None:
    """It is not stuck; one that was asked for input is not, either, and one that was to be cancelled is cancelled."""
    store = str(tmp_path / "tasks.db")
    here, there = start(store, "--lost", "1"), start(store, "--lost", "1")
    tasks = {what: here.begin("plain", what) for what in ("ask", "cancel")}
    there.await_status(tasks["ask"], "input_required")
    here.process.process.send_signal(signal.SIGKILL)
    here.process.wait()
    for task_id in tasks.values():
        done = there.await_status(task_id, *FINAL)
        assert done["status"] == "failed"
        assert done["error"] == {"code": -32603, "message": "The process that ran the task has ended"}
        there.tell(task_id, "ask")
        assert there.get(task_id) == done
    task_id = there.begin("plain", "ask")
    assert there.await_status(task_id, "input_required")


def test_a_process_that_has_ended_leaves_no_task_at_work(start: Any, tmp_path: Path) -> None:
    """It ends at once, though its handlers do not, and says that the tasks have failed."""
    store = str(tmp_path / "tasks.db")
    here, there = start(store), start(store)
    tasks = [here.begin(kind, what) for kind in KINDS for what in ("ask", "cancel")]
    here.process.end_input()
    assert here.process.wait() == 0
    for task_id in tasks:
        done = there.get(task_id)
        assert (done["status"], done["error"]["message"]) == ("failed", "The server was stopped")


def test_tasks_do_not_take_the_workers(start: Any) -> None:
    """With one worker and two requests in flight, plain handlers that are tasks leave both to others."""
    here = start("memory", "--workers", "1", "--requests", "2")
    tasks = [here.begin("plain", what) for what in ("ask", "cancel", "ask", "cancel")]
    answer = here.ask("tools/call", {"name": "add", "arguments": {"a": 1, "b": 2}})
    assert answer["result"]["structuredContent"] == {"result": 3}
    for task_id in tasks:
        here.await_status(task_id, "input_required", "working")
        here.tell(task_id, "cancel")
        assert here.await_status(task_id, *FINAL)


def test_a_listener_is_told_of_tasks_in_another_process(start: Any, tmp_path: Path) -> None:
    """Without asking."""
    store = str(tmp_path / "tasks.db")
    here, there = start(store), start(store)
    task_id = here.begin("plain", "ask")
    there.process.send(frame("l", "subscriptions/listen", {"notifications": {"taskIds": [task_id]}}, TAKES))
    acknowledged = there.process.take()
    assert acknowledged["params"]["notifications"] == {"taskIds": [task_id]}

    def told(*statuses: str) -> Any:
        while True:
            message = there.process.take()
            assert message["method"] == "notifications/tasks"
            assert message["params"]["_meta"] == {"io.modelcontextprotocol/subscriptionId": "l"}
            if message["params"]["status"] in statuses:
                return message["params"]

    (key,) = told("input_required")["inputRequests"]
    assert key == "name"
    here.tell(task_id, "ask")
    assert told("completed")["result"]["structuredContent"]


def test_one_client_after_another(start: Any, tmp_path: Path) -> None:
    """A process that comes later finds what an earlier one did."""
    store = str(tmp_path / "tasks.db")
    here = start(store)
    task_id = here.begin("plain", "ask")
    here.await_status(task_id, "input_required")
    here.tell(task_id, "ask")
    done = here.await_status(task_id, *FINAL)
    here.process.end_input()
    assert here.process.wait() == 0
    assert start(store).get(task_id) == done


def test_a_call_cancelled_on_its_way_is_not_answered(start: Any) -> None:
    """By what becomes of it as a task."""
    here = start("memory")
    here.process.send(call(1, "plain", {"what": "cancel"}, TAKES))
    created = here.process.take_answer(1)["result"]
    here.process.send(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}')
    assert here.get(created["taskId"])["status"] == "working"
    here.tell(created["taskId"], "cancel")
    assert here.await_status(created["taskId"], *FINAL)["status"] == "completed"
