"""A server whose tools become tasks: `tasks_server.py STORE [--lost S] [--workers N] [--requests N]`.

STORE is a file, or "memory". What handlers give are the times at which they learned what they waited for.
"""

import asyncio
import sys
import time

from readingroom import Context, ElicitForm, Limits, MemoryTasks, Server, SqliteTasks

store, options = sys.argv[1], dict(zip(sys.argv[2::2], sys.argv[3::2], strict=True))
limits = Limits(
    task_lost_seconds=float(options.get("--lost", "10")),
    workers=int(options.get("--workers", "32")),
    requests_in_flight=int(options.get("--requests", "1024")),
)
app = Server("tasks", limits=limits, tasks=MemoryTasks() if store == "memory" else SqliteTasks(store))
NAME = ElicitForm("Name?", {"type": "object", "properties": {"name": {"type": "string"}}})


@app.tool(task="optional")
def plain(what: str, ctx: Context) -> float:
    """Wait for an answer, or to be cancelled."""
    ctx.detach()
    if what == "ask":
        ctx.ask(name=NAME)
        return time.time()
    while not ctx.cancelled:
        time.sleep(0.001)
    return time.time()


@app.tool(task="optional")
async def coroutine(what: str, ctx: Context) -> float:
    """Wait for an answer, or to be cancelled."""
    await ctx.detach()
    if what == "ask":
        await ctx.ask(name=NAME)
        return time.time()
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        return time.time()
    return 0.0


@app.tool
def add(a: int, b: int) -> int:
    """Add."""
    return a + b


if __name__ == "__main__":
    app.run()
