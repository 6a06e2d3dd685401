"""What a server on the kit has loaded when it answers its first request: the kit's own, and little else."""

import json
import os
import subprocess
import sys

PROGRAM = """
import json, sys, threading
before = set(sys.modules)
from readingroom import Server
app = Server("srv")
@app.tool
def add(a: int, b: int) -> int:
    "Add."
    return a + b
@app.tool(quick=True)
def loaded() -> list[str]:
    "Tell what is loaded."
    return sorted(set(sys.modules) - before)
app.run()
"""
CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {
        "name": "loaded",
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    },
}

OURS = {
    "readingroom": {"errors", "kit", "limits", "protocol", "server", "transport", "wire"},
    "readingroom.kit": {"registering", "server"},
    "readingroom.protocol": {"admit", "content", "methods", "params", "results", "sealing", "versions"},
    "readingroom.server": {
        *(
            "calling",
            "connection",
            "context",
            "dispatch",
            "failures",
            "faults",
            "features",
            "listing",
            "registry",
            "schema",
        ),
        *("signature", "templates", "values"),
    },
    "readingroom.transport": {"handles", "outbox", "readiness", "stdio_server", "supervisor", "workers"},
    "readingroom.wire": {"codes", "ids", "lines", "messages", "strict_json"},
}
"""The modules of ours that a server with plain tools needs; another one is to be argued for, and counted here."""

OTHERS = {
    *(
        "__future__",
        "ast",
        "base64",
        "binascii",
        "bisect",
        "collections",
        "contextlib",
        "copyreg",
        "datetime",
        "decimal",
    ),
    *(
        "dis",
        "enum",
        "errno",
        "fcntl",
        "functools",
        "hashlib",
        "hmac",
        "importlib",
        "inspect",
        "itertools",
        "keyword",
        "linecache",
    ),
    *(
        "math",
        "msgspec",
        "numbers",
        "opcode",
        "operator",
        "platform",
        "random",
        "re",
        "reprlib",
        "secrets",
        "select",
    ),
    *(
        "signal",
        "string",
        "struct",
        "textwrap",
        "threading",
        "token",
        "tokenize",
        "types",
        "typing",
        "typing_extensions",
    ),
    *("uuid", "warnings", "weakref", "annotationlib"),
}
"""What these and msgspec load of the standard library."""


def loaded() -> set[str]:
    """The modules that are loaded when the first request is answered, besides those that Python starts with."""
    data = json.dumps(CALL).encode() + b"\n"
    # What measures coverage loads modules of its own.
    plain = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], input=data, capture_output=True, check=True, env=plain
    )
    result: dict[str, list[str]] = json.loads(done.stdout)["result"]["structuredContent"]
    return set(result["result"])


def test_a_server_loads_its_own_and_little_else() -> None:
    """No event loop, no logging, no network, no rules of the documentation."""
    found = loaded()
    ours = {"readingroom", *(f"{room}.{name}" for room, names in OURS.items() for name in names)}
    assert {name for name in found if name.startswith("readingroom")} == ours
    tops = {name.partition(".")[0] for name in found} - {"readingroom"}
    assert {name for name in tops if not name.startswith("_") or name == "__future__"} <= OTHERS
