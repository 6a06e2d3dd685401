"""Whose a task is, and how many there may be: in all, of one principal, and at work at once."""

from typing import Any

import pytest

from readingroom import (
    Limits,
)
from support.task_steps import KINDS, Steps
from support.tasking import TAKES, TaskServer


def test_a_task_is_there_for_its_principal_alone(steps: Steps) -> None:
    """For everybody else it is as unknown as one that never was (TASK-11, TASK-15)."""
    task_id = steps.server.begin("plain", {"what": "wait"})
    other = TaskServer(steps.app, principal="somebody else")
    answers = {"inputResponses": {}}
    for method, more in (("tasks/get", {}), ("tasks/update", answers), ("tasks/cancel", {})):
        mine = other.error(method, {"taskId": task_id, **more}, TAKES)
        none = other.error(method, {"taskId": "0" * 48, **more}, TAKES)
        assert mine == none == {"code": -32602, "message": "Unknown task"}
    again = TaskServer(steps.app)
    assert again.get(task_id)["status"] == "working"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bound", ["tasks", "tasks_of_one", "tasks_running"])
def test_too_many_tasks(kind: str, bound: str) -> None:
    """A tool that may do without goes on without; one that may not is refused (limits.py)."""
    limits: dict[str, Any] = {bound: 1}
    steps = Steps(limits=Limits(**limits))
    steps.server.begin(kind, {"what": "wait"})
    result = steps.server.call(kind, {"what": ""}, TAKES)
    assert result["structuredContent"] == {"result": "False False"}
    error = steps.server.error("tools/call", {"name": f"{kind}_required", "arguments": {}}, TAKES)
    assert error == {"code": -32603, "message": "Too many tasks; try again later"}
    steps.go.set()


def test_nobody_runs_all_tasks() -> None:
    """Where principals are known, one has half of `tasks_running`; who comes after them still has room."""
    steps = Steps(limits=Limits(tasks_running=4))
    steps.app.share_tasks()
    ann, bob = TaskServer(steps.app, principal="ann"), TaskServer(steps.app, principal="bob")
    for one in (ann, ann, bob):
        one.begin("plain", {"what": "wait"})
    error = ann.error("tools/call", {"name": "plain_required", "arguments": {}}, TAKES)
    assert error == {"code": -32603, "message": "Too many tasks; try again later"}
    bob.begin("plain", {"what": "wait"})
    steps.go.set()
