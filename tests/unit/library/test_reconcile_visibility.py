"""A scan and who may see what: of a document that is internal the reader's index keeps nothing."""

from pathlib import Path

import pytest

from readingroom.library.search import engine
from support.scanning import indexed, scan
from support.shelves import Shelves, bytes_under, edition, found, paths


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


def test_an_internal_document_that_comes_as_another_goes_is_not_told_of(
    shelves: Shelves, tmp_path: Path
) -> None:
    """The reader's edition is built anew when a document goes, with and without it: what is not would rank otherwise."""
    (tmp_path / "plain").mkdir()
    without = Shelves(tmp_path / "plain")
    for one in (shelves, without):
        one.document("a.md", "# A\n\napple")
        one.document("b.md", "# B\n\npear", id="B")
    with shelves.scanned() as having, without.scanned() as plain:
        for turn, gone in enumerate(("b.md", "a.md")):
            before = edition(having), edition(plain)
            shelves.document(f"{turn}.md", "# C\n\nzanzibar", id="C", visibility="internal")
            for one, library in ((shelves, having), (without, plain)):
                (one.docs / gone).unlink()
                library.reconcile()
            assert edition(having) != before[0]
            assert edition(plain) != before[1]
            assert paths(having) == paths(plain) == ["a.md"][turn:]


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


LONG = "# Apples\n\n" + "An apple a day.\n" * 20


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
