"""Registering tools that may be tasks: what that needs, and what a server without tasks knows of them."""

from typing import Any

import pytest

from readingroom import (
    Context,
    MemoryTasks,
    Server,
    UsageError,
)
from support.memory import MemoryServer
from support.tasking import TAKES


@pytest.mark.parametrize("options", [{"task": "always"}, {"task": "optional", "quick": True}])
def test_what_cannot_be_a_task_is_refused(options: dict[str, Any]) -> None:
    """When it is registered."""
    app = Server("srv", tasks=MemoryTasks())

    def tool(ctx: Context) -> str:
        """Work."""
        return ""

    with pytest.raises(UsageError, match="task"):
        app.tool(**options)(tool)


def test_a_task_needs_a_context_and_a_store() -> None:
    """By the one it detaches, in the other it is kept."""

    def tool() -> str:
        """Work."""
        return ""

    with pytest.raises(UsageError, match="Context"):
        Server("srv", tasks=MemoryTasks()).tool(task="optional")(tool)
    with pytest.raises(UsageError, match="store"):
        Server("srv").tool(task="optional")
    for store in (MemoryTasks, object(), "tasks.db"):
        with pytest.raises(UsageError, match="store"):
            Server("srv", tasks=store)  # type: ignore[arg-type]  # that is what is wrong with it


def test_a_server_without_tasks_knows_nothing_of_them() -> None:
    """Its methods are unknown, and nothing is advertised (TASK-1, TASK-11)."""
    server = MemoryServer(Server("srv"))
    assert "extensions" not in server.result("server/discover")["capabilities"]
    for method in ("tasks/get", "tasks/update", "tasks/cancel"):
        assert server.error(method, {"taskId": "a", "inputResponses": {}}, TAKES)["code"] == -32601
