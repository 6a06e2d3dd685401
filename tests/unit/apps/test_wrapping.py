"""Excerpts are broken where their script allows it, and keep their marks."""

from hypothesis import given
from hypothesis import strategies as st

from readingroom.apps.characters import width
from readingroom.apps.wrapping import marked, painted, wrapped


def shown(text: str, columns: int, *places: tuple[int, int]) -> list[str]:
    """Wrap a text and show its marks as brackets."""
    return [painted(row, lambda run: f"[{run}]") for row in wrapped(marked(text, places), columns)]


def test_white_space_is_joined() -> None:
    """Lines, tabs and rows of spaces become one space, and none stays at the ends."""
    assert shown("  one\n two\t three \n", 40) == ["one two three"]


def test_paragraphs_and_items_begin_lines() -> None:
    """What stands on lines of its own in the document does so here, too; a numbered item has one or two digits."""
    text = "a\nb\n\nc\n- d\n  e\n1. f\n12) g\n2026.\n| h |\n| i |\n> j\n* k\n## l\n-m"
    assert shown(text, 40) == [
        "a b",
        "c",
        "- d e",
        "1. f",
        "12) g 2026.",
        "| h |",
        "| i |",
        "> j",
        "* k",
        "## l -m",
    ]


def test_fences_keep_their_lines() -> None:
    """Code is shown line by line, and what follows the fence begins a line."""
    assert shown("so:\n```sh\na\n  b\n```\nc\nd", 40) == ["so:", "```sh", "a", "b", "```", "c d"]


def test_wide_lines_are_joined_without_a_space() -> None:
    """A line end within Chinese is no space; between scripts it is one."""
    assert shown("缓存\n多久\nx\n天", 40) == ["缓存多久 x 天"]


def test_a_full_stop_begins_no_line() -> None:
    """A wide full stop or closing bracket stays with what it closes."""
    assert shown("缓存多久。天", 8) == ["缓存多", "久。天"]


def test_words_are_not_broken() -> None:
    """A line ends before the word that does not fit."""
    assert shown("one two three four", 9) == ["one two", "three", "four"]


def test_a_word_longer_than_the_line_stays_whole() -> None:
    """What cannot be broken goes over, and the next word begins a line."""
    assert shown("a incomprehensibility b", 6) == ["a", "incomprehensibility", "b"]


def test_wide_characters_break_anywhere() -> None:
    """Chinese has no spaces to break at: each character may begin a line, and takes two columns."""
    assert shown("缓存的有效期", 5) == ["缓存", "的有", "效期"]


def test_marks_are_kept_across_lines() -> None:
    """Highlights count characters of the text as it was before it was joined."""
    assert shown("the  old\nhouse", 8, (5, 14)) == ["the [old]", "[house]"]


def test_harm_is_named() -> None:
    """An escape in an excerpt is shown by name, in one piece."""
    assert shown("a\x1b[31mb", 40) == ["a⟨U+001B⟩[31mb"]


def test_nothing() -> None:
    """An empty text has no lines."""
    assert shown(" \n ", 10) == []


@given(st.text(max_size=120), st.integers(min_value=2, max_value=40))
def test_nothing_is_lost(text: str, columns: int) -> None:
    """Every character that is no white space comes out once, in order, and no line has spaces at its ends."""
    lines = ["".join(part for part, _ in row) for row in wrapped(marked(text, ()), columns)]
    expected = "".join(part for part, _ in marked(text, ()) if not part.isspace())
    assert "".join(lines).replace(" ", "") == expected
    assert all(line == line.strip(" ") and line for line in lines)


@given(st.text(alphabet="ab 缓存é\n", max_size=80), st.integers(min_value=20, max_value=40))
def test_lines_fit(text: str, columns: int) -> None:
    """A line with more than one word fits."""
    for row in wrapped(marked(text, ()), columns):
        line = "".join(part for part, _ in row)
        assert width(line) <= columns or " " not in line
