"""Order, ties, the cap for a document, and pages."""

from pathlib import Path
from typing import Any

import pytest
import tantivy

from readingroom.library.search import Index, ranking
from support.indexes import ask, entry, index_of, put


def places(index: Index, query: str, **rest: object) -> list[tuple[str, int]]:
    """Where the hits stand."""
    return [(hit.path, hit.first) for hit in ask(index, query, **rest).hits]


@pytest.fixture
def ties(tmp_path: Path) -> Index:
    """Equal passages in documents that were put in, in no order, over several commits."""
    index = index_of(tmp_path, *(entry(f"{n:02}.md", "apple", "apple") for n in (7, 3, 9)))
    put(index, [entry(f"{n:02}.md", "apple", "apple") for n in (1, 8)])
    put(index, [entry(f"{n:02}.md", "apple", "apple") for n in (2, 6, 0, 5, 4)])
    return index


def test_equal_passages_are_in_order_of_path_and_line(ties: Index) -> None:
    """Also across commits, wherever the page ends."""
    whole = [(f"{n:02}.md", line) for n in range(10) for line in (1, 2)]
    assert places(ties, "apple", limit=50) == whole
    for start in range(20):
        for limit in (1, 3, 7):
            assert places(ties, "apple", start=start, limit=limit) == whole[start : start + limit]


def test_many_equal_passages_are_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many they are, without reading their texts."""
    monkeypatch.setattr(ranking, "_MANY", 5)
    numbers = [(n * 37) % 100 for n in range(100)]
    index = index_of(tmp_path, *(entry(f"{n:02}.md", "apple") for n in numbers))
    assert places(index, "apple", limit=3, start=50) == [("50.md", 1), ("51.md", 1), ("52.md", 1)]


def test_better_passages_come_first(tmp_path: Path) -> None:
    """Before those that are only earlier in the alphabet."""
    index = index_of(tmp_path, entry("a.md", "apple " + "other words " * 40), entry("b.md", "apple apple"))
    assert places(index, "apple") == [("b.md", 1), ("a.md", 1)]


@pytest.mark.parametrize(("apple", "plum"), [("apple", "plum"), ("苹果树", "李子树")])
def test_what_a_long_text_says_again_and_again_counts_more(tmp_path: Path, apple: str, plum: str) -> None:
    """In a text of sixty words; in a question, a word that stands twice is worth what it is once."""
    index = index_of(tmp_path, entry("a.md", apple), entry("b.md", plum))
    question = f"{plum} {plum} {plum} {apple}"
    assert places(index, question) == [("a.md", 1), ("b.md", 1)]
    text = " ".join([question, *(f"filler{n}" for n in range(60))])
    assert places(index, text) == [("b.md", 1), ("a.md", 1)]


def test_at_most_so_many_of_a_document(tmp_path: Path) -> None:
    """The best three unless asked otherwise, and others are not kept out by them."""
    index = index_of(
        tmp_path, entry("a.md", *("apple" for _ in range(30))), entry("b.md", "apple and some other words")
    )
    assert places(index, "apple") == [("a.md", 1), ("a.md", 2), ("a.md", 3), ("b.md", 1)]
    assert places(index, "apple", per_document=1) == [("a.md", 1), ("b.md", 1)]
    assert len(places(index, "apple", per_document=50, limit=50)) == 31
    assert places(index, "apple", start=3) == [("b.md", 1)]


@pytest.mark.parametrize("query", ["apple pear", "path:sub", "ap*"])
def test_pages_neither_repeat_nor_skip(tmp_path: Path, query: str) -> None:
    """Page by page it is the order of one long page, and the last one says that it is."""
    texts = ("apple", "pear apple", "apple and a pear", "pear", "apple apple")
    index = index_of(tmp_path, *(entry(f"sub/{n:02}.md", *texts[: n % 5 + 1]) for n in range(40)))
    whole = places(index, query, limit=500)
    paged: list[tuple[str, int]] = []
    more = True
    while more:
        answer = ask(index, query, start=len(paged), limit=7)
        paged += [(hit.path, hit.first) for hit in answer.hits]
        more = answer.more
        assert more == (len(paged) < len(whole))
    assert paged == whole


def test_beyond_the_end_there_is_nothing(ties: Index) -> None:
    """No hits, no more, and no hint that something is wrong."""
    for query in ("apple", "path:01.md"):
        answer = ask(ties, query, start=1000)
        assert (answer.hits, answer.more, answer.hint) == ((), False, "")


def test_a_listing_is_in_order(ties: Index) -> None:
    """By path and line, within the cap, wherever the page ends."""
    whole = [(f"{n:02}.md", line) for n in range(10) for line in (1, 2)]
    assert places(ties, "-pear", limit=50) == whole
    assert places(ties, "-pear", per_document=1, start=2, limit=3) == [
        ("02.md", 1),
        ("03.md", 1),
        ("04.md", 1),
    ]


def test_a_listing_trusts_no_order_within_a_document() -> None:
    """However the engine gives the passages of a path, and wherever it stops, they come by line."""

    class Shuffled:
        """An index of two documents whose passages come last line first."""

        passages = (*(("a", line) for line in range(30, 0, -1)), *(("b", line) for line in range(30, 0, -1)))

        def by_path(self, query: object, limit: int) -> list[tuple[str, tuple[str, int]]]:
            return [(path, (path, line)) for path, line in self.passages[:limit]]

        def column(self, name: str, addresses: list[tuple[str, int]]) -> list[int]:
            return [line if name == "first" else ord(path) for path, line in addresses]

        def stored(self, address: tuple[str, int]) -> tuple[str, int]:
            return address

    everything: Any = Shuffled()
    for start in (0, 5, 28):
        found: list[Any] = ranking.listing(everything, tantivy.Query.all_query(), start, 4, 100).groups
        assert [line for ((_, line),) in found] == [(start + n) % 30 + 1 for n in range(4)]


def test_rounding_keeps_order() -> None:
    """Only the noise of adding is taken away, at any size."""
    for score in (0.0012345678, 1.2345678, 12345.678):
        assert ranking._rounded(score) == ranking._rounded(score * (1 + 1e-7))
        assert ranking._rounded(score) < ranking._rounded(score * 1.001)
    assert ranking._rounded(0.0) == 0.0
