"""A small server that keeps the protocol, written without the kit: what the misbehaving ones are held against."""

import json
import sys


def result(method, params):
    """Give the result of a request."""
    hints = {"ttlMs": 0, "cacheScope": "private"}
    if method == "server/discover":
        return {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, **hints}
    if method == "tools/list":
        return {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}], **hints}
    text = json.dumps(params.get("arguments"))
    return {"content": [{"type": "text", "text": text}], "structuredContent": params.get("arguments")}


def serve():
    """Answer one line at a time until the end of the input."""
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            body = {"resultType": "complete", **result(message["method"], message["params"])}
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": body}), flush=True)


if __name__ == "__main__":
    serve()
