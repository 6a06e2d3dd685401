"""stdin and stdout belong to the protocol alone: what handlers print, and what their children do, lands elsewhere."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from support.messages import call
from support.processes import ServerProcess

CHILD = "import sys; sys.stderr.write(repr(sys.stdin.read())); print('on stdout')"


@pytest.fixture
def server() -> Iterator[ServerProcess]:
    """A server of its own."""
    process = ServerProcess("kit_server.py")
    yield process
    process.close()


def finish(server: ServerProcess) -> list[object]:
    """End the input, and give what is still answered."""
    server.end_input()
    rest = server.rest()
    assert server.wait() == 0
    return rest


def test_what_a_handler_prints_lands_on_stderr(server: ServerProcess) -> None:
    """print, sys.stdout and descriptor 1 all lead to stderr (STDIO-2)."""
    server.send(call(1, "say", {"text": "stray"}))
    assert server.take()["result"]["structuredContent"] == {"result": "stray"}
    assert finish(server) == []
    assert server.stderr().split() == ["stray", "stray", "stray"]


@pytest.mark.parametrize("text", ["lone \ud800", "читатель", "\x00"])
def test_a_stray_print_of_odd_text_does_no_harm(server: ServerProcess, text: str) -> None:
    """What cannot be encoded for stderr is written in escapes, or fails that call alone."""
    server.send(
        call(1, "say", {"text": text.encode("utf-8", "replace").decode()}), call(2, "add", {"a": 1, "b": 1})
    )
    assert {server.take()["id"], server.take()["id"]} == {1, 2}


def test_what_was_printed_before_serving_lands_on_stderr() -> None:
    """What waits in the buffer of stdout when the server starts is no message either (STDIO-2)."""
    server = ServerProcess("printing_server.py", env={"PYTHONUNBUFFERED": ""})
    try:
        server.send(call(1, "add", {"a": 1, "b": 2}))
        assert server.take()["result"]["structuredContent"] == {"result": 3}
        assert finish(server) == []
        said = server.stderr()
        assert "printed at import" in said
        assert "written at import, without a line end" in said
        assert "printed in a handler" in said
        assert "said by a shell" in said
    finally:
        server.close()


def test_a_shell_in_a_handler_writes_to_stderr(server: ServerProcess) -> None:
    """`os.system` inherits neither handle of the protocol."""
    server.send(call(1, "shell", {"command": "echo said by a shell"}))
    assert server.take()["result"]["structuredContent"] == {"result": 0}
    assert finish(server) == []
    assert "said by a shell" in server.stderr()


def test_a_child_of_a_handler_reads_nothing(server: ServerProcess) -> None:
    """Its stdin is at its end at once, so that it neither waits for the client's messages nor eats them."""
    server.send(call(1, "child", {"program": CHILD}), call(2, "add", {"a": 1, "b": 1}))
    answers = {answer["id"]: answer for answer in (server.take(), server.take())}
    assert answers[1]["result"]["structuredContent"] == {"result": "''"}
    assert finish(server) == []


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork on Windows")
def test_a_forked_child_holds_no_handle_of_the_protocol(server: ServerProcess) -> None:
    """A child without a program of its own (multiprocessing) would keep the client waiting for the end of stdout."""
    server.send(call(1, "fork_child"))
    assert server.take()["result"]["structuredContent"] == {"result": "left: "}


@pytest.mark.skipif(sys.platform == "win32", reason="a daemon is made by a fork")
def test_the_end_of_stdout_is_seen_while_a_child_lives_on(server: ServerProcess) -> None:
    """A child that outlives the server does not hold its stdout open."""
    server.send(call(1, "shell", {"command": "sleep 30 & echo $! >&2"}))
    assert server.take()["id"] == 1
    assert finish(server) == []
    subprocess.run(["kill", server.stderr().split()[-1]], check=True)  # noqa: S607  -- the `kill` of this system


@pytest.mark.parametrize("closed", ["stdin", "stdout", "stderr"])
@pytest.mark.skipif(sys.platform == "win32", reason="descriptors are closed by a shell of POSIX")
def test_a_standard_stream_that_is_closed_from_the_start(closed: str) -> None:
    """Without stdin or stdout there is nothing to serve, and one line says so; stderr is not needed."""
    how = {"stdin": "<&-", "stdout": ">&-", "stderr": "2>&-"}[closed]
    script = str(ServerProcess.script("kit_server.py"))
    message = call(1, "say", {"text": "stray"}) + b"\n"
    done = subprocess.run(  # noqa: S602  -- a shell closes the stream; every word is of this test
        f'"{sys.executable}" "{script}" {how}', shell=True, input=message, capture_output=True, timeout=20
    )
    if closed == "stderr":
        assert (done.returncode, len(done.stdout.splitlines())) == (0, 1)
        assert b'"result":"stray"' in done.stdout
    else:
        assert done.returncode == 70
        assert done.stdout == b""
        assert done.stderr.decode() == f"faults: {closed} is not open\n"
