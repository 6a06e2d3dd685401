"""What a task tells of itself, as the tasks extension has it (§14). Loaded by servers that have tasks.

The extension is a draft of its own beside the specification; the parameters of its requests are in `params`.
"""

from typing import Any, Literal

from .params import TASKS
from .results import Result

TASKS_REQUIRED: dict[str, Any] = {"extensions": {TASKS: {}}}
"""What a request must declare that has to do with tasks (TASK-2, TASK-11)."""


class TaskState(Result, frozen=True):
    """What is always told of a task (TASK-4): times in ISO 8601, `ttl_ms` from its creation, None for ever."""

    task_id: str
    status: Literal["working", "input_required", "completed", "failed", "cancelled"]
    created_at: str
    last_updated_at: str
    ttl_ms: int | None
    poll_interval_ms: int | None = None
    status_message: str | None = None


class DetailedTask(TaskState, frozen=True):
    """A task with what its status brings (TASK-6): all that is asked, or the result, or the error."""

    input_requests: dict[str, Any] | None = None
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None


class Done(Result, frozen=True):
    """The empty answer to `tasks/update` and `tasks/cancel` (TASK-8, TASK-10)."""
