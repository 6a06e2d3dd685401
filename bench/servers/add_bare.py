"""The floor: read a line, decode it, add, encode, write. No protocol is checked; no server can be quicker in Python."""

import sys

import msgspec

DISCOVERED = {
    "resultType": "complete",
    "supportedVersions": ["2026-07-28"],
    "capabilities": {"tools": {}},
    "ttlMs": 0,
    "cacheScope": "public",
}


def answer(request: dict) -> dict:
    """The answer to `server/discover` or to a call of `add`."""
    if request["method"] == "server/discover":
        return {"jsonrpc": "2.0", "id": request["id"], "result": DISCOVERED}
    arguments = request["params"]["arguments"]
    total = arguments["a"] + arguments["b"]
    result = {
        "resultType": "complete",
        "content": [{"type": "text", "text": str(total)}],
        "structuredContent": {"result": total},
        "isError": False,
    }
    return {"jsonrpc": "2.0", "id": request["id"], "result": result}


def main() -> None:
    """Serve standard input until it ends."""
    decode, encode = msgspec.json.Decoder().decode, msgspec.json.Encoder().encode
    read, write, flush = sys.stdin.buffer.readline, sys.stdout.buffer.write, sys.stdout.buffer.flush
    while line := read():
        write(encode(answer(decode(line))) + b"\n")
        flush()


main()
