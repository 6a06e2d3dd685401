"""A server whose subscriptions begin and end in many ways: `listening.py`. Standard library only.

A listen for the resource `x:///NAME` does what `WAYS[NAME]` says; every other request is answered by the rules.
"""

import json
import os
import sys

SUB = "io.modelcontextprotocol/subscriptionId"


def line(**members):
    """Encode a message."""
    return json.dumps({"jsonrpc": "2.0", **members}).encode() + b"\n"


def note(i, method, **params):
    """Encode a notification of a subscription."""
    return line(method=f"notifications/{method}", params={**params, "_meta": {SUB: i}})


def ack(i, uri="x:///all", **granted):
    """Encode an acknowledgement."""
    return note(i, "subscriptions/acknowledged", notifications={"resourceSubscriptions": [uri], **granted})


def end(i, **members):
    """Encode the result that ends a subscription."""
    return line(id=i, result={"resultType": "complete", "_meta": {SUB: i}, **members})


def update(i, uri="x:///u"):
    """Encode a change of a resource."""
    return note(i, "resources/updated", uri=uri)


def cancelled(i):
    """Encode the end of a subscription as a cancellation."""
    return line(method="notifications/cancelled", params={"requestId": i, "_meta": {SUB: i}})


WAYS = {
    "stays": ack,
    "ends": lambda i: ack(i) + update(i) + end(i),
    "ends_twice": lambda i: ack(i) + end(i) + cancelled(i),
    "cancels": lambda i: ack(i) + update(i) + cancelled(i),
    "cancels_first": lambda i: ack(i) + cancelled(i) + end(i),
    "refuses": lambda i: line(id=i, error={"code": -32601, "message": "Method not found"}),
    "silent": lambda _: b"",
    "ends_at_once": end,
    "dies": lambda i: ack(i) + update(i) + b"!",
    "dies_at_once": lambda _: b"!",
    "change_first": lambda i: update(i) + ack(i),
    "ends_first": lambda i: end(i) + ack(i),
    "id_as_text": lambda i: ack(i) + update(str(i)) + update(i),
    "other": lambda i: ack(i) + note(i, "tools/list_changed") + update(i),
    "acks_twice": lambda i: ack(i) + ack(i) + update(i),
    "no_uri": lambda i: ack(i) + note(i, "resources/updated") + update(i),
    "wrong_end": lambda i: ack(i) + line(id=i, result={"resultType": "complete"}),
    "grants_more": lambda i: ack(i, toolsListChanged=True) + update(i),
    "grants_nothing": lambda i: note(i, "subscriptions/acknowledged", notifications={}),
    "grants_text": lambda i: note(i, "subscriptions/acknowledged", notifications="all") + update(i),
    "many": lambda i: ack(i) + update(i) * 5000 + update(i, "x:///v"),
    "too_many": lambda i: ack(i) + b"".join(update(i, f"x:///{n}") for n in range(3000)),
}


def put(data):
    """Write bytes; `!` at their end is the end of the process."""
    rest = data.removesuffix(b"!")
    while rest:
        rest = rest[os.write(1, rest) :]
    if data.endswith(b"!"):
        os._exit(3)


def serve():
    """Answer one line at a time; the tool `cancelled` tells which requests were cancelled."""
    cancelled_ids = []
    hints = {"ttlMs": 0, "cacheScope": "private"}
    found = {
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {}, "resources": {"subscribe": True}},
    }
    for text in sys.stdin.buffer:
        message = json.loads(text)
        params = message.get("params", {})
        if "id" not in message:
            cancelled_ids.append(params["requestId"])
        elif message["method"] == "subscriptions/listen":
            (uri,) = params["notifications"]["resourceSubscriptions"]
            put(WAYS[uri.rpartition("/")[2]](message["id"]))
        elif message["method"] == "server/discover":
            put(line(id=message["id"], result={"resultType": "complete", **found, **hints}))
        else:
            result = {"content": [], "structuredContent": {"ids": cancelled_ids}}
            put(line(id=message["id"], result={"resultType": "complete", **result}))


if __name__ == "__main__":
    serve()
