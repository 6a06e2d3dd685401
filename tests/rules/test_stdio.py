"""STDIO: the carrier, on a process of its own."""

import subprocess
import time
from collections.abc import Iterator

import pytest

from support.messages import call, frame
from support.processes import ServerProcess

rule = pytest.mark.rule


@pytest.fixture
def process() -> Iterator[ServerProcess]:
    """A server of its own."""
    server = ServerProcess("kit_server.py")
    yield server
    server.close()


@rule("STDIO-1", "passing")
def test_a_message_stands_on_one_line(process: ServerProcess) -> None:
    """Whatever line ends are in it, and in UTF-8."""
    process.send(frame(1, "prompts/get", {"name": "prompt", "arguments": {"topic": "a\nb\r\nчитать"}}))
    line = process.take_line()
    assert line is not None
    assert line.count(b"\n") == 1
    assert line.endswith(b"}\n")
    assert "читать".encode() in line


@rule("STDIO-1", "violating")
@rule("STDIO-3", "passing")
def test_a_message_on_two_lines_is_two_lines_that_cannot_be_read(process: ServerProcess) -> None:
    """Each is answered; blank lines are not."""
    process.write(b'\n{"jsonrpc":"2.0",\n"id":1,"method":"server/discover"}\n\r\n  \n')
    assert [process.take()["error"]["code"] for _ in range(2)] == [-32700, -32700]
    process.send(frame(2, "server/discover"))
    assert process.take()["id"] == 2


@rule("STDIO-2", "passing")
@rule("STDIO-2", "violating")
def test_nothing_but_messages_is_written_to_stdout(process: ServerProcess) -> None:
    """What a handler prints, and what a child of it prints, lands on stderr."""
    process.send(call(1, "say", {"text": "stray"}), call(2, "shell", {"command": "echo stray"}))
    assert {process.take()["id"], process.take()["id"]} == {1, 2}
    process.end_input()
    assert process.rest() == []
    assert process.stderr().split() == ["stray"] * 4


@rule("STDIO-3", "violating")
@pytest.mark.parametrize("line", [b"{", b"\xff\xfe", b"\x00", b"[" * 100_000, b"x" * 5_000_000])
def test_a_line_that_cannot_be_read_costs_only_itself(process: ServerProcess, line: bytes) -> None:
    """Without an id, and the next line is served."""
    process.send_apart(line)
    answer = process.take()
    assert answer["error"]["code"] in (-32700, -32600)
    assert "id" not in answer
    process.send(frame(2, "server/discover"))
    assert process.take()["id"] == 2


@rule("STDIO-6", "passing")
def test_a_server_ends_soon_after_its_stdin(process: ServerProcess) -> None:
    """With code 0, and in a time that a machine busy with other tests can keep."""
    process.send(frame(1, "server/discover"))
    process.take()
    process.end_input()
    began = time.monotonic()
    assert process.wait() == 0
    assert time.monotonic() - began < 10


@rule("STDIO-6", "violating")
def test_a_handler_that_is_stuck_does_not_keep_a_server_alive() -> None:
    """Answers owed have a time, and no more."""
    server = ServerProcess("kit_server.py", "--drain", "0.5")
    try:
        server.send(call(1, "hold_fast", {"name": "x"}))
        server.end_input()
        assert server.wait() == 0
    finally:
        server.close()


@rule("STDIO-10", "passing")
def test_requests_run_beside_each_other(process: ServerProcess) -> None:
    """Eight that wait for each other are all answered."""
    process.send(*(call(number, "meet") for number in range(8)))
    assert {process.take()["id"] for _ in range(8)} == set(range(8))


@rule("STDIO-10", "violating")
def test_a_request_that_takes_long_holds_up_no_other() -> None:
    """Not even when every worker is taken: discovery is read and answered."""
    server = ServerProcess("kit_server.py", "--workers", "1")
    try:
        server.send(
            call(1, "hold_fast", {"name": "x"}),
            call(2, "hold_fast", {"name": "x"}),
            frame(3, "server/discover"),
        )
        assert server.take()["id"] == 3
        server.send(call(4, "open_gate", {"name": "x"}))
        assert {server.take()["id"] for _ in range(3)} == {1, 2, 4}
    finally:
        server.close()


def test_empty_input_is_no_fault() -> None:
    """Nothing in, nothing out."""
    server = ServerProcess("kit_server.py", stdin=subprocess.DEVNULL)
    assert (server.rest(), server.wait(), server.stderr()) == ([], 0, "")
    server.close()
