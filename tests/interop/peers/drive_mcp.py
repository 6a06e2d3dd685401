"""Drives the client of the official Python SDK: `drive_mcp.py MODE SERVER…`; MODE is `auto`, `legacy` or a revision."""

import sys
from typing import Any

import anyio
import driving
from driving import ROOT, SAID, Arguments, entered, plain
from mcp import Client, StdioServerParameters
from mcp_types import ListRootsResult


class McpDriver(driving.Driver):
    """The official client."""

    commands = (*driving.COMMANDS, "changed")

    def __init__(self, mode: str, command: list[str]) -> None:
        super().__init__()
        is_address = command[0].startswith("http")
        server = command[0] if is_address else StdioServerParameters(command=command[0], args=command[1:])
        self.client = Client(
            server,
            mode=mode,
            message_handler=self.hear,
            logging_callback=self.keep_log,
            elicitation_callback=self.enter,
            sampling_callback=self.say,
            list_roots_callback=self.tell_roots,
            read_timeout_seconds=driving.PATIENCE,
        )
        self.lists = {
            "tools": self.client.list_tools,
            "resources": self.client.list_resources,
            "resourceTemplates": self.client.list_resource_templates,
            "prompts": self.client.list_prompts,
        }

    async def keep_log(self, params: Any) -> None:
        """Keep a log line."""
        self.log.append(plain(params))

    async def enter(self, _context: Any, params: Any) -> Any:
        """Answer for a person."""
        return entered(params)

    async def say(self, _context: Any, _params: Any) -> Any:
        """Answer for a model."""
        return SAID

    async def tell_roots(self, _context: Any) -> Any:
        """Tell the roots."""
        return ListRootsResult(roots=[ROOT])

    async def changed(self, name: str, arguments: Arguments, uri: str) -> Any:
        """Watch a resource and the list of tools, call a tool, and give the first thing that is told then."""
        if self.client.protocol_version < "2026":
            await self.client.subscribe_resource(uri)
            await self.ask_tool(name, arguments)
            with anyio.fail_after(driving.PATIENCE):
                while (told := await self.notices.get())["method"] != "notifications/resources/updated":
                    pass
            await self.client.unsubscribe_resource(uri)
            return told
        async with self.client.listen(tools_list_changed=True, resource_subscriptions=[uri]) as subscription:
            await self.ask_tool(name, arguments)
            with anyio.fail_after(driving.PATIENCE):
                event = await anext(aiter(subscription))
            return {
                "honored": plain(subscription.honored),
                "event": type(event).__name__,
                "uri": getattr(event, "uri", None),
            }

    async def info(self) -> Any:
        """Tell what was agreed at the start."""
        client = self.client
        return {
            "version": client.protocol_version,
            "server": plain(client.server_info),
            "capabilities": plain(client.server_capabilities),
            "instructions": client.instructions,
        }

    async def ask_tool(self, name: str, arguments: Arguments | None, **how: Any) -> Any:
        """Call a tool."""
        return await self.client.call_tool(
            name, arguments, how.get("seconds"), how.get("progress"), meta=how.get("meta")
        )

    async def ask_resource(self, uri: str) -> Any:
        """Read a resource."""
        return await self.client.read_resource(uri)

    async def ask_prompt(self, name: str, arguments: Arguments | None) -> Any:
        """Fill in a prompt."""
        return await self.client.get_prompt(name, arguments)

    async def ask_completion(self, ref: Any, argument: dict[str, str], others: dict[str, str] | None) -> Any:
        """Complete an argument."""
        return await self.client.complete(ref, argument, others)


if __name__ == "__main__":
    anyio.run(McpDriver(sys.argv[1], sys.argv[2:]).run)
