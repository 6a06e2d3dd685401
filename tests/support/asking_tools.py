"""Tools that ask, for tests of rounds."""

from typing import Any

from readingroom import Context, ElicitForm, Server

from .asking import AskedCall
from .memory import MemoryServer


def form(message: str, **types: str) -> ElicitForm:
    """A form whose fields are all required."""
    properties = {name: {"type": kind} for name, kind in types.items()}
    return ElicitForm(message, {"type": "object", "properties": properties, "required": list(types)})


def server_of(*handlers: Any, principal: str = "me", **options: Any) -> MemoryServer:
    """A server with these tools."""
    app = Server("asker", version="1", **options)
    for handler in handlers:
        app.tool(description="asks")(handler)
    return MemoryServer(app, principal=principal)


def text_of(call: AskedCall) -> str:
    """What the call gave in the end."""
    assert call.result.get("resultType") == "complete", (call.result, call.error)
    text: str = call.result["content"][0]["text"]
    return text


def book(city: str, ctx: Context) -> str:
    """Ask once."""
    answer = ctx.ask(ok=form(f"Book {city}?", yes="boolean"))["ok"]
    return f"{answer.action} {answer.content}"
