"""A handler that goes on as a task: what it is told of its task meanwhile, and how it waits for what it asked.

The store is the truth; whoever has seen a newer record of the task, on whatever thread, shows it here.
"""

import threading
import time
from collections.abc import Callable, Iterable

import msgspec

from ..protocol.asking import Ask, embedded
from ..wire import encode_value
from .context import Cancelled
from .task_states import Step, asking, change, withdrawing
from .task_store import Task, TaskStore


class Wait:
    """Some requests that a handler waits for: `keys` are those of the task, by the handler's names."""

    def __init__(self, keys: dict[str, str], wake: Callable[[], object]) -> None:
        self.keys = keys
        self.wake = wake
        self.answers: dict[str, bytes] | None = None

    def see(self, task: Task) -> bool:
        """Take the answers if all have come; says whether they have."""
        if any(key not in task.answers for key in self.keys.values()):
            return False
        self.answers = {name: task.answers[key] for name, key in self.keys.items()}
        return True


class Running:
    """One handler that goes on as the task `id`. `stop` is called once, when nobody wants it any more.

    `end` is the last step, once the handler has come to its end and as long as the step has not been kept.
    """

    def __init__(self, task_id: str, store: TaskStore, stop: Callable[[], None], principal: str = "") -> None:
        self.id = task_id
        self.principal = principal
        self.cancelled = False
        self.end: Step | None = None
        self._store = store
        self._stop = stop
        self._lock = threading.Lock()
        self._waits: list[Wait] = []
        self._used: set[str] = set()

    def see(self, task: Task | None) -> None:
        """Take note of a newer record; None when it is not there any more, and nobody can want it."""
        if task is None or task.is_final or task.cancel:
            self._cancel()
            return
        with self._lock:
            answered = [wait for wait in self._waits if wait.see(task)]
            self._waits = [wait for wait in self._waits if wait.answers is None]
        for wait in answered:
            wait.wake()

    def _cancel(self) -> None:
        with self._lock:
            was_cancelled, self.cancelled = self.cancelled, True
            waits, self._waits = self._waits, []
        for wait in waits:
            wait.wake()
        if not was_cancelled:
            self._stop()

    def park(self, asks: dict[str, Ask], wake: Callable[[], object]) -> tuple[Wait, Task | None]:
        """Ask the client; `wake` is called, on any thread, when all is answered or the task is cancelled.

        Gives what to wait for and the task as it is then. Raises: Cancelled.
        """
        with self._lock:
            if self.cancelled:
                raise Cancelled
            wait = Wait({name: self._unused(name) for name in asks}, wake)
            self._waits.append(wait)
        requests = {wait.keys[name]: encode_value(embedded(ask)) for name, ask in asks.items()}
        task = change(self._store, self.id, asking(requests, time.time()))
        self.see(task)
        return wait, task

    def withdraw(self, wait: Wait) -> Task | None:
        """Wait no longer; give the task as it is then."""
        with self._lock:
            if wait in self._waits:
                self._waits.remove(wait)
        return change(self._store, self.id, withdrawing(dict.fromkeys(wait.keys.values()), time.time()))

    def _unused(self, name: str) -> str:
        """Give a key that this task has never had (TASK-9): the name, or the name with a number."""
        key, number = name, 1
        while key in self._used:
            number += 1
            key = f"{name}-{number}"
        self._used.add(key)
        return key


def decoded(answers: dict[str, bytes]) -> Iterable[tuple[str, dict[str, object]]]:
    """Give answers as they were sent, by the handler's names."""
    return ((name, msgspec.json.decode(answer)) for name, answer in answers.items())
