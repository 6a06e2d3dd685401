"""Subscriptions on stdio under strain: clients that do not read, many listens, many publishers, every way to end."""

import json
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from support.messages import call, cancel, frame
from support.processes import ServerProcess, until

ID = "io.modelcontextprotocol/subscriptionId"
WITHIN = 3.0
"""Seconds within which a server has ended; what would be wrong takes five, or for ever."""
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the server reads its memory from /proc")


@pytest.fixture
def server() -> Iterator[ServerProcess]:
    """A server of its own that tells of changes."""
    process = ServerProcess("noticing.py")
    yield process
    process.close()


def listen(request_id: Any, *uris: str, lists: bool = True) -> bytes:
    """A listen to the tools and to resources."""
    wanted = {"toolsListChanged": lists, "resourceSubscriptions": list(uris)}
    return frame(request_id, "subscriptions/listen", {"notifications": wanted})


def state(server: ServerProcess) -> dict[str, int]:
    """What the server says of itself."""
    server.send(call("state", "state"))
    found: dict[str, int] = server.take_answer("state")["result"]["structuredContent"]
    return found


@LINUX
def test_a_client_that_does_not_read_costs_no_more_for_ten_thousand_events() -> None:
    """Its events wait, each once; when it reads it is told, and the answer comes too."""
    process = ServerProcess("noticing.py", reads=False)
    try:
        # Acknowledgements fill the pipe and more: from here on the client is behind.
        process.send(*(listen(n, f"a:///{n}", "a:///1", "a:///" + 5000 * "x") for n in range(200)))
        process.send(*(call(f"change {n}", "change", {"times": 500}) for n in range(20)))
        process.send(call("last", "tell_state_after", {"changes": 20}))
        until(lambda: process.stderr().endswith("}\n"))
        found = json.loads(process.stderr())
        messages = _read_all(process, until_id="last")
    finally:
        process.close()
    assert found["open"] == 200
    assert found["memory"] < 80 * 1024
    # An acknowledgement and two changes for each; some may have been under way when the client fell behind.
    assert len(messages) < 200 + 21 + 2 * 400


@LINUX
def test_what_is_due_is_told_before_the_end() -> None:
    """A client that begins to read when its side is closed hears of every change, then of the end."""
    process = ServerProcess("noticing.py", reads=False)
    try:
        process.send(*(listen(n, "a:///1", "a:///" + 900 * "x") for n in range(1000)))
        process.send(call("change", "change", {"times": 1}))
        process.end_input()
        messages = _read_all(process)
    finally:
        process.close()
    told: dict[int, list[str]] = {n: [] for n in range(1000)}
    for message in messages:
        params = message.get("params", {"_meta": {ID: message.get("id")}})
        if message.get("id") != "change":
            told[params["_meta"][ID]].append(message.get("method", "result").rpartition("/")[2])
    expected = ["acknowledged", "list_changed", "updated", "result", "cancelled"]
    assert [n for n, methods in told.items() if methods != expected] == []


def _read_all(process: ServerProcess, until_id: str = "") -> list[Any]:
    """Begin to read, and give all messages up to the answer with that id, or to the end."""
    stdout = process.process.stdout
    assert stdout is not None
    messages = []
    for line in stdout:
        messages.append(json.loads(line))
        if until_id and messages[-1].get("id") == until_id:
            break
    return messages


@LINUX
def test_a_thousand_listens_opened_and_cancelled_leave_nothing(server: ServerProcess) -> None:
    """Again and again, with more open at once than requests may be in flight."""
    uris = tuple(f"a:///{n}" for n in range(5))

    def open_and_cancel() -> dict[str, int]:
        server.send_apart(*(listen(n, *uris) for n in range(1000)))
        for _ in range(1000):
            assert server.take()["method"] == "notifications/subscriptions/acknowledged"
        found = state(server)
        assert (found["open"], found["topics"], found["watched"]) == (1000, 6, 5)
        server.send(*(cancel(n) for n in range(1000)))
        return state(server)

    first = open_and_cancel()
    assert (first["open"], first["topics"], first["watched"]) == (0, 0, 0)
    for _ in range(3):
        last = open_and_cancel()
    assert (last["open"], last["topics"], last["threads"]) == (0, 0, first["threads"])
    # Memory that is free again is not given back at once; what is left over would be objects, thousands of them.
    assert last["objects"] < first["objects"] + 100
    assert last["memory"] < 80 * 1024


def test_many_threads_may_publish_at_once(server: ServerProcess) -> None:
    """Everybody who listens hears of it, between whole lines, and the last change is never lost."""
    server.send(*(listen(n, "a:///1") for n in range(20)))
    for _ in range(20):
        server.take()
    server.send(call("many", "change_at_once", {"threads": 8, "times": 200}))
    heard: set[tuple[int, str]] = set()
    answered = False
    while not answered or len(heard) < 40:
        message = server.take()
        if message.get("id") == "many":
            answered = True
        else:
            heard.add((message["params"]["_meta"][ID], message["method"]))
    # Nothing is due any more: the next change is the next that comes.
    server.send(call("state", "state"))
    server.take_answer("state")
    server.send(call("one", "change", {"times": 1, "uri": "a:///other"}))
    messages = [server.take() for _ in range(21)]
    assert {message["params"]["_meta"][ID] for message in messages if "id" not in message} == set(range(20))


def test_nothing_of_a_cancelled_listen_comes_under_its_id_used_anew(server: ServerProcess) -> None:
    """What was due to the first does not come before the acknowledgement of the second."""
    for _ in range(100):
        server.send(listen(1, "a:///1"), call("c", "change", {"times": 3}), cancel(1), listen(1, lists=False))
        server.send(cancel(1))
        seen = [server.take()]
        while [message.get("id", message.get("method")) for message in seen].count("c") < 1 or (
            sum("acknowledged" in str(message) for message in seen) < 2
        ):
            seen.append(server.take())
        rest = [message for message in seen if "id" not in message]
        second = [index for index, message in enumerate(rest) if "acknowledged" in message["method"]][1]
        assert rest[second:] == [rest[second]]


def test_input_that_ends_ends_the_listens_and_does_not_wait_for_them(server: ServerProcess) -> None:
    """Each has its result and then its cancellation; an answer that is owed still comes."""
    server.send(*(listen(n) for n in range(10)))
    for _ in range(10):
        server.take()
    began = time.monotonic()
    server.send(call("c", "change", {"times": 1}))
    server.end_input()
    messages = server.rest()
    assert server.wait() == 0
    assert time.monotonic() - began < WITHIN
    for n in range(10):
        mine = [one for one in messages if n in (one.get("id"), one.get("params", {}).get("requestId"))]
        assert [one.get("method", "result") for one in mine] == ["result", "notifications/cancelled"]
        assert mine[1]["params"]["_meta"][ID] == n
    assert sum(message.get("id") == "c" for message in messages) == 1
    assert server.stderr() == ""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_listens_too(server: ServerProcess, number: signal.Signals) -> None:
    """With result and cancellation, and at once."""
    server.send(listen("s"))
    server.take()
    began = time.monotonic()
    server.process.send_signal(number)
    result, withdrawal = server.rest()
    assert (result["id"], withdrawal["params"]["requestId"]) == ("s", "s")
    assert server.wait() == 0
    assert time.monotonic() - began < WITHIN


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_signal_is_not_held_up_by_a_client_that_does_not_read() -> None:
    """Though there would be something to say to it."""
    process = ServerProcess("noticing.py", reads=False)
    try:
        process.send(*(listen(n, f"a:///{n}") for n in range(1000)))
        process.send(call("c", "change", {"times": 100}))
        until(lambda: _has_filled_its_pipe(process))
        began = time.monotonic()
        process.process.send_signal(signal.SIGTERM)
        assert process.wait() == 0
        assert time.monotonic() - began < WITHIN
    finally:
        process.close()


def _has_filled_its_pipe(process: ServerProcess) -> bool:
    import fcntl
    import struct
    import termios

    assert process.process.stdout is not None
    held = fcntl.ioctl(process.process.stdout, termios.FIONREAD, b"\0" * 4)
    return bool(struct.unpack("i", held)[0] > 60_000)


def test_a_program_may_end_all_listens_and_go_on(server: ServerProcess) -> None:
    """The clients that listened are told, and may listen anew under the same ids."""
    for _ in range(2):
        server.send(listen(1), listen("1"))
        assert [server.take()["params"]["_meta"][ID] for _ in range(2)] == [1, "1"]
        server.send(call("c", "close"))
        messages = [server.take() for _ in range(5)]
        for request_id in (1, "1"):
            told = [
                one for one in messages if one.get("id", one.get("params", {}).get("requestId")) == request_id
            ]
            assert [one.get("method", "result") for one in told] == ["result", "notifications/cancelled"]
        assert sum(one.get("id") == "c" for one in messages) == 1
