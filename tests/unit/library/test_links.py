"""Links both ways: resolved for the role that asks, and never by the index's memory alone."""

from pathlib import Path

import pytest

from readingroom.library import Library
from support.shelves import Shelves, view


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    """An empty folder."""
    return Shelves(tmp_path)


def out(library: Library, path: str, role: str = "reader") -> list[tuple[int, str, str]]:
    """Line, state and address or target of each link out of a document."""
    links = view(library, role).links(path).outgoing  # type: ignore[arg-type]  # a role by its name
    return [(link.line, link.state, link.uri or link.target) for link in links]


def into(library: Library, path: str) -> list[tuple[str, int]]:
    """Path and line of each link into a document."""
    return [(link.path, link.line) for link in view(library).links(path).incoming]


def test_links_out_are_found_broken_or_external(shelves: Shelves) -> None:
    """Relative to the document, from the top, by address, by id, by name; with their fragments."""
    shelves.document("guide/next.md", "# Next Page\n", id="N-1")
    shelves.write(
        "guide/start.md",
        "[a](next.md#part)\n\n[b](/guide/next.md)\n\n[c](library:///.id/N-1)\n\n[[next page]]\n\n[d](gone.md)\n\n"
        "[e](https://x.example)\n\n[f](#here)\n\n[g](../../up.md)\n",
    )
    library = shelves.scanned()
    assert out(library, "guide/start.md") == [
        (1, "found", "library:///guide/next.md#part"),
        (3, "found", "library:///guide/next.md"),
        (5, "found", "library:///guide/next.md"),
        (7, "found", "library:///guide/next.md"),
        (9, "broken", "gone.md"),
        (11, "external", "https://x.example"),
        (13, "found", "library:///guide/start.md#here"),
        (15, "broken", "../../up.md"),
    ]
    assert into(library, "guide/next.md") == [("guide/start.md", line) for line in (1, 3, 5, 7)]
    assert into(library, "guide/start.md") == []
    first = view(library).links("guide/start.md").outgoing[0]
    assert (first.path, first.title, first.text) == ("guide/next.md", "Next Page", "a")
    library.close()


def test_a_wiki_link_finds_the_strongest_name(shelves: Shelves) -> None:
    """A path before a file's name, that before a title, a title before an alias; of equals the first path."""
    shelves.document("a.md", "# B\n", aliases="[c]")
    shelves.document("b.md", "# C\n")
    shelves.document("x/c.md", "# X\n")
    shelves.document("y/c.md", "# Y\n")
    shelves.write("links.md", "[[b]] [[C]] [[x]] [[y/c]] [[b.md]]\n")
    library = shelves.scanned()
    assert [uri for _, _, uri in out(library, "links.md")] == [
        "library:///b.md",
        "library:///x/c.md",
        "library:///x/c.md",
        "library:///y/c.md",
        "library:///b.md",
    ]
    library.close()


def test_a_link_to_an_internal_document_is_broken_for_a_reader(shelves: Shelves) -> None:
    """Like one to a missing document; and a name that an internal document shares leads to the public one."""
    shelves.document("a/secret.md", "# Plan\n\n[x](../b.md)\n", visibility="internal")
    shelves.document("z/secret.md", "# Plan\n")
    shelves.write("b.md", "[s](a/secret.md)\n\n[m](a/missing.md)\n\n[[plan]]\n\n[[secret]]\n")
    library = shelves.scanned("reader", "editor")
    assert out(library, "b.md") == [
        (1, "broken", "a/secret.md"),
        (3, "broken", "a/missing.md"),
        (5, "found", "library:///z/secret.md"),
        (7, "found", "library:///z/secret.md"),
    ]
    assert into(library, "b.md") == []
    assert [state for _, state, _ in out(library, "b.md", "editor")] == ["found", "broken", "found", "found"]
    assert [link.path for link in view(library, "editor").links("b.md").incoming] == ["a/secret.md"]
    library.close()


def test_links_are_those_of_the_bytes_as_they_are(shelves: Shelves) -> None:
    """A changed document's links are read anew, and a link that it has lost is not told of at the other end."""
    shelves.document("a.md", "# A\n")
    shelves.write("b.md", "[a](a.md)\n\n[a again](a.md)\n")
    library = shelves.scanned()
    shelves.write("b.md", "\n\n[a again](a.md)\n\n[[new]]\n")
    assert out(library, "b.md") == [(3, "found", "library:///a.md"), (5, "broken", "new")]
    assert into(library, "a.md") == [("b.md", 3)]
    library.close()


@pytest.mark.parametrize("change", ["internal", "gone"])
def test_neither_end_names_what_may_not_be_seen_any_more(shelves: Shelves, change: str) -> None:
    """A document that became internal or went away since the scan is neither a target nor a source."""
    shelves.document("a.md", "# A\n\n[b](b.md)\n")
    shelves.document("b.md", "# B\n\n[a](a.md)\n")
    library = shelves.scanned()
    if change == "internal":
        shelves.document("b.md", "# B\n\n[a](a.md)\n", visibility="internal")
    else:
        (shelves.docs / "b.md").unlink()
    assert out(library, "a.md") == [(3, "broken", "b.md")]
    assert into(library, "a.md") == []
    library.close()
