"""Lines: what ends one, and the text between two."""

import re

import pytest

from readingroom.library.lines import Lines


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\nb", ["a", "b"]),
        ("a\n\n", ["a", ""]),
        ("\n", [""]),
        ("a\r\nb\rc\nd\r\n", ["a", "b", "c", "d"]),
        ("\r\r\n\r", ["", "", ""]),
        ("a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g\n", ["a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g"]),
    ],
)
def test_only_lf_cr_and_both_end_a_line(text: str, contents: list[str]) -> None:
    """A line ends at LF, CR LF or CR and nowhere else; an end at the very end opens no further line."""
    lines = Lines(text)
    assert lines.contents == contents
    assert len(lines) == len(contents)
    assert [
        text[start:].startswith(content) for start, content in zip(lines.starts, contents, strict=True)
    ] == [True] * len(contents)


def test_text_between_lines_keeps_their_ends() -> None:
    """From one line to another the text is as it stands, without the end of the last."""
    lines = Lines("ä\r\nb\rc\n\nd\n")
    assert lines.between(1, 1) == "ä"
    assert lines.between(1, 3) == "ä\r\nb\rc"
    assert lines.between(2, 5) == "b\rc\n\nd"
    assert [lines.size(first, last) for first, last in ((1, 1), (1, 3), (2, 5))] == [1, 6, 6]
    assert [lines.is_blank(line) for line in range(1, 6)] == [False, False, False, True, False]
    assert lines.normal(2) == "b\nc\n\nd"
    assert re.split("\r\n|\n|\r", lines.text)[:5] == lines.contents


def test_a_line_of_white_space_is_blank() -> None:
    """Spaces, tabs and their like make a line blank, letters do not."""
    lines = Lines(" \t\n\u00a0\nx \n")
    assert [lines.is_blank(line) for line in (1, 2, 3)] == [True, True, False]
