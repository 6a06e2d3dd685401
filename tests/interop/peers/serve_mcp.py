"""A server on the official Python SDK, its high-level server: one of everything a client can use.

Over stdio, or over HTTP when the last argument is a port.
"""

import json
import sys

import anyio
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp_types import CallToolResult, Completion, TextContent
from pantry import BLOCKS, CITIES, VALUES, Amount, Held, Part, completion

app = MCPServer("pantry", version="1.2.3", instructions="Use it well.")


@app.tool()
def add(a: int, b: int) -> int:
    """Add two whole numbers."""
    return a + b


@app.tool()
async def part(number: int) -> Part:
    """Give a part."""
    return Part(number=number, name=f"part {number}")


@app.tool()
def echo(text: str) -> str:
    """Give a text back."""
    return text


@app.tool()
def value(kind: str) -> CallToolResult:
    """Give structured content of a kind."""
    text = TextContent(type="text", text=json.dumps(VALUES[kind]))
    return CallToolResult(content=[text], structured_content=VALUES[kind])


@app.tool()
def blocks() -> CallToolResult:
    """Give a content block of every kind."""
    return CallToolResult(content=BLOCKS)


@app.tool()
async def count(to: int, ctx: Context) -> int:
    """Count, with progress."""
    for number in range(1, to + 1):
        await ctx.report_progress(number, to, f"at {number}")
    return to


@app.tool()
async def hold(ctx: Context) -> str:
    """Tell that it has begun, then wait until cancelled."""
    Held.begun += 1
    try:
        await ctx.report_progress(1, message="begun")
        await anyio.sleep_forever()
    finally:
        Held.ended += 1


@app.tool()
def holds() -> list[int]:
    """Tell how many calls of `hold` have begun and how many have ended."""
    return [Held.begun, Held.ended]


@app.tool()
def fail() -> str:
    """Fail in a way that the model may read."""
    raise ToolError("nothing to be done")


@app.tool()
def crash() -> str:
    """Fail in a way that nobody may read."""
    raise RuntimeError("secret")


@app.tool()
def chatter() -> str:
    """Print to stdout, as handlers do."""
    print("a word to nobody")
    return "printed"


@app.tool()
async def stumble(ctx: Context) -> str:
    """Tell progress that does not go forward."""
    for step in (0, 0, 50, 20):
        await ctx.report_progress(step, 100)
    return "stumbled"


@app.tool()
async def whisper(ctx: Context) -> str:
    """Log, whether it was asked for or not."""
    await ctx.info("a whisper")
    return "whispered"


@app.tool()
async def ask(ctx: Context) -> str:
    """Ask the user, whether the client can or not."""
    answer = await ctx.elicit("How many?", Amount)
    return answer.action


@app.resource("x:///fixed", name="fixed", mime_type="text/plain")
def fixed() -> str:
    """A fixed text."""
    return "fixed"


@app.resource("x:///blob", name="blob", mime_type="application/octet-stream")
def blob() -> bytes:
    """Some bytes."""
    return b"\x00\xff"


@app.resource("x:///city/{city}", name="city", mime_type="text/plain")
def city(city: str) -> str:
    """A city."""
    if city not in CITIES:
        raise ResourceNotFoundError(f"no city {city}")
    return f"About {city}"


@app.prompt()
def visit(city: str) -> str:
    """Plan a visit."""
    return f"Plan a visit to {city}."


@app.completion()
async def complete(ref: object, argument: object, context: object) -> Completion:
    """Complete the name of a city."""
    return completion(argument)


def one_of_many() -> str:
    """Be one of many tools."""
    return "one"


for number in range(150):
    app.tool(name=f"many_{number:03}")(one_of_many)

if sys.argv[-1].isdigit():
    app.run("streamable-http", port=int(sys.argv[-1]))
else:
    app.run()
