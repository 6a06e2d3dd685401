"""Searching: bounds, paging, one size for all texts, and hits whose files have changed since."""

from pathlib import Path

import pytest

from readingroom.library import BadQuery, Library
from readingroom.library.searching import INDEXING, LEAST_TEXT
from support.shelves import Shelves, found, view


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    """An empty folder."""
    return Shelves(tmp_path)


def stale(shelves: Shelves, *texts: str) -> Library:
    """A library that was scanned over the first text of a.md, and whose file then became the second."""
    shelves.document("other.md", "# Other\n\nplum")
    shelves.document("a.md", texts[0])
    library = shelves.scanned()
    shelves.document("a.md", texts[1])
    return library


def test_a_hit_says_where_it_stands(shelves: Shelves) -> None:
    """Address, title, path, trail, exact lines, text, highlights and the revision of the bytes."""
    shelves.document("sub/ä b.md", "# Fruit\n\nintro\n\n## Apples\n\nAn apple a day.\n", title="All fruit")
    library = shelves.scanned()
    (hit, *_) = view(library).search("apple").items
    assert (hit.uri, hit.path, hit.title) == ("library:///sub/%C3%A4%20b.md", "sub/ä b.md", "All fruit")
    assert (hit.section, hit.lines) == (("Fruit", "Apples"), (8, 10))
    lines = (shelves.docs / hit.path).read_text().splitlines()
    assert hit.text == "\n".join(lines[7:10])
    assert {hit.text[first:last].casefold() for first, last in hit.highlights} == {"apple", "apples"}
    assert hit.revision == view(library).find(hit.path).revision
    library.close()


def test_pages_go_on_where_the_last_one_ended(shelves: Shelves) -> None:
    """Page by page, all hits come once, in the order of one long page."""
    for number in range(23):
        shelves.document(f"{number:02}.md", f"# Note {number}\n\n" + "apple " * (number % 5 + 1))
    library = shelves.scanned()
    whole = [hit.path for hit in view(library).search("apple", limit=50).items]
    assert len(whole) == 23
    paged, start = [], 0
    while True:
        page = view(library).search("apple", limit=7, start=start)
        paged += [hit.path for hit in page.items]
        if page.next is None:
            break
        start = page.next
    assert paged == whole
    library.close()


def test_texts_share_one_size(shelves: Shelves) -> None:
    """An answer stays within it, says that it was cut, and short texts leave their room to long ones."""
    shelves.document("short.md", "# S\n\napple")
    shelves.document("long.md", "# L\n\n" + "apple and more " * 100)
    library = shelves.scanned()
    answer = view(library).search("apple", max_chars=500)
    sizes = {hit.path: len(hit.text) for hit in answer.items}
    assert answer.cut
    assert sum(sizes.values()) <= 500
    assert sizes["short.md"] == len("# S\n\napple")
    assert sizes["long.md"] > 400
    assert not view(library).search("apple", max_chars=50_000).cut
    library.close()


def test_a_small_answer_has_fewer_hits_rather_than_no_texts(shelves: Shelves) -> None:
    """The next page has the rest."""
    for number in range(5):
        shelves.document(f"{number}.md", "# N\n\n" + f"apple {number} " * 40)
    library = shelves.scanned()
    answer = view(library).search("apple", max_chars=2 * LEAST_TEXT)
    assert (len(answer.items), answer.next) == (2, 2)
    library.close()


LICENCE = "# Licence\n\n" + " ".join(f"term{n} of the apple licence" for n in range(20)) + "\n"


def test_what_several_documents_say_is_one_hit_that_names_the_others(shelves: Shelves) -> None:
    """Copies of a text do not fill the page."""
    for place in ("a", "b", "c"):
        shelves.document(f"{place}/licence.md", LICENCE)
    shelves.document("d.md", "# Other\n\nAn apple.\n")
    library = shelves.scanned()
    first, second = view(library).search("apple licence").items
    assert first.path == "a/licence.md"
    assert first.also == ("library:///b/licence.md", "library:///c/licence.md")
    assert (second.path, second.also) == ("d.md", ())
    library.close()


def test_a_copy_stands_in_for_what_has_gone(shelves: Shelves) -> None:
    """Neither a document that is no more is shown or named, nor is the one that says the same lost with it."""
    for place in ("a", "b", "c"):
        shelves.document(f"{place}.md", LICENCE)
    library = shelves.scanned()
    (shelves.docs / "a.md").unlink()
    (shelves.docs / "c.md").unlink()
    (hit,) = view(library).search("apple licence").items
    assert (hit.path, hit.also) == ("b.md", ())
    library.close()


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": ""},
        {"query": "x" * 2001},
        {"limit": 0},
        {"limit": 51},
        {"start": -1},
        {"start": 10_001},
        {"per_document": 0},
        {"max_chars": 10},
    ],
)
def test_arguments_out_of_bounds_are_refused(shelves: Shelves, arguments: dict[str, int]) -> None:
    """With the name of the argument and what is allowed."""
    library = shelves.scanned()
    (name,) = arguments
    with pytest.raises(BadQuery, match=name):
        view(library).search(**{"query": "x", **arguments})  # type: ignore[arg-type]  # a table of arguments
    with pytest.raises(BadQuery, match="surrogate"):
        view(library).search("\ud800")
    library.close()


def test_a_hit_in_a_changed_file_is_read_anew(shelves: Shelves) -> None:
    """The passage that has the words now is served, with its lines and the revision of the new bytes."""
    library = stale(shelves, "# A\n\napple pie\n", "# A\n\nnew line\n\n## More\n\nan apple tart\n")
    (hit,) = view(library).search("apple").items
    assert (hit.section, hit.lines, hit.text) == (("A", "More"), (5, 7), "## More\n\nan apple tart")
    assert hit.text[slice(*hit.highlights[0])] == "apple"
    before = hit.revision
    library.reconcile()
    assert view(library).find("a.md").revision == before
    library.close()


def test_a_hit_that_has_lost_its_words_is_dropped(shelves: Shelves) -> None:
    """And so is one whose file is gone, or became internal, or can no longer be read."""
    for change in ("# A\n\npear\n", "---\nvisibility: internal\n---\n# A\n\napple\n", None, b"\0"):
        for file in shelves.docs.iterdir():
            file.unlink()
        library = stale(shelves, "# A\n\napple\n", "x")
        if change is None:
            (shelves.docs / "a.md").unlink()
        else:
            shelves.write("a.md", change)
        assert found(library, "apple") == []
        assert found(library, "plum") == ["other.md"]
        library.close()


def test_a_touched_file_is_served_as_it_was_indexed(shelves: Shelves) -> None:
    """The same bytes are the same document, whatever the times say."""
    library = stale(shelves, "# A\n\napple\n", "# A\n\napple\n")
    (hit,) = view(library).search("apple").items
    assert hit.lines == (1, 3)
    library.close()


def test_two_hits_in_a_changed_file_are_two_passages(shelves: Shelves) -> None:
    """One passage is never given twice."""
    library = stale(
        shelves, "# A\n\n## B\n\napple\n\n## C\n\napple\n", "# A\n\n## B\n\napple\n\n## C\n\napple!\n"
    )
    hits = view(library).search("apple").items
    assert [hit.lines for hit in hits] == [(3, 5), (7, 9)]
    library.close()


def test_dropped_hits_are_made_up_for(shelves: Shelves) -> None:
    """A page is filled from further down the ranking."""
    for number in range(6):
        shelves.document(f"{number}.md", "# N\n\napple")
    library = shelves.scanned()
    for number in (0, 1):
        (shelves.docs / f"{number}.md").unlink()
    answer = view(library).search("apple", limit=3)
    assert [hit.path for hit in answer.items] == ["2.md", "3.md", "4.md"]
    assert view(library).search("apple", limit=3, start=answer.next or 0).items[0].path == "5.md"
    library.close()


def test_a_filter_alone_lists_passages_of_changed_files_too(shelves: Shelves) -> None:
    """Without words there is nothing that could have been lost."""
    library = stale(shelves, "# A\n\napple\n", "# A\n\npear\n")
    hits = view(library).search("path:a.md").items
    assert [hit.text for hit in hits] == ["# A\n\npear"]
    library.close()


def test_an_index_that_is_not_whole_says_so(shelves: Shelves) -> None:
    """Without numbers; and before there is any, the answer is empty and says the same."""
    shelves.document("a.md", "# A\n\napple")
    library = shelves.library()
    empty = view(library).search("apple")
    assert (empty.items, empty.hint, empty.reconciled) == ((), INDEXING, None)
    library.reconcile()
    with_words = view(library).search("nowhere")
    assert INDEXING not in with_words.hint
    assert "nowhere" in with_words.hint
    library.close()


@pytest.mark.parametrize(
    ("path", "text", "lines"),
    [
        ("a.md", "---\ntitle: Wheat paste\naliases: [Glue]\n---\n", (1, 1)),
        ("wheat paste glue.txt", "", (0, 0)),
        ("b.html", "\n<title>Wheat paste glue</title>\n", (2, 2)),
    ],
)
def test_a_document_without_text_is_found_by_its_title(
    tmp_path: Path, path: str, text: str, lines: tuple[int, int]
) -> None:
    """And by what else it is called; its lines are those of the file."""
    shelves = Shelves(tmp_path)
    shelves.write(path, text)
    with shelves.scanned() as library:
        for query in ("wheat paste", "glue"):
            (hit,) = view(library).search(query).items
            assert (hit.path, hit.lines) == (path, lines)
            assert hit.text


@pytest.mark.parametrize("filled", [True, False])
def test_a_hit_in_a_file_that_is_just_being_written_is_waited_for(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch, filled: bool
) -> None:
    """A file that is empty this very moment gets another look before it is believed to be empty, and no more than some."""
    shelves.document("a.md", "# Fruit\n\nplum")
    library = shelves.scanned()
    shelves.write("a.md", "", at=None)
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if filled:
            shelves.document("a.md", "# Fruit\n\nplum and apple")

    monkeypatch.setattr("readingroom.library.files.time.sleep", wait)
    assert found(library, "plum") == ["a.md"] * filled
    assert len(waits) == 1 if filled else 1 < len(waits) < 10
    library.close()
