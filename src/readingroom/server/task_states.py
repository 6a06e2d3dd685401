"""What may become of a task: from one record to the next. Pure; `change` alone writes, and goes on until it has.

working and input_required may follow each other; completed, failed and cancelled are final (TASK-7). What changes nothing
gives the record that it was given.
"""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from .task_store import Status, Task, TaskStore

Step = Callable[[Task], Task]


def change(store: TaskStore, task_id: str, step: Step) -> Task | None:
    """Take a task one step on, whoever else changes it meanwhile; give what it is then, or None if it is not there."""
    while (task := store.get(task_id)) is not None:
        following = step(task)
        if following is task:
            return task
        if store.replace(following):
            return replace(following, version=task.version + 1)
    return None


def asking(requests: Mapping[str, bytes], now: float) -> Step:
    """Ask the client something more; the keys have never been used before (TASK-9)."""

    def step(task: Task) -> Task:
        if task.is_final:
            return task
        return replace(
            task, status="input_required", asked={**task.asked, **requests}, updated=_at(task, now)
        )

    return step


def answering(answers: Mapping[str, bytes], now: float) -> Step:
    """Take the answers to what is outstanding, and pass over others (TASK-8)."""

    def step(task: Task) -> Task:
        taken = {key: answer for key, answer in answers.items() if key in task.asked}
        if not taken:  # as of what has ended, for it asks nothing
            return task
        return replace(_without(task, taken, now), answers={**task.answers, **taken})

    return step


def withdrawing(keys: Mapping[str, object], now: float) -> Step:
    """Ask no longer for what nobody waits for any more."""

    def step(task: Task) -> Task:
        return task if not task.asked.keys() & keys.keys() else _without(task, keys, now)

    return step


def cancelling(now: float) -> Step:
    """Note that the client wants no more of it; whether the handler ends by it is seen later (TASK-10)."""

    def step(task: Task) -> Task:
        return task if task.is_final or task.cancel else replace(task, cancel=True, updated=_at(task, now))

    return step


def ending(status: Status, now: float, *, result: bytes = b"", error: bytes = b"", message: str = "") -> Step:
    """End it. What has ended already stays as it ended."""

    def step(task: Task) -> Task:
        if task.is_final:
            return task
        return replace(
            task,
            status=status,
            result=result,
            error=error,
            message=message,
            asked={},
            answers={},
            updated=_at(task, now),
        )

    return step


def _without(task: Task, keys: Mapping[str, object], now: float) -> Task:
    asked = {key: request for key, request in task.asked.items() if key not in keys}
    return replace(task, status="input_required" if asked else "working", asked=asked, updated=_at(task, now))


def _at(task: Task, now: float) -> float:
    """The time of a change: a clock that was set back does not show."""
    return max(now, task.updated)
