"""A server that asks, tells and completes: `desk_of_all.py` on stdio, or `desk_of_all.py --http PORT`."""

import sys

from readingroom import Context, ElicitForm, PromptMessage, Server, TextContent, ToolError

app = Server("desk\x1b[2J", version="1", notices=("tools", "resources", "updates"))
WHO = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "guests": {"type": "integer", "default": 2}},
    "required": ["name"],
}


@app.tool
def greet(ctx: Context) -> str:
    """Ask who is there."""
    answer = ctx.ask(who=ElicitForm("Who\x1b is there?", WHO))["who"]
    if answer.content is None:
        raise ToolError("Nobody.")
    return f"Hello, {answer.content['name']} and {answer.content['guests']}\x1b[31m"


@app.tool(quick=True)
def change() -> str:
    """Change everything."""
    app.resources_changed()
    app.resource_updated("d:///a")
    return "changed"


@app.resource("d:///{+path}")
def text(path: str) -> str | bytes | None:
    """A text."""
    return {"a": "one\u202etwo", "b": b"\x00\xff"}.get(path)


@app.prompt
def review(topic: str, tone: str | None = None) -> list[PromptMessage]:
    """Review a topic."""
    return [
        PromptMessage("user", TextContent(f"{topic} {tone}")),
        PromptMessage("assistant", TextContent("yes\x1b")),
    ]


@app.completion("review", "topic")
def topics(value: str, arguments: dict[str, str]) -> list[str]:
    """Complete a topic."""
    return [value + "s\x1b", *arguments.values()] if value else []


@app.completion("d:///{+path}", "path")
def paths(value: str) -> list[str]:
    """Complete a path; far too many."""
    return [f"{value}{number}" for number in range(150)]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--http"]:
        sys.exit(app.serve_http("127.0.0.1", int(sys.argv[2])))
    app.run()
