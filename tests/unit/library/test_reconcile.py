"""A scan: the index follows the folder, reads no more than it must, and keeps each role's documents apart."""

import os
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from readingroom.library import (
    FolderUnusable,
    IndexBusy,
    IndexUnusable,
    Library,
    Rules,
    catalog,
    comparison,
    parse,
    places,
    walk,
)
from readingroom.library.cataloging import Cataloguer, Known
from readingroom.library.census import Census
from readingroom.library.hooks import Hooks, Stopped
from readingroom.library.lock import WriterLock
from readingroom.library.opening import NotReadable
from readingroom.library.search import engine
from support.shelves import Shelves, bytes_under, edition, found, paths, told, view


@pytest.fixture
def shelves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelves:
    """An empty folder whose files count as settled, however fast the test is."""
    monkeypatch.setattr(comparison, "_UNSETTLED_NS", -(10**15))
    return Shelves(tmp_path)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that are read from now on."""
    seen: list[str] = []
    read = walk.read

    def noted(root: Path, item: walk.Found, *rest: int) -> bytes:
        seen.append(item.path)
        return read(root, item, *rest)

    monkeypatch.setattr(comparison.walk, "read", noted)
    return seen


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
    (shelves.docs / "b.md").unlink()
    library.reconcile()
    assert sorted(reads) == ["a.md", "c.md"]
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


def test_a_document_that_becomes_internal_leaves_nothing_behind(shelves: Shelves) -> None:
    """The reader's edition is built anew, so that not even the ranking remembers it; the editor's goes on."""
    shelves.document("a.md", "# A\n\napple")
    shelves.document("b.md", "# B\n\nzanzibar")
    library = shelves.scanned("reader", "editor")
    reader, editor = edition(library), edition(library, "editor")
    shelves.document("b.md", "# B\n\nzanzibar", visibility="internal")
    library.reconcile()
    assert (edition(library) != reader, edition(library, "editor") == editor) == (True, True)
    assert not reader.exists()
    assert b"zanzibar" not in bytes_under(library.home.role("reader")).lower()
    assert (found(library, "zanzibar"), found(library, "zanzibar", "editor")) == ([], ["b.md"])
    library.close()


def test_a_document_that_is_moved_and_made_internal_leaves_nothing_behind(shelves: Shelves) -> None:
    """Seen in one scan, a vanished document and a new internal one are taken for the same."""
    shelves.document("a.md", "# A\n\napple")
    shelves.document("b.md", "# B\n\nzanzibar")
    library = shelves.scanned()
    (shelves.docs / "b.md").unlink()
    shelves.document("c.md", "# B\n\nzanzibar", visibility="internal")
    library.reconcile()
    assert b"zanzibar" not in bytes_under(library.home.role("reader")).lower()
    assert paths(library) == ["a.md"]
    library.close()


def test_an_internal_document_that_comes_as_another_goes_is_not_told_of(shelves: Shelves) -> None:
    """The reader's edition goes on as it would without it: what was built anew would rank otherwise."""
    shelves.document("a.md", "# A\n\napple")
    shelves.document("b.md", "# B\n\npear", id="B")
    with shelves.scanned() as library:
        before = edition(library)
        (shelves.docs / "b.md").unlink()
        shelves.document("c.md", "# C\n\nzanzibar", id="C", visibility="internal")
        library.reconcile()
        (shelves.docs / "c.md").rename(shelves.docs / "d.md")
        (shelves.docs / "a.md").unlink()
        library.reconcile()
        assert paths(library) == []
        assert edition(library) == before


@pytest.mark.parametrize("moved", [{"id": "B"}, {"title": "B"}])
def test_a_moved_document_is_known_by_its_names(shelves: Shelves, moved: dict[str, str]) -> None:
    """Changed, made internal and moved in one go, it is still the same by its id or its title."""
    shelves.document("a.md", "# A\n\napple")
    shelves.document("b.md", "# B\n\nzanzibar", id="B")
    with shelves.scanned() as library:
        (shelves.docs / "b.md").unlink()
        shelves.document("c.md", "# C\n\nkumquat", **moved, visibility="internal")
        library.reconcile()
        assert b"zanzibar" not in bytes_under(library.home.role("reader")).lower()


def test_an_internal_document_that_becomes_public_is_found(shelves: Shelves) -> None:
    """By the next scan, in the edition that is there."""
    shelves.document("a.md", "# A\n\napple", visibility="internal")
    library = shelves.scanned()
    before = edition(library)
    shelves.document("a.md", "# A\n\napple")
    library.reconcile()
    assert found(library, "apple") == ["a.md"]
    assert edition(library) == before
    library.close()


def test_a_role_that_is_added_later_is_built_without_touching_the_others(shelves: Shelves) -> None:
    """The reader's index is neither read anew nor written."""
    shelves.document("a.md", "# A\n\napple")
    shelves.document("b.md", "# B\n\npear", visibility="internal")
    first = shelves.scanned("reader")
    generation = engine.Index.open(edition(first) / "index").generation
    both = shelves.scanned("reader", "editor")
    assert engine.Index.open(edition(both) / "index").generation == generation
    assert paths(both, "editor") == ["a.md", "b.md"]
    first.close()
    both.close()


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


def test_a_file_that_could_not_be_read_is_tried_again(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cause may lie outside the file, and go away without it changing."""
    shelves.document("a.md", "# A")
    with monkeypatch.context() as patch:
        patch.setattr(comparison.walk, "read", refuse)
        library = shelves.scanned()
    assert paths(library) == []
    library.reconcile()
    assert paths(library) == ["a.md"]
    library.close()


def refuse(*_: object) -> bytes:
    """A system without descriptors."""
    raise NotReadable("cannot be read: Too many open files")


def test_a_document_that_is_no_text_any_more_is_gone(shelves: Shelves) -> None:
    """What can no longer be served is not found."""
    shelves.document("a.md", "# A")
    library = shelves.scanned()
    shelves.write("a.md", b"\0")
    library.reconcile()
    assert paths(library) == []
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


def test_a_scan_that_is_stopped_keeps_what_it_has_read(shelves: Shelves, reads: list[str]) -> None:
    """The next one goes on from there."""
    for number in range(6):
        shelves.document(f"{number}.md", "# x")
    library = shelves.library()
    calls = iter(range(100))

    def pause() -> None:
        if next(calls) == 3:
            raise Stopped

    with pytest.raises(Stopped):
        library._scan(Hooks(pause=pause, tell=lambda _: None))
    assert len(paths(library)) == 3
    assert library.since() is None
    library.reconcile()
    assert sorted(reads) == [f"{number}.md" for number in range(6)]
    library.close()


def test_only_one_scans_at_a_time(shelves: Shelves) -> None:
    """The second is refused at once."""
    library = shelves.scanned()
    with WriterLock(library.home.lock), pytest.raises(IndexBusy):
        library.reconcile()
    library.close()


def test_a_folder_that_is_gone_does_not_empty_the_index(shelves: Shelves) -> None:
    """A root that cannot be walked is an error, not an empty folder."""
    shelves.document("a.md", "# A")
    library = shelves.scanned()
    shelves.docs.rename(shelves.docs.with_name("away"))
    with pytest.raises(FolderUnusable):
        library.reconcile()
    shelves.docs.with_name("away").rename(shelves.docs)
    assert paths(library) == ["a.md"]
    library.close()


def test_an_index_that_cannot_be_written_is_replaced(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The edition that is there goes on answering, and the next scan that can write begins a fresh one."""
    shelves.document("a.md", "# A\n\napple")
    library = shelves.scanned()
    before = edition(library)
    shelves.document("b.md", "# B\n\napple")
    with monkeypatch.context() as patch:
        patch.setattr(engine.Writer, "replace", full)
        with pytest.raises(IndexUnusable):
            library.reconcile()
    assert places.is_retired(before)
    assert found(library, "apple") == ["a.md"]
    library.reconcile()
    assert edition(library) != before
    assert found(library, "apple") == ["a.md", "b.md"]
    library.close()


def full(*_: object) -> None:
    """A disk without room."""
    raise IndexUnusable("No space left on device")


def test_a_cache_that_cannot_be_written_is_an_unusable_index(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's own errors are the library's."""

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    library = shelves.library()
    monkeypatch.setattr(places, "new_edition", refuse)
    with pytest.raises(IndexUnusable, match="No space left"):
        library.reconcile()
    library.close()


def test_reading_leaves_the_folder_as_it_is(shelves: Shelves) -> None:
    """Not a byte, a name or a time differs after scans and answers."""
    shelves.document("a/b.md", "# B\n\n[a](../a.md)")
    shelves.document("a.md", "# A", visibility="internal")
    shelves.write("c.bin", b"\0")

    def state() -> list[tuple[str, int, bytes]]:
        return [
            (str(file), file.stat().st_mtime_ns, file.read_bytes() if file.is_file() else b"")
            for file in sorted(shelves.docs.rglob("*"))
        ]

    before = state()
    library = shelves.scanned("reader", "editor")
    for role in library.roles:
        view(library, role).search("b")
        view(library, role).links("a/b.md")
    library.close()
    assert state() == before


def scan(library: Library) -> int:
    """Scan once; how often the scan asked for another one."""
    asked: list[str] = []
    library._scan(Hooks(pause=lambda: None, tell=lambda _: None, again=lambda path: not asked.append(path)))
    return len(asked)


@pytest.fixture
def a_long_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What counts as just written: on a machine under load half a second may pass between a write and the scan."""
    monkeypatch.setattr(comparison, "MIDWAY_S", 600)


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


def test_a_document_that_becomes_internal_goes_at_once(shelves: Shelves, a_long_moment: None) -> None:
    """However short it has become, and an internal one that is caught empty does not become public."""
    shelves.document("a.md", LONG)
    shelves.document("b.md", LONG, visibility="internal")
    library = shelves.scanned()
    shelves.write("a.md", "---\nvisibility: internal\n---\n", at=None)
    shelves.write("b.md", "", at=None)
    assert scan(library) > 0
    assert not indexed(library)
    assert paths(library) == []
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


def indexed(library: Library) -> dict[str, Known]:
    """What the reader's catalogue holds, whatever the files say."""
    cataloguer = Cataloguer.open(edition(library) / catalog.FILE)
    try:
        return dict(cataloguer.known)
    finally:
        cataloguer.close()
