"""The tool `add` on Reading Room's kit: `add.py [--quick] [PORT]`.

Over stdio, or over HTTP on 127.0.0.1 when the last argument is a port; `--quick` runs the tool inline instead of in a
worker thread. The servers beside this file do the same on other kits.
"""

import sys

from readingroom import Server

app = Server("add", version="1.0.0")


@app.tool(read_only=True, quick="--quick" in sys.argv[1:])
def add(a: int, b: int) -> int:
    """Add two whole numbers."""
    return a + b


def serve_http(port: int) -> None:
    """Serve over HTTP with uvicorn. Ends the process with a message when this installation cannot."""
    if not hasattr(app, "asgi"):
        sys.exit("add.py: this version of Reading Room serves stdio only; leave the port out")
    import uvicorn

    uvicorn.run(app.asgi(), host="127.0.0.1", port=port, log_level="warning")


if sys.argv[-1].isdigit():
    serve_http(int(sys.argv[-1]))
else:
    app.run()
