"""Starting a server's process: its command, its environment, its folder."""

import os
import sys
from pathlib import Path

import pytest

from readingroom.errors import ConnectFailed, UsageError
from readingroom.transport.processes import ServerProcess, default_environment

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the commands are those of POSIX")


def said(command: list, **how: object) -> bytes:
    """Start a process, and give what it writes to its output."""
    settings = {
        "cwd": None,
        "env": default_environment(),
        "keep_stderr": False,
        "on_exit": lambda: None,
        **how,
    }
    process = ServerProcess(command, **settings)
    os.close(process.stdin)
    parts = []
    while part := os.read(process.stdout, 65_536):
        parts.append(part)
    os.close(process.stdout)
    assert process.exit_code(30) == 0
    process.end(30)
    return b"".join(parts)


def test_the_default_environment_has_no_secrets(monkeypatch):
    """What programs need to run is passed on, and nothing else, least of all a function of a shell (STDIO-8)."""
    for name, value in {
        "API_KEY": "k",
        "LC_ALL": "C.UTF-8",
        "TZ": "() { :; }",
        "LANG": "de",
        "PYTHONPATH": "x",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("TMPDIR", raising=False)
    found = default_environment()
    assert found["PATH"] == os.environ["PATH"]
    assert (found["LC_ALL"], found["LANG"]) == ("C.UTF-8", "de")
    assert not {"API_KEY", "TZ", "PYTHONPATH", "TMPDIR"} & set(found)


def test_environment_is_exactly_what_is_given():
    """The process gets the variables that it is given and no other."""
    assert said(["/usr/bin/env"], env={"A": "1", "B": "zwei"}) == b"A=1\nB=zwei\n"


def test_folder(tmp_path):
    """The process runs in the folder that it is given."""
    assert said(["/bin/pwd"], cwd=tmp_path).decode().strip() == str(tmp_path.resolve())


def test_there_is_no_shell():
    """Every part of the command is an argument, whatever it means to a shell."""
    assert said(["/bin/echo", "$HOME; ls", "*", "a b"]) == b"$HOME; ls * a b\n"


def test_parts_may_be_paths():
    """Parts of the command may be paths."""
    assert said([Path("/bin/echo"), Path("x")]) == b"x\n"


def test_the_process_leads_a_group_of_its_own():
    """The process leads a session, so that a terminal's interrupt does not reach it and its children can be ended."""
    program = "import os; print(os.getpid() == os.getsid(0) == os.getpgid(0))"
    assert said([sys.executable, "-c", program]) == b"True\n"


@pytest.mark.parametrize("command", ["python server.py", b"x", [], [""], ["a\0b"], [5], ["a", None]])
def test_what_is_no_command(command):
    """A command that is no list of texts, or names no program, is refused."""
    with pytest.raises(UsageError):
        ServerProcess(command, cwd=None, env={}, keep_stderr=True, on_exit=lambda: None)


@pytest.mark.parametrize(
    ("command", "how"),
    [
        (["no-such-program-anywhere"], {}),
        (["/etc/passwd"], {}),
        (["/bin/echo"], {"cwd": "/no/such/folder"}),
        (["/bin/echo"], {"env": {"A=B": "x"}}),
        (["/bin/echo"], {"env": {"A": "\0"}}),
    ],
)
def test_what_cannot_be_started(command, how):
    """A program that is not there or cannot be run is a failed connection, and no descriptor is left open."""
    before = len(list(Path("/dev/fd").iterdir()))
    settings = {
        "cwd": None,
        "env": default_environment(),
        "keep_stderr": True,
        "on_exit": lambda: None,
        **how,
    }
    with pytest.raises(ConnectFailed, match="cannot start"):
        ServerProcess(command, **settings)
    assert len(list(Path("/dev/fd").iterdir())) == before
