"""A server that tells of changes; with `eager`, of every resource as soon as somebody listens to it."""

import gc
import json
import sys
import threading
import time
from pathlib import Path

from readingroom import Limits, Server

app = Server(
    "noticing", notices=("tools", "prompts", "resources", "updates"), limits=Limits(requests_in_flight=64)
)
watched: list[str] = []
done: list[int] = []


@app.on_watch
def watch(uri: str, is_watched: bool) -> None:
    """Remember who listens."""
    if is_watched:
        watched.append(uri)
        if "eager" in sys.argv:
            app.resource_updated(uri)
            time.sleep(
                0.003
            )  # so that whoever was woken by it runs before the subscription has been acknowledged
    else:
        watched.remove(uri)


@app.tool
def change(times: int, uri: str = "a:///1") -> int:
    """Tell of changes, many times."""
    for _ in range(times):
        app.tools_changed()
        app.resource_updated(uri)
    done.append(times)
    return times


@app.tool
def change_at_once(threads: int, times: int) -> int:
    """Tell of changes, many times, on many threads."""
    running = [threading.Thread(target=change, args=(times,)) for _ in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return threads * times


@app.tool
def state() -> dict[str, int]:
    """Say what there is: subscriptions, what is watched, memory in KiB, threads, objects."""
    gc.collect()
    hub = app._notices.hub if app._notices else None
    status = Path("/proc/self/status").read_text("ascii").splitlines()
    memory = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    return {
        "open": hub.count if hub else -1,
        "topics": len(hub._listeners) if hub else -1,
        "watched": len(watched),
        "memory": memory,
        "threads": threading.active_count(),
        "objects": len(gc.get_objects()),
    }


@app.tool
def tell_state_after(changes: int) -> str:
    """Tell the state on stderr once so many calls of `change` have come to their end."""
    while len(done) < changes:
        time.sleep(0.01)
    sys.stderr.write(json.dumps(state()) + "\n")
    sys.stderr.flush()
    return "told"


@app.tool
def close() -> str:
    """End all subscriptions."""
    app.close_subscriptions()
    return "closed"


if sys.argv[-1].isdigit():
    app.serve_http(port=int(sys.argv[-1]))
else:
    app.run()
