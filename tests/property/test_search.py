"""Search over any texts and queries: nothing fails, what stands in a text is found by itself, pages are one order."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from readingroom.library.search import Entry, Index, excerpt
from readingroom.library.search.analysis import stem_terms, streams, tokens
from readingroom.library.search.characters import (
    clusters,
    folded,
    is_run,
    lowered,
    normal,
    normal_runs,
    pieces,
)
from readingroom.library.search.hints import distance
from readingroom.library.search.query import parse
from readingroom.library.search.terms import exact_terms
from support.indexes import ask, entry, index_of

LETTERS = "abzéß AI_-'.\"*+#:/1 \nдйёі λς דא كو का ि 数据库。ｶﾞか\u3099 한국 ก็น้ำ ếư \u0301\u200d\u00ad\ufe0f🚀"
TEXT = st.text(st.sampled_from(LETTERS) | st.characters(codec="utf-8"), max_size=60)
OPERATORS = st.sampled_from(
    ['"', "-", "*", "path:", "tag:", "lang:", " ", "apple", "pear*", '"apple pear"', "lang:ru", "path:a"]
)
QUERY = st.lists(OPERATORS | TEXT, max_size=8).map("".join)
LANGUAGES = st.sampled_from(["", "en", "ru", "de", "tr", "ar", "hi", "vi", "zh", "el", "uk", "nl", "xx"])


@contextmanager
def library(*entries: Entry) -> Iterator[Index]:
    """An index for the time of one example."""
    with tempfile.TemporaryDirectory() as place:
        yield index_of(Path(place), *entries)


@given(QUERY)
def test_any_text_is_a_query(text: str) -> None:
    """Parsing raises nothing, and what is asked for has words."""
    query = parse(text)
    for clause in (*query.wanted, *query.unwanted):
        assert any(exact_terms(token) for token in tokens(clause.text))


@given(TEXT, LANGUAGES)
def test_terms_are_terms(text: str, language: str) -> None:
    """No term is empty or holds a blank, and the pieces of a token are the token."""
    for token in tokens(text):
        assert "".join(pieces(token)) == token
        assert all(
            term and not set(term) & set(" \n\t") for term in exact_terms(token) + stem_terms(token, language)
        )
        assert bool(exact_terms(token)) == bool(stem_terms(token, language))


@given(TEXT, LANGUAGES)
def test_streams_are_the_terms_of_the_tokens(text: str, language: str) -> None:
    """What is remembered of tokens is what they are."""
    found = tokens(text)
    exact, stems = streams(found, language)
    assert exact.split() == [term for token in found for term in exact_terms(token)]
    assert stems.split() == [term for token in found for term in stem_terms(token, language)]


@given(TEXT)
def test_folding_is_done_once(text: str) -> None:
    """Folding what is folded changes nothing, and case does not matter."""
    for token in tokens(text):
        once = folded(lowered(normal(token)))
        assert folded(lowered(once)) == once


@given(TEXT)
def test_clusters_and_normal_runs_lose_nothing(text: str) -> None:
    """Clusters joined are the run; the normal form of a text leads back to its characters."""
    for token in tokens(text):
        assert all("".join(clusters(piece)) == piece for piece in pieces(token) if is_run(piece))
    plain, back = normal_runs(text)
    assert not back or (len(back) == len(plain) and back == sorted(back) and max(back) < len(text))


@given(st.text("abc", max_size=6), st.text("abc", max_size=6), st.integers(0, 3))
def test_distance_is_symmetric_and_bounded(one: str, other: str, limit: int) -> None:
    """The same both ways, zero for equals only, and one more than the limit at most."""
    slips = distance(one, other, limit)
    assert slips == distance(other, one, limit) <= limit + 1
    assert (slips == 0) == (one == other)


@settings(max_examples=40)
@given(st.lists(TEXT, min_size=1, max_size=6), LANGUAGES)
def test_whatever_stands_in_a_text_is_found(texts: list[str], language: str) -> None:
    """Every token of a text, asked by itself in the text's language, finds it and is marked there."""
    with library(*(entry(f"{n}.md", text, language=language) for n, text in enumerate(texts))) as index:
        for number, text in enumerate(texts):
            for token in filter(exact_terms, tokens(text)):
                answer = ask(index, token, limit=50, language=language)
                hits = [hit for hit in answer.hits if hit.path == f"{number}.md"]
                assert hits
                assert not answer.relaxed
                assert excerpt(hits[0], answer.wanted, 1000).highlights


@settings(max_examples=60)
@given(st.lists(TEXT, min_size=1, max_size=4), QUERY, QUERY, st.integers(0, 80))
def test_any_question_has_an_answer(texts: list[str], query: str, argument: str, width: int) -> None:
    """Whatever is asked of whatever: no error, marks within what is shown, the same answer again."""
    with library(*(entry(f"a/{n}.md", text, "apple pear") for n, text in enumerate(texts))) as index:
        for rest in ({}, {"path": argument}, {"tags": (argument,)}, {"language": argument}):
            answer = ask(index, query, **rest)
            assert answer == ask(index, query, **rest)
            assert answer.hits or answer.hint
            for hit in answer.hits:
                part = excerpt(hit, answer.wanted, width)
                assert len(part.text) <= width
                assert part.text in hit.text
                assert all(0 <= first < last <= len(part.text) for first, last in part.highlights)


@settings(max_examples=40)
@given(
    st.lists(
        st.lists(st.sampled_from(["apple", "pear", "apple pear", "plum"]), min_size=1, max_size=5),
        max_size=12,
    ),
    st.sampled_from(["apple", "apple pear", "pear -plum", "path:a", "ap*", '"apple pear"', "plum apple"]),
    st.integers(1, 4),
    st.integers(1, 7),
)
def test_pages_are_one_order(documents: list[list[str]], query: str, cap: int, limit: int) -> None:
    """Paged in any steps, the ranking is the same, each document at most so often, ties by path and line."""
    with library(*(entry(f"a/{n:02}.md", *texts) for n, texts in enumerate(documents))) as index:
        whole = [(hit.path, hit.first) for hit in ask(index, query, limit=200, per_document=cap).hits]
        paged: list[tuple[str, int]] = []
        while (answer := ask(index, query, start=len(paged), limit=limit, per_document=cap)).hits:
            paged += [(hit.path, hit.first) for hit in answer.hits]
            assert answer.more == (len(paged) < len(whole))
        assert paged == whole
        assert len(set(whole)) == len(whole)
        assert all([path for path, _ in whole].count(path) <= cap for path, _ in whole)
