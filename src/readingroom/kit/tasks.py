"""The tasks of a server: joins its store to its hub. Loaded by servers that have tasks."""

from collections.abc import Callable

from ..errors import UsageError
from ..limits import Limits
from ..server import Hub, Tasks, TaskStore
from .notices import Notices

_METHODS = ("add", "get", "replace", "versions", "beat", "pulse")


def tasks_of(
    store: TaskStore, limits: Limits, notices: Notices | None, report: Callable[[BaseException, str], object]
) -> Tasks:
    """Give the tasks of a server that keeps them in `store`. Raises: UsageError for what is no store."""
    if isinstance(store, type) or not all(callable(getattr(store, name, None)) for name in _METHODS):
        raise UsageError(
            "tasks is a store: MemoryTasks(), SqliteTasks(path), or one that does what TaskStore says"
        )
    hub = notices.hub if notices else Hub((), limits, report)
    return Tasks(store, limits, hub, report)
