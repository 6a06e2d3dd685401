"""A server for the tokens of an issuer: `authorized.py PORT ISSUER`. One of its tools needs more than the other."""

import sys

from readingroom import Context, OAuth, Server

port, issuer = int(sys.argv[1]), sys.argv[2]
app = Server("authorized", version="1")


@app.tool
def whoami(ctx: Context) -> str:
    """Tell whom the request speaks for."""
    return ctx.principal


@app.tool(scopes=("docs:read", "docs:propose"))
def propose() -> str:
    """Propose something."""
    return "proposed"


app.serve_http(
    "127.0.0.1",
    port,
    auth=OAuth(
        issuer,
        f"http://127.0.0.1:{port}/mcp",
        scopes=("docs:read", "docs:propose"),
        required=("docs:read",),
        takes_plain=True,
    ),
)
