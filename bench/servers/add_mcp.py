"""The tool `add` on the official Python SDK, its high-level server, over stdio."""

from mcp.server import MCPServer

app = MCPServer("add", version="1.0.0")


@app.tool()
def add(a: int, b: int) -> int:
    """Add two whole numbers."""
    return a + b


app.run()
