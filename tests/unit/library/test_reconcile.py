"""A scan: the index follows the folder, reads no more than it must, and keeps each role's documents apart."""

import os
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from readingroom.library import (
    Rules,
    comparison,
    parse,
    walk,
)
from readingroom.library.census import Census
from readingroom.library.hooks import Hooks
from readingroom.library.opening import NotReadable
from readingroom.library.search import engine
from support.scanning import indexed, scan
from support.shelves import Shelves, bytes_under, edition, found, paths, told, view


def test_a_folder_is_indexed_for_each_role_by_itself(shelves: Shelves) -> None:
    """The reader's folder holds not a byte of an internal document: not its words, not its name."""
    shelves.document("open.md", "# Open\n\napple")
    shelves.document("closed.md", "# Closed\n\nzanzibar", visibility="internal")
    shelves.document("secret/plan.md", "# Plan\n\nkumquat")
    library = shelves.library("reader", "editor", rules=Rules(internal=("secret/",)))
    library.reconcile()
    assert paths(library) == ["open.md"]
    assert paths(library, "editor") == ["closed.md", "open.md", "secret/plan.md"]
    kept = bytes_under(library.home.role("reader"))
    for trace in (b"zanzibar", b"zanzib", b"closed", b"kumquat", b"secret", b"plan"):
        assert trace not in kept.lower()
    assert b"zanzibar" in bytes_under(library.home.role("editor")).lower()
    library.close()


def test_nothing_is_read_twice(shelves: Shelves, reads: list[str]) -> None:
    """Neither public nor internal nor refused files, as long as they stay as they are."""
    shelves.document("a.md", "# A")
    shelves.document("b.md", "# B", visibility="internal")
    shelves.write("c.md", b"binary \0")
    library = shelves.scanned()
    assert sorted(reads) == ["a.md", "b.md", "c.md"]
    reads.clear()
    content = view(library).generation
    library.reconcile()
    assert reads == []
    assert view(library).generation == content
    library.close()


def test_changes_are_followed(shelves: Shelves, reads: list[str]) -> None:
    """What was added, changed and removed is found, found by its new words, and not found any more."""
    shelves.document("a.md", "# A\n\nalpha")
    shelves.document("b.md", "# B\n\nbeta")
    library = shelves.scanned()
    reads.clear()
    shelves.document("a.md", "# A\n\ngamma")
    shelves.document("c.md", "# C\n\ndelta")
    library.reconcile()
    assert sorted(reads) == ["a.md", "c.md"]
    (shelves.docs / "b.md").unlink()
    library.reconcile()
    assert paths(library) == ["a.md", "c.md"]
    assert [found(library, word) for word in ("alpha", "beta", "gamma", "delta")] == [
        [],
        [],
        ["a.md"],
        ["c.md"],
    ]
    library.close()


def test_a_touched_file_is_read_but_not_indexed_again(shelves: Shelves) -> None:
    """The same bytes are the same document: only the state is noted."""
    shelves.document("a.md", "# A")
    shelves.document("b.md", "# B", visibility="internal")
    library = shelves.scanned("reader", "editor")
    before = [
        (library.home.role(role), engine.Index.open(edition(library, role) / "index").generation)
        for role in library.roles
    ]
    for name in ("a.md", "b.md"):
        os.utime(shelves.docs / name, (1, 1))
    library.reconcile()
    after = [
        (library.home.role(role), engine.Index.open(edition(library, role) / "index").generation)
        for role in library.roles
    ]
    assert after == before
    assert view(library).find("a.md").modified == 1
    library.close()


def test_a_file_that_changed_just_now_is_read_once_more(shelves: Shelves, reads: list[str]) -> None:
    """It may change again within the same tick of the file system's clock."""
    file = shelves.write("a.md", "# A", at=None)
    library = shelves.library()
    reads.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparison, "_UNSETTLED_NS", 10**15)
        library.reconcile()
    library.reconcile()
    library.reconcile()
    assert reads == ["a.md", "a.md"]
    assert file.read_text() == "# A"
    library.close()


def test_what_is_left_out_is_noted_with_its_reason(shelves: Shelves, monkeypatch: pytest.MonkeyPatch) -> None:
    """Binary data, a file that cannot be read and one that nobody understands stop nothing."""
    for name in ("a.md", "b.md", "c.md", "good.md"):
        shelves.document(name, "# " + name)
    shelves.write("binary.md", b"\0\1\2")
    read, understand = walk.read, parse.parse

    def reading(root: Path, item: walk.Found, *rest: int) -> bytes:
        if item.path == "a.md":
            raise NotReadable("cannot be read: Permission denied")
        if item.path == "c.md":
            (shelves.docs / "c.md").unlink()
        return read(root, item, *rest)

    def parsing(path: str, *rest: object) -> object:
        if path == "b.md":
            raise RecursionError
        return understand(path, *rest)  # type: ignore[arg-type]  # passed on as they came

    monkeypatch.setattr(comparison.walk, "read", reading)
    monkeypatch.setattr(comparison.parse, "parse", parsing)
    library = shelves.scanned()
    assert paths(library) == ["good.md"]
    census = Census(library.home.census)
    refused = {path: seen.notes[0] for path, seen in census.files().items() if seen.verdict == "refused"}
    census.close()
    assert set(refused) == {"a.md", "b.md", "binary.md"}
    assert refused["a.md"] == "cannot be read: Permission denied"
    assert "RecursionError" in refused["b.md"]
    library.close()


def test_the_operator_hears_how_far_it_is(shelves: Shelves) -> None:
    """First what was looked at, then what is read of what must be, then the end."""
    for number in range(40):
        shelves.document(f"{number}.md", f"# {number}")
    library = shelves.library()
    heard = told(library)
    assert [progress.phase for progress in heard] == ["looking"] * 2 + ["reading"] * 3 + ["finishing"]
    assert [(progress.done, progress.total) for progress in heard][2:] == [
        (0, 40),
        (16, 40),
        (32, 40),
        (40, 40),
    ]
    library.close()


def test_a_long_build_is_committed_in_parts(shelves: Shelves, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read so far can be found, and the index says that it is not whole yet."""
    for number in range(4):
        shelves.document(f"{number}.md", f"# {number}\n\napple")
    library = shelves.library()
    monkeypatch.setattr(comparison, "_FIRST_COMMIT_S", -1.0)
    seen: list[tuple[int, float | None]] = []
    hooks = Hooks(
        pause=lambda: seen.append((len(found(library, "apple")), library.since())), tell=lambda _: None
    )
    library._scan(hooks)
    assert seen == [(0, None), (1, None), (2, None), (3, None)]
    assert library.since() is not None
    library.close()


def test_a_role_commits_when_it_has_enough_of_its_own(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Internal documents do not count, so the moment of a commit does not tell of them."""
    for number in range(6):
        shelves.document(f"{number}.md", "# x", **({"visibility": "internal"} if number % 2 else {}))
    library = shelves.library()
    monkeypatch.setattr(comparison, "_COMMIT_DOCUMENTS", 2)
    seen: list[int] = []
    library._scan(Hooks(pause=lambda: seen.append(len(paths(library))), tell=lambda _: None))
    assert seen == [0, 0, 0, 2, 2, 2]
    library.close()


LONG = "# Apples\n\n" + "An apple a day.\n" * 20


@pytest.mark.parametrize("caught", ["", "# App", "# Apples\n\nAn apple", b"# Appl\xc3"])
def test_a_file_that_is_being_written_is_not_believed(
    shelves: Shelves, caught: str | bytes, a_long_moment: None
) -> None:
    """Empty or shorter than a moment ago: what is indexed stays until it is so for a second, or is whole again."""
    shelves.document("a.md", LONG)
    shelves.document("b.md", LONG)
    library = shelves.scanned()
    shelves.write("a.md", caught, at=None)
    shelves.write("b.md", caught, at=None)
    before = {path: known.revision for path, known in indexed(library).items()}
    assert scan(library) == 2
    assert {path: known.revision for path, known in indexed(library).items()} == before
    shelves.write("a.md", LONG + "\nplum\n", at=None)
    shelves.write("b.md", caught)
    assert scan(library) == 0
    now = {path: known.revision for path, known in indexed(library).items()}
    assert all(now.get(path) != before[path] for path in before)
    library.close()


def test_a_scan_by_hand_looks_again_before_it_believes(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits, and what was written meanwhile is what counts."""
    shelves.document("a.md", LONG)
    library = shelves.scanned()
    shelves.write("a.md", "", at=None)
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        shelves.document("a.md", "# Plums\n\nA plum.\n" * 40)

    # For the library alone: threads of other tests may be asleep.
    clock = SimpleNamespace(sleep=wait, time=time.time, monotonic=time.monotonic)
    monkeypatch.setattr("readingroom.library.library.time", clock)
    library.reconcile()
    assert len(waits) == 1
    assert found(library, "plum") == ["a.md"] * 3
    library.close()
