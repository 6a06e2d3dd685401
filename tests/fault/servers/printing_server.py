"""A kit server that prints while it is imported, before it serves."""

import os
import sys

from readingroom import Server

print("printed at import")
sys.stdout.write("written at import, without a line end")
app = Server("printing", version="1.0.0")


@app.tool
def add(a: int, b: int) -> int:
    """Add."""
    print("printed in a handler")
    os.system("echo said by a shell")  # noqa: S605, S607  -- that it does not reach the protocol is tested
    return a + b


app.run()
