"""The example server whose work takes its time, with clients that take tasks and one that does not."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from readingroom import Client
from support.tasking import FINAL, TaskClient, accepted

STOCKTAKING = str(Path(__file__).resolve().parents[2] / "examples" / "stocktaking_server.py")


@pytest.fixture
def start() -> Iterator[Any]:
    """Starts clients, and ends them."""
    clients: list[TaskClient] = []

    def starts(*arguments: str) -> TaskClient:
        clients.append(TaskClient(STOCKTAKING, *arguments))
        return clients[-1]

    yield starts
    for client in clients:
        client.process.close()


@pytest.mark.parametrize("keeps", ["in memory", "in a file"])
def test_stock_is_taken_and_the_client_is_asked(start: Any, tmp_path: Path, keeps: str) -> None:
    """In the middle of it, about the one shelf."""
    client = start(*([str(tmp_path / "tasks.db")] if keeps == "in a file" else []))
    task_id = client.begin("take_stock", seconds_for_each=0.01)
    asked = client.await_status(task_id, "input_required")
    assert "'bridges'" in asked["inputRequests"]["recount"]["params"]["message"]
    client.tell(task_id, "ask", recount=accepted(books=24))
    done = client.await_status(task_id, *FINAL)
    assert done["result"]["structuredContent"] == {"rivers": 40, "bridges": 24, "mills": 31}


def test_whoever_has_changed_their_mind_cancels(start: Any) -> None:
    """And the counting ends."""
    client = start()
    task_id = client.begin("take_stock", seconds_for_each=3600)
    client.tell(task_id, "cancel")
    assert client.await_status(task_id, *FINAL)["status"] == "cancelled"


def test_a_client_that_takes_no_tasks_waits_for_the_answer() -> None:
    """And is asked nothing."""
    import sys

    with Client.stdio([sys.executable, STOCKTAKING]) as client:
        answer = client.call_tool("take_stock", {"seconds_for_each": 0.01})
    assert answer.structured == {"rivers": 40, "bridges": 25, "mills": 31}
