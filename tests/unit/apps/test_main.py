"""The process as a shell sees it: exit codes, one line on stderr, quiet ends."""

import errno
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from readingroom.apps import main as entry
from readingroom.apps.main import main

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
COMMAND = [sys.executable, "-m", "readingroom"]
SILENT = "import sys; print('up', file=sys.stderr, flush=True); sys.stdin.read()"


def run(*arguments: str, **given: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the command line in a process of its own."""
    options: dict[str, Any] = {
        "capture_output": True,
        "timeout": 50,
        "check": False,
        "stdin": subprocess.DEVNULL,
        **given,
    }
    return subprocess.run([*COMMAND, *arguments], **options)


def test_a_fault_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Usage faults end with 2 and one line on stderr, without a traceback."""
    assert main(["serach"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "readingroom: there is no command 'serach'; did you mean search?\n"


def test_a_fault_may_quote_the_lines_of_a_server(capsys: pytest.CaptureFixture[str]) -> None:
    """The last lines of a server that died stand on lines of their own, indented and harmless."""
    dying = "import sys; print('first\\n\\x1b[2Jlast', file=sys.stderr, flush=True); raise SystemExit(4)"
    assert main(["list", "--quiet", "--", sys.executable, "-c", dying]) == 5
    first, *rest = capsys.readouterr().err.splitlines()
    assert first.startswith("readingroom: ")
    assert first.endswith("its last lines on stderr:")
    assert rest[0] == "  first"
    assert rest[1].startswith("  ⟨U+001B⟩[2Jlast")


def test_what_was_typed_is_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    """What a fault repeats cannot steer the terminal."""
    assert main(["\x1b[2Jx"]) == 2
    assert "\x1b" not in capsys.readouterr().err


def test_success(capsys: pytest.CaptureFixture[str]) -> None:
    """What was asked for is on stdout, nothing on stderr, and the code is 0."""
    assert main(["version"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Reading Room ")
    assert err == ""


def test_arguments_come_from_the_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without arguments given, those of the process are read."""
    monkeypatch.setattr(sys, "argv", ["readingroom", "--version"])
    assert main() == 0
    assert "Python" in capsys.readouterr().out


def test_a_fault_of_ours_tells_where(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What nobody foresaw ends with 70 and says where, so that it can be reported."""
    monkeypatch.setattr("readingroom.apps.running.overview", lambda: 1 / 0)
    assert main(["--help"]) == 70
    err = capsys.readouterr().err
    assert "a fault of Reading Room: ZeroDivisionError" in err
    assert "running.py" in err
    assert "Traceback" not in err


def test_ctrl_c(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """Ctrl-C ends with 130 and says nothing."""

    def interrupted() -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("readingroom.apps.running.overview", interrupted)
    monkeypatch.setattr(entry, "_abandon_output", lambda: None)
    assert main(["--help"]) == 130
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent in another way there")
def test_ctrl_c_in_a_process() -> None:
    """Ctrl-C while a server is waited for ends the command with 130, quietly, and the server with it."""
    with subprocess.Popen(
        [*COMMAND, "list", "--", sys.executable, "-c", SILENT], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == b"server: up\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, b"", b"")


# It says its number, and does not end at the end of its input.
STUBBORN = """
import os, sys, time
print(os.getpid(), file=sys.stderr, flush=True)
time.sleep(120)
"""


def runs(pid: int) -> bool:
    """Whether a process is there."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def unmeasured() -> dict[str, str]:
    """The environment without what measures coverage, which hears SIGTERM itself."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COV")}


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals there")
@pytest.mark.parametrize(
    ("command", "name", "code"),
    [("list", "SIGTERM", 143), ("watch", "SIGTERM", 143), ("list", "SIGHUP", 129)],
)
def test_a_signal_that_ends(command: str, name: str, code: int) -> None:
    """SIGTERM, twice as `timeout` sends it, and SIGHUP end a command as Ctrl-C does: quietly, its server with it."""
    words = [*COMMAND, command, "--", sys.executable, "-c", STUBBORN]
    with subprocess.Popen(words, env=unmeasured(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        pid = int(process.stderr.readline().decode().removeprefix("server: "))
        for _ in range(2):
            process.send_signal(getattr(signal, name))
        out, err = process.communicate(timeout=30)
    left = runs(pid)
    if left:
        os.kill(pid, signal.SIGKILL)
    assert (process.returncode, out, err, left) == (code, b"", b"", False)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals there")
def test_a_signal_that_is_ignored() -> None:
    """Under `nohup` a command outlives its terminal."""
    ignoring = "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    words = [sys.executable, "-c", ignoring, *COMMAND, "list", "--", sys.executable, "-c", SILENT]
    with subprocess.Popen(words, env=unmeasured(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith(b"server: ")
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
    assert process.returncode == 143


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals there")
def test_a_signal_in_this_process(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """Its code is given whatever the command makes of it, and afterwards signals are what they were."""

    def overview() -> str:
        assert signal.getsignal(signal.SIGHUP) is not signal.SIG_DFL  # or it would end the tests
        try:
            os.kill(os.getpid(), signal.SIGHUP)
        except KeyboardInterrupt:
            return "It ended."
        return "It went on."

    monkeypatch.setattr("readingroom.apps.running.overview", overview)
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_DFL
    assert main(["--help"]) == 129
    assert capfd.readouterr() == ("It ended.\n", "")
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_DFL


def test_in_another_thread(capsys: pytest.CaptureFixture[str]) -> None:
    """Where signals cannot be heard, commands do their work all the same."""
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(main(["version"])))
    thread.start()
    thread.join()
    assert codes == [0]
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break in another way there")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", [["--help"], ["version"], ["help", "call"]])
def test_a_closed_pipe(arguments: list[str], unbuffered: str) -> None:
    """A reader that goes away, as `head` does, ends the command quietly, with 0, whenever that is noticed."""
    reading, writing = os.pipe()
    os.close(reading)
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    done = run(*arguments, capture_output=False, stdout=writing, stderr=subprocess.PIPE, env=env)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_disk_that_is_full(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """An output that fails for another reason is a fault that is told."""

    def full() -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("readingroom.apps.running.overview", full)
    assert main(["--help"]) == 70
    assert "No space left" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "system", "is_broken"),
    [
        (BrokenPipeError(errno.EPIPE, "x"), "posix", True),
        (OSError(errno.EINVAL, "x"), "nt", True),
        (OSError(errno.EINVAL, "x"), "posix", False),
        (OSError(errno.EINVAL, "x", "a file"), "nt", False),
        (OSError(errno.ENOSPC, "x"), "nt", False),
    ],
)
def test_broken_pipes_by_system(
    error: OSError, system: str, is_broken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows has a word of its own for a pipe that nobody reads."""
    monkeypatch.setattr(entry, "_is_windows", lambda: system == "nt")
    assert entry._is_broken_pipe(error) is is_broken


def test_utf8_under_any_locale() -> None:
    """Output is UTF-8 also where the locale says otherwise."""
    done = run("--help", env={**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"})
    assert done.returncode == 0
    assert "COMMAND …" in done.stdout.decode()
    done = run("缓存", env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert "缓存" in done.stderr.decode()


def test_no_escapes_in_a_pipe() -> None:
    """A pipe gets no colours, unless they are asked for."""
    plain = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "NO_COLOR")}
    command = ("list", "--", sys.executable, str(EXAMPLES / "minimal_server.py"))
    assert b"\x1b" not in run(*command, env=plain).stdout
    assert b"\x1b[1m" in run(*command, env={**plain, "FORCE_COLOR": "1"}).stdout


def test_streams_that_are_not_open(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a stdout there is no place for results; without a stderr the code alone tells."""
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["version"]) == 2
    assert "stdout is not open" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["version"]) == 2
    entry._abandon_output()


def test_results_without_stderr(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A stderr that is not open is done without."""
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["version"]) == 0
    assert "Reading Room" in capsys.readouterr().out
