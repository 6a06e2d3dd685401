"""Entries: the names things have in the library, on systems of every kind."""

import os
import pathlib
import stat

import pytest

from readingroom.library import entries
from readingroom.library.entries import LookedUp, find, listing

NFC, NFD = "é.md", "e\u0301.md"


def spellings_stay(tmp_path: pathlib.Path) -> bool:
    """Whether this file system keeps two Unicode spellings, and two cases, of one name apart."""
    for name in (NFC, NFD, "x", "X"):
        (tmp_path / name).touch()
    return len(list(tmp_path.iterdir())) == 4


def test_a_listing_is_in_the_order_of_paths(tmp_path: pathlib.Path) -> None:
    """A folder sorts as its name and a slash, so that a walk meets paths in their order as text."""
    for name in ("a-b", "a"):
        (tmp_path / name).mkdir()
    for name in ("a.md", "a!b", "Z", "é", "b"):
        (tmp_path / name).touch()
    assert [listed.key for listed in listing(str(tmp_path))] == ["Z", "a!b", "a-b/", "a.md", "a/", "b", "é"]


def test_twins_are_told_apart_by_bytes(tmp_path: pathlib.Path) -> None:
    """Of two spellings of one name the first by bytes stands, the second is a twin; a folder is no twin of a file."""
    if not spellings_stay(tmp_path):
        pytest.skip("this file system does not keep two spellings of one name")
    (tmp_path / "o\u0308").mkdir()
    (tmp_path / "ö").touch()
    told = [(listed.entry.name, listed.twin) for listed in listing(str(tmp_path)) if not listed.key.isascii()]
    assert told == [(NFD, False), (NFC, True), ("ö", False), ("o\u0308", False)]
    first = find(str(tmp_path), NFC, folders=False)
    assert first is not None
    assert first.entry.name == NFD


def test_a_name_is_found_by_its_normal_form(tmp_path: pathlib.Path) -> None:
    """What is stored in another spelling is found by NFC, even where that is plain ASCII."""
    (tmp_path / "e\u0301.md").touch()
    (tmp_path / "\u212a.md").touch()  # KELVIN SIGN, which NFC makes a K
    for name in ("é.md", "K.md"):
        listed = find(str(tmp_path), name, folders=False)
        assert listed is not None
        assert listed.key == name
    assert find(str(tmp_path), "ö.md", folders=False) is None


def test_folders_and_files_are_found_as_asked(tmp_path: pathlib.Path) -> None:
    """On the way only a folder or a link is found, at the end a file rather than a folder."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "ü").mkdir()
    found = {
        (name, folders): getattr(find(str(tmp_path), name, folders=folders), "key", None)
        for name in ("folder", "file", "ü")
        for folders in (True, False)
    }
    assert found == {
        ("folder", True): "folder/",
        ("folder", False): "folder/",
        ("file", True): None,
        ("file", False): "file",
        ("ü", True): "ü/",
        ("ü", False): "ü/",
    }
    with pytest.raises(FileNotFoundError):
        find(str(tmp_path), "gone", folders=False)


def test_case_is_told_apart_where_the_system_does_not(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a name answers to another case as well, only the spelling in the listing is the document's."""
    (tmp_path / "Readme.md").touch()
    (tmp_path / "42").touch()
    system_lstat = os.lstat

    def folded(path: str) -> os.stat_result:
        asked = pathlib.Path(path).name
        real = {entry.name.lower(): entry for entry in tmp_path.iterdir()}
        return system_lstat(real.get(asked.lower(), path))

    monkeypatch.setattr(os, "lstat", folded)
    assert getattr(find(str(tmp_path), "Readme.md", folders=False), "key", None) == "Readme.md"
    assert find(str(tmp_path), "README.md", folders=False) is None
    assert getattr(find(str(tmp_path), "42", folders=False), "key", None) == "42"


def test_two_files_that_differ_in_case_are_two(tmp_path: pathlib.Path) -> None:
    """Where the system tells case apart, both are found."""
    if not spellings_stay(tmp_path):
        pytest.skip("this file system does not tell case apart")
    assert {name: getattr(find(str(tmp_path), name, folders=False), "key", None) for name in "xX"} == {
        "x": "x",
        "X": "X",
    }


def test_an_entry_whose_kind_cannot_be_asked_for_is_listed_as_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of the system about one entry does not end the listing."""

    class Odd:
        name = "odd"

        def is_dir(self, *, follow_symlinks: bool) -> bool:
            raise OSError

    assert entries._key(Odd()) == "odd"  # type: ignore[arg-type]  # as much of an entry as is asked


def test_an_entry_looked_up_answers_like_one_listed(tmp_path: pathlib.Path) -> None:
    """Kind and status are those of the entry itself."""
    (tmp_path / "a").touch()
    entry = LookedUp("a", str(tmp_path / "a"), os.lstat(tmp_path / "a"))
    assert (entry.is_dir(), entry.is_symlink(), stat.S_ISREG(entry.stat().st_mode)) == (False, False, True)
