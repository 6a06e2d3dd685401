"""Many requests at once: none is lost, none waits for another without need, and too much is held back."""

import os
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.messages import call, cancel, frame
from support.processes import ServerProcess, until


@pytest.fixture
def server() -> Iterator[ServerProcess]:
    """A server of its own."""
    process = ServerProcess("kit_server.py")
    yield process
    process.close()


def answered(server: ServerProcess, number: int) -> dict[int, object]:
    """Take that many answers, by id."""
    answers = [server.take() for _ in range(number)]
    return {answer["id"]: answer["result"]["structuredContent"]["result"] for answer in answers}


@pytest.mark.parametrize("tool", ["add", "add_quick", "add_async"])
def test_two_thousand_requests_in_flight_are_all_answered(server: ServerProcess, tool: str) -> None:
    """More than may be in flight is held back in the pipe, and answered in its turn."""
    server.send_apart(*(call(number, tool, {"a": number, "b": 1}) for number in range(2000)))
    assert answered(server, 2000) == {number: number + 1 for number in range(2000)}
    server.end_input()
    assert server.rest() == []
    assert server.wait() == 0


def test_two_thousand_requests_held_by_their_handlers_are_all_answered(server: ServerProcess) -> None:
    """Cancellation is still read below the cap, and once the gate opens everything is answered."""
    server.send(*(call(number, "hold_async", {"name": "x"}) for number in range(1000)))
    server.send(call("open", "open_gate", {"name": "x"}))
    server.send_apart(*(call(number, "hold_async", {"name": "x"}) for number in range(1000, 2000)))
    answers = [server.take() for _ in range(2001)]
    assert {answer["id"] for answer in answers} == {"open", *range(2000)}


def test_a_client_that_writes_everything_before_it_reads_is_served() -> None:
    """Thousands of answers wait for a client that reads late."""
    reading, writing = os.pipe()
    server = ServerProcess("kit_server.py", stdout=writing, reads=False)
    try:
        os.close(writing)
        server.send(*(call(number, "add", {"a": number, "b": 1}) for number in range(5000)))
        server.end_input()
        with os.fdopen(reading, "rb") as stdout:
            assert len(stdout.readlines()) == 5000
        assert server.wait() == 0
    finally:
        server.close()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_client_that_never_reads_does_not_fill_the_memory() -> None:
    """Answers that nobody reads are held back too: the server stops reading, and stays within bounds."""
    reading, writing = os.pipe()
    server = ServerProcess("kit_server.py", stdout=writing, reads=False)
    try:
        os.close(writing)
        os.set_blocking(server.process.stdin.fileno(), False)
        line = call(1, "big_quick", {"characters": 200_000}) + b"\n"
        sent = stalled = 0

        def is_held_back() -> bool:
            nonlocal sent, stalled
            try:
                sent += os.write(server.process.stdin.fileno(), line * 100)
                stalled = 0
            except BlockingIOError:
                stalled += 1
            return stalled > 200

        until(is_held_back)
        status = Path(f"/proc/{server.process.pid}/status").read_text()
        kib = int(status.split("VmRSS:")[1].split()[0])
        assert kib < 200 * 1024, f"{kib} KiB after {sent} bytes"
    finally:
        os.close(reading)
        server.close()


def test_eight_plain_handlers_run_at_once(server: ServerProcess) -> None:
    """They all meet at one barrier."""
    server.send(*(call(number, "meet") for number in range(8)))
    assert sorted(answered(server, 8).values()) == list(range(8))


def test_eight_coroutines_run_at_once(server: ServerProcess) -> None:
    """They wait for each other."""
    server.send(*(call(number, "meet_async") for number in range(8)))
    assert set(answered(server, 8)) == set(range(8))


def test_cancellation_and_discovery_are_served_while_all_workers_are_busy() -> None:
    """Reading never waits for a handler (STDIO-10)."""
    server = ServerProcess("kit_server.py", "--workers", "4")
    try:
        server.send(*(call(number, "hold", {"name": f"{number}"}) for number in range(4)))

        def is_open(name: str) -> bool:
            server.send(call("entered", "is_open", {"name": name}))
            return bool(server.take_answer("entered")["result"]["structuredContent"]["result"])

        until(lambda: all(is_open(f"{number} entered") for number in range(4)))
        server.send(call("waits", "add", {"a": 1, "b": 1}), frame("discovery", "server/discover"))
        assert server.take()["id"] == "discovery"
        server.send(cancel(2))
        assert server.take()["id"] == "waits"
        server.send(call("cancelled", "cancelled_ones"))
        assert server.take()["result"]["structuredContent"] == {"result": ["2"]}
    finally:
        server.close()


def test_a_request_that_waits_for_a_worker_can_be_cancelled() -> None:
    """Its handler never runs."""
    server = ServerProcess("kit_server.py", "--workers", "1")
    try:
        server.send(call(1, "hold", {"name": "x"}), call(2, "say", {"text": "executed"}), cancel(2))
        server.send(call("open", "open_gate", {"name": "x"}))
        assert {server.take()["id"], server.take()["id"]} == {1, "open"}
        server.send(call(3, "add", {"a": 1, "b": 1}))
        assert server.take()["id"] == 3
        assert server.stderr() == ""
    finally:
        server.close()


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_a_message_that_memory_cannot_hold_costs_itself_alone() -> None:
    """Under a limit of memory, a request for far too much fails, and the next is answered."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (1_500_000_000, 1_500_000_000))

    server = ServerProcess("kit_server.py", preexec_fn=limit)
    try:
        for tool in ("big", "big_quick"):
            server.send(call(1, tool, {"characters": 2_000_000_000}), call(2, "add_quick", {"a": 1, "b": 1}))
            answers = {answer["id"]: answer for answer in (server.take(), server.take())}
            assert answers[1]["error"]["code"] == -32603
            assert answers[2]["result"]["structuredContent"] == {"result": 2}
    finally:
        server.close()
