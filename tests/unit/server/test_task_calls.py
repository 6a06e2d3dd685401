"""Handlers that go on as tasks: plain ones and coroutines alike, and what clients see of them."""

import asyncio
import json
import threading
from typing import Any

import msgspec
import pytest

from readingroom import (
    Context,
    CreateMessage,
    ElicitForm,
    ElicitUrl,
    Limits,
    ListRoots,
    MemoryTasks,
    Refused,
    Server,
    ToolError,
    UsageError,
)
from readingroom.server import Cancelled
from support.memory import MemoryServer
from support.messages import CAPABILITIES, call, cancel
from support.processes import until
from support.tasking import TAKES, TaskServer, accepted

NAME = ElicitForm(
    "Name?", {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
)
KINDS = ("plain", "coroutine")


class Steps:
    """Tools of both kinds that do the same, and what tests hold them at."""

    def __init__(self, **options: Any) -> None:
        self.go = threading.Event()
        self.ended: list[str] = []
        self.app = Server("srv", version="1", logging=True, tasks=MemoryTasks(), **options)
        self._register_plain()
        self._register_coroutines()
        self.server = TaskServer(self.app)

    def _register_plain(self) -> None:
        app = self.app

        @app.tool(task="optional")
        def plain(what: str, ctx: Context) -> str:
            """Work."""
            try:
                is_task = bool(ctx.detach())
                ctx.progress(1)
                ctx.log("error", "a line")
                if what == "wait":
                    self.go.wait()
                elif what == "ask":
                    return f"{ctx.ask(name=NAME)['name'].content}"
                elif what == "cancel":
                    while not ctx.cancelled:
                        self.go.wait(0.001)
                    ctx.check()
                else:
                    fail(what)
                return f"{is_task} {bool(ctx.detach())}"
            finally:
                self.ended.append(what)

        @app.tool(task="required")
        def plain_required(ctx: Context) -> str:
            """Work, as a task."""
            return str(bool(ctx.detach()))

    def _register_coroutines(self) -> None:
        app = self.app

        @app.tool(task="optional")
        async def coroutine(what: str, ctx: Context) -> str:
            """Work."""
            try:
                is_task = await ctx.detach()
                ctx.progress(1)
                ctx.log("error", "a line")
                if what == "wait":
                    await asyncio.to_thread(self.go.wait)
                elif what == "ask":
                    return f"{(await ctx.ask(name=NAME))['name'].content}"
                elif what == "cancel":
                    await asyncio.Event().wait()
                else:
                    fail(what)
                return f"{is_task} {await ctx.detach()}"
            finally:
                self.ended.append(what)

        @app.tool(task="required")
        async def coroutine_required(ctx: Context) -> str:
            """Work, as a task."""
            return str(await ctx.detach())


def fail(what: str) -> None:
    """Fail in a way."""
    failures: dict[str, BaseException] = {
        "tool": ToolError("cannot"),
        "refuse": Refused("no", code=7, data={"a": 1}),
        "crash": RuntimeError("secret"),
        "cancelled": Cancelled(),
        "exit": SystemExit(3),
    }
    if what in failures:
        raise failures[what]


@pytest.fixture
def steps() -> Any:
    """Tools, let go at the end."""
    made = Steps()
    yield made
    made.go.set()


@pytest.mark.parametrize("kind", KINDS)
def test_a_task_is_answered_at_once_and_ends_with_the_handlers_result(steps: Steps, kind: str) -> None:
    """While it works nothing in it is a result; then it has the result that the call would have had (TASK-4, TASK-6)."""
    created = steps.server.call(kind, {"what": "wait"}, TAKES)
    assert created["resultType"] == "task"
    assert set(created) == {
        *("resultType", "taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs", "pollIntervalMs", "_meta"),
    }
    working = steps.server.get(created["taskId"])
    assert {**working, "resultType": "task"} == created
    steps.go.set()
    done = steps.server.await_end(created["taskId"])
    assert (done["resultType"], done["status"]) == ("complete", "completed")
    assert done["result"] == steps.server.call(kind, {"what": ""}) | {
        "content": [{"type": "text", "text": "True True"}],
        "structuredContent": {"result": "True True"},
    }
    assert "error" not in done
    assert "inputRequests" not in done


@pytest.mark.parametrize("kind", KINDS)
def test_a_client_that_does_not_take_tasks_gets_the_result(steps: Steps, kind: str) -> None:
    """`detach` says so, whether or not the client took tasks before (TASK-2); progress and log lines go on."""
    steps.server.await_end(steps.server.begin(kind, {"what": ""}))
    result = steps.server.call(kind, {"what": ""})
    assert result["structuredContent"] == {"result": "False False"}
    assert result["resultType"] == "complete"
    sent = steps.server.take(call(1, kind, {"what": ""}, {"progressToken": 1}))
    assert [message.get("method") for message in sent] == ["notifications/progress", None]


@pytest.mark.parametrize("kind", KINDS)
def test_a_task_tells_no_progress_and_no_log_lines(steps: Steps, kind: str) -> None:
    """They belong to a request, and it has none any more (PROG-2, TASK-14)."""
    meta = {**TAKES, "progressToken": 1, "io.modelcontextprotocol/logLevel": "debug"}
    (created,) = steps.server.take(call(1, kind, {"what": ""}, meta))
    steps.server.await_end(created["result"]["taskId"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_tool_that_must_be_a_task_is_refused_to_others(steps: Steps, kind: str) -> None:
    """With what they would have to declare (TASK-2), before its handler begins."""
    error = steps.server.error("tools/call", {"name": f"{kind}_required", "arguments": {}})
    assert error["code"] == -32021
    assert error["data"] == {"requiredCapabilities": {"extensions": {"io.modelcontextprotocol/tasks": {}}}}
    done = steps.server.await_end(steps.server.begin(f"{kind}_required"))
    assert done["result"]["structuredContent"] == {"result": "True"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", ["tool", "refuse", "crash", "cancelled", "exit"])
def test_a_failure_ends_a_task_as_it_would_have_answered_the_call(
    steps: Steps, kind: str, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error of the tool is a result; all else is the error, masked where it must be (TASK-7)."""
    done = steps.server.await_end(steps.server.begin(kind, {"what": what}))
    if what == "tool":
        assert done["status"] == "completed"
        assert done["result"]["isError"] is True
        assert done["result"]["content"] == [{"type": "text", "text": "cannot"}]
        return
    assert done["status"] == "failed"
    assert done["statusMessage"] == done["error"]["message"]
    assert "result" not in done
    if what == "refuse":
        assert done["error"] == {"code": 7, "message": "no", "data": {"a": 1}}
    else:
        assert done["error"]["code"] == -32603
        assert done["error"]["data"]["incident"] in capsys.readouterr().err
    assert "secret" not in json.dumps(done)


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


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", ["cancel", "ask"])
def test_a_cancelled_task_ends(steps: Steps, kind: str, what: str) -> None:
    """A handler that looks, and one that waits for an answer; a second cancellation changes nothing (TASK-10)."""
    task_id = steps.server.begin(kind, {"what": what})
    if what == "ask":
        steps.server.await_status(task_id, "input_required")
    ack = steps.server.cancel(task_id)
    assert set(ack) == {"resultType", "_meta"}
    done = steps.server.await_end(task_id)
    assert done["status"] == "cancelled"
    assert not {"result", "error", "inputRequests"} & set(done)
    assert steps.server.cancel(task_id) == ack
    assert steps.server.get(task_id) == done
    until(lambda: steps.ended == [what])


def test_a_handler_that_does_not_look_ends_as_it_ends(steps: Steps) -> None:
    """A cancellation is a wish: work that was done all the same is told (TASK-10)."""
    task_id = steps.server.begin("plain", {"what": "wait"})
    steps.server.cancel(task_id)
    assert steps.server.get(task_id)["status"] == "working"
    steps.go.set()
    assert steps.server.await_end(task_id)["status"] == "completed"


def test_a_task_is_there_for_its_principal_alone(steps: Steps) -> None:
    """For everybody else it is as unknown as one that never was (TASK-11, TASK-15)."""
    task_id = steps.server.begin("plain", {"what": "wait"})
    other = TaskServer(steps.app, principal="somebody else")
    answers = {"inputResponses": {}}
    for method, more in (("tasks/get", {}), ("tasks/update", answers), ("tasks/cancel", {})):
        mine = other.error(method, {"taskId": task_id, **more}, TAKES)
        none = other.error(method, {"taskId": "0" * 48, **more}, TAKES)
        assert mine == none == {"code": -32602, "message": "Unknown task"}
    again = TaskServer(steps.app)
    assert again.get(task_id)["status"] == "working"


def test_an_expired_task_is_unknown() -> None:
    """Its handler is told to end (TASK-13)."""
    steps = Steps(limits=Limits(task_seconds=0.05))
    task_id = steps.server.begin("plain", {"what": "cancel"})
    until(lambda: steps.ended == ["cancel"])
    assert steps.server.error("tasks/get", {"taskId": task_id}, TAKES)["message"] == "Unknown task"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bound", ["tasks", "tasks_of_one", "tasks_running"])
def test_too_many_tasks(kind: str, bound: str) -> None:
    """A tool that may do without goes on without; one that may not is refused (limits.py)."""
    limits: dict[str, Any] = {bound: 1}
    steps = Steps(limits=Limits(**limits))
    steps.server.begin(kind, {"what": "wait"})
    result = steps.server.call(kind, {"what": ""}, TAKES)
    assert result["structuredContent"] == {"result": "False False"}
    error = steps.server.error("tools/call", {"name": f"{kind}_required", "arguments": {}}, TAKES)
    assert error == {"code": -32603, "message": "Too many tasks; try again later"}
    steps.go.set()


def test_a_result_that_is_too_long_is_not_kept() -> None:
    """The task has failed, and says why."""
    steps = Steps(limits=Limits(task_bytes=10))
    done = steps.server.await_end(steps.server.begin("plain", {"what": ""}))
    assert done["error"] == {"code": -32603, "message": "The result is longer than 10 bytes"}


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
        until(lambda key=key: key in server.get(task_id).get("inputRequests", {}))  # type: ignore[misc]
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


def test_in_a_coroutine_both_are_awaited() -> None:
    """Else they say so, and nothing has become of them."""
    app = Server("srv", tasks=MemoryTasks())

    @app.tool(task="optional")
    async def hasty(ctx: Context) -> list[str]:
        """Forget to await."""
        told = []
        for forgotten in (lambda: bool(ctx.detach()), lambda: ctx.ask(name=NAME)["name"]):
            try:
                forgotten()
            except UsageError as error:
                told.append(str(error))
            await ctx.detach()
        one = ctx.ask(name=NAME)
        return [*told, str(one in (ctx.ask(name=NAME),)), str(one in (one,))]

    server = TaskServer(app)
    done = server.await_end(server.begin("hasty"))
    told = done["result"]["structuredContent"]["result"]
    assert ["await ctx.detach()" in told[0], "await ctx.ask(...)" in told[1]] == [True, True]
    assert told[2:] == ["False", "True"]


def test_without_detaching_a_call_is_a_call(steps: Steps) -> None:
    """A tool that may become a task need not; failures and questions go the usual way."""
    app = Server("srv", tasks=MemoryTasks())

    @app.tool(task="optional")
    def plain(fails: bool, ctx: Context) -> str:
        """Work."""
        if fails:
            raise ToolError("no")
        return ctx.principal

    @app.tool(task="optional")
    async def coroutine(fails: bool, ctx: Context) -> str:
        """Work."""
        return plain(fails, ctx)

    server = TaskServer(app)
    for kind in KINDS:
        assert server.call(kind, {"fails": False}, TAKES)["structuredContent"] == {"result": "local"}
        assert server.call(kind, {"fails": True}, TAKES)["isError"] is True
        assert server.call(kind, {}, TAKES)["isError"] is True


def test_detaching_elsewhere_does_nothing() -> None:
    """In a prompt, a quick tool, and a tool that is not registered for it."""
    app = Server("srv", tasks=MemoryTasks())

    @app.tool(quick=True)
    def quick(ctx: Context) -> str:
        """Work."""
        return str(bool(ctx.detach()))

    @app.tool
    async def coroutine(ctx: Context) -> str:
        """Work."""
        return str(await ctx.detach())

    @app.prompt
    def prompt(ctx: Context) -> str:
        """Ask."""
        return str(bool(ctx.detach()))

    server = TaskServer(app)
    for tool in ("quick", "coroutine"):
        assert server.call(tool, {}, TAKES)["structuredContent"] == {"result": "False"}
    assert "False" in json.dumps(server.result("prompts/get", {"name": "prompt"}, TAKES))


@pytest.mark.parametrize("kind", KINDS)
def test_a_call_that_is_cancelled_before_it_detaches_becomes_no_task(kind: str) -> None:
    """Nobody would know its id."""
    app = Server("srv", tasks=MemoryTasks())
    begun, go, outcome = threading.Event(), threading.Event(), list[str]()

    def detached(ctx: Context) -> None:
        try:
            ctx.check()
        except Cancelled:
            outcome.append("cancelled")
            raise
        outcome.append("goes on")

    @app.tool(task="optional")
    def plain(ctx: Context) -> str:
        """Work."""
        begun.set()
        go.wait()
        try:
            ctx.detach()
        except Cancelled:
            outcome.append("cancelled")
            raise
        return "never"

    @app.tool(task="optional")
    async def coroutine(ctx: Context) -> str:
        """Work."""
        begun.set()
        try:
            await asyncio.to_thread(go.wait)
            await ctx.detach()
        except (Cancelled, asyncio.CancelledError):
            outcome.append("cancelled")
            raise
        return "never"

    server = TaskServer(app)
    calling = threading.Thread(target=server.take, args=(call(1, kind, {}, TAKES),))
    calling.start()
    begun.wait()
    server.connection.receive(cancel(1))
    go.set()
    calling.join()
    assert outcome == ["cancelled"]


def test_a_coroutine_that_is_cancelled_from_outside(steps: Steps) -> None:
    """As carriers do: before it detaches it ends; as a task it goes on."""
    dispatcher = steps.server.dispatcher
    begun, held = threading.Event(), threading.Event()

    @steps.app.tool(task="optional")
    async def slow(ctx: Context) -> str:
        """Work."""
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            held.set()
        return "never"

    server = TaskServer(steps.app)
    flight = server.connection.receive(call(1, "slow", {}, TAKES))
    work = server.dispatcher.route(flight.request, "local")
    ctx = server.dispatcher.context(flight.request, flight, lambda *_: None, "local")
    running = asyncio.run_coroutine_threadsafe(server.dispatcher.perform_async(work, ctx), server.loop)
    begun.wait()
    running.cancel()
    held.wait()
    assert dispatcher is not server.dispatcher


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


def test_when_serving_ends_tasks_have_failed(steps: Steps) -> None:
    """Their handlers are told to end; whoever serves on, or again, has tasks again."""
    task_ids = [steps.server.begin(kind, {"what": "cancel"}) for kind in KINDS]
    steps.app.close_tasks()
    for task_id in task_ids:
        done = steps.server.get(task_id)
        assert (done["status"], done["error"]["message"]) == ("failed", "The server was stopped")
    until(lambda: len(steps.ended) == 2)
    steps.server.await_end(steps.server.begin("plain", {"what": ""}))
    Server("srv").close_tasks()


def test_values_are_told_exactly() -> None:
    """A result with nulls and floats comes back as it was given."""
    app = Server("srv", tasks=MemoryTasks())

    @app.tool(task="optional")
    def value(ctx: Context) -> dict[str, Any]:
        """Give a value."""
        ctx.detach()
        return {"none": None, "float": 1.5, "text": "читать", "list": [1, {}]}

    server = TaskServer(app)
    done = server.await_end(server.begin("value"))
    assert done["result"]["structuredContent"] == {
        "none": None,
        "float": 1.5,
        "text": "читать",
        "list": [1, {}],
    }
    assert msgspec.json.decode(done["result"]["content"][0]["text"]) == done["result"]["structuredContent"]


def test_a_task_has_no_request_to_tell_of() -> None:
    """Whatever its context sends goes nowhere, from the moment on at which it is the task's."""
    app = Server("srv", tasks=MemoryTasks(), logging=True)
    sent: list[bytes] = []
    contexts: list[Context] = []

    @app.tool(task="optional")
    def work(ctx: Context) -> str:
        """Work."""
        ctx.progress(1)
        ctx.detach()
        ctx.progress(2)
        contexts.append(ctx)
        return str(ctx.ask(name=NAME) == 0)

    server = TaskServer(app)
    meta = {**TAKES, "progressToken": 1}
    flight: Any = server.connection.receive(call(1, "work", {}, meta))
    found = server.dispatcher.route(flight.request, "local")
    ctx = server.dispatcher.context(flight.request, flight, lambda _, data: sent.append(data), "local")
    created = json.loads(server.dispatcher.perform(found, ctx))
    until(lambda: bool(contexts))
    contexts[0].progress(3)
    assert len(sent) == 1
    server.cancel(created["result"]["taskId"])
    server.await_end(created["result"]["taskId"])


def test_a_cancellation_that_comes_after_the_end_changes_nothing(steps: Steps) -> None:
    """Though the end has not been kept yet: a coroutine that is over is not cancelled any more."""
    tasks = steps.app._tasks
    assert tasks is not None
    task_id = steps.server.begin("coroutine", {"what": "wait"})
    held = threading.Event()
    for _ in range(4):
        tasks.threads.submit(held.wait)
    steps.go.set()
    until(lambda: steps.ended == ["wait"])
    steps.server.cancel(task_id)
    assert steps.server.get(task_id)["status"] == "working"
    held.set()
    assert steps.server.await_end(task_id)["status"] == "completed"


def test_nobody_runs_all_tasks() -> None:
    """Where principals are known, one has half of `tasks_running`; who comes after them still has room."""
    steps = Steps(limits=Limits(tasks_running=4))
    steps.app.share_tasks()
    ann, bob = TaskServer(steps.app, principal="ann"), TaskServer(steps.app, principal="bob")
    for one in (ann, ann, bob):
        one.begin("plain", {"what": "wait"})
    error = ann.error("tools/call", {"name": "plain_required", "arguments": {}}, TAKES)
    assert error == {"code": -32603, "message": "Too many tasks; try again later"}
    bob.begin("plain", {"what": "wait"})
    steps.go.set()


def test_what_detaching_gives_reads_as_what_it_is() -> None:
    """`True` or `False` in a text; in a coroutine one that was not awaited is no answer at all."""
    from readingroom import UsageError
    from readingroom.server.detaching import Detached, Detaching

    assert (f"{Detached(True)}", str(Detached(False)), repr(Detached(True))) == ("True", "False", "True")

    async def begin() -> bool:
        return True

    with pytest.raises(UsageError, match=r"await ctx\.detach\(\)"):
        str(Detaching(begin))
    assert "await" in repr(Detaching(begin))
