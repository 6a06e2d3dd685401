"""Does a bit of everything with a client of the official Python SDK 1.x: `use_older.py SERVER…`; prints what came as JSON.

These releases each speak the revision of their time. The server is a command, or an address that begins with `http`. What a
release has no way to do is None in what it prints. Runs in a peer's environment: imports nothing of Reading Room.
"""

import asyncio
import inspect
import json
import sys
from contextlib import AbstractAsyncContextManager
from typing import Any

from mcp import ClientSession, McpError, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

PATIENCE = 40
WATCHED: Any = "x:///fixed"


class Session:
    """A client with answers to what it is asked, which keeps what it is told."""

    def __init__(self, streams: Any) -> None:
        answers = {
            "sampling_callback": self.say,
            "list_roots_callback": self.tell_roots,
            "elicitation_callback": self.enter,
            "logging_callback": self.keep_log,
            "message_handler": self.hear,
        }
        known = inspect.signature(ClientSession.__init__).parameters
        self.client = ClientSession(
            streams[0], streams[1], **{name: answer for name, answer in answers.items() if name in known}
        )
        self.asks_people = "elicitation_callback" in known
        self.tells_progress = "progress_callback" in inspect.signature(ClientSession.call_tool).parameters
        self.turns_pages = "cursor" in inspect.signature(ClientSession.list_tools).parameters
        self.lines: list[str] = []
        self.steps: list[float] = []
        self.updated: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def say(self, _context: Any, _params: Any) -> Any:
        """Answer for a model."""
        content = types.TextContent(type="text", text="A model says so.")
        return types.CreateMessageResult(role="assistant", model="none", content=content)

    async def tell_roots(self, _context: Any) -> Any:
        """Tell the roots."""
        return types.ListRootsResult(roots=[types.Root(uri="file:///home/ada")])

    async def enter(self, _context: Any, params: Any) -> Any:
        """Answer for a person."""
        (name,) = params.requestedSchema["properties"]
        return types.ElicitResult(action="accept", content={name: "Ada" if name == "name" else 3})

    async def keep_log(self, params: Any) -> None:
        """Keep the level of a log line."""
        self.lines.append(params.level)

    async def hear(self, message: Any) -> None:
        """Keep the news of a resource."""
        told = getattr(message, "root", None)
        if isinstance(told, types.ResourceUpdatedNotification) and not self.updated.done():
            self.updated.set_result(str(told.params.uri))

    async def step(self, progress: float, *_: Any) -> None:
        """Keep a step of progress."""
        self.steps.append(progress)

    async def use(self) -> dict[str, Any]:
        """Do a bit of everything."""
        client = self.client
        agreed = await client.initialize()
        tools = await client.list_tools()
        pages = [len(tools.tools)]
        if self.turns_pages:
            pages.append(len((await client.list_tools(tools.nextCursor)).tools))
        added = await client.call_tool("add", {"a": 1, "b": 2})
        failed = await client.call_tool("add", {"a": 1})
        blocks = await client.call_tool("blocks", {})
        (read,) = (await client.read_resource(WATCHED)).contents
        asked = await client.call_tool("ask_machine", {})
        prompt = await client.get_prompt("visit", {"city": "Bern"})
        ref = types.PromptReference(type="ref/prompt", name="visit")
        completed = await client.complete(ref, {"name": "city", "value": "be"})
        return {
            "version": agreed.protocolVersion,
            "name": agreed.serverInfo.name,
            "tools": pages,
            "added": added.content[0].text,
            "structured": getattr(added, "structuredContent", None),
            "failed": failed.isError,
            "blocks": [block.type for block in blocks.content],
            "read": read.text,
            "missing": await self.missing(),
            "prompt": prompt.messages[0].content.text,
            "completed": completed.completion.values,
            "ping": (await client.send_ping()).model_dump(exclude_none=True),
            "asked": [json.loads(asked.content[0].text), asked.isError],
            "person": await self.person(),
            "progress": await self.progress(),
            "lines": await self.logged(),
            "updated": await self.news(),
        }

    async def missing(self) -> Any:
        """Read a resource that is not there."""
        try:
            await self.client.read_resource("x:///none")
        except McpError as error:
            return error.error.code

    async def person(self) -> Any:
        """Have a person asked."""
        if not self.asks_people:
            return None
        return json.loads((await self.client.call_tool("ask_person", {})).content[0].text)

    async def progress(self) -> Any:
        """Have progress told."""
        if not self.tells_progress:
            return None
        await self.client.call_tool("count", {"to": 3}, progress_callback=self.step)
        return self.steps

    async def logged(self) -> Any:
        """Have lines logged, once with a level and once with another."""
        await self.client.set_logging_level("debug")
        await self.client.call_tool("note", {"text": "x"})
        await self.client.set_logging_level("error")
        await self.client.call_tool("note", {"text": "x"})
        return self.lines

    async def news(self) -> Any:
        """Subscribe to a resource that then changes."""
        await self.client.subscribe_resource(WATCHED)
        await self.client.call_tool("touch", {"uri": WATCHED})
        uri = await self.updated
        await self.client.unsubscribe_resource(WATCHED)
        return uri


async def main() -> None:
    """Connect, do everything, close."""
    command, *arguments = sys.argv[1:]
    transport: AbstractAsyncContextManager[Any] = (
        streamablehttp_client(command)
        if command.startswith("http")
        else stdio_client(StdioServerParameters(command=command, args=arguments))
    )
    async with transport as streams:
        session = Session(streams)
        async with session.client:
            print(json.dumps(await session.use()))


if __name__ == "__main__":
    asyncio.run(asyncio.wait_for(main(), PATIENCE))
