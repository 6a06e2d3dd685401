"""Detaching from the call: when it makes a task, when it does nothing, and what no longer reaches the request."""

import asyncio
import json
import threading
from typing import Any

import pytest

from readingroom import (
    Context,
    MemoryTasks,
    Server,
    ToolError,
    UsageError,
)
from readingroom.server import Cancelled
from support.messages import call, cancel
from support.processes import until
from support.task_steps import KINDS, NAME, Steps
from support.tasking import TAKES, TaskServer


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
