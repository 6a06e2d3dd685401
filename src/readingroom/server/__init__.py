"""The server's side of the protocol: a registry of features, the dispatch of requests, and what is in flight.

What not every server needs is loaded when it is first named.
"""

from typing import TYPE_CHECKING, Any

from .connection import Action, Cancel, Connection, Flight, Older, Reply
from .context import Cancelled, Context
from .dispatch import Dispatcher, Work
from .failures import Failures, status_of
from .faults import told
from .features import Handler, Page
from .registry import Described, Registry, ToolOptions

if TYPE_CHECKING:
    from .hub import Hub, Subscription, Watcher
    from .task_store import MemoryTasks, Task, TaskBounds, TaskStore
    from .task_store_sqlite import SqliteTasks
    from .tasks import Tasks

_HOMES = {
    **dict.fromkeys(("Hub", "Subscription", "Watcher"), "hub"),
    **dict.fromkeys(("MemoryTasks", "Task", "TaskBounds", "TaskStore"), "task_store"),
    "SqliteTasks": "task_store_sqlite",
    "Tasks": "tasks",
}

__all__ = [
    "Action",
    "Cancel",
    "Cancelled",
    "Connection",
    "Context",
    "Described",
    "Dispatcher",
    "Failures",
    "Flight",
    "Handler",
    "Hub",
    "MemoryTasks",
    "Older",
    "Page",
    "Registry",
    "Reply",
    "SqliteTasks",
    "Subscription",
    "Task",
    "TaskBounds",
    "TaskStore",
    "Tasks",
    "ToolOptions",
    "Watcher",
    "Work",
    "status_of",
    "told",
]


def __getattr__(name: str) -> Any:
    """Load a name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
