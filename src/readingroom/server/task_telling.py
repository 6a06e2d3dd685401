"""A task as it is kept, told as the protocol has it: to who asks after it and to who listens (TASK-4, TASK-6)."""

from datetime import UTC, datetime
from typing import Any

import msgspec

from ..protocol.tasks import DetailedTask, TaskState
from .task_store import Task


def state_of(task: Task) -> TaskState:
    """Give what is always told of a task (TASK-4)."""
    return TaskState(**_told(task))


def detailed(task: Task) -> DetailedTask:
    """Give a task with what its status brings (TASK-6)."""
    parts: dict[str, Any] = {}
    if task.status == "input_required":
        parts["input_requests"] = {key: msgspec.json.decode(one) for key, one in task.asked.items()}
    elif task.status == "completed":
        parts["result"] = msgspec.json.decode(task.result)
    elif task.status == "failed":
        parts["error"] = msgspec.json.decode(task.error)
    return DetailedTask(**_told(task), **parts)


def _told(task: Task) -> dict[str, Any]:
    return {
        "task_id": task.id,
        "status": task.status,
        "created_at": _iso(task.created),
        "last_updated_at": _iso(task.updated),
        "ttl_ms": task.ttl_ms,
        "poll_interval_ms": task.poll_ms,
        "status_message": task.message or None,
    }


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
