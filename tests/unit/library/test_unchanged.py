"""A folder that is as it was: a scan tells by one digest, and compares file by file as soon as anything differs."""

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from readingroom.library import Library, comparison, places
from readingroom.library.census import Census
from readingroom.library.editions import Edition
from readingroom.library.errors import FolderUnusable
from readingroom.library.hooks import Hooks
from support.shelves import OLD, Shelves, edition, found, paths


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One entry for each comparison that is made from now on."""
    made: list[str] = []
    run = comparison.Comparison.run

    def noted(self: comparison.Comparison, editions: list[Edition]) -> None:
        made.append("whole")
        run(self, editions)

    monkeypatch.setattr(comparison.Comparison, "run", noted)
    return made


def noted(library: Library) -> str:
    """The digest that the last scan has noted."""
    census = Census(library.home.census)
    try:
        return census.noted()
    finally:
        census.close()


def test_a_folder_as_it_was_is_not_compared(shelves: Shelves, compared: list[str]) -> None:
    """The time of the scan is noted all the same, and all that is found and left out stays."""
    shelves.document("a.md", "# A\n\napple")
    shelves.write("b.bin", b"\0")
    ticks = itertools.count(OLD)
    library = Library.open(
        shelves.docs, cache=shelves.cache, roles=("reader", "editor"), clock=lambda: float(next(ticks))
    )
    library.reconcile()
    first, place = library.since(), edition(library)
    library.reconcile()
    assert compared == ["whole"]
    assert first is not None
    assert (library.since() or 0.0) > first
    assert edition(library) == place
    assert found(library, "apple") == ["a.md"]
    library.close()


@pytest.mark.parametrize(
    ("change", "after"),
    [
        (lambda docs: (docs / "a.md").write_text("# A\n\napples and pears"), {"a.md", "b.md"}),
        (lambda docs: (docs / "b.md").unlink(), {"a.md"}),
        (lambda docs: (docs / "b.md").rename(docs / "c.md"), {"a.md", "c.md"}),
        (lambda docs: (docs / "c.md").write_text("# C"), {"a.md", "b.md", "c.md"}),
        (lambda docs: (docs / ".gitignore").write_text("b.md\n"), {"a.md"}),
        (lambda docs: (docs / ".readingroom.toml").write_text('internal = ["b.md"]\n'), {"a.md"}),
        (lambda docs: (docs / "x.bin").write_text("x"), {"a.md", "b.md"}),
    ],
    ids=["bytes", "gone", "renamed", "new", "ignored", "internal", "left out"],
)
def test_whatever_changes_is_compared(
    shelves: Shelves, compared: list[str], change: Callable[[Path], object], after: set[str]
) -> None:
    """Then the index is what a fresh one would be, and the next scan finds it so."""
    shelves.document("a.md", "# A\n\napple")
    shelves.document("b.md", "# B")
    library = shelves.scanned()
    change(shelves.docs)
    library.reconcile()
    assert len(compared) >= 2
    assert set(paths(library)) == after
    library.close()


def test_a_look_at_a_place_takes_the_digest_away(shelves: Shelves, compared: list[str]) -> None:
    """What it has read is compared once by the next full scan, which notes the folder as it is now."""
    shelves.document("a.md", "# A\n\napple")
    library = shelves.scanned()
    assert noted(library)
    shelves.document("b.md", "# B\n\nberry")
    library._scan(Hooks(pause=lambda: None, tell=lambda _: None), {"b.md"})
    assert noted(library) == ""
    library.reconcile()
    assert noted(library)
    assert found(library, "berry") == ["b.md"]
    library.close()


def test_a_file_that_may_change_again_unseen_is_not_noted(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was changed within a tick of its clock is read again by the next scan, so that one compares."""
    shelves.document("a.md", "# A")
    monkeypatch.setattr(comparison, "_UNSETTLED_NS", 10**19)
    library = shelves.scanned()
    assert noted(library) == ""
    library.close()


def test_an_edition_to_be_replaced_is_not_taken_for_whole(shelves: Shelves, compared: list[str]) -> None:
    """The folder is as it was, but one edition is marked: it is built anew."""
    shelves.document("a.md", "# A\n\napple")
    library = shelves.scanned()
    before = edition(library)
    places.condemn(before)
    library.reconcile()
    assert len(compared) == 2
    assert edition(library) != before
    assert found(library, "apple") == ["a.md"]
    library.close()


def test_another_edition_than_was_noted_is_compared(shelves: Shelves, compared: list[str]) -> None:
    """A role that is asked for now and was not then has an index of its own made."""
    shelves.document("a.md", "# A")
    shelves.scanned().close()
    library = shelves.scanned("reader", "editor")
    assert len(compared) == 2
    assert paths(library, "editor") == ["a.md"]
    library.close()


def test_what_hides_nobody_knows_is_no_folder_as_it_was(shelves: Shelves) -> None:
    """While the folder's own rules cannot be understood, the scan says so."""
    shelves.document("a.md", "# A")
    library = shelves.scanned()
    shelves.write(".readingroom.toml", "internal = 3\n")
    with pytest.raises(FolderUnusable):
        library.reconcile()
    library.close()


def test_a_scan_may_be_stopped_while_it_walks(shelves: Shelves) -> None:
    """It asks whether it may go on as it does where it compares."""
    for number in range(40):
        shelves.document(f"{number:02}.md", f"# {number}")
    library = shelves.scanned()
    asked: list[str] = []
    library._scan(Hooks(pause=lambda: asked.append("may I?"), tell=lambda _: None))
    assert len(asked) == 2
    library.close()
