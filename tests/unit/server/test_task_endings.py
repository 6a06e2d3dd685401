"""How a call goes on as a task and ends: with its result, a failure, a cancellation, or the end of serving."""

import json
import threading
from typing import Any

import msgspec
import pytest

from readingroom import (
    Context,
    Limits,
    MemoryTasks,
    Server,
)
from support.processes import until
from support.task_steps import KINDS, Steps
from support.tasking import TAKES, TaskServer


@pytest.mark.parametrize("kind", KINDS)
def test_a_task_is_answered_at_once_and_ends_with_the_handlers_result(steps: Steps, kind: str) -> None:
    """While it works nothing in it is a result; then it has the result that the call would have had (TASK-4, TASK-6)."""
    created = steps.server.call(kind, {"what": "wait"}, TAKES)
    assert created["resultType"] == "task"
    assert set(created) == {
        *("resultType", "taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs", "pollIntervalMs", "_meta"),
    }
    working = steps.server.get(created["taskId"])
    assert {**working, "resultType": "task"} == created
    steps.go.set()
    done = steps.server.await_end(created["taskId"])
    assert (done["resultType"], done["status"]) == ("complete", "completed")
    assert done["result"] == steps.server.call(kind, {"what": ""}) | {
        "content": [{"type": "text", "text": "True True"}],
        "structuredContent": {"result": "True True"},
    }
    assert "error" not in done
    assert "inputRequests" not in done


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", ["tool", "refuse", "crash", "cancelled", "exit"])
def test_a_failure_ends_a_task_as_it_would_have_answered_the_call(
    steps: Steps, kind: str, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error of the tool is a result; all else is the error, masked where it must be (TASK-7)."""
    done = steps.server.await_end(steps.server.begin(kind, {"what": what}))
    if what == "tool":
        assert done["status"] == "completed"
        assert done["result"]["isError"] is True
        assert done["result"]["content"] == [{"type": "text", "text": "cannot"}]
        return
    assert done["status"] == "failed"
    assert done["statusMessage"] == done["error"]["message"]
    assert "result" not in done
    if what == "refuse":
        assert done["error"] == {"code": 7, "message": "no", "data": {"a": 1}}
    else:
        assert done["error"]["code"] == -32603
        assert done["error"]["data"]["incident"] in capsys.readouterr().err
    assert "secret" not in json.dumps(done)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", ["cancel", "ask"])
def test_a_cancelled_task_ends(steps: Steps, kind: str, what: str) -> None:
    """A handler that looks, and one that waits for an answer; a second cancellation changes nothing (TASK-10)."""
    task_id = steps.server.begin(kind, {"what": what})
    if what == "ask":
        steps.server.await_status(task_id, "input_required")
    ack = steps.server.cancel(task_id)
    assert set(ack) == {"resultType", "_meta"}
    done = steps.server.await_end(task_id)
    assert done["status"] == "cancelled"
    assert not {"result", "error", "inputRequests"} & set(done)
    assert steps.server.cancel(task_id) == ack
    assert steps.server.get(task_id) == done
    until(lambda: steps.ended == [what])


def test_a_handler_that_does_not_look_ends_as_it_ends(steps: Steps) -> None:
    """A cancellation is a wish: work that was done all the same is told (TASK-10)."""
    task_id = steps.server.begin("plain", {"what": "wait"})
    steps.server.cancel(task_id)
    assert steps.server.get(task_id)["status"] == "working"
    steps.go.set()
    assert steps.server.await_end(task_id)["status"] == "completed"


def test_an_expired_task_is_unknown() -> None:
    """Its handler is told to end (TASK-13)."""
    steps = Steps(limits=Limits(task_seconds=0.05))
    task_id = steps.server.begin("plain", {"what": "cancel"})
    until(lambda: steps.ended == ["cancel"])
    assert steps.server.error("tasks/get", {"taskId": task_id}, TAKES)["message"] == "Unknown task"


def test_a_result_that_is_too_long_is_not_kept() -> None:
    """The task has failed, and says why."""
    steps = Steps(limits=Limits(task_bytes=10))
    done = steps.server.await_end(steps.server.begin("plain", {"what": ""}))
    assert done["error"] == {"code": -32603, "message": "The result is longer than 10 bytes"}


def test_when_serving_ends_tasks_have_failed(steps: Steps) -> None:
    """Their handlers are told to end; whoever serves on, or again, has tasks again."""
    task_ids = [steps.server.begin(kind, {"what": "cancel"}) for kind in KINDS]
    steps.app.close_tasks()
    for task_id in task_ids:
        done = steps.server.get(task_id)
        assert (done["status"], done["error"]["message"]) == ("failed", "The server was stopped")
    until(lambda: len(steps.ended) == 2)
    steps.server.await_end(steps.server.begin("plain", {"what": ""}))
    Server("srv").close_tasks()


def test_values_are_told_exactly() -> None:
    """A result with nulls and floats comes back as it was given."""
    app = Server("srv", tasks=MemoryTasks())

    @app.tool(task="optional")
    def value(ctx: Context) -> dict[str, Any]:
        """Give a value."""
        ctx.detach()
        return {"none": None, "float": 1.5, "text": "читать", "list": [1, {}]}

    server = TaskServer(app)
    done = server.await_end(server.begin("value"))
    assert done["result"]["structuredContent"] == {
        "none": None,
        "float": 1.5,
        "text": "читать",
        "list": [1, {}],
    }
    assert msgspec.json.decode(done["result"]["content"][0]["text"]) == done["result"]["structuredContent"]


def test_a_cancellation_that_comes_after_the_end_changes_nothing(steps: Steps) -> None:
    """Though the end has not been kept yet: a coroutine that is over is not cancelled any more."""
    tasks = steps.app._tasks
    assert tasks is not None
    task_id = steps.server.begin("coroutine", {"what": "wait"})
    held = threading.Event()
    for _ in range(4):
        tasks.threads.submit(held.wait)
    steps.go.set()
    until(lambda: steps.ended == ["wait"])
    steps.server.cancel(task_id)
    assert steps.server.get(task_id)["status"] == "working"
    held.set()
    assert steps.server.await_end(task_id)["status"] == "completed"
