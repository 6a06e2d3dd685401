"""A server of the older era alone, as others write them: `older.py VERSION [HOW]`. Standard library only.

HOW says what becomes of a request before the handshake: `unknown` (-32601), `invalid` (-32602), `odd` (an error of its
own), `silent`, `exit`, `stuck` (as `silent`, and it ends at the handshake), `late` (as `silent`, and then, after the
handshake, today's answer), `late_alone` (the same, and no handshake). The tool `ask` sends the request that its arguments
are, and gives the answer; `pester` does so again and again, and gives the last.
"""

import json
import os
import sys
import time

VERSION, HOW = [*sys.argv[1:], "unknown"][:2]
CODES = {"unknown": -32601, "invalid": -32602, "odd": -32000}
TOOL = {"name": "ask", "inputSchema": {"type": "object"}}


def send(**members):
    """Write a message."""
    os.write(1, json.dumps({"jsonrpc": "2.0", **members}).encode() + b"\n")


def read():
    """Read a message, or end."""
    line = sys.stdin.buffer.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)


def discovered(request_id):
    """Answer a discovery as today's era does."""
    found = {
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {}},
        "ttlMs": 0,
        "cacheScope": "private",
    }
    send(id=request_id, result={"resultType": "complete", **found})


def shake_hands():
    """Wait for the handshake, and do with everything before it as HOW says."""
    late = []
    while (message := read())["method"] != "initialize":
        if HOW == "exit":
            sys.exit(5)
        elif HOW in CODES:
            send(id=message["id"], error={"code": CODES[HOW], "message": "not now"})
        else:
            late.append(message["id"])
    if HOW == "stuck" and late:
        sys.exit(5)
    if HOW.startswith("late"):
        discovered(late[0])
    if HOW == "late_alone":
        send(id=message["id"], error={"code": -32601, "message": "Method not found"})
        return message
    capabilities = {"tools": {"listChanged": True}, "resources": {"subscribe": True}}
    info = {"name": "old", "version": "1"}
    send(
        id=message["id"],
        result={"protocolVersion": VERSION, "capabilities": capabilities, "serverInfo": info},
    )
    return message


def ask(request_id, arguments):
    """Ask the client, and give what it answers."""
    send(id="q", **arguments)
    while "method" in (message := read()):
        send(id=message.get("id"), result={})
    send(id=request_id, result={"content": [], "structuredContent": message})


def call(message, hello, seen):
    """Run a tool."""
    arguments = message["params"].get("arguments", {})
    name = message["params"]["name"]
    if name == "ask":
        ask(message["id"], arguments)
        return
    if name == "pester":
        for _ in range(arguments["times"] - 1):
            send(id="p", **arguments["question"])
            read()
        ask(message["id"], arguments["question"])
        return
    if name == "die":
        os._exit(6)
    if name == "seen":
        found = {"seen": seen, "hello": hello["params"]}
        send(id=message["id"], result={"content": [], "structuredContent": found})
        return
    if name == "tell":
        for notice in arguments["notices"]:
            send(method=notice["method"], params=notice.get("params", {}))
    time.sleep(arguments.get("seconds", 0))
    send(id=message["id"], result={"content": [{"type": "text", "text": name}]})


def serve():
    """Answer one request after the other."""
    hello = shake_hands()
    seen = []
    while True:
        message = read()
        seen.append(message["method"])
        if "id" not in message:
            continue
        if message["method"] == "tools/list":
            send(id=message["id"], result={"tools": [TOOL]})
        elif message["method"] == "tools/call":
            call(message, hello, seen)
        elif message["params"].get("uri") != "x:///silent":
            send(id=message["id"], result={})


if __name__ == "__main__":
    serve()
