"""The floor: read what there is, decode each line, add, encode, write. No protocol, and nothing is checked."""

import os

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
    rest = b""
    while chunk := os.read(0, 1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        answers = memoryview(b"".join([encode(answer(decode(line))) + b"\n" for line in lines]))
        while answers:
            answers = answers[os.write(1, answers) :]


main()
