"""A server on the kit over HTTP: `kit_http.py DRAIN_SECONDS`. stdout has the origin, then names of handlers that begin."""

import sys
import threading

from readingroom import Limits, Server

app = Server("srv", version="1", notices=("tools",), limits=Limits(drain_seconds=float(sys.argv[1])))
FOREVER = threading.Event()
SOON = threading.Event()


@app.tool
def soon() -> str:
    """End a moment after it was let."""
    print("soon", flush=True)
    SOON.wait()
    return "done"


@app.tool
def stuck() -> str:
    """Never end."""
    print("stuck", flush=True)
    FOREVER.wait()
    return "never"


@app.tool(quick=True)
def let() -> str:
    """Let `soon` end."""
    threading.Timer(0.5, SOON.set).start()
    return "let"


if __name__ == "__main__":
    sys.exit(app.serve_http("127.0.0.1", 0, started=lambda origin: print(origin, flush=True)))
