"""A scan and what goes wrong: files that cannot be read, a scan that is stopped, an index that cannot be written."""

import pytest

from readingroom.library import FolderUnusable, IndexBusy, IndexUnusable, comparison, places
from readingroom.library.hooks import Hooks, Stopped
from readingroom.library.lock import WriterLock
from readingroom.library.opening import NotReadable
from readingroom.library.search import engine
from support.shelves import Shelves, edition, found, paths, view


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
        patch.setattr(engine.Writer, "add", full)
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
