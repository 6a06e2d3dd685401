"""A server whose every feature asks, and what it may ask for: for the rules of rounds and questions."""

from typing import Any

from readingroom import Context, CreateMessage, ElicitForm, ElicitUrl, ListRoots, Server

from .asking import accept
from .memory import MemoryServer

FORM = ElicitForm(
    "Sure?", {"type": "object", "properties": {"yes": {"type": "boolean"}}, "required": ["yes"]}
)
URL = ElicitUrl("Sign in", "https://example.org/in")
SAMPLE = CreateMessage(["Hi"], 10)
ASKS: dict[str, Any] = {"form": FORM, "url": URL, "sample": SAMPLE, "roots": ListRoots()}
ANSWERS: dict[str, Any] = {
    "form": accept(yes=True),
    "url": {"action": "accept"},
    "sample": {"role": "assistant", "content": {"type": "text", "text": "Hi"}, "model": "m"},
    "roots": {"roots": [{"uri": "file:///a"}]},
}


def asker(principal: str = "me", key: bytes = b"a key of 16 bytes") -> MemoryServer:
    """A server with a tool, a prompt and a resource that ask, and features that may not."""
    app = Server("asker", version="1", state_keys=(key,))

    @app.tool(name="ask", description="Ask.")
    @app.prompt(name="ask", description="Ask.")
    @app.resource("ask:///{what}", ttl_ms=60_000)
    def ask(what: str, ctx: Context) -> str:
        return f"{ctx.ask(answer=ASKS[what])['answer']}"

    @app.tool
    def plain() -> str:
        """Ask nothing."""
        return "plain"

    @app.completion("ask", "what")
    def complete(value: str, ctx: Context) -> list[str]:
        return list(ctx.ask(answer=FORM))

    return MemoryServer(app, principal=principal)
