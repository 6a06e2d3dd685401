"""A server on FastMCP with one of everything a client can use."""

import asyncio
import json

from fastmcp import Context, FastMCP
from fastmcp.exceptions import NotFoundError, ToolError
from fastmcp.tools import ToolResult
from mcp_types import (
    AudioContent,
    BlobResourceContents,
    Completion,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)
from pydantic import BaseModel

DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA="
CITIES = ("Berlin", "Bern", "Bremen", "Paris")
VALUES = {"null": None, "false": False, "zero": 0, "text": "", "list": [], "object": {"a": [1, None]}}

app = FastMCP(
    "pantry", version="1.2.3", instructions="Use it well.", list_page_size=100, mask_error_details=True
)
held = {"begun": 0, "ended": 0}


class Part(BaseModel):
    """A part."""

    number: int
    name: str
    note: str | None = None


class Amount(BaseModel):
    """What a user is asked for."""

    amount: int


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
    text = TextResourceContents(uri="x:///fixed", mime_type="text/plain", text="fixed")
    blob = BlobResourceContents(uri="x:///dot", mime_type="image/png", blob=DOT)
    return ToolResult(
        content=[
            TextContent(type="text", text="text"),
            ImageContent(type="image", data=DOT, mime_type="image/png"),
            AudioContent(type="audio", data=SILENCE, mime_type="audio/wav"),
            ResourceLink(type="resource_link", uri="x:///fixed", name="fixed"),
            EmbeddedResource(type="resource", resource=text),
            EmbeddedResource(type="resource", resource=blob),
        ]
    )


@app.tool
async def count(to: int, ctx: Context) -> int:
    """Count, with progress."""
    for number in range(1, to + 1):
        await ctx.report_progress(number, to, f"at {number}")
    return to


@app.tool
async def hold(ctx: Context) -> str:
    """Tell that it has begun, then wait until cancelled."""
    held["begun"] += 1
    try:
        await ctx.report_progress(1, message="begun")
        await asyncio.Event().wait()
    finally:
        held["ended"] += 1


@app.tool
def holds() -> list[int]:
    """Tell how many calls of `hold` have begun and how many have ended."""
    return [held["begun"], held["ended"]]


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
    everything = [*CITIES, *(f"Z{number}" for number in range(150))]
    found = [name for name in everything if name.startswith(argument.value)]
    return Completion(values=found, total=len(found), has_more=False)


def one_of_many() -> str:
    """Be one of many tools."""
    return "one"


for number in range(150):
    app.tool(one_of_many, name=f"many_{number:03}")

app.run(show_banner=False)
