"""The tasks of one server in this process: the handlers that run as tasks here, and what clients ask of all that are kept.

A task belongs to the principal that made it; for everybody else it is not there (TASK-15). The store may be shared with
other processes: what happens there is seen by looking (`task_lookout`). Knows neither handlers nor carriers.
"""

import os
import time
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from ..errors import InvalidParams
from ..limits import Limits, share_of
from ..protocol.subscriptions import task_event
from ..protocol.tasks import TASKS_REQUIRED
from ..wire import INTERNAL_ERROR, encode_value
from .hub import Hub
from .task_answers import checked
from .task_lives import Lives
from .task_lookout import Lookout
from .task_running import Running
from .task_states import Step, answering, cancelling, change, ending
from .task_store import Task, TaskBounds, TaskStore
from .task_telling import detailed

_ID_BYTES = 24
_BEATS = 5
_STORE_THREADS = 4
# How long a listener may take from being let in to being heard of.
_ARRIVAL_SECONDS = 2.0
_SETTLING_SECONDS = 0.05


class Tasks:
    """Joins a store to one server; `report` is told of what a store raises where nobody waits for an answer.

    With `has_shares` no principal runs more than its share of the tasks that may run here.
    """

    def __init__(
        self, store: TaskStore, limits: Limits, hub: Hub, report: Callable[[BaseException, str], object]
    ) -> None:
        self._store = store
        self._limits = limits
        self._hub = hub
        self._name = os.urandom(8).hex()
        self._threads: Any = None
        self._running: dict[str, Running] = {}
        # By id: the version that was looked at last, and when somebody began to listen.
        self._versions: dict[str, int] = {}
        self._listened: dict[str, float] = {}
        self._lives = Lives(store.pulse, limits.task_lost_seconds)
        self._lookout = Lookout(self._look, lambda error: report(error, "tasks"))
        self._next_beat = 0.0
        self._report = report
        self.has_shares = False
        self.extensions: dict[str, Any] = TASKS_REQUIRED["extensions"]
        hub.accept_tasks = self.accept

    # What clients ask.

    def get(self, task_id: str, principal: str) -> Task:
        """Give a task of this principal's. Raises: InvalidParams for every other id, in the same words (TASK-11)."""
        task = self._store.get(task_id)
        if task is None or task.principal != principal or _has_expired(task):
            raise InvalidParams("Unknown task")
        return self._buried(task) if self._is_lost(task) else task

    def update(self, task_id: str, principal: str, responses: dict[str, dict[str, Any]]) -> None:
        """Take answers to what the task asks; those to what it does not ask are passed over (TASK-8).

        Raises: InvalidParams for an unknown task, and for an answer that does not fit; then none of them is taken.
        """
        asked = self.get(task_id, principal).asked
        answers = checked(asked, responses)
        self._change(task_id, answering(answers, time.time()))

    def cancel(self, task_id: str, principal: str) -> None:
        """Tell the handler that its task is not wanted any more (TASK-10). Raises: InvalidParams for an unknown task."""
        self.get(task_id, principal)
        self._change(task_id, cancelling(time.time()))

    def accept(self, task_ids: Iterable[str], principal: str) -> list[str]:
        """Give those that this principal may listen to; what they are by now is told soon after (TASK-14)."""
        accepted = []
        for task_id in task_ids:
            try:
                self.get(task_id, principal)
            except InvalidParams:
                continue
            accepted.append(task_id)
            self._listened[task_id] = time.monotonic()
            self._versions.pop(task_id, None)
        if accepted:
            self._lookout.begin()
        return accepted

    # What handlers do.

    @property
    def count(self) -> int:
        """How many handlers run here as tasks."""
        return len(self._running)

    def begin(
        self, principal: str, method: str, name: str, stop: Callable[[], None]
    ) -> tuple[Running, Task] | None:
        """Make a task of a request whose handler goes on; None when there are too many (limits.py).

        It is kept when this returns (TASK-5). `stop` is called, on any thread, when the handler is to end.
        """
        limits = self._limits
        if len(self._running) >= limits.tasks_running or (self.has_shares and self._has_share(principal)):
            return None
        now = time.time()
        task = Task(
            id=os.urandom(_ID_BYTES).hex(),
            principal=principal,
            method=method,
            name=name,
            owner=self._owner,
            created=now,
            updated=now,
            ttl_ms=int(limits.task_seconds * 1000),
            poll_ms=int(limits.task_poll_seconds * 1000),
        )
        self._lookout.begin()
        bounds = TaskBounds(tasks=limits.tasks, tasks_of_one=limits.tasks_of_one, size=limits.tasks_bytes)
        if not self._store.add(task, bounds):
            return None
        running = self._running[task.id] = Running(task.id, self._store, stop, principal)
        self._lookout.begin()
        return running, task

    def _has_share(self, principal: str) -> bool:
        of_one = sum(running.principal == principal for running in tuple(self._running.values()))
        return of_one >= share_of(self._limits.tasks_running)

    @property
    def threads(self) -> Any:
        """The threads on which coroutines wait for the store; of its own, so that they wait for no handler's work."""
        if self._threads is None:
            from concurrent.futures import ThreadPoolExecutor

            self._threads = ThreadPoolExecutor(_STORE_THREADS, "readingroom-store")
        return self._threads

    def finish(self, running: Running, frame: bytes | None) -> None:
        """End a task as its handler has: with the frame that would have answered its request, or without one, cancelled.

        A store that fails is reported, and tried again with every look.
        """
        running.end = self._ending(frame)
        self._try(self._finish, running)

    def show(self, task: Task | None) -> None:
        """Tell those whom it concerns here that a task has changed."""
        running = None if task is None else self._running.get(task.id)
        if running is not None:
            running.see(task)

    def close(self) -> None:
        """End the tasks that run here as failed, because the server stops; their handlers are told to end."""
        for running in tuple(self._running.values()):
            running.end = _failing({"code": INTERNAL_ERROR, "message": "The server was stopped"})
            self._try(self._finish, running)
            running.see(None)

    def _try(self, work: Callable[[Running], None], running: Running) -> None:
        try:
            work(running)
        except Exception as error:  # noqa: BLE001  -- nobody waits for it, and the lookout tries again
            self._report(error, "tasks")

    # What becomes of it.

    @property
    def _owner(self) -> str:
        """This process, by name; a forked one is another."""
        return f"{self._name}-{os.getpid()}"

    def _change(self, task_id: str, step: Step) -> None:
        self.show(change(self._store, task_id, step))

    def _finish(self, running: Running) -> None:
        assert running.end is not None  # noqa: S101  -- set before, and for the type checker
        task = change(self._store, running.id, running.end)
        self._running.pop(running.id, None)
        self.show(task)

    def _ending(self, frame: bytes | None) -> Step:
        if frame is None:
            return ending("cancelled", time.time())
        answer = msgspec.json.decode(frame, type=_Answer)
        if isinstance(answer.error, msgspec.Raw):
            return _failing(msgspec.json.decode(answer.error))
        result = bytes(answer.result)
        if len(result) > self._limits.task_bytes:
            told = f"The result is longer than {self._limits.task_bytes} bytes"
            return _failing({"code": INTERNAL_ERROR, "message": told})
        return ending("completed", time.time(), result=result)

    def _is_lost(self, task: Task) -> bool:
        return not task.is_final and task.owner != self._owner and self._lives.is_lost(task.owner)

    def _buried(self, task: Task) -> Task:
        """Give a task whose process is gone as what it has become."""
        error = {"code": INTERNAL_ERROR, "message": "The process that ran the task has ended"}
        step = ending("cancelled", time.time()) if task.cancel else _failing(error)
        return change(self._store, task.id, step) or task

    # What the lookout does.

    def _look(self) -> bool:
        """Look at the tasks that run here or are listened to; says whether there are any."""
        self._forget_deaf()
        for one in tuple(self._running.values()):
            if one.end is not None:
                self._finish(one)
        task_ids = {*self._running, *self._listened}
        for task_id in self._versions.keys() - task_ids:
            self._versions.pop(task_id, None)
        if not task_ids:
            return False
        is_thorough = time.monotonic() >= self._next_beat
        if is_thorough:
            self._next_beat = time.monotonic() + self._limits.task_lost_seconds / _BEATS
            if self._running:
                self._store.beat(self._owner)
        versions = self._store.versions(task_ids)
        for task_id in task_ids:
            version = versions.get(task_id)
            if is_thorough or version is None or version != self._versions.get(task_id):
                self._look_at(task_id)
        return True

    def _look_at(self, task_id: str) -> None:
        """See whether a task has changed, has gone, or is nobody's any more."""
        task = self._store.get(task_id)
        if task is not None and self._is_lost(task):
            task = self._buried(task)
        if task is not None and _has_expired(task):
            task = None
        running = self._running.get(task_id)
        if running is not None:
            running.see(task)
        self._tell(task_id, task)

    def _tell(self, task_id: str, task: Task | None) -> None:
        """Tell listeners what a task is by now, once for each version and once for each that has come new."""
        since = self._listened.get(task_id)
        if since is not None and not self._is_heard(task_id, since):
            return
        if task is None or task.is_final:
            self._listened.pop(task_id, None)
        if task is None:
            return
        was_told = self._versions.get(task_id) == task.version
        self._versions[task_id] = task.version
        if since is not None and not was_told:
            self._hub.publish(task_event(task_id, detailed(task)))

    def _is_heard(self, task_id: str, since: float) -> bool:
        """Whether somebody listens, the one who was let in last as well."""
        return time.monotonic() - since > _SETTLING_SECONDS and self._hub.hears(("tasks", task_id))

    def _forget_deaf(self) -> None:
        """Listen no longer for those who are gone."""
        now = time.monotonic()
        for task_id, since in tuple(self._listened.items()):
            if now - since > _ARRIVAL_SECONDS and not self._hub.hears(("tasks", task_id)):
                self._listened.pop(task_id, None)


class _Answer(msgspec.Struct):
    result: msgspec.Raw = msgspec.Raw()
    error: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


def _failing(error: dict[str, Any]) -> Step:
    return ending("failed", time.time(), error=encode_value(error), message=str(error["message"]))


def _has_expired(task: Task) -> bool:
    return task.expires is not None and task.expires <= time.time()
