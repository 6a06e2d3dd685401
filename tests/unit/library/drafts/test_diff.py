"""Differences as a person reads them: lines, the words in them, and what is said when there is too much."""

import random
from typing import Any

import pytest

from readingroom.library.drafts import diff
from readingroom.library.drafts.diff import Hunk, Row, hunks, unified
from readingroom.library.drafts.matching import Budget, matching
from readingroom.library.drafts.words import marks

ALPHABET = "".join(f"{letter}\n" for letter in "abcdefghij")


def rows(before: str, after: str) -> list[tuple[str, str]]:
    """Kind and text of every row."""
    return [(row.kind, row.text) for hunk in hunks(before, after) for row in hunk.rows]


def test_nothing_differs() -> None:
    """Two equal texts have no hunk, and no unified diff."""
    assert hunks(ALPHABET, ALPHABET) == ()
    assert unified(()) == ""


def test_a_changed_line_stands_between_its_context() -> None:
    """Three lines before and behind, each with its number on both sides."""
    (found,) = hunks(ALPHABET, ALPHABET.replace("e\n", "E\n"))
    assert (found.old_start, found.new_start) == (2, 2)
    assert [(row.kind, row.old, row.new, row.text) for row in found.rows] == [
        (" ", 2, 2, "b"),
        (" ", 3, 3, "c"),
        (" ", 4, 4, "d"),
        ("-", 5, None, "e"),
        ("+", None, 5, "E"),
        (" ", 6, 6, "f"),
        (" ", 7, 7, "g"),
        (" ", 8, 8, "h"),
    ]


def test_changes_far_apart_are_hunks_of_their_own() -> None:
    """Near ones share their context."""
    after = ALPHABET.replace("a\n", "").replace("j\n", "j\nk\n")
    assert len(hunks(ALPHABET, after)) == 2
    assert len(hunks(ALPHABET, after, context=5)) == 1
    assert [row.kind for hunk in hunks(ALPHABET, after, context=0) for row in hunk.rows] == ["-", "+"]


def test_a_new_text_and_a_text_that_goes() -> None:
    """The side without lines begins at line 0."""
    assert hunks("", "a\n") == (Hunk(0, 1, (Row("+", None, 1, "a"),)),)
    assert hunks("a\n", "") == (Hunk(1, 0, (Row("-", 1, None, "a"),)),)


def test_line_ends_count() -> None:
    """A line that ends otherwise is another line, and each row says how its line ends."""
    (found,) = hunks("a\r\nb\rc", "a\nb\rc\n")
    assert [(row.kind, row.text, row.end) for row in found.rows] == [
        ("-", "a", "\r\n"),
        ("+", "a", "\n"),
        (" ", "b", "\r"),
        ("-", "c", ""),
        ("+", "c", "\n"),
    ]


def test_no_other_character_ends_a_line() -> None:
    """Form feed, NEL and U+2028 are part of it."""
    assert rows("a\x0cb\x85c\u2028d\n", "a\x0cb\x85c\u2028e\n") == [
        ("-", "a\x0cb\x85c\u2028d"),
        ("+", "a\x0cb\x85c\u2028e"),
    ]


def test_words_that_changed_are_marked() -> None:
    """On both sides, with the blank between two changed words."""
    (found,) = hunks("The quick brown fox jumps\n", "The slow red fox jumps high\n")
    assert [row.marks for row in found.rows] == [((4, 15),), ((4, 12), (22, 27))]


def test_scripts_without_blanks_are_marked_by_the_character() -> None:
    """A whole sentence is no word."""
    (found,) = hunks("永久地址的文件\n", "永久网址的文件\n")
    assert [row.marks for row in found.rows] == [((2, 3),), ((2, 3),)]


def test_lines_with_nothing_in_common_have_no_marks() -> None:
    """They are not versions of each other."""
    (found,) = hunks("completely different\n", "nothing at all\n")
    assert [row.marks for row in found.rows] == [(), ()]


def test_lines_find_their_counterpart() -> None:
    """When lines are added among changed ones, marks stand in those that belong together."""
    before = "alpha beta gamma delta\none two three four\n"
    after = "something else is said\nalpha beta gamma DELTA\nmore of it\none two three FOUR\n"
    (found,) = hunks(before, after)
    assert {row.text: row.marks for row in found.rows if row.kind == "+"} == {
        "something else is said": (),
        "alpha beta gamma DELTA": ((17, 22),),
        "more of it": (),
        "one two three FOUR": ((14, 18),),
    }


def test_long_lines_are_compared_by_their_ends() -> None:
    """What lies between the first and the last difference is marked."""
    long = "word " * 10_000
    assert marks(long + "a" + long, long + "bc" + long, Budget(10**6)) == (
        ((50_000, 50_001),),
        ((50_000, 50_002),),
    )
    assert marks(long, "other " * 10_000, Budget(10**6)) == ((), ())
    assert marks(long, long + "x", Budget(10**6)) == ((), ((50_000, 50_001),))


def test_a_moved_paragraph_leaves_the_rest_in_place() -> None:
    """What stands once on both sides holds the difference together."""
    before = "".join(f"line {number}\n\n" for number in range(50))
    after = before.replace("line 7\n\n", "").replace("line 30\n", "line 7\n\nline 30\n")
    assert [text for kind, text in rows(before, after) if kind != " " and text] == ["line 7", "line 7"]


def test_unified_as_other_tools_write_it() -> None:
    """With names, ranges, and the remark on a last line without its end."""
    assert unified(hunks("a\nb", "a\nc\r\n", context=1), "old.md", "new.md") == (
        "--- old.md\n+++ new.md\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\r\n"
    )
    assert unified(hunks("", "a\n")) == "@@ -0,0 +1 @@\n+a\n"


def test_what_is_too_long_to_show_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last hunk says how many changed lines are missing, and what is added is shown before what goes."""
    monkeypatch.setattr(diff, "MAX_ROWS", 10)
    before = "".join(f"{number}\n" for number in range(100))
    (found,) = hunks(before, "x\ny\n")
    assert [row.text for row in found.rows if row.kind == "+"] == ["x", "y"]
    assert (len(found.rows), found.left_out) == (10, 92)
    assert "92 more changed lines are not shown" in unified((found,))
    twice = hunks(before, "".join(f"{number}\n" for number in range(100) if number % 5), context=0)
    assert [len(hunk.rows) for hunk in twice] == [1] * 10
    assert twice[-1].left_out == 10


def test_without_a_budget_everything_counts_as_changed() -> None:
    """But for what both begin and end with; nothing is lost."""
    assert matching("abxcd", "abycd", Budget(0)) == [(0, 0, 2), (3, 3, 2)]
    assert matching("axbycz", "bxaycz", Budget(5)) == [(3, 3, 3)]
    assert matching("ab" * 900, "ba" + "ca" * 900, Budget(10**7)) == []
    assert matching("aabb" * 9, "bbaa" * 9, Budget(80)) == []
    assert matching("xa" + "ab" * 40, "ab" * 40 + "ay", Budget(170)) == []
    assert diff._pairs(["a b", "c"], ["a b", "a c", "c"], Budget(2)) == [(0, 0), (1, 1)]


@pytest.mark.parametrize("seed", range(40))
def test_both_texts_can_be_had_from_the_difference(seed: int) -> None:
    """With all lines as context, the rows are the two texts, and marks lie within their lines."""
    chance = random.Random(seed)
    lines = [chance.choice(["a", "b", "c", "one two", "one three", ""]) for _ in range(chance.randrange(30))]
    ends = ["\n", "\n", "\r\n", "\r"]
    before = "".join(line + chance.choice(ends) for line in lines)
    changed = [line for line in lines if chance.random() > 0.2] + chance.sample(["a", "d", "one"], k=2)
    after = "".join(line + chance.choice(ends) for line in changed).removesuffix("\n")
    found = [row for hunk in hunks(before, after, context=100) for row in hunk.rows]
    sides: dict[str, Any] = {"-": before, "+": after}
    for kind, text in sides.items():
        kept = [row for row in found if row.kind in (" ", kind)]
        assert not found or "".join(row.text + row.end for row in kept) == text
        numbers = [row.old if kind == "-" else row.new for row in kept]
        assert numbers == list(range(1, len(kept) + 1))
    assert all(0 <= first < last <= len(row.text) for row in found for first, last in row.marks)
