"""No text from outside begins a line of the screen."""

from hypothesis import given
from hypothesis import strategies as st

from readingroom.apps.characters import width
from readingroom.apps.folding import folded, folded_text
from readingroom.apps.revealing import shown_one_by_one
from readingroom.apps.review_hunks import hunk_lines
from readingroom.library.drafts.diff import hunks


def plain(_style: str, text: str) -> str:
    """Paint nothing."""
    return text


def styled(style: str, text: str) -> str:
    """Paint with the style's name."""
    return f"<{style}:{text}>"


def test_a_line_that_fits() -> None:
    """It is one line, in as many styles as it has."""
    units = [("a", ""), ("b", "x"), ("c", "x"), ("d", "y")]
    assert list(folded(units, styled, 10, "> ", "… ", 2)) == ["> a<x:bc><y:d>"]
    assert list(folded([], plain, 10, "> ", "… ", 2)) == ["> "]


def test_a_line_that_does_not() -> None:
    """The others begin with a sign, too; what is shown for one character stays together, wide ones count twice."""
    text = shown_one_by_one("0123456789ab\u202ecd图书")
    assert list(folded_text([(text, "")], plain, 14, "> ", "… ")) == [
        "> 0123456789ab",
        "… ⟨U+202E⟩cd图",
        "… 书",
    ]
    assert list(folded_text([(text, "")], plain, None, "> ")) == ["> 0123456789ab⟨U+202E⟩cd图书"]


def test_words() -> None:
    """They stay whole where that leaves no great hole."""
    assert list(folded_text([("one two three four", "")], plain, 16, "> ")) == ["> one two three ", "> four"]
    assert list(folded_text([("one twothreefour", "")], plain, 16, "> ")) == ["> one twothreefo", "> ur"]


def test_a_tab() -> None:
    """It counts as much as it can take."""
    assert list(folded_text([("\tabc\td", "")], plain, 14, "> ")) == ["> \tabc", "> \td"]


def test_a_terminal_that_is_very_narrow() -> None:
    """There is room for some characters all the same."""
    assert list(folded_text([("0123456789ab", "")], plain, 1, "> ")) == ["> 0123456789", "> ab"]


def test_a_line_that_looks_like_ours() -> None:
    """Blanks do not push a forged row to the beginning of a line."""
    forged = "harmless" + " " * 72 + "  9  9   a line that nobody changed"
    lines = list(hunk_lines(hunks("old\n", f"{forged}\n"), plain, 40))
    assert lines[1:3] == ["1   - old", "  1 + harmless" + " " * 26]
    assert all(line.startswith("    ⋮ ") for line in lines[3:])
    assert "".join(line[6:] for line in lines[2:]).rstrip() == forged


@given(st.lists(st.text(max_size=60), max_size=3), st.integers(20, 60))
def test_nothing_is_lost_and_nothing_is_too_wide(texts: list[str], columns: int) -> None:
    """All of it stands in the lines, each of which fits and begins with its sign."""
    parts = [(shown_one_by_one(text.replace("\t", "")), "") for text in texts]
    lines = list(folded_text(parts, plain, columns, "> ", "… "))
    assert all(line.startswith("> " if number == 0 else "… ") for number, line in enumerate(lines))
    assert "".join(line[2:] for line in lines) == "".join(shown for text, _ in parts for shown in text)
    assert all(width(line) <= columns for line in lines)
