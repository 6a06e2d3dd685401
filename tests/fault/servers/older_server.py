"""A kit server for clients of the older era: `older_server.py [--requests N] [--modern]`. It serves until stdin ends."""

import asyncio
import sys
import threading

from readingroom import Context, ElicitForm, Limits, Server

options = dict(zip(sys.argv[1::2], sys.argv[2::2], strict=False))
limits = Limits(requests_in_flight=int(options.get("--requests", "1024")), workers=2)
app = Server("older", version="1", limits=limits, notices=("tools",), logging=True)
gates: dict[str, threading.Event] = {}
FORM = {"type": "object", "properties": {"yes": {"type": "boolean"}}}


def gate(name: str) -> threading.Event:
    """The gate of that name."""
    return gates.setdefault(name, threading.Event())


@app.tool
def add(a: int, b: int) -> int:
    """Add, in a worker."""
    return a + b


@app.tool(quick=True)
def add_quick(a: int, b: int) -> int:
    """Add, inline."""
    return a + b


@app.tool
async def add_async(a: int, b: int) -> int:
    """Add, as a coroutine."""
    await asyncio.sleep(0)
    return a + b


@app.tool
def hold(name: str, ctx: Context) -> str:
    """Wait at a gate, or for cancellation."""
    ctx.progress(1)
    while not gate(name).wait(0.005):
        ctx.check()
    return "let go"


@app.tool
async def hold_async(ctx: Context) -> str:
    """Wait for ever."""
    ctx.progress(1)
    await asyncio.Event().wait()
    return "never"


@app.tool(quick=True)
def let_go(name: str) -> bool:
    """Open a gate."""
    gate(name).set()
    return True


@app.tool
def book(ctx: Context) -> str:
    """Ask the client."""
    return ctx.ask(ok=ElicitForm("Book it?", FORM))["ok"].action


@app.tool
def big(size: int) -> str:
    """Give a long text."""
    return "x" * size


@app.tool
def change() -> str:
    """Say that the tools have changed."""
    app.tools_changed()
    return "said"


app.run(older_era="--modern" not in sys.argv)
