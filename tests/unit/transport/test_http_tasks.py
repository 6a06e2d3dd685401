"""Tasks over HTTP: statuses, the header that names a task, and a client that has gone."""

from collections.abc import Iterator
from typing import Any

import pytest

from readingroom import Context, MemoryTasks, Server
from support.asgi import Asgi, Reply
from support.messages import message
from support.processes import until
from support.tasking import TAKES

METHODS = ("tasks/get", "tasks/update", "tasks/cancel")


class Steps:
    """A server on a loop of its own, with tools of both kinds that wait until they are cancelled."""

    def __init__(self) -> None:
        self.ended: list[str] = []
        app = Server("srv", tasks=MemoryTasks())

        @app.tool(task="required")
        async def coroutine(ctx: Context) -> str:
            """Wait."""
            import asyncio

            try:
                await ctx.detach()
                await asyncio.Event().wait()
            finally:
                self.ended.append("coroutine")
            return "never"

        @app.tool(task="required")
        def plain(ctx: Context) -> str:
            """Wait."""
            import threading

            ctx.detach()
            while not ctx.cancelled:
                threading.Event().wait(0.001)
            self.ended.append("plain")
            return "done"

        self.app = app.asgi()
        self.http = Asgi(self.app)

    def ask(self, method: str, members: dict[str, Any], **changed: str | None) -> Reply:
        """Post a request of a client that takes tasks, which names the task in its header."""
        name = members.get("taskId") or members.get("name")
        return self.http.post(message(1, method, members, TAKES), **{"mcp_name": name, **changed})

    def begin(self, tool: str) -> str:
        """Begin a task; the client leaves when it has its answer."""
        reply = self.ask("tools/call", {"name": tool, "arguments": {}})
        assert (reply.status, reply.is_stream) == (200, False)
        assert reply.answer["result"]["resultType"] == "task"
        task_id: str = reply.answer["result"]["taskId"]
        return task_id

    def status_of(self, task_id: str) -> str:
        """Give a task's state."""
        status: str = self.ask("tasks/get", {"taskId": task_id}).answer["result"]["status"]
        return status


@pytest.fixture
def steps() -> Iterator[Steps]:
    """The server, ended at the end."""
    made = Steps()
    yield made
    made.http.close()


@pytest.mark.parametrize("tool", ["coroutine", "plain"])
def test_a_client_that_has_gone_does_not_end_a_task(steps: Steps, tool: str) -> None:
    """Another request finds it at work, and cancels it."""
    task_id = steps.begin(tool)
    assert steps.status_of(task_id) == "working"
    assert steps.ended == []
    assert steps.ask("tasks/cancel", {"taskId": task_id}).status == 200
    until(lambda: steps.status_of(task_id) in ("cancelled", "completed"))
    assert steps.ended == [tool]


@pytest.mark.parametrize("method", METHODS)
def test_the_header_names_the_task(steps: Steps, method: str) -> None:
    """Or the request is refused (TASK-12), whether or not there is such a task."""
    members = {"taskId": "none", "inputResponses": {}}
    for name in (None, "other"):
        reply = steps.ask(method, members, mcp_name=name)
        assert (reply.status, reply.code) == (400, -32020)
    assert (steps.ask(method, members).status, steps.ask(method, members).code) == (200, -32602)


@pytest.mark.parametrize("method", METHODS)
def test_statuses(steps: Steps, method: str) -> None:
    """For a request that does not declare the extension, and for what older revisions had (TASK-11)."""
    reply = steps.http.ask(method, {"taskId": "none", "inputResponses": {}}, mcp_name="none")
    assert (reply.status, reply.code) == (400, -32021)
    reply = steps.http.call("plain")
    assert (reply.status, reply.code) == (400, -32021)
    for unknown in ("tasks/list", "tasks/result"):
        reply = steps.ask(unknown, {"taskId": "none"})
        assert (reply.status, reply.code) == (404, -32601)


def test_an_application_that_stops_ends_its_tasks(steps: Steps) -> None:
    """They have failed, and their handlers end."""
    task_ids = [steps.begin(tool) for tool in ("coroutine", "plain")]
    steps.app.on_stop()
    for task_id in task_ids:
        assert steps.status_of(task_id) == "failed"
    until(lambda: steps.status_of(task_ids[0]) == "failed" and len(steps.ended) == 2)
