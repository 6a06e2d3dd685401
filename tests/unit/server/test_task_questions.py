"""What a task asks of its client, before and after it is one, and the answers that it takes."""

import asyncio
import json
import threading

import pytest

from readingroom import (
    Context,
    CreateMessage,
    ElicitUrl,
    ListRoots,
    MemoryTasks,
    Server,
)
from support.messages import CAPABILITIES
from support.processes import until
from support.task_steps import KINDS, NAME, Steps
from support.tasking import TAKES, TaskServer, accepted


@pytest.mark.parametrize("kind", KINDS)
def test_a_task_asks_and_goes_on_with_the_answer(steps: Steps, kind: str) -> None:
    """It is not run anew, and works again in between (TASK-8)."""
    task_id = steps.server.begin(kind, {"what": "ask"})
    parked = steps.server.await_status(task_id, "input_required")
    (key,) = parked["inputRequests"]
    assert parked["inputRequests"][key]["method"] == "elicitation/create"
    assert steps.server.update(task_id, **{key: accepted(name="Ada"), "unknown": accepted()}) == {
        "resultType": "complete",
        "_meta": parked["_meta"],
    }
    done = steps.server.await_end(task_id)
    assert done["result"]["structuredContent"] == {"result": "{'name': 'Ada'}"}
    assert steps.ended == ["ask"]


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_that_does_not_fit_is_refused(steps: Steps, kind: str) -> None:
    """And the question stays; nothing of the same update is taken (MRTR-14)."""
    task_id = steps.server.begin(kind, {"what": "ask"})
    steps.server.await_status(task_id, "input_required")
    for answers in ({"name": accepted(name=3)}, {"name": {"action": "perhaps"}}, {"name": accepted()}):
        error = steps.server.error("tasks/update", {"taskId": task_id, "inputResponses": answers}, TAKES)
        assert error["code"] == -32602
        assert "inputResponses.name" in error["message"]
    for answers in ({"name": 3}, 4, None, []):  # type: ignore[assignment]  # that is what is wrong with them
        error = steps.server.error("tasks/update", {"taskId": task_id, "inputResponses": answers}, TAKES)
        assert error["code"] == -32602
    assert steps.server.get(task_id)["status"] == "input_required"
    steps.server.update(task_id, name={"action": "decline"})
    assert steps.server.await_end(task_id)["result"]["structuredContent"] == {"result": "None"}


def test_several_questions_at_once_and_one_again() -> None:
    """Keys are never used twice, several askers share a task, and what is answered disappears (TASK-8, TASK-9)."""
    app = Server("srv", tasks=MemoryTasks())

    @app.tool(task="optional")
    async def many(ctx: Context) -> list[str]:
        """Ask a lot."""
        await ctx.detach()
        first, second = await asyncio.gather(ctx.ask(a=NAME, b=NAME), ctx.ask(a=NAME))
        third = await ctx.ask(a=NAME)
        return [
            first["a"].content["name"],
            first["b"].content["name"],
            second["a"].content["name"],
            str(third["a"]),
        ]

    server = TaskServer(app)
    task_id = server.begin("many")
    until(lambda: len(server.get(task_id).get("inputRequests", ())) == 3)
    seen = set(server.get(task_id)["inputRequests"])
    for number, key in enumerate(sorted(seen)):
        before = server.get(task_id)
        assert before["status"] == "input_required"
        server.update(task_id, **{key: accepted(name=str(number))})
        assert key not in server.get(task_id).get("inputRequests", {})
    last = server.await_status(task_id, "input_required")
    (key,) = last["inputRequests"]
    assert key not in seen
    server.update(task_id, **{key: {"action": "cancel"}})
    result = server.await_end(task_id)["result"]["structuredContent"]["result"]
    assert sorted(result[:3]) == ["0", "1", "2"]
    assert "cancel" in result[3]


def test_every_kind_of_question() -> None:
    """Forms, addresses, messages and roots, and answers that do not fit them."""
    app = Server("srv", tasks=MemoryTasks())

    @app.tool(task="optional")
    def ask(ctx: Context) -> list[str]:
        """Ask."""
        ctx.detach()
        url = ctx.ask(it=ElicitUrl("Go.", "https://example.org/"))["it"].action
        message = ctx.ask(it=CreateMessage(["Hello"], 5))["it"].text
        return [url, message, ctx.ask(it=ListRoots())["it"].roots[0].uri]

    server = TaskServer(app)
    task_id = server.begin("ask")
    message = {"role": "assistant", "model": "m", "content": {"type": "text", "text": "Hi"}}
    for key, bad, good in (
        ("it", {"action": 1}, {"action": "accept"}),
        ("it-2", {"role": "none"}, message),
        ("it-3", {"roots": [{"uri": "https://x"}]}, {"roots": [{"uri": "file:///a"}]}),
    ):
        until(lambda key=key: key in server.get(task_id).get("inputRequests", {}))  # type: ignore[misc]  # bound here, for the loop goes on
        update = {"taskId": task_id, "inputResponses": {key: bad}}
        assert server.error("tasks/update", update, TAKES)["code"] == -32602
        server.update(task_id, **{key: good})
    done = server.await_end(task_id)
    assert done["result"]["structuredContent"]["result"] == ["accept", "Hi", "file:///a"]


def test_what_is_given_up_is_asked_no_longer() -> None:
    """A coroutine that does not wait any more withdraws its question."""
    app = Server("srv", tasks=MemoryTasks())
    given_up = threading.Event()

    @app.tool(task="optional")
    async def impatient(ctx: Context) -> str:
        """Ask, and do not wait."""
        await ctx.detach()
        asked = asyncio.ensure_future(ctx.ask(first=NAME))
        await asyncio.to_thread(given_up.wait)
        asked.cancel()
        return str((await ctx.ask(second=NAME))["second"].content)

    server = TaskServer(app)
    task_id = server.begin("impatient")
    server.await_status(task_id, "input_required")
    given_up.set()
    until(lambda: set(server.get(task_id).get("inputRequests", ())) == {"second"})
    server.update(task_id, first=accepted(name="late"), second=accepted(name="in time"))
    done = server.await_end(task_id)
    assert done["result"]["structuredContent"] == {"result": "{'name': 'in time'}"}


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_client_cannot_be_asked_fails_the_task(kind: str) -> None:
    """Its capabilities are those of the call (META-11)."""
    steps = Steps()
    meta = {CAPABILITIES: {"extensions": {"io.modelcontextprotocol/tasks": {}}}}
    created = steps.server.call(kind, {"what": "ask"}, meta)
    done = steps.server.await_end(created["taskId"])
    assert done["error"]["code"] == -32021
    assert done["error"]["data"] == {"requiredCapabilities": {"elicitation": {"form": {}}}}


def test_rounds_come_before_the_task() -> None:
    """What is asked before `detach` is asked of the call, which is then a task in its last round (TASK-15)."""
    app = Server("srv", tasks=MemoryTasks())

    @app.tool(task="required")
    async def job(ctx: Context) -> str:
        """Ask, then work."""
        answer = (await ctx.ask(name=NAME))["name"].content
        await ctx.detach()
        return f"Hello, {answer['name']}"

    server = TaskServer(app)
    first = server.call("job", {}, TAKES)
    assert first["resultType"] == "input_required"
    assert "taskId" not in first
    again = {"name": "job", "arguments": {}, "requestState": first["requestState"]}
    second = server.result("tools/call", {**again, "inputResponses": {"name": accepted(name="Ada")}}, TAKES)
    assert second["resultType"] == "task"
    assert not {"requestState", "inputRequests"} & set(second)
    assert "Hello, Ada" in json.dumps(server.await_end(second["taskId"])["result"])
