"""Drives FastMCP's client: `drive_fastmcp.py MODE SERVER…`; MODE is `auto`, `legacy` or a revision.

Its methods that give the protocol's own results are used; `data` calls a tool the way FastMCP recommends.
"""

import sys
from typing import Any

import anyio
import driving
from driving import ROOT, SAID, Arguments, entered, plain
from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from pydantic_core import to_jsonable_python


class FastMcpDriver(driving.Driver):
    """FastMCP's client."""

    commands = (*driving.COMMANDS, "data")

    def __init__(self, mode: str, command: list[str]) -> None:
        super().__init__()
        # Without keep_alive=False the server would outlive `async with`, until `close` or the end of the program.
        transport = (
            StreamableHttpTransport(command[0])
            if command[0].startswith("http")
            else StdioTransport(command[0], command[1:], keep_alive=False)
        )
        self.client = Client(
            transport,
            mode=mode,
            message_handler=self.hear,
            log_handler=self.keep_log,
            elicitation_handler=self.enter,
            sampling_handler=self.say,
            roots=[ROOT],
            timeout=driving.PATIENCE,
        )
        self.lists = {
            "tools": self.client.list_tools_mcp,
            "resources": self.client.list_resources_mcp,
            "resourceTemplates": self.client.list_resource_templates_mcp,
            "prompts": self.client.list_prompts_mcp,
        }

    async def keep_log(self, message: Any) -> None:
        """Keep a log line."""
        self.log.append(plain(message))

    async def enter(self, _message: str, _type: Any, params: Any, _context: Any) -> Any:
        """Answer for a person."""
        return entered(params)

    async def say(self, *_asked: Any) -> Any:
        """Answer for a model."""
        return SAID

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
        return await self.client.call_tool_mcp(
            name, arguments or {}, how.get("progress"), how.get("seconds"), how.get("meta")
        )

    async def ask_resource(self, uri: str) -> Any:
        """Read a resource."""
        return await self.client.read_resource_mcp(uri)

    async def ask_prompt(self, name: str, arguments: Arguments | None) -> Any:
        """Fill in a prompt."""
        return await self.client.get_prompt_mcp(name, arguments)

    async def ask_completion(self, ref: Any, argument: dict[str, str], others: dict[str, str] | None) -> Any:
        """Complete an argument."""
        return await self.client.complete_mcp(ref, argument, others)

    async def data(self, name: str, arguments: Arguments) -> Any:
        """Call a tool and give the value that FastMCP makes of its structured content."""
        return to_jsonable_python((await self.client.call_tool(name, arguments)).data)


if __name__ == "__main__":
    anyio.run(FastMcpDriver(sys.argv[1], sys.argv[2:]).run)
