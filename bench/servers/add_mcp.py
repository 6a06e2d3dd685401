"""The tool `add` on the official Python SDK, its high-level server: over stdio, or over HTTP when a port comes last."""

import sys

from mcp.server import MCPServer

app = MCPServer("add", version="1.0.0")


@app.tool()
def add(a: int, b: int) -> int:
    """Add two whole numbers."""
    return a + b


if sys.argv[-1].isdigit():
    app.run("streamable-http", port=int(sys.argv[-1]), json_response=True, stateless_http=True)
else:
    app.run()
