"""A server on an older release of the official Python SDK, over HTTP at the port that comes last."""

import sys

from mcp.server.fastmcp import Context, FastMCP

app = FastMCP("older", port=int(sys.argv[-1]))


@app.tool()
def add(a: int, b: int) -> int:
    """Add two whole numbers."""
    return a + b


@app.tool()
async def count(to: int, ctx: Context) -> int:
    """Count, with progress."""
    for number in range(1, to + 1):
        await ctx.report_progress(number, to)
    return to


app.run("streamable-http")
