"""Taking stdin and stdout, in processes of their own: what is left of them, and what the private ones are."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="reads descriptors as POSIX numbers them")

TAKE = """
import json, os, sys
from readingroom.errors import TransportError
from readingroom.transport.handles import leave, take_over
{before}
try:
    handles = take_over()
except TransportError as error:
    sys.exit(f"told: {{error}}")
os.write(handles.writing, json.dumps({told}).encode())
leave(7)
"""


def run(told: str, before: str = "", **popen: Any) -> subprocess.CompletedProcess[bytes]:
    """Run a program that takes the handles and tells something on the protocol's stdout."""
    program = TAKE.format(told=told, before=before)
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    streams = {"input": b"from the client", "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **popen}
    if "stdin" in streams:
        del streams["input"]
    return subprocess.run([sys.executable, "-c", program], timeout=30, env=buffered, **streams)


def told(done: subprocess.CompletedProcess[bytes]) -> Any:
    """What the program told, when it ended as it should."""
    assert done.returncode == 7, done.stderr
    return json.loads(done.stdout)


def test_the_standard_descriptors_lead_elsewhere() -> None:
    """0 is at its end, 1 leads to stderr, and the private ones carry the protocol."""
    done = run('[os.read(0, 10).decode(), os.read(handles.reading, 99).decode(), os.write(1, b"stray")]')
    assert told(done) == ["", "from the client", 5]
    assert done.stderr == b"stray"


def test_the_private_ones_are_not_inherited() -> None:
    """The standard ones are (PEP 446)."""
    done = run("[os.get_inheritable(one) for one in (0, 1, 2, handles.reading, handles.writing)]")
    assert told(done) == [True, True, True, False, False]


def test_a_forked_child_has_them_no_more() -> None:
    """It would hold them open."""
    if not sys.platform.startswith("linux"):
        pytest.skip("reads /proc")
    left = "sum(os.path.exists(f'/proc/self/fd/{one}') for one in (handles.reading, handles.writing))"
    child = f"(os.fork() or os._exit({left}))"
    assert told(run(f"os.waitstatus_to_exitcode(os.waitpid({child}, 0)[1])")) == 0


def test_what_was_printed_before_and_after_lands_on_stderr() -> None:
    """In order, and in escapes where it has no characters."""
    done = run('print("after \\ud800")', before='print("before", end=" ")')
    assert told(done) is None
    assert done.stderr == b"before after \\ud800\n"


@pytest.mark.parametrize(("descriptor", "name"), [(0, "stdin"), (1, "stdout")])
def test_a_stream_that_is_not_open_is_told(descriptor: int, name: str) -> None:
    """There is nothing to serve on."""
    done = run("0", before=f"os.close({descriptor})")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == f"told: {name} is not open\n"


@pytest.mark.parametrize("before", ["os.close(2)", "os.close(2); sys.stderr = None"])
def test_stderr_need_not_be_open(before: str) -> None:
    """Descriptor 2 leads nowhere then, and no private one stands in its place."""
    done = run(
        "[handles.reading > 2, handles.writing > 2, os.write(2, b'x'), os.get_inheritable(2)]", before=before
    )
    assert told(done) == [True, True, 1, True]


def test_stderr_that_nobody_reads_does_no_harm() -> None:
    """What was printed is lost, and the code is the same."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        assert told(run("1", before='print("lost")', stderr=writing)) == 1
    finally:
        os.close(writing)


def test_a_stdout_of_another_kind_is_left_as_it_is() -> None:
    """A program may have put an object of its own in its place."""
    assert told(run("1", before="import io; sys.stdout = type('Odd', (), {'write': print})()")) == 1


def test_files_are_served_as_well(tmp_path: Any) -> None:
    """They are no pipes, so there is nothing to widen."""
    file = tmp_path / "in"
    file.write_text("x")
    with file.open("rb") as stdin, (tmp_path / "out").open("wb") as stdout:
        done = run("os.read(handles.reading, 9).decode()", stdin=stdin, stdout=stdout)
    assert done.returncode == 7
    assert (tmp_path / "out").read_text() == '"x"'
