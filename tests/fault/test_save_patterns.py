"""The ways in which editors and other programs save: each ends with the document as it was saved, found and read.

The folder is watched, and nobody scans all of it but in the beginning. What editors write beside a document is never one.
"""

import ctypes
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from readingroom.library import Library, NotFound, identifier_uri
from support.processes import until
from support.shelves import Shelves, found, paths, view

pytestmark = pytest.mark.skipif(os.name == "nt", reason="these are the ways of POSIX programs")

PATH = "notes/plan.md"
BEFORE = "---\nid: PLAN\n---\n# Plan\n\napple\n"


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    """A folder with one document that will be saved, and one beside it."""
    shelves = Shelves(tmp_path)
    shelves.write(PATH, BEFORE, at=None)
    shelves.document("notes/other.md", "# Other\n\napple\n")
    return shelves


@pytest.fixture
def library(shelves: Shelves) -> Iterator[Library]:
    """The library, which watches."""
    with shelves.library() as library:
        library.start(every=3600, watch=True)
        assert library.wait(60)
        until(lambda: library._watching is not None and library._watching.is_watching.is_set())
        yield library


def in_place(file: Path, text: str) -> None:
    """Truncate and write, as the simplest do."""
    file.write_text(text)


def in_pieces(file: Path, text: str) -> None:
    """Written piece by piece, each of which can be seen."""
    with file.open("w") as opened:
        for letter in text:
            opened.write(letter)
            opened.flush()


def renamed(file: Path, text: str) -> None:
    """A new file in the old one's place, as most do."""
    fresh = file.with_name(f".{file.name}.tmp")
    fresh.write_text(text)
    fresh.replace(file)


def renamed_document(file: Path, text: str) -> None:
    """The new file has the name of a document for a moment."""
    fresh = file.with_name("plan.tmp.md")
    fresh.write_text(text)
    fresh.replace(file)


def vim(file: Path, text: str) -> None:
    """With a probe called 4913, a swap file, and the old one kept as a back-up until the new one is written."""
    swap, probe, backup = file.with_name(f".{file.name}.swp"), file.with_name("4913"), Path(f"{file}~")
    swap.write_text("swap apple")
    probe.touch()
    probe.unlink()
    file.rename(backup)
    file.write_text(text)
    backup.unlink()
    swap.unlink()


def emacs(file: Path, text: str) -> None:
    """With a lock that is a link to nowhere, an auto-save file, and a back-up that stays."""
    lock, auto = file.with_name(f".#{file.name}"), file.with_name(f"#{file.name}#")
    lock.symlink_to("somebody@somewhere.1")
    auto.write_text(text)
    shutil.copy2(file, f"{file}~")
    file.write_text(text)
    auto.unlink()
    lock.unlink()


def anew(file: Path, text: str) -> None:
    """Deleted, and made again."""
    file.unlink()
    file.write_text(text)


def old_times(file: Path, text: str) -> None:
    """With the time and the length that it had before, as some synchronisers and archives leave it."""
    was = file.stat()
    renamed(file, text)
    os.utime(file, ns=(was.st_atime_ns, was.st_mtime_ns))


def exchanged(file: Path, text: str) -> None:
    """Exchanged with a new file in one step; the old one goes then."""
    fresh = file.with_name("fresh.tmp")
    fresh.write_text(text)
    exchange = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if sys.platform != "linux" or exchange is None:
        pytest.skip("this system cannot exchange two files")
    if exchange(-100, os.fsencode(fresh), -100, os.fsencode(file), 2) != 0:
        pytest.skip("this file system cannot exchange two files")
    fresh.unlink()


WAYS: list[Callable[[Path, str], None]] = [
    *(in_place, in_pieces, renamed, renamed_document, vim, emacs, anew, old_times, exchanged)
]


def _is_found(library: Library, word: str) -> bool:
    return found(library, word) == [PATH]


@pytest.mark.parametrize("save", WAYS, ids=lambda way: way.__name__)
def test_a_document_is_found_as_it_was_saved(
    shelves: Shelves, library: Library, save: Callable[[Path, str], None]
) -> None:
    """Three times in a row; by its words, its address and its id, and nothing that was written beside it is there."""
    for word in ("plums", "pears", "grape"):
        save(shelves.docs / PATH, BEFORE.replace("apple", word))
        until(partial(_is_found, library, word), 30)
        # A search sees the documents as they are; what they are called is told by the scan, which may come after it.
        until(lambda: place_of(library, "PLAN") == PATH, 30)
        assert word in view(library).read(identifier_uri("PLAN")).text
    until(lambda: paths(library) == ["notes/other.md", PATH], 30)
    assert found(library, "plums") == []
    assert found(library, "apple") == ["notes/other.md"]


def test_a_document_that_is_moved_is_the_same_by_its_id(shelves: Shelves, library: Library) -> None:
    """By itself, and with its folder; its old address is nobody's."""
    (shelves.docs / PATH).rename(shelves.docs / "moved.md")
    until(lambda: found(library, "path:moved.md") == ["moved.md"], 30)
    until(lambda: place_of(library, "PLAN") == "moved.md", 30)
    (shelves.docs / "moved.md").rename(shelves.docs / PATH)
    (shelves.docs / "notes").rename(shelves.docs / "renamed")
    until(lambda: paths(library) == ["renamed/other.md", "renamed/plan.md"], 30)
    until(lambda: place_of(library, "PLAN") == "renamed/plan.md", 30)


def test_two_documents_that_change_places_keep_their_ids(shelves: Shelves, library: Library) -> None:
    """Each is found by its id where it is now."""
    shelves.write("notes/other.md", "---\nid: OTHER\n---\n# Other\n\npear\n", at=None)
    until(lambda: found(library, "pear") == ["notes/other.md"], 30)
    one, other, free = (shelves.docs / path for path in (PATH, "notes/other.md", "notes/free.txt"))
    one.rename(free)
    other.rename(one)
    free.rename(other)
    until(lambda: found(library, "pear") == [PATH] and found(library, "apple") == ["notes/other.md"], 30)
    until(lambda: place_of(library, "PLAN") == "notes/other.md" and place_of(library, "OTHER") == PATH, 30)


def place_of(library: Library, identifier: str) -> str:
    """Where the document with that id is; "" while it is not found, which is all that it may be before the scan."""
    try:
        return view(library).find(identifier_uri(identifier)).path
    except NotFound:
        return ""
