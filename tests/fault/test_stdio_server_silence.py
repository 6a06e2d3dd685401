"""Clients that do not read, or have gone: a stdio server ends all the same, and says what it owes."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.messages import call, cancel, frame
from support.processes import PATIENCE, ServerProcess
from support.stdio_endings import POSIX, WITHIN, ended_within


@pytest.fixture
def server() -> Iterator[ServerProcess]:
    """A server of its own that has answered once."""
    process = ServerProcess("kit_server.py")
    process.send(frame("ready", "server/discover"))
    process.take()
    yield process
    process.close()


@POSIX
@pytest.mark.parametrize("busy", [False, True])
def test_a_client_that_no_longer_reads_ends_it(busy: bool) -> None:
    """A broken stdout ends the server within a second, with code 0 and nothing on stderr, though stdin stays open."""
    reading, writing = os.pipe()
    server = ServerProcess("kit_server.py", stdout=writing, reads=False)
    try:
        os.close(writing)
        if busy:
            server.send(call(1, "hold_fast", {"name": "x"}))
        server.send(frame(2, "server/discover"))
        assert b"supportedVersions" in os.read(reading, 65_536)
        os.close(reading)
        assert ended_within(server) == 0
        assert server.stderr() == ""
    finally:
        server.close()


@POSIX
def test_writing_to_a_client_that_has_gone_is_quiet() -> None:
    """An answer that nobody can read any more ends the server without a traceback."""
    reading, writing = os.pipe()
    server = ServerProcess("kit_server.py", stdout=writing, reads=False)
    try:
        os.close(writing)
        os.close(reading)
        with_answers = b"".join(call(number, "big", {"characters": 10_000}) + b"\n" for number in range(100))
        with contextlib.suppress(BrokenPipeError):  # it may end before it has read them all
            server.write(with_answers)
        assert ended_within(server) == 0
        assert server.stderr() == ""
    finally:
        server.close()


@POSIX
def test_a_stderr_that_nobody_reads_does_no_harm() -> None:
    """A closed stderr costs the log, and nothing else."""
    reading, writing = os.pipe()
    server = ServerProcess("kit_server.py", stderr=writing)
    try:
        os.close(writing)
        os.close(reading)
        server.send(call(1, "say", {"text": "stray"}), call(2, "fail", {"kind": "value"}))
        answers = {answer["id"]: answer for answer in (server.take(), server.take())}
        assert answers[2]["error"]["code"] == -32603
        server.send(call(3, "add", {"a": 1, "b": 1}), call(4, "fail_quick", {"kind": "value"}))
        assert {server.take()["id"], server.take()["id"]} == {3, 4}
        server.end_input()
        assert ended_within(server) == 0
    finally:
        server.close()


@POSIX
@pytest.mark.parametrize("tool", ["big", "big_quick", "big_async"])
def test_a_client_that_does_not_read_may_still_end_the_input(tool: str) -> None:
    """Though stdout is full and nobody reads it, the end of input ends the server, in the time for answers owed."""
    reading, writing = os.pipe()
    server = ServerProcess("kit_server.py", "--drain", "1", stdout=writing, reads=False)
    try:
        os.close(writing)
        server.send(*(call(number, tool, {"characters": 1_000_000}) for number in range(20)))
        server.end_input()
        assert ended_within(server, 1 + WITHIN) == 0
        assert server.stderr() == ""
    finally:
        os.close(reading)
        server.close()


@POSIX
@pytest.mark.parametrize("tool", ["big", "big_quick", "big_async"])
def test_a_cancellation_is_read_while_nobody_reads(tool: str) -> None:
    """A stdout that is full does not stop the reading of stdin."""
    reading, writing = os.pipe()
    server = ServerProcess("kit_server.py", stdout=writing, reads=False)
    try:
        os.close(writing)
        server.send(
            call(1, "hold", {"name": "x"}), *(call(n, tool, {"characters": 1_000_000}) for n in range(2, 6))
        )
        server.send(cancel(1), call(6, "say_cancelled"))
        server.until(lambda: "x" in server.stderr())
    finally:
        os.close(reading)
        server.close()


@POSIX
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_ends_it_while_nobody_reads(name: str) -> None:
    """A writer that is stuck does not hold up the end."""
    reading, writing = os.pipe()
    server = ServerProcess("kit_server.py", stdout=writing, reads=False)
    try:
        os.close(writing)
        server.send(*(call(number, "big_quick", {"characters": 3_000_000}) for number in range(4)))
        os.read(reading, 10)
        server.process.send_signal(getattr(signal, name))
        assert ended_within(server) == 0
    finally:
        os.close(reading)
        server.close()


def test_json_on_stdout_is_all_there_is(server: ServerProcess) -> None:
    """Whatever happened, every line of stdout is one message."""
    server.send(b"junk", call(1, "say", {"text": "x"}), call(2, "fail", {"kind": "exit"}), cancel(1))
    server.end_input()
    for message in server.rest():
        assert message["jsonrpc"] == "2.0"
        assert json.dumps(message)
    assert server.wait(PATIENCE) == 0


@POSIX
def test_descriptors_that_do_not_block_are_served_all_the_same() -> None:
    """A client may share its own setting of both pipes with the server."""
    reading, theirs = os.pipe()
    mine, writing = os.pipe()
    os.set_blocking(mine, False)
    os.set_blocking(theirs, False)
    server = ServerProcess("kit_server.py", stdin=mine, stdout=theirs, reads=False)
    try:
        os.close(theirs)
        os.close(mine)
        with os.fdopen(reading, "rb") as stdout, os.fdopen(writing, "wb", buffering=0) as stdin:
            stdin.write(call(1, "big", {"characters": 3_000_000}) + b"\n")
            assert len(json.loads(stdout.readline())["result"]["structuredContent"]["result"]) == 3_000_000
            stdin.write(call(2, "add", {"a": 1, "b": 1}) + b"\n")
            assert json.loads(stdout.readline())["id"] == 2
            stdin.close()
            assert ended_within(server) == 0
            assert server.stderr() == ""
    finally:
        server.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a file that is always full, which Linux has")
@pytest.mark.parametrize("goes_on", [False, True])
@pytest.mark.parametrize("tool", ["add", "add_quick", "add_async"])
def test_an_output_that_cannot_be_written_is_a_failure(tool: str, goes_on: bool) -> None:
    """Told in one line, with exit code 70, whether the input has ended by then or not."""
    with Path("/dev/full").open("wb") as full:
        server = subprocess.Popen(
            [sys.executable, ServerProcess.script("kit_server.py")],
            stdin=subprocess.PIPE,
            stdout=full,
            stderr=subprocess.PIPE,
        )
    assert server.stdin is not None
    assert server.stderr is not None
    with server, contextlib.suppress(BrokenPipeError):
        server.stdin.write(call(1, tool, {"a": 1, "b": 2}) + b"\n")
        server.stdin.flush()
        if not goes_on:
            server.stdin.close()
        told = server.stderr.read().decode()
        assert server.wait(PATIENCE) == 70
    assert told.splitlines() == ["faults: stdout cannot be written: No space left on device"]
