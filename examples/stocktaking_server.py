"""A stocktaking that takes its time: a task, where the client takes tasks. `python examples/stocktaking_server.py [FILE]`

Tasks are kept in FILE, which several processes may share; without it in memory, as long as the server runs.
"""

import sys
import time

from readingroom import Context, ElicitForm, MemoryTasks, Server, SqliteTasks

app = Server(
    "stocktaking",
    version="1.0.0",
    tasks=SqliteTasks(sys.argv[1]) if len(sys.argv) > 1 else MemoryTasks(),
)

SHELVES = {"rivers": 40, "bridges": 25, "mills": 31}
UNSURE = "bridges"
NUMBER = {"type": "object", "properties": {"books": {"type": "integer", "minimum": 0}}, "required": ["books"]}


@app.tool(task="optional", read_only=True, open_world=False)
def take_stock(ctx: Context, seconds_for_each: float = 1.0) -> dict[str, int]:
    """Count the books on every shelf, and ask about the one that cannot be counted."""
    is_task = ctx.detach()
    counted = {}
    for shelf, books in SHELVES.items():
        wait(seconds_for_each, ctx)
        counted[shelf] = books
        if shelf == UNSURE and is_task:
            answer = ctx.ask(recount=ElicitForm(f"How many books stand on the shelf {shelf!r}?", NUMBER))[
                "recount"
            ]
            counted[shelf] = answer.content["books"] if answer.content else books
    return counted


def wait(seconds: float, ctx: Context) -> None:
    """Count, which takes that long; end at once when nobody wants to know any more."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        ctx.check()
        time.sleep(0.01)


if __name__ == "__main__":
    app.run()
