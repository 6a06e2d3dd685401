"""The public client: opening, closing, what it refuses. Its calls are tested with the servers that answer them."""

import json
import math
import os
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from readingroom import AsyncClient, CallToolAnswer, Pending
from readingroom.errors import Closed, ConnectFailed, PeerProtocolError, RemoteError, UsageError
from readingroom.kit.client import Client
from support.processes import until

SERVERS = Path(__file__).parents[2] / "fault" / "servers"
GOOD = [sys.executable, "-S", str(SERVERS / "breaking.py"), "good"]


def answering(answer: object) -> list[str]:
    """Give the command of a server that gives the same answer to everything."""
    program = """
        import json, sys
        for line in sys.stdin:
            message = json.loads(line)
            if "id" in message:
                print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **json.loads(sys.argv[1])}), flush=True)
    """
    return [sys.executable, "-S", "-c", textwrap.dedent(program), json.dumps(answer)]


def discovery(**members: object) -> dict:
    """Give an answer to a discovery."""
    good = {"supportedVersions": ["2026-07-28"], "capabilities": {}, "ttlMs": 0, "cacheScope": "private"}
    return {"result": good | members}


def made(command: list, **how: object) -> Client:
    """Make a client with a time limit that a test can wait for."""
    return Client.stdio(command, **{"timeout": 30, "stderr": lambda _: None, **how})


def test_open_and_close():
    """A client is opened once at a time, and may be opened anew when it has been closed."""
    client = made(GOOD)
    client.close()
    for _ in range(2):
        assert client.open() is client
        with pytest.raises(UsageError, match="is open"):
            client.open()
        assert client.call_tool("echo", {"n": 1}).structured == {"n": 1}
        client.close()
        client.close()


def test_not_open():
    """What needs a server is refused before there is one."""
    client = made(GOOD)
    with pytest.raises(UsageError, match="not been opened"):
        _ = client.server
    with pytest.raises(UsageError, match="not open"):
        client.call_tool("echo")
    with pytest.raises(UsageError, match="not been opened"):
        _ = client.violations
    with client:
        pass
    assert client.violations == (0, [])


def test_version_of_ours_among_others():
    """A server may speak other versions besides ours."""
    versions = ["2027-01-01", "2026-07-28"]
    with made(answering(discovery(supportedVersions=versions))) as client:
        assert client.server.supported_versions == versions


@pytest.mark.parametrize("versions", [[], ["2025-11-25"], ["2027-01-01"]])
def test_no_version_of_ours(versions):
    """A server that speaks no version of ours is a failed connection that names those it speaks."""
    with pytest.raises(ConnectFailed, match="2026-07-28") as caught:
        made(answering(discovery(supportedVersions=versions))).open()
    assert str(versions) in str(caught.value)


def test_version_refused():
    """A server that refuses our version is a failed connection that names those it supports (VER-3)."""
    error = {
        "code": -32022,
        "message": "no",
        "data": {"supported": ["2027-01-01"], "requested": "2026-07-28"},
    }
    with pytest.raises(ConnectFailed, match="2027-01-01") as caught:
        made(answering({"error": error})).open()
    assert isinstance(caught.value.__cause__, RemoteError)


@pytest.mark.parametrize("data", [{}, {"data": None}, {"data": {"supported": []}}])
def test_older_server(data):
    """A server that does not know the discovery is a failed connection that shows its answer."""
    with pytest.raises(ConnectFailed, match=r"does not speak MCP 2026-07-28.*Method not found"):
        made(answering({"error": {"code": -32601, "message": "Method not found", **data}})).open()


def test_broken_discovery():
    """A discovery that breaks a rule says which."""
    with pytest.raises(PeerProtocolError, match="DISC-1"):
        made(answering(discovery(capabilities=[]))).open()


def test_a_failed_opening_leaves_nothing():
    """After a failed opening the client is closed, and may be opened again."""
    client = made(answering(discovery(supportedVersions=[])))
    for _ in range(2):
        with pytest.raises(ConnectFailed):
            client.open()


def test_closing_an_opening_starts_no_other_server():
    """A server that ends because the client is closed is not taken for an older one, for which another would be started."""
    client = made([sys.executable, "-S", "-c", "import sys; sys.stdin.read()"])
    engine, started = client._engine, []
    connect = engine._connect
    engine._connect = lambda engine: started.append(connect(engine)) or started[-1]
    with ThreadPoolExecutor(1) as threads:
        opening = threads.submit(client.open)
        until(lambda: engine.connection is not None)
        client.close()
        assert isinstance(opening.exception(30), Closed | ConnectFailed)
    assert len(started) == 1


@pytest.mark.parametrize("timeout", [0, -1, math.nan])
def test_time_limits_are_positive(timeout):
    """A time limit is a positive number of seconds."""
    with pytest.raises(UsageError):
        made(GOOD, timeout=timeout)
    with made(GOOD) as client, pytest.raises(UsageError):
        client.call_tool("echo", timeout=timeout)


def test_without_a_limit():
    """A time limit may be infinite."""
    with made(GOOD, timeout=math.inf) as client:
        assert client.call_tool("echo", {"n": 1}, timeout=math.inf).structured == {"n": 1}


MIRROR = """
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    seen = json.dumps({"request": message, "environment": dict(os.environ)})
    result = {"supportedVersions": ["2026-07-28"], "capabilities": {}, "instructions": seen}
    result |= {"ttlMs": 0, "cacheScope": "private"}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


def mirrored(**how: object) -> dict:
    """Open a client of a server that tells what it sees, and give that."""
    with made([sys.executable, "-S", "-c", MIRROR], **how) as client:
        return json.loads(client.server.instructions)


def test_what_is_sent():
    """The request holds the host's name, version and capabilities."""
    meta = mirrored(name="host", version="9", capabilities={"roots": {}})["request"]["params"]["_meta"]
    assert meta["io.modelcontextprotocol/clientInfo"] == {"name": "host", "version": "9"}
    assert meta["io.modelcontextprotocol/clientCapabilities"] == {"roots": {}}


def test_environment(monkeypatch):
    """A server gets the safe variables and those it is given; all of the program's only when they are given."""
    monkeypatch.setenv("SECRET", "s")
    alone, given, everything = (
        mirrored(**how)["environment"] for how in ({}, {"env": {"TOKEN": "t"}}, {"env": os.environ})
    )
    assert alone["PATH"] == given["PATH"] == everything["PATH"] == os.environ["PATH"]
    assert "SECRET" not in alone | given
    assert given["TOKEN"] == "t"
    assert everything["SECRET"] == "s"


def test_what_importing_loads():
    """The client loads neither the library nor what only other uses need, and no event loop until one is used."""
    program = "import sys, readingroom; readingroom.Client; print(*sorted(sys.modules))"
    # A measurement of coverage would load modules of its own into the process.
    plain = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=30, env=plain
    )
    loaded = set(done.stdout.split())
    unwanted = {
        "asyncio",
        "concurrent",
        "logging",
        "sqlite3",
        "apsw",
        "tantivy",
        "http",
        "ssl",
        "readingroom.library",
    }
    assert unwanted & loaded == set()
    assert not any(name.startswith(("readingroom.server.", "readingroom.desk")) for name in loaded)
    assert "readingroom.kit.client" in loaded


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"incident": "1a2b3c4d"}, "no (-32603, incident 1a2b3c4d)"),
        ({"incident": ""}, "no (-32603)"),
        ({"incident": 7}, "no (-32603)"),
        ({"incident": "x" * 65}, "no (-32603)"),
        ({"incident": "two\nlines"}, "no (-32603)"),
        ({"other": "x"}, "no (-32603)"),
        (None, "no (-32603)"),
        ("incident", "no (-32603)"),
    ],
)
def test_a_servers_error_tells_its_incident(data: Any, text: str) -> None:
    """The id by which the server's log says more, if it looks like one."""
    error = RemoteError(-32603, "no", data)
    assert (str(error), error.data) == (text, data)


def test_null_is_structured_content() -> None:
    """And told apart from none at all."""
    assert not CallToolAnswer(raw={}, content=[]).has_structured
    assert CallToolAnswer(raw={}, content=[], structured=None).has_structured


CALLS = {
    *("call_tool", "complete", "discover", "get_prompt", "list_prompts", "list_resources", "list_templates"),
    *("listen", "list_tools", "read_resource", "request", "open", "close", "server", "violations"),
}


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (Client, {*CALLS, "aio", "http", "stdio", "submit"}),
        (AsyncClient, CALLS),
        (Pending, {"add_done_callback", "answer", "cancel", "done", "id", "method", "result"}),
    ],
)
def test_a_client_offers_calls_and_nothing_of_its_works(kind: type, names: set[str]) -> None:
    """What it is made of may change."""
    assert {name for name in dir(kind) if not name.startswith("_")} == names
