"""Sharing a budget and cutting a text at the border of a line."""

from hypothesis import given
from hypothesis import strategies as st

from readingroom.library.answers import line_at, portion, share, start_of
from readingroom.library.lines import Lines


def test_short_texts_leave_room_for_long_ones() -> None:
    """Nobody gets more than wanted, and what is left goes to those who want more."""
    assert share([100, 1000, 1000], 900) == [100, 400, 400]
    assert share([10, 20], 900) == [10, 20]
    assert share([], 900) == []


@given(st.lists(st.integers(0, 5000), max_size=50), st.integers(0, 20_000))
def test_shares_stay_within_the_budget(wanted: list[int], budget: int) -> None:
    """The shares never exceed the budget or a wish, and use the budget up when there is need."""
    shares = share(wanted, budget)
    assert sum(shares) <= budget
    assert all(part <= wish for part, wish in zip(shares, wanted, strict=True))
    assert sum(shares) > budget - len(wanted) or shares == wanted


def test_a_portion_is_cut_before_the_line_that_does_not_fit() -> None:
    """Whole lines are given, without the end of the last, and the position of the next line."""
    lines = Lines("one\ntwo\nthree\n")
    part = portion(lines, 0, 14, 9)
    assert (part.text, part.first, part.last, part.next) == ("one\ntwo", 1, 2, 8)
    part = portion(lines, 8, 14, 9)
    assert (part.text, part.first, part.last, part.next) == ("three", 3, 3, None)


def test_a_line_longer_than_the_answer_is_given_in_pieces() -> None:
    """Reading on from `next` ends, and the pieces are the text."""
    lines = Lines("x" * 25 + "\ny")
    part = portion(lines, 0, 27, 10)
    assert (part.text, part.first, part.last, part.next) == ("x" * 10, 1, 1, 10)
    assert portion(lines, 20, 27, 6).text == "xxxxx"


def test_positions_and_lines_belong_to_each_other() -> None:
    """A line begins where it begins, the one behind the last at the end of the text, and a position lies in its line."""
    lines = Lines("a\r\nbc\n")
    assert [start_of(lines, line) for line in (1, 2, 3)] == [0, 3, 6]
    assert [line_at(lines, position) for position in range(7)] == [1, 1, 1, 2, 2, 2, 2]
    assert line_at(Lines(""), 0) == 0


def test_an_empty_text_has_nothing_to_go_on_with() -> None:
    """An empty document is one empty portion."""
    part = portion(Lines(""), 0, 0, 10)
    assert (part.text, part.next) == ("", None)


@given(st.text("ab\r\n", max_size=60), st.integers(1, 20))
def test_portions_put_together_are_the_text(text: str, budget: int) -> None:
    """Reading on until the end gives every line once, whatever the ends of lines, each piece within the budget."""
    lines = Lines(text)
    read, at = [], 0
    while True:
        part = portion(lines, at, len(text), budget)
        following = len(text) if part.next is None else part.next
        assert len(part.text) <= budget
        assert text[at:following].removeprefix(part.text) in ("", "\n", "\r", "\r\n")
        assert part.first == line_at(lines, at)
        assert following > at or part.next is None
        read.append(text[at:following])
        at = following
        if part.next is None:
            break
    assert "".join(read) == text
