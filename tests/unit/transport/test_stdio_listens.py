"""The subscriptions of a stdio connection, over a pipe in this process."""

import json
import os
from typing import Any

import pytest

from readingroom import Limits, Server
from readingroom.server import Cancel, Connection, Flight
from readingroom.transport.outbox import Outbox
from readingroom.transport.stdio_listens import Listens
from support.messages import cancel, frame

ID = "io.modelcontextprotocol/subscriptionId"


class Line:
    """A connection to a server with notices, and the end of the pipe that the client reads."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.app = Server("srv", notices=("tools", "updates"), limits=limits or Limits())
        dispatcher = self.app.dispatcher()
        self.reading, writing = os.pipe()
        self._read = b""
        self.connection = Connection(dispatcher.capabilities)
        outbox = Outbox(writing, 1 << 20, lambda _error: None)
        self.listens = Listens(dispatcher, self.connection, outbox, "local")

    def listen(self, request_id: Any, *uris: str) -> None:
        """Take a listen as the carrier does."""
        wanted = {"toolsListChanged": True, "resourceSubscriptions": uris}
        flight = self.connection.receive(frame(request_id, "subscriptions/listen", {"notifications": wanted}))
        assert isinstance(flight, Flight)
        self.listens.open(flight)

    def cancel(self, request_id: Any) -> None:
        """Take a cancellation as the carrier does."""
        action = self.connection.receive(cancel(request_id))
        assert isinstance(action, Cancel)
        assert action.flight.on_cancel is not None
        action.flight.on_cancel()

    def read(self) -> Any:
        """Give the next message."""
        while b"\n" not in self._read:
            piece = os.read(self.reading, 65_536)
            assert piece
            self._read += piece
        line, _, self._read = self._read.partition(b"\n")
        return json.loads(line)

    def methods(self, count: int) -> list[str]:
        """Give what the next messages are called."""
        return [self.read().get("method", "result").rpartition("/")[2] for _ in range(count)]


def test_a_listen_is_acknowledged_and_told() -> None:
    """At once, and under its id."""
    line = Line()
    line.listen("s", "a:///1")
    assert line.read()["params"]["_meta"] == {ID: "s"}
    line.app.resource_updated("a:///1")
    assert line.read()["params"] == {"uri": "a:///1", "_meta": {ID: "s"}}
    assert line.connection.owed == 0


def test_a_listen_that_is_refused_is_settled() -> None:
    """Its id may be used again."""
    line = Line(Limits(subscriptions=1))
    for request_id in (1, 2, 2):
        line.listen(request_id)
    assert [line.read().get("error", {}).get("code") for _ in range(3)] == [None, -32603, -32603]
    line.cancel(1)
    line.listen(2)
    assert line.methods(1) == ["acknowledged"]


def test_a_cancelled_listen_is_over() -> None:
    """Nothing is left of it, and the others go on."""
    line = Line()
    line.listen(1)
    line.listen(2)
    line.cancel(1)
    line.app.tools_changed()
    assert line.methods(2) == ["acknowledged", "acknowledged"]
    assert line.read()["params"]["_meta"] == {ID: 2}
    line.listen(1)
    assert line.read()["params"]["_meta"] == {ID: 1}


def test_the_end_of_the_carrier_ends_them() -> None:
    """Once, each with its result and its cancellation."""
    line = Line()
    line.listen(0)
    line.listen("")
    line.listens.end()
    line.listens.end()
    assert line.methods(6) == ["acknowledged"] * 2 + ["result", "cancelled"] * 2
    line.listen(0)
    assert line.methods(1) == ["acknowledged"]


def test_a_program_ends_them_too() -> None:
    """And what comes after them comes to those that listen anew."""
    line = Line()
    line.listen(0)
    line.app.close_subscriptions()
    assert line.methods(3) == ["acknowledged", "result", "cancelled"]
    line.listens.end()
    line.listen(0)
    line.app.tools_changed()
    assert line.methods(2) == ["acknowledged", "list_changed"]


def test_both_may_end_them_at_once() -> None:
    """There is one result and one cancellation, whoever was first."""
    line = Line()
    for _ in range(50):
        line.listen(0)
        line.app.tools_changed()
        line.app.close_subscriptions()
        line.listens.end()
        assert line.methods(4) == ["acknowledged", "list_changed", "result", "cancelled"]


def test_a_client_and_the_end_may_meet() -> None:
    """A listen that its client has cancelled has no result, though it had not been closed yet."""
    line = Line()
    line.listen(0)
    action = line.connection.receive(cancel(0))
    line.listens.end()
    assert isinstance(action, Cancel)
    assert action.flight.on_cancel is not None
    action.flight.on_cancel()
    line.listen(0)
    assert line.methods(2) == ["acknowledged"] * 2


@pytest.mark.parametrize("size", [2000, 20_000])
def test_what_waits_for_a_client_that_does_not_read_stays_in_its_subscription(size: int) -> None:
    """Each change once, however often it happened; when the client reads, it comes."""
    line = Line()
    uris = [f"a:///{n}/{'x' * 4000}" for n in range(size // 100)]
    line.listen(1, *uris)
    for _ in range(50):
        for uri in uris:
            line.app.resource_updated(uri)
    line.app.resource_updated(uris[0])
    assert line.methods(1) == ["acknowledged"]
    line.app.close_subscriptions()
    told = []
    while "id" not in (message := line.read()):
        told.append(message["params"]["uri"])
    assert set(told) == set(uris)
    # What a pipe and a write hold, and what was taken at once before, was under way when the client fell behind.
    assert len(told) < 4 * len(uris) + 200 < 50 * len(uris)
