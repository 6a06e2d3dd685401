"""A server on FastMCP with one of everything a client can use."""

import asyncio
import json
import sys

from fastmcp import Context, FastMCP
from fastmcp.exceptions import NotFoundError, ToolError
from fastmcp.tools import ToolResult
from mcp_types import Completion, TextContent
from pantry import BLOCKS, CITIES, VALUES, Amount, Held, Part, completion

app = FastMCP(
    "pantry", version="1.2.3", instructions="Use it well.", list_page_size=100, mask_error_details=True
)


@app.tool
def add(a: int, b: int) -> int:
    """Add two whole numbers."""
    return a + b


@app.tool
async def part(number: int) -> Part:
    """Give a part."""
    return Part(number=number, name=f"part {number}")


@app.tool
def echo(text: str) -> str:
    """Give a text back."""
    return text


@app.tool(output_schema=None)
def value(kind: str) -> ToolResult:
    """Give structured content of a kind."""
    text = TextContent(type="text", text=json.dumps(VALUES[kind]))
    return ToolResult(content=[text], structured_content=VALUES[kind])


@app.tool
def blocks() -> ToolResult:
    """Give a content block of every kind."""
    return ToolResult(content=BLOCKS)


@app.tool
async def count(to: int, ctx: Context) -> int:
    """Count, with progress."""
    for number in range(1, to + 1):
        await ctx.report_progress(number, to, f"at {number}")
    return to


@app.tool
async def hold(ctx: Context) -> str:
    """Tell that it has begun, then wait until cancelled."""
    Held.begun += 1
    try:
        await ctx.report_progress(1, message="begun")
        await asyncio.Event().wait()
    finally:
        Held.ended += 1


@app.tool
def holds() -> list[int]:
    """Tell how many calls of `hold` have begun and how many have ended."""
    return [Held.begun, Held.ended]


@app.tool
def fail() -> str:
    """Fail in a way that the model may read."""
    raise ToolError("nothing to be done")


@app.tool
def crash() -> str:
    """Fail in a way that nobody may read."""
    raise RuntimeError("secret")


@app.tool
def chatter() -> str:
    """Print to stdout, as handlers do."""
    print("a word to nobody")
    return "printed"


@app.tool
async def stumble(ctx: Context) -> str:
    """Tell progress that does not go forward."""
    for step in (0, 0, 50, 20):
        await ctx.report_progress(step, 100)
    return "stumbled"


@app.tool
async def whisper(ctx: Context) -> str:
    """Log, whether it was asked for or not."""
    await ctx.info("a whisper")
    return "whispered"


@app.tool
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
        raise NotFoundError(f"no city {city}")
    return f"About {city}"


@app.prompt
def visit(city: str) -> str:
    """Plan a visit."""
    return f"Plan a visit to {city}."


@app.completion
def complete(ref: object, argument: object, context: object) -> Completion:
    """Complete the name of a city."""
    return completion(argument)


def one_of_many() -> str:
    """Be one of many tools."""
    return "one"


for number in range(150):
    app.tool(one_of_many, name=f"many_{number:03}")

if sys.argv[-1].isdigit():
    told = {"log_level": "warning", "access_log": False}
    app.run("http", show_banner=False, port=int(sys.argv[-1]), uvicorn_config=told)
else:
    app.run(show_banner=False)
