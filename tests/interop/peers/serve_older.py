"""A server on the official Python SDK 1.x: `serve_older.py`, on stdio, in the revision of its release.

Runs in a peer's environment: imports nothing of Reading Room.
"""

import asyncio
from typing import Any

from mcp.server.fastmcp import Context, FastMCP
from mcp.types import SamplingMessage, TextContent

app = FastMCP("larder", instructions="Ask.")


@app.tool()
def add(a: int, b: int) -> int:
    """Add."""
    return a + b


@app.tool()
async def count(to: int, ctx: Context) -> int:  # type: ignore[type-arg]  # its parameters differ among the releases
    """Count, and say how far."""
    for number in range(1, to + 1):
        await ctx.report_progress(number, to)
    return to


@app.tool()
async def hold() -> str:
    """Wait for ever."""
    await asyncio.Event().wait()
    return "never"


@app.tool()
def fail() -> str:
    """Fail."""
    raise ValueError("nothing to be done")


@app.tool()
async def ask_model(ctx: Context) -> str:  # type: ignore[type-arg]  # the same
    """Ask the model of the client."""
    message = SamplingMessage(role="user", content=TextContent(type="text", text="Say hello"))
    found: Any = await ctx.session.create_message([message], max_tokens=10)
    return str(found.content.text)


@app.tool()
async def ask_roots(ctx: Context) -> str:  # type: ignore[type-arg]  # the same
    """Ask for the roots of the client."""
    return " ".join(str(root.uri) for root in (await ctx.session.list_roots()).roots)


@app.tool()
async def ask_form(ctx: Context) -> str:  # type: ignore[type-arg]  # the same
    """Ask for a form; releases before 1.10 cannot."""
    schema = {"type": "object", "properties": {"amount": {"type": "integer"}}, "required": ["amount"]}
    found: Any = await ctx.session.elicit("How many?", schema)
    return f"{found.action} {found.content}"


@app.tool()
async def change(ctx: Context) -> str:  # type: ignore[type-arg]  # the same
    """Say that the tools have changed."""
    await ctx.session.send_tool_list_changed()
    return "said"


@app.resource("x:///fixed")
def fixed() -> str:
    """Give a text."""
    return "fixed"


@app.resource("x:///city/{city}")
def city(city: str) -> str:
    """Tell of a city."""
    return f"About {city}"


@app.prompt()
def visit(city: str) -> str:
    """Plan a visit."""
    return f"Plan a visit to {city}."


app.run()
