"""The table of judged questions, and the measures over them."""

from math import log2

import pytest

from readingroom.apps.faults import UsageFault
from readingroom.apps.judging import Answered, Question, measured, questions


def answered(found: str, **right: int) -> Answered:
    """A question with these right documents, and the letters that were found, best first."""
    return Answered(Question("q", "", right), tuple(found), 0.001)


def test_a_table_is_read() -> None:
    """Columns stand in any order, unknown ones are left alone, the lines of one query make one question."""
    table = [
        "path\tquery\tform\tgrade\tlanguage",
        "a.md\twhat is it?\tx\t\ten",
        "",
        "b.md\twhat is it?\tx\t2\ten\r",
        "c.md\tчто\tx\t1\tru",
        "",
    ]
    assert questions(table) == (
        Question("what is it?", "en", {"a.md": 1, "b.md": 2}),
        Question("что", "ru", {"c.md": 1}),
    )


def test_a_table_with_a_byte_order_mark_is_read() -> None:
    """As spreadsheets write it."""
    assert questions(["\ufeffquery\tpath", "q\ta.md"])[0].right == {"a.md": 1}


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("", "no column 'query'"),
        ("query\tanswer\nq\ta", "no column 'path'"),
        ("query\tpath\nq", "line 2 has 1 columns, and the first line 2"),
        ("query\tpath\n \ta.md", "line 2 has no query"),
        ("query\tpath\nq\t", "line 2 has no path"),
        ("query\tpath\tgrade\nq\ta\t0", "line 2: a grade"),
        ("query\tpath\tgrade\nq\ta\tgood", "line 2: a grade"),
        ("query\tpath\tgrade\nq\ta\t²", "line 2: a grade"),
        ("query\tpath\n", "no question"),
    ],
)
def test_a_broken_table_is_refused(table: str, told: str) -> None:
    """With the line, and what is wrong with it."""
    with pytest.raises(UsageFault, match=told):
        questions(table.split("\n"))


@pytest.mark.parametrize(
    ("found", "rank", "ndcg"), [("axy", 1, 1.0), ("xay", 2, 1 / log2(3)), ("xyz", 0, 0.0), ("", 0, 0.0)]
)
def test_with_one_right_document_rank_is_all(found: str, rank: int, ndcg: float) -> None:
    """nDCG is one over the logarithm of the rank, or nothing."""
    one = answered(found, a=1)
    assert one.rank == rank
    assert one.ndcg == pytest.approx(ndcg)


def test_grades_are_gains() -> None:
    """The better document before the good one is the best there is; after it, less; recall knows no grade."""
    assert answered("ab", a=3, b=1).ndcg == pytest.approx(1.0)
    assert answered("ba", a=3, b=1).ndcg == pytest.approx((1 + 3 / log2(3)) / (3 + 1 / log2(3)))
    assert answered("b", a=3, b=1).recall == 0.5


def test_the_best_that_could_be_is_as_deep_as_what_is_found() -> None:
    """Twelve right documents can fill ten places, and that is a full mark."""
    right = dict.fromkeys("abcdefghijkl", 1)
    assert answered("abcdefghij", **right).ndcg == pytest.approx(1.0)


def test_means() -> None:
    """Over the questions of a group."""
    group = measured([answered("a", a=1), answered("xa", a=1), answered("", a=1)])
    assert group.reciprocal_rank == pytest.approx(0.5)
    assert (group.questions, group.first, group.empty) == (3, 1, 1)
    assert group.recall == pytest.approx(2 / 3)
