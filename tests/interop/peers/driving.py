"""What the drivers of the Python clients share: commands as JSON lines on stdin, an answer for each on stdout.

A command is `{"do": NAME, …}` with the arguments of the method of that name. Its answer is `{"ok": …}`, the result as
the wire spells it, or `{"error": {"kind", "message"}}`, with `code` and `data` where the server sent an error. The first
line says how connecting went, the last how closing did. The server is a command, or an address that begins with `http`.
What a server asks of the client is answered as `entered`, `SAID` and `ROOT` say. Runs in a peer's environment: imports
nothing of Reading Room.
"""

import asyncio
import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import anyio
import anyio.to_thread
from mcp import MCPError
from mcp_types import (
    CreateMessageResult,
    ElicitRequestFormParams,
    ElicitResult,
    PromptReference,
    ResourceTemplateReference,
    Root,
    TextContent,
)

COMMANDS = (
    "info",
    "list_all",
    "page_of_tools",
    "call",
    "call_with_progress",
    "call_with_log",
    "call_many",
    "cancel",
    "leave_running",
    "time_out",
    "read",
    "prompt",
    "complete",
    "take_faults",
)
ENTERED = {"string": "Ada", "integer": 3, "number": 2.5, "boolean": True}
SAID = CreateMessageResult(
    role="assistant",
    model="none",
    content=TextContent(type="text", text="A model says so."),
    stop_reason="endTurn",
)
ROOT = Root(uri="file:///home/ada", name="home")
LOG_LEVEL = "io.modelcontextprotocol/logLevel"
PATIENCE = 30

Arguments = dict[str, Any]


class Driver(ABC):
    """A client of the SDK's family under commands; a subclass says how its client is asked."""

    client: AbstractAsyncContextManager[Any]
    lists: dict[str, Callable[..., Awaitable[Any]]]
    commands: tuple[str, ...] = COMMANDS

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.log: list[Any] = []
        self.left: asyncio.Task[Any] | None = None
        self.notices: asyncio.Queue[Any] = asyncio.Queue()

    @abstractmethod
    async def info(self) -> Any:
        """Tell what was agreed at the start."""

    @abstractmethod
    async def ask_tool(self, name: str, arguments: Arguments | None, **how: Any) -> Any:
        """Call a tool; `how` may hold `progress`, `meta` and `seconds`."""

    @abstractmethod
    async def ask_resource(self, uri: str) -> Any:
        """Read a resource."""

    @abstractmethod
    async def ask_prompt(self, name: str, arguments: Arguments | None) -> Any:
        """Fill in a prompt."""

    @abstractmethod
    async def ask_completion(self, ref: Any, argument: dict[str, str], others: dict[str, str] | None) -> Any:
        """Complete an argument."""

    async def hear(self, message: Any) -> None:
        """Keep what the client takes for a fault of the server's, and what the server tells unasked."""
        if isinstance(message, Exception):
            self.faults.append(repr(message))
        elif hasattr(message, "model_dump"):
            await self.notices.put(plain(message))

    async def list_all(self, what: str) -> Any:
        """List everything, page by page."""
        items, sizes, cursor = [], [], None
        while True:
            page = plain(await self.lists[what](cursor=cursor))
            items += page[what]
            sizes.append(len(page[what]))
            cursor = page.get("nextCursor")
            if cursor is None:
                return {"items": items, "pages": sizes}

    async def page_of_tools(self, cursor: str) -> Any:
        """Ask for the page of a cursor."""
        return plain(await self.lists["tools"](cursor=cursor))

    async def call(self, name: str, arguments: Arguments | None = None) -> Any:
        """Call a tool."""
        return plain(await self.ask_tool(name, arguments))

    async def call_with_progress(self, name: str, arguments: Arguments) -> Any:
        """Call a tool and tell its progress."""
        steps: list[Any] = []

        async def step(progress: float, total: float | None, message: str | None) -> None:
            steps.append([progress, total, message])

        return {"result": plain(await self.ask_tool(name, arguments, progress=step)), "progress": steps}

    async def call_with_log(self, name: str, arguments: Arguments, level: str) -> Any:
        """Call a tool and tell what it logged."""
        self.log.clear()
        await self.ask_tool(name, arguments, meta={LOG_LEVEL: level})
        return self.log

    async def call_many(self, name: str, each: list[Arguments]) -> Any:
        """Call a tool many times at once and give the answers in order."""
        answers: list[Any] = [None] * len(each)

        async def one(place: int) -> None:
            answers[place] = await attempt(lambda: self.call(name, each[place]))

        async with anyio.create_task_group() as group:
            for place in range(len(each)):
                group.start_soon(one, place)
        return answers

    async def cancel(self, name: str) -> str:
        """Call a tool and cancel the call at its first progress; say how it ended."""
        with anyio.CancelScope() as scope:

            async def begun(*_: Any) -> None:
                scope.cancel()

            await self.ask_tool(name, {}, progress=begun)
        return "cancelled" if scope.cancelled_caught else "answered"

    async def leave_running(self, name: str) -> None:
        """Call a tool and go on once it has begun, so that the client is closed over it."""
        begun = asyncio.Event()

        async def step(*_: Any) -> None:
            begun.set()

        self.left = asyncio.create_task(attempt(lambda: self.ask_tool(name, {}, progress=step)))
        await begun.wait()

    async def time_out(self, name: str, seconds: float) -> Any:
        """Call a tool that takes longer than its caller waits."""
        return plain(await self.ask_tool(name, {}, seconds=seconds))

    async def read(self, uri: str) -> Any:
        """Read a resource."""
        return plain(await self.ask_resource(uri))

    async def prompt(self, name: str, arguments: Arguments | None = None) -> Any:
        """Fill in a prompt."""
        return plain(await self.ask_prompt(name, arguments))

    async def complete(
        self, ref: dict[str, str], name: str, value: str, others: dict[str, str] | None = None
    ) -> Any:
        """Complete an argument."""
        kind: Any = PromptReference if ref["type"] == "ref/prompt" else ResourceTemplateReference
        return plain(
            await self.ask_completion(kind.model_validate(ref), {"name": name, "value": value}, others)
        )

    async def take_faults(self) -> list[str]:
        """Tell what the client has found wrong with what it heard since the last time."""
        found, self.faults = self.faults, []
        return found

    async def run(self) -> None:
        """Take commands while the client is connected."""
        connected = await attempt(self.client.__aenter__)
        if "error" in connected:
            tell(connected)
            return
        tell({"ok": "connected"})
        try:
            while line := await anyio.to_thread.run_sync(sys.stdin.readline):
                command = json.loads(line)
                name = command.pop("do")
                if name not in self.commands:
                    raise ValueError(name)
                tell(await attempt(lambda: getattr(self, name)(**command)))  # noqa: B023  -- called at once
        finally:
            await self.client.__aexit__(None, None, None)
        if self.left is not None:
            await self.left
        tell({"ok": "closed"})


def entered(params: Any) -> ElicitResult:
    """Fill in a form by the types of its fields; agree to open an address."""
    if not isinstance(params, ElicitRequestFormParams):
        return ElicitResult(action="accept")
    fields = params.requested_schema["properties"]
    content = {name: field.get("default", ENTERED.get(field["type"])) for name, field in fields.items()}
    return ElicitResult(action="accept", content=content)


def plain(model: Any) -> Any:
    """Give a model as the wire spells it: the members that came, under their own names."""
    return None if model is None else model.model_dump(mode="json", by_alias=True, exclude_unset=True)


async def attempt(make: Callable[[], Awaitable[Any]]) -> dict[str, Any]:
    """Give the answer of a call that may fail."""
    try:
        return {"ok": await make()}
    except Exception as error:  # noqa: BLE001  -- whatever a client raises is what the test wants to see
        return {"error": failure(error)}


def failure(error: Exception) -> dict[str, Any]:
    """Tell what a client raised."""
    if isinstance(error, ExceptionGroup):
        return failure(error.exceptions[0])
    kind = type(error).__name__
    if isinstance(error, MCPError):
        told = error.error
        return {"kind": kind, "message": told.message, "code": told.code, "data": told.data}
    return {"kind": kind, "message": str(error)}


def tell(answer: dict[str, Any]) -> None:
    """Print one line."""
    print(json.dumps(answer), flush=True)
