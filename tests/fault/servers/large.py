"""A server with large answers: the tools `text` and `items` give about as many bytes as they are asked for."""

import json
import sys

from breaking import answer

PIECE = b"x" * 1_000_000


def write_text(request_id, size):
    """Write a text in pieces, so that this process stays small."""
    out = sys.stdout.buffer
    out.write(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"' % request_id)
    for _ in range(size // len(PIECE)):
        out.write(PIECE)
    out.write(PIECE[: size % len(PIECE)] + b'"}]}}\n')
    out.flush()


def write_items(request_id, size):
    """Write many small objects."""
    items = [{"n": number} for number in range(size // 12)]
    result = {"content": [], "structuredContent": items}
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": request_id, "result": result}) + "\n")
    sys.stdout.flush()


def serve():
    """Answer one line at a time until the end of the input."""
    for text in sys.stdin:
        message = json.loads(text)
        params = message["params"]
        if message["method"] == "tools/call":
            write = {"text": write_text, "items": write_items}[params["name"]]
            write(message["id"], params["arguments"]["bytes"])
        else:
            sys.stdout.buffer.write(answer(message))
            sys.stdout.flush()


serve()
