"""A difference is shown whole, and nothing in it can hide."""

import pytest

from readingroom.apps.review_hunks import hunk_lines, left_out
from readingroom.library.drafts.diff import Hunk, Row, hunks


def plain(before: str, after: str) -> list[str]:
    """Give the lines of a difference without colours."""
    return list(hunk_lines(hunks(before, after), lambda _style, text: text))


def painted(before: str, after: str) -> list[str]:
    """Give them with the names of the styles."""
    return list(hunk_lines(hunks(before, after), lambda style, text: f"<{style}:{text}>"))


def test_rows() -> None:
    """Both numbers, the sign, the text."""
    before = "".join(f"line {number}\n" for number in range(1, 13))
    assert plain(before, before.replace("line 6\n", "line six\nmore\n")) == [
        "@@ line 3 before, 3 after",
        " 3  3   line 3",
        " 4  4   line 4",
        " 5  5   line 5",
        " 6    - line 6",
        "    6 + line six",
        "    7 + more",
        " 7  8   line 7",
        " 8  9   line 8",
        " 9 10   line 9",
    ]


def test_colours() -> None:
    """The words that changed stand out from their line; a line that is new altogether is plain."""
    lines = painted("a new day\n", "a long day\nadded\n")
    assert lines[1:] == [
        "<dim:1  > <bad:-> <bad:a ><removed:new><bad: day>",
        "<dim:  1> <good:+> <good:a ><added:long><good: day>",
        "<dim:  2> <good:+> <good:added>",
    ]


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("name\n", "na\u202eme\n", "na⟨U+202E⟩me"),
        ("name\n", "name\u200b\n", "name⟨U+200B⟩"),
        ("name\n", "\x1b[31mname\n", "⟨U+001B⟩[31mname"),
        ("a b\n", "a\u00a0b\n", "a⟨U+00A0⟩b"),
        ("a b\n", "a\tb\n", "a⟨U+0009⟩b"),
        ("a\n", "a  \n", "a  ⟨2 blanks⟩"),
        ("a\n", "a", "a⟨no line end⟩"),
        ("a\nb\n", "a\r\nb\n", "a⟨CR LF⟩"),
        ("a\nb\n", "a\rb\n", "a⟨CR⟩"),
    ],
)
def test_what_nobody_would_see(before: str, after: str, shown: str) -> None:
    """Characters that hide or reorder, blanks that are no spaces or stand at the end, and line ends are named."""
    assert any(line.endswith(f"+ {shown}") for line in plain(before, after))


def test_line_ends_that_are_all_the_same() -> None:
    """They are not named, whatever they are; where they differ, all are."""
    assert plain("a\r\nb\r\n", "a\r\nc\r\n")[1:] == ["1 1   a", "2   - b", "  2 + c"]
    assert plain("a\r\nb\r\n", "a\r\nb\n")[1:] == ["1 1   a⟨CR LF⟩", "2   - b⟨CR LF⟩", "  2 + b⟨LF⟩"]


def test_what_is_left_out() -> None:
    """It is said that something is not shown, and counted."""
    cut = (Hunk(1, 1, (Row("+", None, 1, "a"),), 1200), Hunk(9, 9, (), 1))
    lines = list(hunk_lines(cut, lambda _style, text: text))
    assert "… 1,200 more changed lines NOT SHOWN: the difference is too long" in lines
    assert left_out(cut) == 1201
    assert list(hunk_lines((), lambda _style, text: text)) == []
