"""How a server on the kit ends over HTTP: with subscriptions open, with a handler under way, with one that never ends."""

import http.client
import json
import queue
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from support.processes import PATIENCE, ServerProcess

if sys.platform == "win32":
    pytest.skip("processes are ended by signals here", allow_module_level=True)

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class _Kit:
    """A process that serves `kit_http.py`."""

    def __init__(self, drain_seconds: float) -> None:
        self.process = ServerProcess("kit_http.py", str(drain_seconds))
        self.origin = self.line()

    def line(self) -> str:
        """Give the next line of its stdout."""
        line = self.process.take_line()
        assert line is not None
        return line.decode().strip()

    def ask(self, method: str, **params: Any) -> http.client.HTTPConnection:
        """Send a request on a connection of its own."""
        connection = http.client.HTTPConnection(self.origin.removeprefix("http://"), timeout=PATIENCE)
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}})
        fields = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2026-07-28",
            "Mcp-Method": method,
            **({"Mcp-Name": params["name"]} if "name" in params else {}),
        }
        connection.request("POST", "/mcp", body, fields)
        return connection


@pytest.fixture
def kits() -> Iterator[Any]:
    """Start servers, and see that none is left."""
    started: queue.SimpleQueue[_Kit] = queue.SimpleQueue()

    def start(drain_seconds: float) -> _Kit:
        kit = _Kit(drain_seconds)
        started.put(kit)
        return kit

    yield start
    while not started.empty():
        started.get().process.close()


def test_subscriptions_get_their_end(kits: Any) -> None:
    """A listening client reads the result, and its stream is whole; the server does not wait for it to go (SUB-11)."""
    kit = kits(1000.0)
    connection = kit.ask("subscriptions/listen", notifications={"toolsListChanged": True})
    stream = connection.getresponse()
    assert b"subscriptions/acknowledged" in stream.readline()
    kit.process.process.terminate()
    rest = [line for line in stream.read().split(b"\n") if line.startswith(b"data:")]
    assert json.loads(rest[-1].removeprefix(b"data:"))["result"]["resultType"] == "complete"
    assert kit.process.wait() == 0
    connection.close()


def test_a_handler_under_way_comes_to_its_end(kits: Any) -> None:
    """Its answer arrives, and only then the process ends."""
    kit = kits(1000.0)
    connection = kit.ask("tools/call", name="soon", arguments={})
    assert kit.line() == "soon"
    letting = kit.ask("tools/call", name="let", arguments={})
    assert letting.getresponse().status == 200
    kit.process.process.terminate()
    answer = json.loads(connection.getresponse().read())
    assert answer["result"]["content"][0]["text"] == "done"
    assert kit.process.wait() == 0
    connection.close()
    letting.close()


def test_a_handler_that_never_ends_does_not_hold_up_the_end(kits: Any) -> None:
    """Its connection is cut after `drain_seconds`, and the exit code is 0."""
    kit = kits(0.3)
    connection = kit.ask("tools/call", name="stuck", arguments={})
    assert kit.line() == "stuck"
    kit.process.process.terminate()
    with pytest.raises((http.client.RemoteDisconnected, ConnectionResetError)):
        connection.getresponse()
    assert kit.process.wait() == 0
    assert "cut 1 connection that was still open at the end" in kit.process.stderr()
    connection.close()
