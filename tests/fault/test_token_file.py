"""Changes of the file of tokens that break off, and changes that come at the same time."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from readingroom.transport import auth_token_file
from readingroom.transport.auth_token_file import TokensUnusable, changing, exists, read
from readingroom.transport.auth_token_records import issued, rotated

ADD = """
import sys
from pathlib import Path
from readingroom.transport.auth_token_file import changing, exists, read
from readingroom.transport.auth_token_records import issued
file = Path(sys.argv[1])
for number in range(10):
    with changing(file) as write:
        kept = read(file) if exists(file) else ()
        write((*kept, issued("reader", label=sys.argv[2], now=1e9, seconds=1)[1]))
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with one token."""
    file = tmp_path / "private" / "tokens.json"
    with changing(file) as write:
        write((issued("reader", now=1e9, seconds=1000)[1],))
    return file


def rotate(file: Path) -> None:
    """Rotate the first token."""
    with changing(file) as write:
        kept = read(file)
        write(rotated(kept, kept[0].id, now=1e9, seconds=1000, overlap=10)[2])


def test_changes_at_the_same_time(tmp_path: Path) -> None:
    """Of three processes none loses what another has written, and a reader never sees half of a file."""
    file = tmp_path / "private" / "tokens.json"
    adding = [subprocess.Popen([sys.executable, "-c", ADD, str(file), str(number)]) for number in range(3)]
    while any(process.poll() is None for process in adding):
        if exists(file):
            read(file)
    assert [process.returncode for process in adding] == [0, 0, 0]
    labels = [record.label for record in read(file)]
    assert {label: labels.count(label) for label in labels} == {"0": 10, "1": 10, "2": 10}


def test_one_token_is_rotated_once(file: Path) -> None:
    """Whoever comes second is told of the first."""
    rotate(file)
    with pytest.raises(Exception, match="rotated already"):
        rotate(file)
    assert len(read(file)) == 2


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk(file: Path, call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves what was, and nothing beside it."""
    before = file.read_bytes()

    def full(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path if call == "replace" else auth_token_file.os, call, full)
    with pytest.raises(TokensUnusable, match="No space left"):
        rotate(file)
    monkeypatch.undo()
    assert file.read_bytes() == before
    assert not list(file.parent.glob("*.new"))
    rotate(file)


def test_ctrl_c_between(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same."""
    before = file.read_bytes()

    def interrupted(*_args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(auth_token_file.os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        rotate(file)
    monkeypatch.undo()
    assert file.read_bytes() == before
    assert not list(file.parent.glob("*.new"))


@pytest.mark.skipif(sys.platform == "win32", reason="a process that is killed in the middle of it")
def test_a_process_that_dies_in_the_middle(file: Path) -> None:
    """What it had written beside is taken away by the next change; its lock is free; the file is what it was."""
    before = file.read_bytes()
    child = os.fork()
    if not child:
        auth_token_file.os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGKILL)  # dies there
        rotate(file)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert file.read_bytes() == before
    assert len(list(file.parent.glob(".tokens.json.*.new"))) == 1
    rotate(file)
    assert not list(file.parent.glob(".tokens.json.*.new"))
    assert len(read(file)) == 2
