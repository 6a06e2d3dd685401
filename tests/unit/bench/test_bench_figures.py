"""Medians, ratios, bars and the page they are written to."""

from pathlib import Path

import pytest


def test_a_ratio_is_of_the_medians_and_its_range_of_the_rounds() -> None:
    """One noisy round moves the range, not the ratio."""
    from rounds import Ratio, Series

    series = Series()
    for ours, theirs in ((1.0, 2.0), (1.0, 4.0), (9.0, 4.0)):
        series.add("kit", {"ms": [ours]})
        series.add("mcp", {"ms": [theirs]})
    assert series.ratio(("kit", "ms"), ("mcp", "ms")) == Ratio(0.25, 0.25, 2.25)
    assert series.ratio(("kit", "ms"), ("bare", "ms")) is None


def test_each_round_begins_with_the_next_contestant() -> None:
    """Nobody is always first."""
    from rounds import interleave

    order: list[str] = []

    def measure(name: str) -> dict[str, float]:
        order.append(name)
        return {"n": len(order)}

    series = interleave({name: [lambda name=name: measure(name)] for name in "abc"}, 3, lambda _: None)
    assert "".join(order) == "abcbcacab"
    assert series.values("a", "n") == [1, 6, 8]


@pytest.mark.parametrize(
    ("ours", "at_most", "met"),
    [(1.0, True, True), (3.0, True, False), (3.0, False, True), (1.0, False, False)],
)
def test_a_bar_is_kept_from_its_own_side(ours: float, at_most: bool, met: bool) -> None:
    """At most and at least are not mixed up."""
    from bars import Bar, judge
    from rounds import Series

    series = Series()
    series.add("kit", {"x": [ours]})
    series.add("mcp", {"x": [1.0]})
    [verdict] = judge([Bar("", ("kit", "x"), ("mcp", "x"), 2, at_most=at_most)], series)
    assert verdict.met is met


def test_a_page_is_rewritten_between_its_markers_alone(tmp_path: Path) -> None:
    """What people wrote around the figures stays."""
    from report import BEGIN, END, write_between_markers

    page = tmp_path / "page.md"
    page.write_text(f"before\n\n{BEGIN}\nold\n{END}\n\nafter\n")
    write_between_markers(page, "new")
    assert page.read_text() == f"before\n\n{BEGIN}\n\nnew\n\n{END}\n\nafter\n"
    page.write_text("no markers")
    with pytest.raises(ValueError, match="markers"):
        write_between_markers(page, "new")


def test_the_corpus_is_the_same_on_every_run_and_answers_its_questions() -> None:
    """Each question's words stand in one document."""
    from corpus import Corpus

    corpus = Corpus(20, 2)
    documents = dict(corpus.documents())
    assert documents == dict(Corpus(20, 2).documents())
    assert len(documents) == 20
    for asked in corpus.asked(5):
        words = asked.words.split()
        assert all(word in asked.question for word in words)
        assert any(all(word in text.lower() for word in words) for text in documents.values())
