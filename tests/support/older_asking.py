"""A server whose features ask, for clients of the older era."""

from typing import Any

from readingroom import Context, CreateMessage, ElicitForm, ElicitUrl, ListRoots, Server, ToolError

FORM = {"type": "object", "properties": {"yes": {"type": "boolean"}}, "required": ["yes"]}
ALL: dict[str, Any] = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}
asking = Server("asking", version="1", notices=("tools", "prompts", "resources", "updates"), logging=True)


@asking.tool
def book(city: str, ctx: Context) -> str:
    """Ask once."""
    ok = ctx.ask(ok=ElicitForm(f"Book {city}?", FORM))["ok"]
    return f"{city} {ok.action} {ok.content}"


@asking.tool
async def twice(ctx: Context) -> str:
    """Ask twice, in a coroutine."""
    first = (await ctx.ask(first=ElicitForm("One?", FORM)))["first"]
    roots = (await ctx.ask(roots=ListRoots()))["roots"]
    return f"{first.content['yes']} {[root.uri for root in roots.roots]}"


@asking.tool(quick=True)
def several(ctx: Context) -> str:
    """Ask several things at once."""
    answers = ctx.ask(
        open=ElicitUrl("Log in", "https://example.com/x"), said=CreateMessage(["Hi"], max_tokens=10)
    )
    return f"{answers['open'].action} {answers['said'].text}"


@asking.prompt
def greet(ctx: Context) -> str:
    """Ask in a prompt."""
    return str(ctx.ask(ok=ElicitForm("Greet?", FORM))["ok"].action)


@asking.resource("a:///x")
def text(ctx: Context) -> str:
    """Ask in a resource."""
    return str(ctx.ask(ok=ElicitForm("Read?", FORM))["ok"].action)


@asking.tool
def fails() -> str:
    """Fail."""
    raise ToolError("it failed")


@asking.tool
def tells(ctx: Context) -> str:
    """Tell of progress and log."""
    ctx.progress(1, 2, "half")
    ctx.log("debug", "fine")
    ctx.log("info", "good")
    return "done"
