"""The shelf: which edition is open, and what becomes of one that cannot be read."""

from pathlib import Path

import pytest

from readingroom.library import IndexUnusable, places
from readingroom.library.shelf import Shelf
from support.shelves import Shelves, edition, view


def test_an_edition_is_opened_once_and_followed_by_the_next(tmp_path: Path) -> None:
    """Looking again costs a look at a file; another edition is opened when the pointer says so."""
    role = tmp_path / "reader"
    shelf = Shelf(role)
    assert shelf.edition() is None
    first, second = places.new_edition(role), places.new_edition(role)
    places.publish(first)
    opened = shelf.edition()
    assert opened is not None
    assert opened.folder == first
    assert shelf.edition() is opened
    places.publish(second)
    assert not shelf.condemn(opened)
    followed = shelf.edition()
    assert followed is not None
    assert followed.folder == second
    assert shelf.condemn(followed)
    assert places.is_condemned(second)
    (role / "current").unlink()
    assert shelf.edition() is None
    shelf.close()


def test_the_same_edition_published_again_stays_open(tmp_path: Path) -> None:
    """Only another name is another edition."""
    only = places.new_edition(tmp_path)
    shelf = Shelf(tmp_path)
    places.publish(only)
    opened = shelf.edition()
    places.publish(only)
    assert shelf.edition() is opened
    shelf.close()
    assert shelf.edition() is not opened


def test_a_folder_that_may_not_be_looked_at_is_an_unusable_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A view raises nothing of the system's own."""

    def refuse(_: Path) -> None:
        raise PermissionError(13, "Permission denied")

    library = Shelves(tmp_path).scanned()
    monkeypatch.setattr(places, "pointer_state", refuse)
    with pytest.raises(IndexUnusable, match="Permission denied"):
        view(library).search("x")
    library.close()


def test_the_index_follows_its_commits(tmp_path: Path) -> None:
    """It is opened with the first search and read anew when there is another commit."""
    shelves = Shelves(tmp_path)
    shelves.document("a.md", "# A")
    library = shelves.scanned()
    opened = library._shelf("reader").edition()
    assert opened is not None
    index = opened.index()
    before = index.generation
    shelves.document("b.md", "# B")
    library.reconcile()
    assert opened.index() is index
    assert index.generation > before
    assert edition(library) == opened.folder
    library.close()
