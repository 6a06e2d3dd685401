"""One of several equal workers: `replica.py PORT TASKS` shares its keys and its tasks with the others."""

import os
import sys

from readingroom import Context, ElicitForm, Limits, Page, Resource, Server, SqliteTasks

KEY = b"the key of all replicas of this test"
NAME = {"type": "object", "properties": {"value": {"type": "string"}}, "required": ["value"]}
MANY = [f"r:///{number:03}" for number in range(25)]

app = Server(
    "replica",
    version="1",
    cursor_key=KEY,
    state_keys=(KEY,),
    tasks=SqliteTasks(sys.argv[2]),
    limits=Limits(page_items=10),
)


@app.tool(quick=True)
def worker() -> int:
    """Tell which process answers."""
    return os.getpid()


@app.tool
def journey(ctx: Context) -> str:
    """Ask twice, each in a round of its own."""
    start = ctx.ask(start=ElicitForm("From?", NAME))["start"]
    goal = ctx.ask(goal=ElicitForm("To?", NAME))["goal"]
    assert start.content is not None
    assert goal.content is not None
    return f"{start.content['value']} to {goal.content['value']}"


@app.tool(task="required")
async def errand(ctx: Context) -> str:
    """Run an errand as a task, and ask on the way."""
    await ctx.detach()
    answers = await ctx.ask(what=ElicitForm("What?", NAME))
    content = answers["what"].content
    assert content is not None
    return f"{content['value']} by {os.getpid()}"


@app.tool(task="required")
def watch(ctx: Context) -> str:
    """Go on until cancelled."""
    ctx.detach()
    ctx.ask(never=ElicitForm("Wait?", NAME))
    return "not cancelled"


@app.resource_list
def listed(after: str | None, limit: int) -> Page:
    """List resources page by page."""
    rest = [uri for uri in MANY if after is None or uri > after]
    page = rest[:limit]
    return Page(tuple(Resource(uri, uri) for uri in page), page[-1] if len(rest) > limit else None)


@app.resource("r:///{x}")
def resource(x: str) -> str:
    """Give a text."""
    return x


if __name__ == "__main__":
    raise SystemExit(app.serve_http("127.0.0.1", int(sys.argv[1]), allowed_hosts=("localhost",)))
