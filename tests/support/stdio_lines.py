"""Lines for a stdio server that are hard to read, and whether it lives after one."""

import json

from .messages import call, message
from .processes import ServerProcess

MIB = 1024 * 1024
CAP = 4 * MIB


def nested(depth: int, opener: bytes = b"[", closer: bytes = b"]") -> bytes:
    """That many brackets in each other."""
    return opener * depth + closer * depth


def with_params(text: bytes, request_id: bytes = b"7") -> bytes:
    """A request whose params are that text."""
    return b'{"jsonrpc":"2.0","id":' + request_id + b',"method":"tools/list","params":' + text + b"}"


def padded(length: int) -> bytes:
    """A valid request of exactly that many bytes."""
    request = message(7, "server/discover")
    request["params"]["padding"] = ""
    request["params"]["padding"] = "x" * (length - len(json.dumps(request)))
    return json.dumps(request).encode()


def check_alive(server: ServerProcess) -> None:
    """The next valid request is answered."""
    server.send(call("next", "add", {"a": 2, "b": 3}))
    answer = server.take()
    assert answer["id"] == "next"
    assert answer["result"]["structuredContent"] == {"result": 5}
