"""Answers as Markdown: every line under the number that the library counts for it, every passage behind its mark."""

import pytest

from readingroom.desk.answers import ReadResult, SearchResult
from readingroom.desk.markdown import read_text, search_text
from readingroom.library import Hit, cut_lines

ENDS = ("\n", "\r\n", "\r")
NO_ENDS = ("\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029")


def read(text: str, lines: tuple[int, int], total: int) -> str:
    """What is told of a part of a document."""
    return read_text(ReadResult("library:///a.md", "a.md", "A", (), lines, total, text, "r"))


@pytest.mark.parametrize("end", ENDS)
def test_lines_are_numbered_as_the_library_counts_them(end: str) -> None:
    """Whatever ends a line, the next has the next number, and no end is left on it."""
    told = read(end.join(["one", "", "three", ""]), (9, 12), 12)
    assert told.split("\n")[-4:] == [" 9| one", "10| ", "11| three", "12| "]


@pytest.mark.parametrize("character", NO_ENDS)
def test_what_ends_no_line_has_no_number(character: str) -> None:
    """Form feed, NEL and their like stand within a line, in what is read and in what is quoted."""
    assert read(f"a{character}b", (1, 1), 1).endswith(f"\n1| a{character}b")
    hit = Hit("library:///a.md", "A", "a.md", (), (1, 1), f"a{character}b", (), "r")
    assert search_text(SearchResult((hit,), None)).endswith(f"\n> a{character}b")


@pytest.mark.parametrize("end", ENDS)
def test_every_line_of_a_passage_is_quoted(end: str) -> None:
    """No line of a document stands outside its mark, whatever ended the line before it."""
    hit = Hit("library:///a.md", "A", "a.md", (), (1, 3), end.join(["one", "", "# three"]), (), "r")
    assert search_text(SearchResult((hit,), None)).split("\n")[-3:] == ["> one", "> ", "> # three"]


def test_documents_that_say_the_same_are_named() -> None:
    """Under the address of the one that is shown."""
    hit = Hit(
        "library:///a.md", "A", "a.md", (), (1, 1), "x", (), "r", ("library:///b.md", "library:///c.md")
    )
    told = search_text(SearchResult((hit,), None)).split("\n")
    assert told[1:3] == ["   library:///a.md lines 1-1", "   The same in library:///b.md, library:///c.md"]


def test_a_text_is_cut_at_its_line_ends() -> None:
    """One piece more than there are ends, mixed as they may be."""
    assert cut_lines("a\r\nb\rc\n\n") == ["a", "b", "c", "", ""]
    assert cut_lines("a\n") == ["a", ""]
    assert cut_lines("") == [""]


def test_what_is_read_is_named_with_its_section() -> None:
    """As the page of a PDF; a section that is the document itself is named once."""
    result = ReadResult("library:///a.pdf", "a.pdf", "A", ("A", "page 3"), (5, 5), 9, "text", "r")
    assert read_text(result).split("\n")[:2] == ["**A** › page 3", "library:///a.pdf lines 5-5 of 9"]
