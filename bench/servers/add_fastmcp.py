"""The tool `add` on FastMCP, over stdio, or over HTTP when the last argument is a port."""

import sys

from fastmcp import FastMCP

app = FastMCP("add", version="1.0.0")


@app.tool
def add(a: int, b: int) -> int:
    """Add two whole numbers."""
    return a + b


if sys.argv[-1].isdigit():
    told = {"log_level": "warning", "access_log": False}
    app.run(
        "http",
        show_banner=False,
        port=int(sys.argv[-1]),
        stateless_http=True,
        json_response=True,
        uvicorn_config=told,
    )
else:
    app.run(show_banner=False)
