"""A bare loop whose tool `text(mib)` answers with a text of that many MiB, made beforehand: the cost is the client's."""

import json
import os

DISCOVERED = {
    "resultType": "complete",
    "supportedVersions": ["2026-07-28"],
    "capabilities": {"tools": {}},
    "ttlMs": 0,
    "cacheScope": "public",
}
TEXTS = {size: b"w" * (size << 20) for size in (8, 32)}
REST = b'"}],"isError":false}}\n'


def answer(request: dict) -> list[bytes]:
    """The answer to `server/discover` or to a call, in pieces."""
    if request["method"] == "server/discover":
        return [json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": DISCOVERED}).encode() + b"\n"]
    head = f'{{"jsonrpc":"2.0","id":{request["id"]},"result":{{"resultType":"complete","content":[{{"type":"text","text":"'
    return [head.encode(), TEXTS[request["params"]["arguments"]["mib"]], REST]


def main() -> None:
    """Serve standard input until it ends."""
    rest = b""
    while chunk := os.read(0, 1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            message = json.loads(line)
            for piece in answer(message) if "id" in message else ():
                left = memoryview(piece)
                while left:
                    left = left[os.write(1, left) :]


main()
