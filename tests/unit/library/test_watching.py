"""What the system reports becomes hints where to look, in real folders; and what is said where it reports nothing."""

import logging
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from readingroom.library import Rules, mounts, watching
from readingroom.library.watching import Watching
from support.processes import until

pytestmark = pytest.mark.skipif(os.name == "nt", reason="these folders are made as on POSIX")


class Watched:
    """A folder, and the paths that were hinted at since `begin`."""

    def __init__(self, root: Path, rules: Rules) -> None:
        root.mkdir(parents=True)
        self.root = root
        self.hints: list[str] = []
        self.delays: list[float] = []
        self.watching = Watching(root, rules, self.hint, every=30.0)

    def hint(self, paths: Iterable[str], delay: float) -> None:
        """Note what is hinted at."""
        self.hints += paths
        self.delays.append(delay)

    def begin(self) -> "Watched":
        """Watch, and forget that everything is to be looked at in the beginning."""
        self.watching.start()
        until(lambda: "" in self.hints)
        self.hints.clear()
        self.delays.clear()
        return self

    def write(self, name: str, text: str = "x") -> None:
        """Write a file; folders are not made."""
        (self.root / name).write_text(text)

    def until(self, *paths: str) -> None:
        """Wait until these have been hinted at."""
        until(lambda: set(paths) <= set(self.hints))

    def only(self, *paths: str) -> None:
        """See that these, and nothing else, were hinted at before a last change, which is made now."""
        self.write("zz-last.md")
        self.until("zz-last.md")
        assert set(self.hints) - {"zz-last.md"} == set(paths)


Open = Callable[..., Watched]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Open]:
    """Give what makes a watched folder; it is not watched yet."""
    made: list[Watched] = []

    def make(**rules: tuple[str, ...]) -> Watched:
        made.append(Watched(tmp_path / "home/docs", Rules(**rules)))
        return made[-1]

    yield make
    for watched in made:
        watched.watching.stop(30)


def names(watched: Watched) -> set[str]:
    """The folders that are watched, by their paths."""
    return {os.path.relpath(name, watched.root) for name in watched.watching._names}


def test_a_document_that_comes_changes_moves_and_goes_is_hinted_at(folder: Open) -> None:
    """By its path, each time, in whatever folder it lies."""
    at = folder()
    (at.root / "sub").mkdir()
    at.begin()
    for number in range(2):
        at.write("sub/é.md", "x" * (number + 1))
        at.until("sub/é.md")
        at.hints.clear()
    (at.root / "sub/é.md").rename(at.root / "b.md")
    at.until("sub/é.md", "b.md")
    at.hints.clear()
    (at.root / "b.md").unlink()
    at.until("b.md")


def test_what_could_be_no_document_is_no_hint(folder: Open) -> None:
    """Other formats, hidden files and what editors write beside a file cost no look."""
    at = folder().begin()
    for name in ("photo.png", ".hidden.md", "a.md~", "4913", ".a.md.swp", "a.md.tmp"):
        at.write(name)
    at.only()


def test_what_is_left_out_is_not_watched(folder: Open) -> None:
    """Hidden and ignored folders cost nothing, however much happens in them."""
    at = folder(leave_out=("out/",))
    for name in (".git/objects", "node_modules/x/y", "out", "kept/deep"):
        (at.root / name).mkdir(parents=True)
    at.write(".gitignore", "node_modules/\n")
    at.begin()
    assert names(at) == {".", "kept", "kept/deep"}
    for name in (".git/a.md", "node_modules/x/a.md", "out/a.md"):
        at.write(name)
    at.write("kept/deep/a.md")
    at.until("kept/deep/a.md")
    at.only("kept/deep/a.md")


def test_links_are_not_followed(folder: Open, tmp_path: Path) -> None:
    """Neither when watching begins nor when one is made later: what happens behind it is not heard of."""
    outside = tmp_path / "outside"
    (outside / "deep").mkdir(parents=True)
    at = folder()
    (at.root / "link").symlink_to(outside)
    (at.root / "up").symlink_to(at.root)
    at.begin()
    (at.root / "later").symlink_to(outside)
    assert names(at) == {"."}
    (outside / "deep/a.md").write_text("x")
    (outside / "b.md").write_text("x")
    at.only()
    assert names(at) == {"."}


def test_a_new_folder_is_looked_at_and_watched(folder: Open) -> None:
    """What was put into it before the system was asked to watch it is found by looking at it."""
    at = folder().begin()
    (at.root / "new/deep").mkdir(parents=True)
    at.write("new/deep/a.md")
    at.until("new")
    until(lambda: names(at) == {".", "new", "new/deep"})
    at.hints.clear()
    at.write("new/deep/b.md")
    at.until("new/deep/b.md")


def test_a_folder_that_is_renamed_is_followed(folder: Open) -> None:
    """Both places are looked at; afterwards it is watched under its new name, and not under its old one."""
    at = folder()
    (at.root / "old/deep").mkdir(parents=True)
    at.begin()
    (at.root / "old").rename(at.root / "new")
    at.until("old", "new")
    until(lambda: names(at) == {".", "new", "new/deep"})
    at.hints.clear()
    at.write("new/deep/a.md")
    at.until("new/deep/a.md")
    at.only("new/deep/a.md")


def test_a_folder_that_is_removed_is_forgotten(folder: Open) -> None:
    """It is looked at once, since its documents have gone."""
    at = folder()
    (at.root / "sub").mkdir()
    at.begin()
    shutil.rmtree(at.root / "sub")
    at.until("sub")
    until(lambda: names(at) == {"."})


def test_an_ignore_file_concerns_all_of_its_folder(folder: Open) -> None:
    """The folder is looked at, and what is watched follows the patterns."""
    at = folder()
    (at.root / "sub/drafts").mkdir(parents=True)
    at.begin()
    at.write("sub/.gitignore", "drafts/\n")
    at.until("sub")
    until(lambda: names(at) == {".", "sub"})
    (at.root / "sub/.gitignore").unlink()
    until(lambda: names(at) == {".", "sub", "sub/drafts"})


def test_a_name_that_is_no_text_makes_everything_looked_at(
    folder: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What was reported with it may be lost; watching goes on, and the name is not logged."""
    monkeypatch.setattr(watching, "_AGAIN_S", 0.01)
    at = folder().begin()
    (at.root / os.fsdecode(b"secret-\xff.md")).write_text("x")
    at.until("")
    at.hints.clear()
    at.write("a.md")
    at.until("a.md")
    assert "secret" not in caplog.text


def test_a_root_that_goes_and_comes_back_is_watched_again(
    folder: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As soon as it is there, everything is looked at."""
    monkeypatch.setattr(watching, "_AGAIN_S", 0.01)
    monkeypatch.setattr(watching, "_LOOK_MS", 20)
    at = folder().begin()
    shutil.rmtree(at.root)
    until(lambda: not at.watching.is_watching.is_set())
    at.hints.clear()
    at.root.mkdir()
    at.until("")
    at.write("a.md")
    at.until("a.md")


def test_another_folder_in_the_place_of_the_root_is_watched(
    folder: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told by what it is, not by its name: the system is silent when a folder above it is exchanged."""
    monkeypatch.setattr(watching, "_AGAIN_S", 0.01)
    monkeypatch.setattr(watching, "_LOOK_MS", 20)
    at = folder().begin()
    at.root.parent.rename(at.root.parent.with_name("before"))
    at.root.mkdir(parents=True)
    at.until("")
    until(at.watching.is_watching.is_set)
    at.hints.clear()
    at.write("a.md")
    at.until("a.md")


def test_where_the_system_refuses_it_is_said_once_and_tried_again(
    folder: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The scans go on without it; what is said tells what happens instead and names nothing in the folder."""
    monkeypatch.setattr(watching, "_REFUSED_S", 0.01)
    opened, refused = Watching._opened, [True] * 3

    def opening(self: Watching) -> object:
        if refused:
            refused.pop()
            raise OSError(28, "No space left on device", str(self._names))
        return opened(self)

    monkeypatch.setattr(Watching, "_opened", opening)
    at = folder()
    (at.root / "secret").mkdir()
    with caplog.at_level(logging.WARNING):
        at.begin()
    (record,) = caplog.records
    assert "looked through every 30 seconds" in record.getMessage()
    assert "No space left on device" in record.getMessage()
    assert "secret" not in caplog.text
    at.write("a.md")
    at.until("a.md")


def test_a_folder_of_another_machine_is_watched_and_it_is_said_what_is_not_seen(
    folder: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Changes made here are reported, those made there are not."""
    monkeypatch.setattr(mounts, "remote_kind", lambda top: "nfs4")
    at = folder()
    with caplog.at_level(logging.WARNING):
        at.begin()
    at.write("a.md")
    at.until("a.md")
    assert "another machine (nfs4)" in caplog.text


def test_after_a_flood_everything_is_looked_at_once_more(
    folder: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system drops reports when it has too many."""
    monkeypatch.setattr(watching, "_FLOOD", 5)
    at = folder().begin()
    for number in range(20):
        at.write(f"{number}.md")
    until(lambda: watching._FLOOD_S in at.delays)


def test_where_the_system_watches_a_whole_tree_hidden_folders_are_left_aside(
    folder: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on macOS and Windows: the root is named alone, and what is reported from hidden folders is no hint."""
    monkeypatch.setattr(watching, "_WHOLE", True)
    at = folder()
    for name in (".git/deep", "sub"):
        (at.root / name).mkdir(parents=True)
    at.begin()
    for name in (".git/a.md", ".git/deep/a.md", "sub/b.md"):
        at.write(name)
    at.until("sub/b.md")
    at.only("sub/b.md")


def test_watching_that_never_began_stops_at_once(tmp_path: Path) -> None:
    """Stopping is always allowed."""
    Watched(tmp_path / "docs", Rules()).watching.stop()


def test_what_is_reported_from_elsewhere_is_no_hint(tmp_path: Path) -> None:
    """A folder beside the root whose name begins with the root's is not in it; the root itself is its own path."""
    at = Watched(tmp_path / "docs", Rules()).watching
    assert at._path(f"{tmp_path}/docs-too/a.md") is None
    assert at._path(f"{tmp_path}/docs") == ""
    assert at._path(f"{tmp_path}/docs/a/.b/c.md") is None
    assert at._path(f"{tmp_path}/docs/.b/c.md") is None
    assert at._path(f"{tmp_path}/docs/a/e\u0301.md") == "a/é.md"


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/home/me/docs", ""),
        ("/mnt/share", "nfs4"),
        ("/mnt/share/deep", "nfs4"),
        ("/mnt/shared", ""),
        ("/mnt/share/disk/x", ""),
        ("/mnt/with space/x", "cifs"),
    ],
)
def test_the_kind_of_file_system_is_that_of_the_nearest_mount(tmp_path: Path, folder: str, kind: str) -> None:
    """As the kernel's table has it, in which blanks are written as numbers."""
    table = tmp_path / "mountinfo"
    table.write_text(
        "1 0 8:1 / / rw - ext4 /dev/sda rw\n"
        "2 1 0:40 / /mnt/share rw shared:1 - nfs4 host:/x rw\n"
        "3 2 8:2 / /mnt/share/disk rw - ext4 /dev/sdb rw\n"
        "4 1 0:41 / /mnt/with\\040space rw - cifs //host/x rw\n"
        "broken\n"
    )
    assert mounts.remote_kind(folder, str(table)) == kind


def test_without_a_table_of_mounts_nothing_is_said(tmp_path: Path) -> None:
    """As on systems that have none."""
    assert mounts.remote_kind("/", str(tmp_path / "none")) == ""
