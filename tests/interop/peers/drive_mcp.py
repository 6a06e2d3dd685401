"""Drives the client of the official Python SDK: `drive_mcp.py MODE COMMAND…`; MODE is `auto`, `legacy` or a revision."""

import sys
from typing import Any

import anyio
import driving
from driving import Arguments, plain
from mcp import Client, StdioServerParameters


class McpDriver(driving.Driver):
    """The official client."""

    def __init__(self, mode: str, command: list[str]) -> None:
        super().__init__()
        server = StdioServerParameters(command=command[0], args=command[1:])
        self.client = Client(
            server,
            mode=mode,
            message_handler=self.hear,
            logging_callback=self.keep_log,
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
