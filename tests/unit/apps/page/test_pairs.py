"""Tests of the difference in two columns."""

from readingroom.apps.page.pairs import laid_out
from readingroom.library.drafts.diff import hunks


def test_what_changed_stands_beside_what_it_became() -> None:
    """With the words that changed marked, and kept lines around."""
    (stretch,) = laid_out(hunks("a\nthe old word\nc\n", "a\nthe new word\nc\n")).stretches
    assert stretch.place == "Line 1"
    assert [pair.kind for pair in stretch.pairs] == ["kept", "changed", "kept"]
    changed = stretch.pairs[1]
    assert changed.old is not None
    assert changed.new is not None
    assert (changed.old.number, changed.new.number) == (2, 2)
    assert changed.old.html == "the <mark>old</mark> word"
    assert changed.new.html == "the <mark>new</mark> word"


def test_what_has_no_counterpart_stands_alone() -> None:
    """Lines that are only removed, or only added."""
    (added,) = laid_out(hunks("", "one\ntwo\n")).stretches
    assert [(pair.kind, pair.old) for pair in added.pairs] == [("added", None)] * 2
    assert added.place == "Line 1"
    (removed,) = laid_out(hunks("one\n", "")).stretches
    assert [(pair.kind, pair.new) for pair in removed.pairs] == [("removed", None)]
    assert removed.place == "Line 1"


def test_a_change_of_a_line_end_is_said() -> None:
    """It would look as if nothing had changed."""
    (stretch,) = laid_out(hunks("a\r\n", "a")).stretches
    (pair,) = stretch.pairs
    assert pair.old is not None
    assert pair.new is not None
    assert (pair.old.end, pair.new.end) == ("line end CR LF", "no line end")


def test_text_of_a_draft_is_escaped_and_shown() -> None:
    """Markup is text, and what cannot be seen is named."""
    (stretch,) = laid_out(hunks("", "<b>\u202e\n")).stretches
    assert stretch.pairs[0].new is not None
    assert stretch.pairs[0].new.html == '&lt;b&gt;<span class="unseen">⟨U+202E⟩</span>'


def test_no_more_is_laid_out_than_was_asked_for() -> None:
    """And it is counted what is left out."""
    before = "".join(f"{number}\n" for number in range(100))
    after = "".join(f"{number}{'!' if number % 20 == 0 else ''}\n" for number in range(100))
    whole = laid_out(hunks(before, after))
    part = laid_out(hunks(before, after), most=5)
    assert whole.left_out == 0
    assert sum(len(stretch.pairs) for stretch in part.stretches) == 5
    assert part.left_out == sum(len(stretch.pairs) for stretch in whole.stretches) - 5
    assert laid_out(()).stretches == ()


def test_a_long_line_is_cut() -> None:
    """And it is said that it is, for what was cut may be what changed."""
    layout = laid_out(hunks("a" * 6000 + "\n", "a" * 6000 + "b\n"))
    (pair,) = layout.stretches[0].pairs
    assert pair.old is not None
    assert pair.new is not None
    assert (pair.old.cut, pair.new.cut) == (1000, 1001)
    assert layout.cut == 1
    assert not layout.is_whole
    assert laid_out(hunks("a\n", "b\n")).is_whole
