"""A server on HTTP that tells how it is: `loaded_http.py PORT`. Connections may be silent for long."""

import asyncio
import gc
import os
import sys
import threading
from pathlib import Path

from readingroom import Limits, Server

PATIENT = Limits(
    connections=12_500, head_seconds=600, body_seconds=600, idle_seconds=600, stalled_seconds=600
)
app = Server("loaded", version="1", notices=("tools", "updates"), limits=PATIENT)


@app.tool(quick=True)
def vitals() -> dict[str, int]:
    """Tell how much memory it holds (KiB), and how many descriptors, tasks and threads there are."""
    gc.collect()
    status = Path("/proc/self/status").read_text("ascii")
    return {
        "memory": int(status.partition("VmRSS:")[2].split()[0]),
        "descriptors": len(os.listdir("/proc/self/fd")),  # noqa: PTH208  -- as cheap as can be
        "tasks": len(asyncio.all_tasks()),
        "threads": threading.active_count(),
    }


@app.tool(quick=True)
def change() -> int:
    """Tell all that listen that the tools have changed."""
    app.tools_changed()
    return 1


@app.tool
def add(a: int, b: int) -> int:
    """Add, in a worker."""
    return a + b


@app.tool
def much() -> str:
    """Give a large answer."""
    return "x" * 1_000_000


if __name__ == "__main__":
    raise SystemExit(app.serve_http("127.0.0.1", int(sys.argv[1])))
