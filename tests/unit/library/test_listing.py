"""Lists and completions: in one order, page by page, without what may not be seen any more."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from readingroom.library import BadQuery, Library
from support.shelves import Shelves, view


def filled(place: Path) -> Shelves:
    """Some documents in folders, one of them internal."""
    shelves = Shelves(place)
    shelves.document("a.md", "# Alpha\n", id="A-1", tags="[x]")
    shelves.document("a/1.md", "# Alpine\n", id="A-2", tags="[x, y]")
    shelves.document("a/2.md", "# Älg\n", id="B-1")
    shelves.document("a/sub/3.md", "# Beta\n", tags="[X]")
    shelves.document("ab/4.md", "# alphabet\n")
    shelves.document("hidden.md", "# Alps\n", id="A-3", tags="[x]", visibility="internal")
    return shelves


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The library over them, scanned for the reader, that no test changes."""
    with filled(tmp_path_factory.mktemp("kept")).scanned() as library:
        yield library


EVERYTHING = ["a.md", "a/1.md", "a/2.md", "a/sub/3.md", "ab/4.md"]


@pytest.mark.parametrize("limit", [1, 2, 5, 100])
def test_pages_put_together_are_the_list(library: Library, limit: int) -> None:
    """In order of path, the same as the resource list; the last page says that it is the last."""
    pages, after = [], None
    while True:
        page = view(library).documents(after=after, limit=limit)
        pages += [item.path for item in page.items]
        after = page.next
        if after is None:
            break
        assert len(page.items) == limit
    assert pages == EVERYTHING


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a", ["a/1.md", "a/2.md", "a/sub/3.md"]),
        ("a/", ["a/1.md", "a/2.md", "a/sub/3.md"]),
        ("./a/sub", ["a/sub/3.md"]),
        ("a/1.md", ["a/1.md"]),
        ("", EVERYTHING),
        ("none", []),
        ("hidden.md", []),
    ],
)
def test_a_folder_or_one_document_can_be_listed(library: Library, path: str, expected: list[str]) -> None:
    """With everything below it, and nothing whose name only begins alike."""
    assert [item.path for item in view(library).list(path).items] == expected


def test_tags_must_all_be_there(library: Library) -> None:
    """Whatever their case, also for one document."""
    tagged = view(library).list
    assert [item.path for item in tagged(tags=["x"]).items] == ["a.md", "a/1.md", "a/sub/3.md"]
    assert [item.path for item in tagged(tags=["X", "y"]).items] == ["a/1.md"]
    assert [item.path for item in tagged("a.md", tags=["x"]).items] == ["a.md"]
    assert tagged("a.md", tags=["y"]).items == ()


def test_a_list_goes_on_after_a_path_that_is_gone(library: Library) -> None:
    """The place is a path, not a number."""
    assert [item.path for item in view(library).list(after="a/15.md").items] == EVERYTHING[2:]
    assert view(library).list("a/1.md", after="a/1.md").items == ()


@pytest.mark.parametrize("limit", [0, 1001])
def test_a_limit_out_of_bounds_is_refused(library: Library, limit: int) -> None:
    """In lists and completions."""
    with pytest.raises(BadQuery, match="limit"):
        view(library).list(limit=limit)
    with pytest.raises(BadQuery, match="limit"):
        view(library).complete_path("a", limit)


def test_half_a_character_is_refused(library: Library) -> None:
    """In every text that is given."""
    for ask in (view(library).list, view(library).complete_path, view(library).complete_title):
        with pytest.raises(BadQuery, match="surrogate"):
            ask("\ud800")


def test_paths_ids_and_titles_are_completed(library: Library) -> None:
    """From their beginning, in order, and never one of an internal document."""
    reader = view(library)
    assert reader.complete_path("a/") == ("a/1.md", "a/2.md", "a/sub/3.md")
    assert reader.complete_path("a/", 2) == ("a/1.md", "a/2.md")
    assert reader.complete_path("h") == ()
    assert reader.complete_identifier("A") == ("A-1", "A-2")
    assert reader.complete_title("AL") == ("Alpha", "alphabet", "Alpine")
    assert reader.complete_title("ä") == ("Älg",)
    assert reader.complete_title("") == ("Alpha", "alphabet", "Alpine", "Beta", "Älg")


def test_a_completion_is_given_once(tmp_path: Path) -> None:
    """Two documents of one title are one completion."""
    shelves = filled(tmp_path)
    shelves.document("twin.md", "# Alpha\n")
    library = shelves.scanned()
    assert view(library).complete_title("alpha") == ("Alpha", "alphabet")
    library.close()


def test_what_has_changed_is_told_as_it_is(tmp_path: Path) -> None:
    """A list names neither what is gone nor what became internal, and gives the new title of what changed."""
    shelves = filled(tmp_path)
    library = shelves.scanned()
    (shelves.docs / "a.md").unlink()
    shelves.document("a/1.md", "# Alpine\n", visibility="internal")
    shelves.document("a/2.md", "# Renamed\n")
    reader = view(library)
    assert [(item.path, item.title) for item in reader.list(limit=2).items] == [
        ("a/2.md", "Renamed"),
        ("a/sub/3.md", "Beta"),
    ]
    assert reader.complete_identifier("") == ()
    assert reader.complete_title("r") == ()
    assert reader.complete_path("a") == ("a/2.md", "a/sub/3.md", "ab/4.md")
    library.close()


def test_before_there_is_an_index_lists_are_empty(tmp_path: Path) -> None:
    """And say that no scan has been made."""
    opened = Shelves(tmp_path).library()
    answer = view(opened).list(wait=0)
    assert (answer.items, answer.next, answer.reconciled) == ((), None, None)
    assert view(opened).complete_path("") == ()
    assert view(opened).generation == ""
    assert view(opened).reconciled is None
    opened.close()
