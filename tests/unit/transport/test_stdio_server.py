"""The stdio carrier over pipes in this process: every way a request is run, and what holds the reader back."""

import asyncio
import errno
import json
import os
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from readingroom import Context, Limits, Server
from readingroom.server import Cancelled
from readingroom.transport.handles import Handles
from readingroom.transport.stdio_server import StdioServer
from readingroom.transport.supervisor import EXIT_FAILED, EXIT_OK
from support.messages import call, cancel, frame
from support.processes import until


class Served:
    """A server that serves on a thread of this process, and its client's ends of the pipes."""

    def __init__(self, app: Server, limits: Limits = Limits(drain_seconds=1)) -> None:  # noqa: B008  -- it is frozen
        self._reading, self.writing = os.pipe()
        self.reading, self._writing = os.pipe()
        handles = Handles(self._reading, self._writing)
        self.server = StdioServer(app.dispatcher(), handles, principal="me", limits=limits)
        self.code: int | None = None
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        self._stdout = os.fdopen(self.reading, "rb")

    def _serve(self) -> None:
        self.code = self.server.serve()
        # Not closed, for a handler that is stuck may still write to it, and its number would be another's by then.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._writing)
        os.close(nowhere)

    def send(self, *frames: bytes) -> None:
        """Write frames."""
        os.write(self.writing, b"".join(frame + b"\n" for frame in frames))

    def take(self) -> Any:
        """Read one message."""
        return json.loads(self._stdout.readline())

    def end(self) -> list[Any]:
        """End the input; give what is still answered."""
        os.close(self.writing)
        rest = [json.loads(line) for line in self._stdout]
        self._thread.join(20)
        return rest

    def close(self) -> None:
        """Give the descriptors back."""
        self._stdout.close()


gates: dict[str, threading.Event] = {}
app = Server("srv", logging=True)


@app.tool
def add(a: int) -> int:
    """Add one."""
    return a + 1


@app.tool(quick=True)
def quick(a: int, ctx: Context) -> str:
    """Say who asks."""
    return ctx.principal * a


@app.tool
async def later(a: int) -> str:
    """Answer later."""
    await asyncio.sleep(0)
    return "x" * a


@app.tool
def hold(name: str) -> str:
    """Wait at a gate."""
    assert gates[name].wait(20)
    return name


@app.tool
async def wait() -> str:
    """Wait for ever."""
    await asyncio.sleep(60)
    return "never"


@app.tool
def big(a: int) -> str:
    """Give a long text."""
    return "x" * a


@app.tool
def gives_up() -> str:
    """End as if cancelled."""
    raise Cancelled


@app.tool(quick=True)
def gives_up_quick() -> str:
    """End as if cancelled, inline."""
    raise Cancelled


@app.tool
def reports(ctx: Context) -> str:
    """Tell of progress, and go on doing so from another thread when it has answered."""
    ctx.progress(1)
    late.append(ctx)
    return "done"


late: list[Context] = []


@pytest.fixture
def served() -> Iterator[Served]:
    """A server of its own."""
    made = Served(app)
    yield made
    made.close()


def test_requests_are_answered_whichever_way_they_run(served: Served) -> None:
    """In a worker, inline, as a coroutine; at once, or refused."""
    served.send(
        call(1, "add", {"a": 1}),
        call(2, "quick", {"a": 1}),
        call(3, "later", {"a": 1}),
        call(4, "nobody"),
        b"{",
    )
    answers = {message.get("id"): message for message in (served.take() for _ in range(5))}
    assert answers[1]["result"]["structuredContent"] == {"result": 2}
    assert answers[2]["result"]["structuredContent"] == {"result": "me"}
    assert answers[3]["result"]["structuredContent"] == {"result": "x"}
    assert answers[4]["error"]["code"] == -32602
    assert answers[None]["error"]["code"] == -32700
    assert served.end() == []
    assert served.code == EXIT_OK


def test_the_end_inside_a_message_is_told(served: Served) -> None:
    """Without an id."""
    os.write(served.writing, b'{"jsonrpc"')
    (told,) = served.end()
    assert told["error"]["code"] == -32700


def test_answers_owed_are_waited_for_and_then_no_longer(served: Served) -> None:
    """Within the time there is for them."""
    gates["owed"] = threading.Event()
    served.send(call(1, "hold", {"name": "owed"}))
    threading.Timer(0.05, gates["owed"].set).start()
    assert [message["id"] for message in served.end()] == [1]
    other = Served(app, Limits(drain_seconds=0.05))
    gates["never"] = threading.Event()
    other.send(call(1, "hold", {"name": "never"}))
    assert other.end() == []
    assert other.code == EXIT_OK
    gates["never"].set()
    other.close()


def test_an_answer_on_its_way_is_waited_for(served: Served) -> None:
    """It is no longer owed and not yet in the outbox: the end of input may fall between."""
    held, go_on = threading.Event(), threading.Event()
    add, send = served.server._outbox.add, served.server._outbox.send

    def slowly(frame: bytes) -> None:
        held.set()
        assert go_on.wait(20)
        send(frame)

    served.server._outbox.send = served.server._outbox.add = slowly  # type: ignore[method-assign]  # it stands for both
    served.send(call(1, "add", {"a": 1}))
    assert held.wait(20)
    assert served.server._connection.owed == 0
    threading.Timer(0.1, go_on.set).start()
    assert [message["id"] for message in served.end()] == [1]
    served.server._outbox.add, served.server._outbox.send = add, send  # type: ignore[method-assign]  # they are put back


def test_cancelled_requests_are_not_answered(served: Served) -> None:
    """One that runs, one that waits as a coroutine; the third may have been answered before its cancellation was read."""
    gates["cancelled"] = threading.Event()
    served.send(call(1, "hold", {"name": "cancelled"}), call(2, "wait"), cancel(1), cancel(2))
    served.send(call(3, "add", {"a": 1}), cancel(3), frame(4, "server/discover"))
    found = [served.take()]
    while found[-1]["id"] != 4:
        found.append(served.take())
    gates["cancelled"].set()
    assert {message["id"] for message in [*found, *served.end()]} <= {3, 4}


@pytest.mark.parametrize("tool", ["later", "wait", "add"])
def test_requests_that_are_cancelled_at_once_leave_nothing_behind(tool: str) -> None:
    """Also those whose handler never began: or each would take the place of another for ever."""
    served = Served(app, Limits(requests_in_flight=8))
    arguments = {} if tool == "wait" else {"a": 1}
    for number in range(100):
        served.send(call(number, tool, arguments), cancel(number))
    served.send(frame("last", "server/discover"))
    while served.take()["id"] != "last":
        pass
    until(lambda: not served.server._connection._lingering and not served.server._connection.owed)
    assert served.end() == []
    served.close()


@pytest.mark.parametrize("tool", ["gives_up", "gives_up_quick"])
def test_a_handler_that_ends_as_if_cancelled_is_answered(served: Served, tool: str) -> None:
    """For nobody cancelled it."""
    served.send(call(1, tool))
    assert served.take()["error"]["code"] == -32603


def test_progress_ends_with_the_answer(served: Served) -> None:
    """What a handler's thread tells afterwards is dropped (PROG-2)."""
    served.send(call(1, "reports", None, {"progressToken": "t"}))
    assert served.take()["method"] == "notifications/progress"
    assert served.take()["id"] == 1
    late[-1].progress(2)
    served.send(frame(2, "server/discover"))
    assert served.take()["id"] == 2


def test_requests_beyond_the_cap_are_held_back() -> None:
    """And read once there is room."""
    served = Served(app, Limits(requests_in_flight=4, workers=8))
    gates["full"] = threading.Event()
    served.send(*(call(number, "hold", {"name": "full"}) for number in range(10)))
    until(lambda: served.server._is_held)
    assert served.server._connection.owed == 4
    gates["full"].set()
    assert {served.take()["id"] for _ in range(10)} == set(range(10))
    served.send(*(call(number, "later", {"a": 1}) for number in range(20)))
    assert {served.take()["id"] for _ in range(20)} == set(range(20))
    assert served.end() == []
    served.close()


def test_a_client_that_goes_while_the_reader_is_held_back_is_seen() -> None:
    """Though not everything has been read."""
    served = Served(app, Limits(requests_in_flight=2, drain_seconds=0.2))
    gates["gone"] = threading.Event()
    served.send(*(call(number, "hold", {"name": "gone"}) for number in range(5)))
    until(lambda: served.server._is_held)
    assert served.end() == []
    assert served.code == EXIT_OK
    gates["gone"].set()
    served.close()


def test_what_a_client_that_has_gone_asked_before_is_still_read_and_answered() -> None:
    """Within the time for answers owed, though the reader was held back when it went."""
    served = Served(app, Limits(requests_in_flight=2, drain_seconds=20))
    gates["asked"] = threading.Event()
    served.send(*(call(number, "hold", {"name": "asked"}) for number in range(10)))
    until(lambda: served.server._is_held)

    def open_when_seen() -> None:
        until(lambda: served.server._supervisor._reason == "end of input")
        gates["asked"].set()

    threading.Thread(target=open_when_seen, daemon=True).start()
    assert {message["id"] for message in served.end()} == set(range(10))
    served.close()


@pytest.mark.parametrize(
    ("tool", "arguments"), [("big", {"a": 50_000}), ("later", {"a": 50_000}), ("quick", {"a": 25_000})]
)
def test_answers_that_nobody_reads_are_held_back(tool: str, arguments: dict[str, Any]) -> None:
    """Whichever way they were made; once they are read, everything is answered."""
    served = Served(app, Limits(bytes_waiting=100_000, requests_in_flight=16))
    threading.Thread(
        target=served.send, args=[call(number, tool, arguments) for number in range(100)], daemon=True
    ).start()
    until(lambda: served.server._outbox.is_full)
    assert {served.take()["id"] for _ in range(100)} == set(range(100))
    assert served.end() == []
    served.close()


def test_workers_hold_on_while_nobody_reads() -> None:
    """Large answers are not heaped up by those who make them."""
    served = Served(app, Limits(bytes_waiting=100_000, workers=2))
    served.send(*(call(number, "big", {"a": 50_000}) for number in range(100)))
    until(lambda: served.server._outbox.is_full)
    for _ in range(60):
        assert served.server._connection.owed > 80
        time.sleep(0.005)
    assert {served.take()["id"] for _ in range(100)} == set(range(100))
    assert served.end() == []
    served.close()


def test_small_answers_that_nobody_reads_are_held_back_too() -> None:
    """They are added up."""
    served = Served(app, Limits(bytes_waiting=10_000))
    threading.Thread(
        target=served.send, args=[frame(number, "no/such") for number in range(5000)], daemon=True
    ).start()
    until(lambda: served.server._is_held)
    assert {served.take()["id"] for _ in range(5000)} == set(range(5000))
    assert served.end() == []
    served.close()


def test_notifications_that_nobody_reads_are_dropped(served: Served) -> None:
    """They may be (PROG-3)."""
    flight = served.server._connection.receive(call(1, "add", {"a": 1}))
    served.server._outbox._room = -1
    served.server._outbox._frames.append(b"")
    sent: list[bytes] = []
    served.server._outbox.offer = sent.append  # type: ignore[method-assign]  # what is offered is kept
    served.server._emit(flight, b"x")  # type: ignore[arg-type]  # `receive` gave a flight, for it was a call
    assert sent == []
    served.server._outbox._frames.clear()
    served.server._emit(flight, b"x")  # type: ignore[arg-type]  # `receive` gave a flight, for it was a call
    assert sent == [b"x"]


def test_a_client_that_no_longer_reads_ends_it() -> None:
    """With the code for a good end."""
    served = Served(app)
    served.close()
    until(lambda: served.code is not None)
    assert served.code == EXIT_OK


def test_a_fault_of_the_reader_is_told_by_the_code(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a fault of ours."""

    def broken(*_: object) -> Any:
        raise RuntimeError("a fault")

    monkeypatch.setattr(served.server, "_act", broken)
    told: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", told.append)
    served.send(b"{")
    until(lambda: served.code is not None and bool(told))
    assert served.code == EXIT_FAILED
    assert told[0].exc_type is RuntimeError


def test_an_output_that_cannot_be_written_is_a_failure(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    """As on a full disk: one line says so; a client that no longer reads is none."""
    served.server._end_broken(OSError(errno.ENOSPC, "No space left on device"))
    until(lambda: served.code is not None)
    assert served.code == EXIT_FAILED
    assert capsys.readouterr().err == "srv: stdout cannot be written: No space left on device\n"


def test_input_that_breaks_has_ended(served: Served) -> None:
    """A descriptor that cannot be read is at its end; one that does not block is waited for."""
    answers = iter([BlockingIOError(), OSError(), b"x"])

    def read(_descriptor: int, _size: int) -> bytes:
        found = next(answers)
        if isinstance(found, Exception):
            raise found
        return found

    reading, writing = os.pipe()
    os.write(writing, b"x")
    assert served.server._chunk(read, reading) == b""
    assert served.server._chunk(read, reading) == b"x"
