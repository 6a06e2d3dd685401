"""The tool `add` on FastMCP, over stdio."""

from fastmcp import FastMCP

app = FastMCP("add", version="1.0.0")


@app.tool
def add(a: int, b: int) -> int:
    """Add two whole numbers."""
    return a + b


app.run(show_banner=False)
