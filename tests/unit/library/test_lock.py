"""The writer's lock: had at once or not at all, and freed when its process dies."""

import subprocess
import sys
from pathlib import Path

import pytest

from readingroom.library import lock as locking
from readingroom.library.errors import IndexBusy
from readingroom.library.lock import WriterLock, is_held

HOLD = """
import sys
from pathlib import Path
from readingroom.library.lock import WriterLock
with WriterLock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_holder_is_refused_at_once(tmp_path: Path) -> None:
    """Two may not hold it, and after the first has let go the next one may."""
    file = tmp_path / "lock"
    with WriterLock(file):
        assert is_held(file)
        with pytest.raises(IndexBusy), WriterLock(file):
            pass
    assert not is_held(file)
    with WriterLock(file):
        pass


def test_another_process_is_refused_until_the_holder_is_killed(tmp_path: Path) -> None:
    """The system frees the lock of a process that was killed."""
    file = tmp_path / "lock"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"held"
        with pytest.raises(IndexBusy), WriterLock(file):
            pass
        holder.kill()
        holder.wait()
    with WriterLock(file):
        pass


def test_a_lock_on_a_removed_file_guards_nothing(tmp_path: Path) -> None:
    """Who removes the file while holding it makes way for the next holder of a fresh one."""
    file = tmp_path / "lock"
    with WriterLock(file) as lock:
        lock.remove()
        with WriterLock(file):
            assert is_held(file)


def test_a_file_that_is_removed_between_opening_and_locking_is_opened_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else two would hold locks on two files of one name."""
    file = tmp_path / "lock"
    take, taken = locking._take, []

    def slowly(handle: int) -> bool:
        if not taken:
            file.unlink()
        taken.append(handle)
        return take(handle)

    monkeypatch.setattr(locking, "_take", slowly)
    with WriterLock(file):
        assert len(taken) == 2
        assert file.exists()


def test_where_there_is_no_folder_nobody_holds_it(tmp_path: Path) -> None:
    """Asking does not make the folder."""
    assert not is_held(tmp_path / "missing" / "lock")
