"""Where an index is kept: private, outside the documents, named by all that decides it."""

import os
import stat
from pathlib import Path

import pytest

from readingroom.library import places
from readingroom.library.errors import FolderUnusable
from readingroom.library.lock import WriterLock

POSIX = pytest.mark.skipif(os.name == "nt", reason="looks at POSIX permissions")


def test_other_terms_or_another_root_are_another_home(tmp_path: Path) -> None:
    """The same root and terms give the same home; all homes of a root are found by the root alone."""
    one = places.home_of(tmp_path, Path("/a"), ["x"])
    assert one == places.home_of(tmp_path, Path("/a"), ["x"])
    two = places.home_of(tmp_path, Path("/a"), ["y"])
    three = places.home_of(tmp_path, Path("/b"), ["x"])
    assert len({one.folder, two.folder, three.folder}) == 3
    assert places.homes_of(tmp_path / "none", Path("/a")) == []
    for home in (one, two, three):
        places.prepare(home.folder)
    assert set(places.homes_of(tmp_path, Path("/a"))) == {one, two}


@POSIX
def test_a_home_is_private(tmp_path: Path) -> None:
    """Its folder is for its owner alone, also when it was not before."""
    home = places.home_of(tmp_path, Path("/a"), [])
    home.folder.mkdir(mode=0o755)
    places.prepare(home.folder)
    edition = places.new_edition(home.role("reader"))
    for folder in (home.folder, edition, edition.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@POSIX
def test_a_home_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that another user owns, or a file in its place, is not used."""
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(FolderUnusable, match="another user"):
        places.prepare(tmp_path / "home")
    (tmp_path / "file").write_text("")
    with pytest.raises(FolderUnusable, match="cannot be kept"):
        places.prepare(tmp_path / "file")


def test_a_cache_among_the_documents_is_refused(tmp_path: Path) -> None:
    """It may lie inside the root only where nothing is served: in a hidden folder."""
    with pytest.raises(FolderUnusable, match="inside the folder"):
        places.check_outside(tmp_path, tmp_path / "cache")
    places.check_outside(tmp_path, tmp_path / ".cache" / "readingroom")
    places.check_outside(tmp_path / "docs", tmp_path / "cache")


def test_the_pointer_names_the_current_edition(tmp_path: Path) -> None:
    """There is none at first; publishing another moves the pointer and changes its state."""
    role = tmp_path / "reader"
    assert places.current(role) is None
    assert places.pointer_state(role) is None
    first, second = places.new_edition(role), places.new_edition(role)
    places.publish(first)
    before = places.pointer_state(role)
    assert places.current(role) == first
    places.publish(second)
    assert places.current(role) == second
    assert places.pointer_state(role) != before


@pytest.mark.parametrize("text", ["", "../elsewhere", "edition-/../../x", "edition-\\..\\x", "edition-"])
def test_a_pointer_that_names_no_edition_is_none(tmp_path: Path, text: str) -> None:
    """Whatever else stands in the pointer leads nowhere."""
    (tmp_path / "current").write_text(text)
    assert places.current(tmp_path) is None


def test_sweeping_keeps_the_current_edition_alone(tmp_path: Path) -> None:
    """Other editions and unfinished pointers go; a role without a folder has nothing to sweep."""
    places.sweep(tmp_path / "none", keep=None)
    first, second = places.new_edition(tmp_path), places.new_edition(tmp_path)
    (first / "x").write_text("")
    (tmp_path / "current.1.new").write_text("")
    places.publish(second)
    places.sweep(tmp_path, keep=second)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["current", second.name]


def test_marks_tell_what_is_to_become_of_an_edition(tmp_path: Path) -> None:
    """An edition may be retired or condemned, from any process, and marking one that is gone does nothing."""
    edition = places.new_edition(tmp_path)
    assert not places.is_retired(edition)
    assert not places.is_condemned(edition)
    places.retire(edition)
    assert (places.is_retired(edition), places.is_condemned(edition)) == (True, False)
    places.condemn(edition)
    assert places.is_condemned(edition)
    places.retire(tmp_path / "gone")


def test_publishing_goes_on_when_a_reader_has_the_pointer_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the system refuses for a moment, it is tried again, and not for ever."""
    edition = places.new_edition(tmp_path)
    replace, refusals = Path.replace, [PermissionError(), PermissionError()]

    def stubborn(self: Path, target: Path) -> Path:
        if refusals:
            raise refusals.pop()
        return replace(self, target)

    monkeypatch.setattr(places, "_pause", lambda: None)
    monkeypatch.setattr(Path, "replace", stubborn)
    places.publish(edition)
    assert places.current(tmp_path) == edition
    refusals += [PermissionError()] * 200
    with pytest.raises(PermissionError):
        places.publish(edition)


def test_removing_a_home_leaves_what_is_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says so when a file cannot be removed, and removes all but the lock when it can."""
    home = places.home_of(tmp_path, Path("/a"), [])
    places.new_edition(home.role("reader"))
    home.lock.write_text("")
    home.census.write_text("")

    def refuse(self: Path, *, missing_ok: bool = False) -> None:
        raise PermissionError

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        assert not places.remove(home)
    assert places.remove(home)
    assert list(home.folder.iterdir()) == [home.lock]


def test_the_size_is_that_of_all_files(tmp_path: Path) -> None:
    """Files in folders below count as well."""
    (tmp_path / "a").write_bytes(b"123")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c").write_bytes(b"4567")
    assert places.size_of(tmp_path) == 7


def test_the_platform_has_a_place_for_it() -> None:
    """The default cache is an absolute folder that bears our name."""
    assert places.default_cache().is_absolute()
    assert "readingroom" in str(places.default_cache())


def test_homes_that_nobody_uses_any_more_are_tidied_away(tmp_path: Path) -> None:
    """Those of the same root that were not scanned into for a month, unless somebody holds them."""
    root = Path("/a")
    mine, recent, unused, held, empty = (places.home_of(tmp_path, root, name) for name in "mrudh")
    other = places.home_of(tmp_path, Path("/b"), "o")
    for home in (mine, recent, unused, held, other, empty):
        places.prepare(home.folder)
        if home != empty:
            home.census.write_text("")
    for home in (mine, unused, held, other):
        os.utime(home.census, (1, 1))
    with WriterLock(held.lock):
        places.tidy(mine, root)
    assert [home.folder.exists() for home in (mine, recent, unused, held, empty, other)] == [
        True,
        True,
        False,
        True,
        True,
        True,
    ]
