"""Tools of both kinds, plain and coroutine, that go on as tasks and do the same, for tests of tasks."""

import asyncio
import threading
from typing import Any

from readingroom import Context, ElicitForm, MemoryTasks, Refused, Server, ToolError
from readingroom.server import Cancelled

from .tasking import TaskServer

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
