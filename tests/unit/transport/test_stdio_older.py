"""The older era on stdio: where its handlers run, what a batch brings, and when there is too much."""

import json
import threading
from typing import Any

import pytest

from readingroom import Context, Server
from readingroom.limits import Limits
from readingroom.server import Older
from readingroom.transport.stdio_older import OlderStdio
from readingroom.wire import classify
from support.older import NEWEST, call, handshake, message, notice
from support.processes import until

LIMITS = Limits(requests_in_flight=4, workers=2)


class Out:
    """The way out, which keeps what goes; it is full when it is said to be."""

    is_full = False

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def offer(self, frame: bytes) -> None:
        """Keep a frame."""
        self.sent.append(json.loads(frame))


class Client:
    """A client on stdio in memory."""

    def __init__(self, app: Server, version: str | None = NEWEST, limits: Limits = LIMITS) -> None:
        self.out = Out()
        self.older: Any = OlderStdio(app.dispatcher(), "local", limits, self.out)  # type: ignore[arg-type]  # all that is used of one
        if version is not None:
            self.say(handshake(version))
            self.out.sent.clear()

    def say(self, told: Any) -> None:
        """Send a message."""
        frame = json.dumps(told).encode()
        self.older.take(Older(classify(frame, 64), frame))

    def answers(self, number: int) -> list[Any]:
        """Wait for so many messages."""
        until(lambda: len(self.out.sent) >= number)
        return self.out.sent


gate = threading.Event()
app = Server("srv", version="1")


@app.tool
def held(ctx: Context) -> str:
    """Wait."""
    ctx.progress(1)
    gate.wait(20)
    return "held"


@app.tool(quick=True)
def now() -> str:
    """Answer at once."""
    return "now"


@app.tool
async def soon() -> str:
    """Answer as a coroutine."""
    return "soon"


@pytest.fixture(autouse=True)
def closed() -> Any:
    """The gate is closed before each test, and open after it."""
    gate.clear()
    yield
    gate.set()


def test_each_handler_runs_where_it_belongs() -> None:
    """A quick one on the thread that reads, the others elsewhere."""
    client = Client(app)
    client.say(call(1, "now"))
    assert [told["id"] for told in client.out.sent] == [1]
    client.say(call(2, "soon"))
    client.say(call(3, "soon"))
    gate.set()
    client.say(call(4, "held"))
    assert {told["id"] for told in client.answers(4)} == {1, 2, 3, 4}
    until(lambda: client.older.owed == 0)


def test_too_much_is_seen() -> None:
    """And when there is room again."""
    client = Client(app)
    assert (client.older.is_full, client.older.has_room) == (False, True)
    for number in range(4):
        client.say(call(number, "held"))
    assert (client.older.is_full, client.older.has_room, client.older.owed) == (True, False, 4)
    gate.set()
    client.answers(4)
    until(lambda: client.older.has_room)


def test_progress_is_dropped_when_nobody_reads() -> None:
    """An answer is not, though its worker waits with the next."""
    client = Client(app)
    client.out.is_full = True
    client.say({**call(1, "held"), "params": {"name": "held", "_meta": {"progressToken": 1}}})
    gate.set()
    (answer,) = client.answers(1)
    assert answer["id"] == 1
    client.out.is_full = False


def test_batches() -> None:
    """In the version that has them."""
    client = Client(app, "2025-03-26")
    client.say([call(1, "now"), notice("x"), call(2, "soon"), {"id": 3}, handshake(request_id=4)])
    (answers,) = client.answers(1)
    assert sorted(told["id"] for told in answers) == [1, 2, 3, 4]
    client.say([])
    client.say([notice("x")])
    assert [told["error"]["message"] for told in client.out.sent[1:]] == [
        "A batch is an array of messages, and not empty"
    ]
    client = Client(app)
    client.say([message(1, "ping")])
    assert client.out.sent[0]["error"]["message"] == "Batches are not supported"


def test_batches_are_bounded() -> None:
    """In their messages, and in the bytes of their answers."""
    client = Client(app, "2025-03-26", Limits(older_batch_messages=4, older_batch_bytes=200))
    client.say([0] * 1000)
    assert client.out.sent.pop()["error"]["message"] == "A batch has at most 4 messages"
    client.say([message(number, "tools/list") for number in range(4)])
    (answers,) = client.answers(1)
    assert [("result" in told, told["id"]) for told in answers] == [
        (True, 0),
        *((False, n) for n in (1, 2, 3)),
    ]


def test_cancelling() -> None:
    """Nothing more comes for it."""
    client = Client(app)
    client.say(call(1, "held"))
    client.say(notice("notifications/cancelled", {"requestId": 1}))
    assert (client.out.sent, client.older.owed) == ([], 0)
