"""A server with a feature of every kind."""

import asyncio
import json
from typing import Annotated, Any

import msgspec

from readingroom import (
    CallResult,
    Completion,
    Context,
    PromptMessage,
    ResourceContents,
    Server,
    TextContent,
    ToolError,
)
from readingroom.server import Cancelled

app = Server(
    "srv",
    version="1",
    instructions="Ask.",
    logging=True,
    notices=("tools", "prompts", "resources", "updates"),
)


class Point(msgspec.Struct):
    """A place."""

    x: int
    y: int = 0


@app.tool(aliases=("plus",), read_only=True)
def add(a: int, b: int = 1) -> int:
    """Add."""
    return a + b


@app.tool(quick=True)
def keyword(*, a: int, ctx: Context) -> str:
    """Take a keyword and the context."""
    return f"{a} {ctx.principal}"


@app.tool
async def later(a: int) -> Point:
    """Answer later."""
    await asyncio.sleep(0)
    return Point(a)


@app.tool
def only_keyword(*, a: int) -> int:
    """Take a keyword."""
    return a


@app.tool
def words() -> str:
    """Give words."""
    return "читать"


@app.tool
def blocks() -> list[TextContent]:
    """Give blocks."""
    return [TextContent("a"), TextContent("b")]


@app.tool(structured=False)
def loose() -> dict[str, int]:
    """Give a value without a schema."""
    return {"a": 1}


@app.tool
def own() -> Annotated[CallResult, Point]:
    """Make the result itself."""
    return CallResult((TextContent("here"),), structured={"x": 1}, meta={"org.example/a": 1})


@app.tool
def untyped():  # type: ignore[no-untyped-def]  # that it has no hint is what is tested
    """Give a result without a hint."""
    return CallResult((), is_error=True)


@app.tool(
    input_schema={"type": "object", "required": ["n"]},
    output_schema={"type": "object", "required": ["m"]},
)
def given(value: dict[str, Any], ctx: Context) -> dict[str, Any]:
    """Take and give by schemas."""
    return {"m": value["n"], "who": ctx.principal}


@app.tool(input_schema={"type": "object"})
def given_alone(value: dict[str, Any]) -> str:
    """Take by a schema."""
    return json.dumps(value)


@app.tool(requires={"elicitation": {"form": {}}, "sampling": {}})
def asks() -> str:
    """Need something of the client."""
    return "asked"


@app.tool
def gives_up() -> str:
    """End as if cancelled."""
    raise Cancelled


@app.tool
def tells(ctx: Context) -> str:
    """Tell of progress and write log lines."""
    ctx.progress(1, 2)
    ctx.log("info", "half")
    return "done"


@app.resource("a:///fixed", ttl_ms=1000, mime_type="text/markdown", title="Fixed")
def fixed() -> str:
    """A fixed text."""
    return "fixed"


@app.resource("a:///{+path}")
def everything(path: str, ctx: Context) -> Any:
    """Everything there is."""
    if path == "fails":
        raise ToolError("it failed")
    return {"none": None, "bytes": b"hi", "odd": 7}.get(
        path, ResourceContents(f"a:///{path}", text=ctx.principal)
    )


@app.resource("b:///{x}")
async def eventually(x: str) -> str:
    """A text in time."""
    await asyncio.sleep(0)
    return x


@app.prompt(title="Review")
def review(topic: str, tone: str | None = None) -> list[PromptMessage]:
    """Review a topic."""
    return [PromptMessage("user", TextContent(f"{topic} {tone}"))]


@app.completion("review", "topic")
def topics(value: str, arguments: dict[str, str]) -> list[str]:
    """Complete a topic."""
    return [value + "s", *arguments.values()]


@app.completion("a:///{+path}", "path")
async def paths(value: str) -> Completion:
    """Complete a path."""
    return Completion((value,), total=7)


@app.completion("a:///fixed", "x")
def who(value: str, ctx: Context) -> list[str]:
    """Complete with who asks."""
    return [value, ctx.principal]
