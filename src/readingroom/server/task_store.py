"""Where tasks are kept: the record of a task, what a store promises, and a store in memory.

A store is a table of records with one rule: a record is replaced only by who knows its present version. What a task may
become is decided elsewhere (`task_states`), so that every store is right in the same way. Knows nothing of the protocol.
"""

import threading
from collections.abc import Collection
from typing import Literal, Protocol, TypeAlias

import msgspec

Status: TypeAlias = Literal["working", "input_required", "completed", "failed", "cancelled"]


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """A task as it is kept. Times are seconds since 1970, `ttl_ms` and `poll_ms` milliseconds.

    `owner` names the process that runs it. `asked` are the requests that the client has not answered yet, by their keys;
    `answers` what it has answered. These, `result` and `error` are JSON, which a store need not read. `cancel` is the
    client's wish. `version` is counted by the store.
    """

    id: str
    principal: str
    method: str
    name: str
    owner: str
    created: float
    updated: float
    ttl_ms: int | None
    poll_ms: int | None = None
    status: Status = "working"
    message: str = ""
    asked: dict[str, bytes] = {}
    answers: dict[str, bytes] = {}
    cancel: bool = False
    result: bytes = b""
    error: bytes = b""
    version: int = 0

    @property
    def is_final(self) -> bool:
        """Whether nothing will become of it any more (TASK-7)."""
        return self.status not in ("working", "input_required")

    @property
    def expires(self) -> float | None:
        """When it may be forgotten; None for never."""
        return None if self.ttl_ms is None else self.created + self.ttl_ms / 1000

    @property
    def size(self) -> int:
        """About how many bytes its parts have that can be large."""
        parts = (*self.asked.values(), *self.answers.values(), self.result, self.error)
        return sum(map(len, parts))


class TaskBounds(msgspec.Struct, frozen=True, kw_only=True):
    """How much may be kept at once: tasks in all, tasks of one principal, bytes of all of them."""

    tasks: int
    tasks_of_one: int
    size: int


class TaskStore(Protocol):
    """Keeps tasks. Write another one by these methods; all may be called from any thread, and may take a while.

    Whatever they raise besides is answered as an internal error.
    """

    def add(self, task: Task, bounds: TaskBounds) -> bool:
        """Keep a new task, durably before this returns (TASK-5); False, and nothing kept, when that breaks a bound.

        Tasks that have expired at `task.created` are forgotten first.
        """
        ...

    def get(self, task_id: str) -> Task | None:
        """Give the task; one that has expired may still be given."""
        ...

    def replace(self, task: Task) -> bool:
        """Keep `task` in the place of the one with its id if that has its version still, and count the version up.

        False, and nothing done, if it has another version or is not there. Of many callers at once one succeeds.
        """
        ...

    def versions(self, task_ids: Collection[str]) -> dict[str, int]:
        """Give the versions of those that are there. Called several times a second while tasks run."""
        ...

    def beat(self, owner: str) -> None:
        """Say that this process lives. Called about once a second while it runs tasks."""
        ...

    def pulse(self, owner: str) -> int:
        """Give a number that another `beat` of the process changes."""
        ...


class MemoryTasks:
    """Keeps tasks in this process, and as long as it lives: for one process on its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tasks: dict[str, Task] = {}
        self._size = 0
        self._pulses: dict[str, int] = {}

    def add(self, task: Task, bounds: TaskBounds) -> bool:
        """Keep a new task, as `TaskStore` says."""
        with self._lock:
            self._forget(task.created)
            of_one = sum(1 for kept in self._tasks.values() if kept.principal == task.principal)
            if len(self._tasks) >= bounds.tasks or of_one >= bounds.tasks_of_one or self._size >= bounds.size:
                return False
            self._put(task)
        return True

    def get(self, task_id: str) -> Task | None:
        """Give the task, as `TaskStore` says."""
        return self._tasks.get(task_id)

    def replace(self, task: Task) -> bool:
        """Replace a task, as `TaskStore` says."""
        with self._lock:
            kept = self._tasks.get(task.id)
            if kept is None or kept.version != task.version:
                return False
            self._put(msgspec.structs.replace(task, version=task.version + 1))
        return True

    def versions(self, task_ids: Collection[str]) -> dict[str, int]:
        """Give versions, as `TaskStore` says."""
        found = ((task_id, self._tasks.get(task_id)) for task_id in task_ids)
        return {task_id: task.version for task_id, task in found if task is not None}

    def beat(self, owner: str) -> None:
        """Say that this process lives, as `TaskStore` says."""
        self._pulses[owner] = self._pulses.get(owner, 0) + 1

    def pulse(self, owner: str) -> int:
        """Give a process's pulse, as `TaskStore` says."""
        return self._pulses.get(owner, 0)

    def _forget(self, now: float) -> None:
        expired = [task for task in self._tasks.values() if task.expires is not None and task.expires <= now]
        for task in expired:
            del self._tasks[task.id]
            self._size -= task.size

    def _put(self, task: Task) -> None:
        before = self._tasks.get(task.id)
        self._tasks[task.id] = task
        self._size += task.size - (before.size if before else 0)
