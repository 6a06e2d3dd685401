"""Changes of the folder: made by names that move in one step, stopped at calls, met by others who write."""

import errno
import os
import shutil
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from readingroom.library.operator import folder, moving, writers
from readingroom.library.operator.changing import Change, carry_out
from readingroom.library.operator.outcomes import Refused
from readingroom.library.operator.taking_back import clear_up, take_back
from support.changed_folders import (
    NEW,
    OLD,
    OTHER,
    WAYS,
    by_renaming,
    expected,
    in_place,
    meanwhile,
    prepared,
    tree,
)
from support.stopping import Points, Stopped, failing, hooked, stop


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.usefixtures("system")
def test_a_change_is_made_and_leaves_nothing_else(tmp_path: Path, way: str) -> None:
    """And a file keeps the mode that it had."""
    change = prepared(tmp_path, way)
    before = tree(tmp_path)
    carry_out(tmp_path, change)
    assert clear_up(tmp_path, change) == ()
    assert tree(tmp_path) == expected(before, change)
    if way == "replace":
        assert stat.S_IMODE((tmp_path / "ä/a.md").stat().st_mode) == 0o640


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.usefixtures("system")
def test_whatever_call_clearing_up_is_stopped_at_it_can_be_done_again(tmp_path: Path, way: str) -> None:
    """The change stays made."""
    for turn in range(1, 5):
        root = tmp_path / str(turn)
        change = prepared(root, way)
        wanted = expected(tree(root), change)
        carry_out(root, change)
        try:
            with hooked(Points(turn, stop)):
                clear_up(root, change)
        except Stopped:
            pass
        clear_up(root, change)
        assert tree(root) == wanted


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("number", "every"), [(errno.EIO, False), (errno.ENOSPC, True)])
def test_a_call_that_fails_is_told_and_taken_back(tmp_path: Path, way: str, number: int, every: bool) -> None:
    """Once, or from there on until it is tried again."""
    turn, ended = 0, False
    while not ended:
        turn += 1
        root = tmp_path / str(turn)
        change = prepared(root, way)
        before = tree(root)
        points = Points(turn, failing(number), every=every)
        try:
            with hooked(points):
                carry_out(root, change)
            ended = True
        except OSError:
            assert points.count >= turn
        take_back(root, change)
        assert tree(root) == before, points.calls


def refused_and_taken_back(root: Path, change: Change) -> tuple[str, tuple[str, ...]]:
    """The code of the refusal, and what taking back told."""
    with pytest.raises(Refused) as refused:
        carry_out(root, change)
    return refused.value.code, take_back(root, change)


@pytest.mark.parametrize("write", [by_renaming, in_place])
@pytest.mark.parametrize(
    ("way", "move"), [("replace", "exchange"), ("delete", "replace"), ("rename", "move")]
)
def test_who_writes_at_the_last_moment_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, move: str, write: Callable[[Path], None]
) -> None:
    """What came out is seen not to be the file that was meant, and is put back."""
    change = prepared(tmp_path, way)
    wanted = tree(tmp_path) | {"ä/a.md": OTHER}
    meanwhile(monkeypatch, move, lambda: write(tmp_path / "ä/a.md"))
    assert refused_and_taken_back(tmp_path, change) == ("base_changed", ())
    assert tree(tmp_path) == wanted


def test_who_has_the_file_open_for_writing_is_waited_for(tmp_path: Path) -> None:
    """Its bytes are those of the base; what is written a moment later lands in the file that stands there."""
    change = prepared(tmp_path, "replace")
    wanted = tree(tmp_path) | {"ä/a.md": OTHER + OLD[len(OTHER) :]}
    with (tmp_path / "ä/a.md").open("r+b") as file:
        assert refused_and_taken_back(tmp_path, change) == ("base_changed", ())
        file.write(OTHER)
    assert tree(tmp_path) == wanted


@pytest.mark.skipif(sys.platform != "linux", reason="leases are Linux's")
@pytest.mark.parametrize(("kind", "refused"), [("", True), ("nfs4", False)])
def test_another_machine_cannot_tell_who_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, refused: bool
) -> None:
    """There a lease is refused also where nobody writes; the file is compared, and that has to do."""
    change = prepared(tmp_path, "replace")
    monkeypatch.setattr("fcntl.fcntl", lambda *_args: failing(errno.EAGAIN)())
    monkeypatch.setattr(writers, "remote_kind", lambda _path: kind)
    if refused:
        assert refused_and_taken_back(tmp_path, change) == ("base_changed", ())
    else:
        carry_out(tmp_path, change)
        assert (tmp_path / "ä/a.md").read_bytes() == NEW


def test_who_opens_the_file_at_the_last_moment_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is put back, and what is written then is there."""
    change = prepared(tmp_path, "replace")
    files = []
    meanwhile(monkeypatch, "exchange", lambda: files.append((tmp_path / "ä/a.md").open("r+b")))
    assert refused_and_taken_back(tmp_path, change) == ("base_changed", ())
    files[0].write(NEW)
    files[0].close()
    assert (tmp_path / "ä/a.md").read_bytes() == NEW


@pytest.mark.parametrize("way", ["create", "create deep", "rename"])
@pytest.mark.usefixtures("system")
def test_what_comes_to_stand_at_the_target_is_not_overwritten(tmp_path: Path, way: str) -> None:
    """By whatever way the system moves files."""
    change = prepared(tmp_path, way)
    target = tmp_path / change.target
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(OTHER)
    before = tree(tmp_path)
    assert refused_and_taken_back(tmp_path, change) == ("exists", ())
    assert tree(tmp_path) == before


@pytest.mark.parametrize("way", ["replace", "rename", "delete"])
@pytest.mark.usefixtures("system")
def test_a_file_that_has_gone_is_told(tmp_path: Path, way: str) -> None:
    """And nothing is made."""
    change = prepared(tmp_path, way)
    (tmp_path / "ä/a.md").unlink()
    assert refused_and_taken_back(tmp_path, change) == ("base_changed", ())
    assert tree(tmp_path) == {"ä": None, "other.md": OTHER}


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize("way", ["replace", "rename", "delete"])
def test_a_link_is_not_followed(tmp_path: Path, way: str) -> None:
    """Neither in the file's place nor on the way to it."""
    change = prepared(tmp_path / "root", way)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.md").write_bytes(OLD)
    (tmp_path / "root/ä/a.md").unlink()
    (tmp_path / "root/ä/a.md").symlink_to(outside / "a.md")
    with pytest.raises(Refused):
        carry_out(tmp_path / "root", change)
    (tmp_path / "root/ä/a.md").unlink()
    (tmp_path / "root/ä").rmdir()
    (tmp_path / "root/ä").symlink_to(outside)
    with pytest.raises(NotADirectoryError):
        carry_out(tmp_path / "root", change)
    take_back(tmp_path / "root", change)
    assert tree(outside) == {"a.md": OLD}


def test_what_the_system_cannot_sync_or_give_away_does_not_stop_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some file systems sync no folders; and not everybody may give a file to its owner."""

    def refuse(*_args: object) -> None:
        raise PermissionError

    def fsync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    change = prepared(tmp_path, "replace")
    if os.geteuid() == 0:
        os.chown(tmp_path / "ä/a.md", 1, 1)
    monkeypatch.setattr(os, "fchown", refuse)
    monkeypatch.setattr(os, "fsync", fsync)
    carry_out(tmp_path, change)
    assert clear_up(tmp_path, change) == ()
    assert (tmp_path / "ä/a.md").read_bytes() == NEW


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_file_keeps_its_owner(tmp_path: Path) -> None:
    """Also when root publishes."""
    change = prepared(tmp_path, "replace")
    os.chown(tmp_path / "ä/a.md", 12, 34)
    carry_out(tmp_path, change)
    status = (tmp_path / "ä/a.md").stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (12, 34, 0o640)


@pytest.mark.parametrize("refused", ["ä", "a.md"])
def test_a_folder_that_cannot_be_listed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    """On the way or at its end; nothing is left open."""
    change = prepared(tmp_path, "replace")
    spelling = folder.Folder.spelling

    def refuse(self: folder.Folder, part: str) -> bytes | None:
        if part == refused:
            raise PermissionError
        return spelling(self, part)

    monkeypatch.setattr(folder.Folder, "spelling", refuse)
    before = still_open()
    with pytest.raises(PermissionError):
        carry_out(tmp_path, change)
    assert still_open() == before


def still_open() -> int:
    """How many descriptors this process has open, where that can be asked."""
    descriptors = Path("/proc/self/fd")
    return len(list(descriptors.iterdir())) if descriptors.exists() else 0


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOSYS, errno.EXDEV, errno.EACCES])
def test_what_a_file_system_says_of_a_move_is_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """One that does not know such moves is served otherwise; another refusal is told."""
    change = prepared(tmp_path, "rename")
    monkeypatch.setattr(moving, "_call", lambda: lambda *_args: number)
    if number in (errno.EINVAL, errno.ENOSYS):
        carry_out(tmp_path, change)
        assert (tmp_path / "b.md").read_bytes() == OLD
    else:
        with pytest.raises(OSError, match=os.strerror(number)):
            carry_out(tmp_path, change)


def test_a_system_without_the_call_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """An older one, or one of another kind."""
    monkeypatch.setattr(moving, "_CALL", "no_such_call")
    assert moving._call() is None


def test_a_name_that_the_system_spells_otherwise_keeps_its_spelling(tmp_path: Path) -> None:
    """Paths are NFC; the file's name on disk need not be."""
    decomposed = "a\u0308.md"
    (tmp_path / decomposed).write_bytes(OLD)
    change = Change(step="replace", path="ä.md", before=OLD, after=NEW, temporary=".readingroom-d.tmp")
    carry_out(tmp_path, change)
    clear_up(tmp_path, change)
    assert tree(tmp_path) == {decomposed: NEW}


def test_a_published_file_that_is_being_written_is_waited_for(tmp_path: Path) -> None:
    """Taking back would take the file out of the writer's hands."""
    change = prepared(tmp_path, "replace")
    before = tree(tmp_path)
    carry_out(tmp_path, change)
    with (tmp_path / "ä/a.md").open("r+b"), pytest.raises(Refused, match="open for writing"):
        take_back(tmp_path, change)
    assert take_back(tmp_path, change) == ()
    assert tree(tmp_path) == before


def test_a_folder_that_has_gone_is_told(tmp_path: Path) -> None:
    """There is nothing to take back or to clear up in it."""
    change = prepared(tmp_path, "replace")
    (tmp_path / "ä/a.md").unlink()
    (tmp_path / "ä").rmdir()
    assert take_back(tmp_path, change) == ("The folder of ä/a.md has gone, and what was under way in it.",)
    assert clear_up(tmp_path, change) == ()


@pytest.mark.parametrize("path", ["../a.md", "ä/..", "ä/../../a.md", "./a.md", "ä//a.md"])
def test_no_path_leads_out(tmp_path: Path, path: str) -> None:
    """Whoever checks has let none through; it is refused once more."""
    root = tmp_path / "root"
    change = msgspec.structs.replace(prepared(root, "replace"), path=path)
    (tmp_path / "a.md").write_bytes(OLD)
    with pytest.raises(NotADirectoryError):
        carry_out(root, change)
    assert (tmp_path / "a.md").read_bytes() == OLD


def test_a_renamed_file_that_has_gone_is_told(tmp_path: Path) -> None:
    """It is not brought back: whoever removed it has the last word. With its folder, too."""
    change = prepared(tmp_path, "rename deep")
    carry_out(tmp_path, change)
    (tmp_path / "ä/x/y/b.md").unlink()
    shutil.copytree(tmp_path, tmp_path / "copy", copy_function=os.link)
    assert take_back(tmp_path, change) == ("ä/a.md has gone meanwhile.",)
    assert tree(tmp_path / "ä") == {}
    (tmp_path / "copy/ä/x/y").rmdir()
    assert take_back(tmp_path / "copy", change) == ("ä/a.md has gone meanwhile.",)
