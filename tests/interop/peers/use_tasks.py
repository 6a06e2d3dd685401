"""Has the conformance fixture's tasks done by FastMCP's client of the tasks extension: `use_tasks.py SERVER…`; prints JSON.

The server is a command, or an address that begins with `http`. Each call gives `[is it a failure, its texts]`, or
`{"code"}` when it ended with an error. Runs in a peer's environment: imports nothing of Reading Room.
"""

import asyncio
import json
import sys
from typing import Any

from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from fastmcp_tasks import call_tool_task
from mcp import MCPError

PATIENCE = 40
CALLS: dict[str, dict[str, Any]] = {
    "greet": {"name": "Ada"},
    "slow_compute": {"seconds": 0.3, "label": "sums"},
    "confirm_delete": {"filename": "f"},
    "multi_input": {},
    "test_tool_with_task": {},
    "failing_job": {},
    "protocol_error_job": {},
}


async def enter(_message: str, _type: Any, params: Any, _context: Any) -> Any:
    """Fill in a form by the types of its fields."""
    fields = params.requested_schema["properties"]
    return {name: True if field["type"] == "boolean" else "Ada" for name, field in fields.items()}


async def called(client: Any, name: str) -> Any:
    """Call a tool as any other; whether it becomes a task is not for the caller to know."""
    try:
        result = await client.call_tool_mcp(name, CALLS[name])
    except MCPError as error:
        return {"code": error.error.code}
    return [result.is_error, [block.text for block in result.content]]


async def cancelled(client: Any) -> Any:
    """Give the states of a task before and after it is cancelled."""
    try:
        task = await call_tool_task(client, "slow_compute", {"seconds": 60, "label": "sums"})
        before = (await task.status()).status
        await task.cancel()
        return [before, (await task.wait()).status]
    except MCPError as error:
        return {"code": error.error.code}


async def main() -> None:
    """Connect, do everything, close."""
    command, *arguments = sys.argv[1:]
    transport = (
        StreamableHttpTransport(command)
        if command.startswith("http")
        else StdioTransport(command, arguments, keep_alive=False)
    )
    async with Client(transport, elicitation_handler=enter, timeout=PATIENCE) as client:
        found = {name: await called(client, name) for name in CALLS}
        found["cancelled"] = await cancelled(client)
    print(json.dumps(found))


if __name__ == "__main__":
    asyncio.run(asyncio.wait_for(main(), PATIENCE))
