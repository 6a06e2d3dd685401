"""A server in memory whose coroutines go on after their requests have been answered, and a client that takes tasks."""

import asyncio
import itertools
import threading
from typing import Any

from readingroom import Server
from readingroom.protocol.params import TASKS
from readingroom.server import Flight, Work

from .memory import MemoryServer
from .messages import CAPABILITIES, frame
from .processes import ServerProcess, until

FORMS: dict[str, Any] = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}
TAKES: dict[str, Any] = {CAPABILITIES: {"extensions": {TASKS: {}}, **FORMS}}
"""The metadata of a client that takes tasks, and can be asked for anything."""
FINAL = ("completed", "failed", "cancelled")


class TaskServer(MemoryServer):
    """Serves one connection, with one loop for all of its coroutines."""

    def __init__(self, app: Server, *, principal: str = "local") -> None:
        super().__init__(app, principal=principal)
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def _answered(self, work: Work, flight: Flight) -> bytes:
        if work.step.mode != "async":
            return super()._answered(work, flight)
        ctx = self.dispatcher.context(flight.request, flight, self._emit, self._principal)
        running = asyncio.run_coroutine_threadsafe(self.dispatcher.run_async(work, ctx), self.loop)
        return running.result() or self.dispatcher.abandoned(work)

    def begin(self, tool: str, arguments: dict[str, Any] | None = None) -> str:
        """Call a tool that becomes a task, and give its id."""
        created = self.call(tool, arguments, TAKES)
        assert created["resultType"] == "task", created
        task_id: str = created["taskId"]
        return task_id

    def get(self, task_id: str) -> Any:
        """Give a task as it is."""
        return self.result("tasks/get", {"taskId": task_id}, TAKES)

    def await_status(self, task_id: str, *statuses: str) -> Any:
        """Wait until a task has one of these, and give it."""
        found: list[Any] = []

        def has_it() -> bool:
            found[:] = [self.get(task_id)]
            return found[0]["status"] in statuses

        until(has_it)
        return found[0]

    def await_end(self, task_id: str) -> Any:
        """Wait until a task has ended, and give it."""
        return self.await_status(task_id, *FINAL)

    def update(self, task_id: str, **answers: Any) -> Any:
        """Answer what a task asks."""
        return self.result("tasks/update", {"taskId": task_id, "inputResponses": answers}, TAKES)

    def cancel(self, task_id: str) -> Any:
        """Cancel a task."""
        return self.result("tasks/cancel", {"taskId": task_id}, TAKES)


class TaskClient:
    """A client of one server process that takes tasks."""

    def __init__(self, script: str, *arguments: str) -> None:
        self.process = ServerProcess(script, *arguments)
        self._ids = itertools.count()

    def ask(self, method: str, members: dict[str, Any]) -> Any:
        """Send a request and give its answer; what else comes is passed over."""
        request_id = next(self._ids)
        self.process.send(frame(request_id, method, members, TAKES))
        return self.process.take_answer(request_id)

    def begin(self, tool: str, what: str | None = None, **arguments: Any) -> str:
        """Begin a task and give its id."""
        given = arguments if what is None else {"what": what}
        answer = self.ask("tools/call", {"name": tool, "arguments": given})
        assert answer["result"]["resultType"] == "task", answer
        task_id: str = answer["result"]["taskId"]
        return task_id

    def get(self, task_id: str) -> Any:
        """Give a task."""
        answer = self.ask("tasks/get", {"taskId": task_id})
        assert "result" in answer, answer
        return answer["result"]

    def await_status(self, task_id: str, *statuses: str) -> Any:
        """Wait until a task has one of these, and give it."""
        found: list[Any] = []

        def has_it() -> bool:
            found[:] = [self.get(task_id)]
            return found[0]["status"] in statuses

        until(has_it)
        return found[0]

    def tell(self, task_id: str, what: str, **answers: Any) -> None:
        """Answer a task, or cancel it."""
        if what == "ask":
            given = answers or {"name": accepted(name="Ada")}
            answer = self.ask("tasks/update", {"taskId": task_id, "inputResponses": given})
        else:
            answer = self.ask("tasks/cancel", {"taskId": task_id})
        assert "result" in answer, answer


def accepted(**content: Any) -> dict[str, Any]:
    """A form as a person has filled it in."""
    return {"action": "accept", "content": content}
