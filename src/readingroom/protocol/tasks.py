"""The tasks extension's values: parameters, what a task tells of itself, and who has declared that it takes tasks (§14).

The extension is a draft of its own beside the specification.
"""

from typing import Any, Literal

import msgspec

from .params import Params
from .results import Result

TASKS = "io.modelcontextprotocol/tasks"
"""The extension's identifier; an object under it in `extensions` declares it, and has no settings (TASK-1)."""

TASKS_REQUIRED: dict[str, Any] = {"extensions": {TASKS: {}}}
"""What a request must declare that has to do with tasks (TASK-2, TASK-11)."""


def declares_tasks(capabilities: dict[str, Any]) -> bool:
    """Say whether a request's capabilities declare the extension."""
    extensions = capabilities.get("extensions")
    return isinstance(extensions, dict) and isinstance(extensions.get(TASKS), dict)


class TaskParams(Params, frozen=True):
    """Parameters of `tasks/get` and `tasks/cancel`; only of requests that declare the extension (TASK-11)."""

    task_id: str = msgspec.field(name="taskId")

    def __post_init__(self) -> None:
        if not declares_tasks(self.meta.capabilities):
            raise ValueError(f"the extension {TASKS} is not declared")


class UpdateParams(TaskParams, frozen=True):
    """Parameters of `tasks/update`: answers by the keys of what was asked (TASK-8)."""

    input_responses: dict[str, dict[str, Any]] = msgspec.field(name="inputResponses")


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

    input_requests: dict[str, msgspec.Raw] | None = None
    result: msgspec.Raw | None = None
    error: msgspec.Raw | None = None


class Done(Result, frozen=True):
    """The empty answer to `tasks/update` and `tasks/cancel` (TASK-8, TASK-10)."""
