"""The end of a stdio server, by the end of its input or a signal: in time, quietly, and nothing owed is lost."""

import os
import signal
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from support.messages import call, cancel, frame
from support.processes import ServerProcess, until
from support.stdio_endings import POSIX, WITHIN, ended_within


@pytest.fixture
def server() -> Iterator[ServerProcess]:
    """A server of its own that has answered once."""
    process = ServerProcess("kit_server.py")
    process.send(frame("ready", "server/discover"))
    process.take()
    yield process
    process.close()


def entered(server: ServerProcess, name: str) -> None:
    """Wait until the handler that waits at a gate has begun."""

    def is_open() -> bool:
        server.send(call("entered", "is_open", {"name": f"{name} entered"}))
        return bool(server.take_answer("entered")["result"]["structuredContent"]["result"])

    until(is_open)


def test_empty_input_ends_it_quietly() -> None:
    """Nothing on stdin: nothing on stdout, nothing on stderr, code 0."""
    server = ServerProcess("kit_server.py", stdin=subprocess.DEVNULL)
    try:
        assert server.rest() == []
        assert (server.wait(), server.stderr()) == (0, "")
    finally:
        server.close()


def test_the_end_of_input_ends_an_idle_server(server: ServerProcess) -> None:
    """Within a second, with code 0, and without a word (STDIO-6)."""
    server.end_input()
    assert ended_within(server) == 0
    assert (server.rest(), server.stderr()) == ([], "")


@pytest.mark.parametrize("tool", ["add", "add_quick", "add_async"])
def test_answers_owed_at_the_end_of_input_are_finished(tool: str) -> None:
    """Everything that was asked in a file is answered, whichever way its handler runs."""
    server = ServerProcess("kit_server.py")
    try:
        asked = [call(number, tool, {"a": number, "b": 1}) for number in range(500)]
        server.send_apart(*asked)
        server.until(lambda: server.process.poll() is not None or server.lines_waiting() > 0)
        answers = [server.take() for _ in asked]
        server.end_input()
        assert server.rest() == []
        assert {answer["id"]: answer["result"]["structuredContent"]["result"] for answer in answers} == {
            number: number + 1 for number in range(500)
        }
        assert ended_within(server) == 0
    finally:
        server.close()


@pytest.mark.parametrize("tool", ["add", "add_quick", "add_async"])
def test_input_from_a_file_is_answered_whole(tool: str, tmp_path: Any) -> None:
    """The end of input right behind the last request loses no answer."""
    file = tmp_path / "requests"
    file.write_bytes(b"".join(call(number, tool, {"a": number, "b": 1}) + b"\n" for number in range(300)))
    for _ in range(5):
        with file.open("rb") as stdin:
            server = ServerProcess("kit_server.py", stdin=stdin)
            try:
                assert {answer["id"] for answer in server.rest()} == set(range(300))
                assert (server.wait(), server.stderr()) == (0, "")
            finally:
                server.close()


def test_a_slow_answer_is_finished_before_the_end(server: ServerProcess) -> None:
    """A handler that takes two seconds is waited for, and then the server ends at once."""
    server.send(call(1, "take", {"seconds": 2.0}))
    server.end_input()
    assert server.take()["result"]["structuredContent"] == {"result": 2.0}
    assert ended_within(server) == 0


def test_a_slow_coroutine_is_finished_before_the_end() -> None:
    """The same for a coroutine."""
    server = ServerProcess("kit_server.py")
    try:
        server.send(*(call(number, "meet_async") for number in range(8)))
        server.end_input()
        assert len(server.rest()) == 8
        assert server.wait() == 0
    finally:
        server.close()


def test_an_answer_that_takes_for_ever_is_not_waited_for() -> None:
    """Once the time for answers owed is over, the server ends with code 0 although a handler is stuck."""
    server = ServerProcess("kit_server.py", "--drain", "1")
    try:
        server.send(call(1, "hold_fast", {"name": "x"}), call(2, "add", {"a": 1, "b": 1}))
        assert server.take()["id"] == 2
        server.end_input()
        assert ended_within(server, 1 + WITHIN) == 0
        assert server.rest() == []
    finally:
        server.close()


def test_a_cancelled_handler_does_not_hold_up_the_end(server: ServerProcess) -> None:
    """Nothing is owed for it, whether it heeds its cancellation or not."""
    server.send(call(1, "hold_fast", {"name": "x"}))
    entered(server, "x")
    server.send(cancel(1))
    server.end_input()
    assert ended_within(server) == 0


def test_held_back_requests_do_not_outlast_the_client() -> None:
    """A server that has stopped reading, since its handlers are all stuck, sees that its client has gone."""
    server = ServerProcess("kit_server.py", "--drain", "1", "--requests", "8")
    try:
        server.send(*(call(number, "hold_fast", {"name": "x"}) for number in range(100)))
        server.end_input()
        assert ended_within(server, 1 + WITHIN) == 0
    finally:
        server.close()


def test_a_message_that_is_cut_off_is_not_executed(server: ServerProcess) -> None:
    """The end inside a message is told, without an id, and the handler never runs."""
    whole = call(1, "say", {"text": "executed"})
    server.write(whole[: len(whole) // 2])
    server.end_input()
    answer = server.take()
    assert answer["error"]["code"] == -32700
    assert "id" not in answer
    assert ended_within(server) == 0
    assert server.stderr() == ""


def test_the_end_inside_a_character_is_told(server: ServerProcess) -> None:
    """A UTF-8 sequence that is cut off is no message."""
    server.write(b'{"jsonrpc":"2.0","id":1,"method":"\xd0')
    server.end_input()
    assert server.take()["error"]["code"] == -32700
    assert ended_within(server) == 0


def test_a_message_without_its_line_end_is_not_executed(server: ServerProcess) -> None:
    """A line is a message only with its end (STDIO-1): the refusal says what is missing."""
    server.write(call(1, "say", {"text": "executed"}))
    server.end_input()
    answer = server.take()
    assert answer["error"]["code"] == -32700
    assert "line end" in answer["error"]["message"]
    assert ended_within(server) == 0
    assert server.stderr() == ""


def test_blanks_before_the_end_are_nothing(server: ServerProcess) -> None:
    """Spaces and a carriage return after the last line end are no message that was cut off."""
    server.write(b"  \r")
    server.end_input()
    assert server.rest() == []
    assert ended_within(server) == 0


@POSIX
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("busy", [None, "hold_fast", "hold_async"])
def test_one_signal_ends_it_quietly(server: ServerProcess, name: str, busy: str | None) -> None:
    """Within a second, with code 0 and without a traceback, whatever the handlers are doing."""
    if name == "SIGHUP" and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        pytest.skip("these tests run under nohup, and so does the server")
    if busy:
        server.send(call(1, busy, {"name": "x"}))
        entered(server, "x")
    server.process.send_signal(getattr(signal, name))
    assert ended_within(server) == 0
    assert server.stderr() == ""


@POSIX
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_ends_it_while_answers_are_still_owed(server: ServerProcess, name: str) -> None:
    """Once the input has ended, a signal is not made to wait for the answers that are owed."""
    server.send(call(1, "hold_fast", {"name": "x"}))
    entered(server, "x")
    server.end_input()
    server.process.send_signal(getattr(signal, name))
    assert ended_within(server) == 0


@POSIX
def test_signals_that_come_at_once_do_no_harm(server: ServerProcess) -> None:
    """A second signal ends it where it stands."""
    for _ in range(20):
        if server.process.poll() is None:
            server.process.send_signal(signal.SIGINT)
    assert ended_within(server) == 0
    assert server.stderr() == ""


@POSIX
def test_a_hang_up_that_was_to_be_ignored_is_ignored() -> None:
    """Under `nohup` the server serves on."""
    server = ServerProcess("kit_server.py", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    try:
        server.send(frame(1, "server/discover"))
        server.take()
        server.process.send_signal(signal.SIGHUP)
        server.send(frame(2, "server/discover"))
        assert server.take()["id"] == 2
        server.end_input()
        assert ended_within(server) == 0
    finally:
        server.close()


@POSIX
def test_a_terminal_ends_it_with_one_ctrl_c() -> None:
    """On a terminal, where a person tries it by hand, one Ctrl-C is enough."""
    import pty

    leader, follower = pty.openpty()
    server = ServerProcess("kit_server.py", stdin=follower, stdout=follower, start_new_session=True)
    try:
        os.close(follower)
        os.write(leader, frame(1, "server/discover") + b"\n")
        said = b""
        while b"supportedVersions" not in said:
            said += os.read(leader, 4096)
        server.process.send_signal(signal.SIGINT)
        assert ended_within(server) == 0
        assert server.stderr() == ""
    finally:
        server.close()
        os.close(leader)
