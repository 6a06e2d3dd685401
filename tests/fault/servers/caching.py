"""A server whose answers say how long they are fresh, and number themselves: `caching.py TTL SCOPE`. Standard library only.

Lists have two pages. The tool `tell` sends notifications to the last subscription, `expire` has cursors refused that were
given before, `count` says how many requests there were of each method.
"""

import json
import os
import sys

TTL, SCOPE = int(sys.argv[1]), sys.argv[2]
SUB = "io.modelcontextprotocol/subscriptionId"
MEMBERS = {"tools/list": "tools", "resources/list": "resources", "prompts/list": "prompts"}
state = {"epoch": 0, "listen": None}
counts = {}


def send(**members):
    """Write a message."""
    os.write(1, json.dumps({"jsonrpc": "2.0", **members}).encode() + b"\n")


def tell(notices):
    """Send notifications to whoever listens."""
    for notice in notices:
        params = {**notice.get("params", {}), "_meta": {SUB: state["listen"]}}
        send(method=notice["method"], params=params)


def item(name):
    """Give an item that is of every kind."""
    return {"name": name, "uri": f"x:///{name}", "inputSchema": {"type": "object"}}


def page(method, cursor, number):
    """Give a page of a list; None for a cursor that is not known any more."""
    if cursor is None:
        more = {"nextCursor": f"{state['epoch']}"}
    elif cursor == f"{state['epoch']}":
        more = {}
    else:
        return None
    scope = "public" if SCOPE == "mixed" and cursor is None else "private" if SCOPE == "mixed" else SCOPE
    return {MEMBERS[method]: [item(f"n{number}")], "ttlMs": TTL, "cacheScope": scope, **more}


def called(params):
    """Run a tool."""
    arguments = params.get("arguments", {})
    if params["name"] == "tell":
        tell(arguments["notices"])
    if params["name"] == "expire":
        state["epoch"] += 1
    return {"content": [], "structuredContent": dict(counts)}


def result(request):
    """Give the result of a request; None for one that is refused."""
    method, params = request["method"], request["params"]
    number = counts[method] = counts.get(method, 0) + 1
    hints = {"ttlMs": TTL, "cacheScope": "public" if SCOPE == "mixed" else SCOPE}
    if method == "server/discover":
        return {"supportedVersions": ["2026-07-28"], "capabilities": {}, "instructions": f"{number}", **hints}
    if method in MEMBERS:
        return page(method, params.get("cursor"), number)
    if method == "resources/read":
        if params["uri"] == "x:///asked" and "requestState" not in params:
            return {"resultType": "input_required", "requestState": "s"}
        return {"contents": [{"uri": params["uri"], "text": f"{number}"}], **hints}
    return called(params)


for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "subscriptions/listen":
        state["listen"] = message["id"]
        tell([{"method": "notifications/subscriptions/acknowledged", "params": message["params"]}])
    elif "id" in message:
        found = result(message)
        if found is None:
            send(id=message["id"], error={"code": -32602, "message": "no such cursor"})
        else:
            send(id=message["id"], result={"resultType": "complete", **found})
