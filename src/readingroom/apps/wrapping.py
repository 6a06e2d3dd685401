"""Excerpts laid out for reading: paragraphs joined and broken at a width, the query's words marked.

Pure. A text is a row of characters of which some are marked; breaking keeps the marks.
"""

import unicodedata
from collections.abc import Callable, Iterator, Sequence

from .characters import character_width, one_line

Marked = list[tuple[str, bool]]
"""Characters, or the names of harmful ones, each with whether it is marked; white space is one space or one line end."""

_ITEMS = ("|", "- ", "* ", "+ ", ">", "#")
_FENCES = ("```", "~~~")


def marked(text: str, highlights: Sequence[tuple[int, int]]) -> Marked:
    """The characters of `text`, its white space joined, harmful characters by name.

    Lines of a paragraph are joined, without a space between wide characters. A line end stays before and after an empty
    line, within fences, and where an item of a list, a row of a table, a quotation or a heading begins.
    """
    inside = {place for first, last in highlights for place in range(first, last)}
    row: Marked = []
    for first, line, is_apart in _lines(text):
        gap = _gap(row, line, is_apart=is_apart)
        row += [(gap, False)] if gap else []
        for place, character in enumerate(line, first):
            if not character.isspace():
                row.append((one_line(character), place in inside))
            elif row[-1][0] != " ":
                row.append((" ", place in inside))
    return row


def _lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """The lines that are not empty: where each begins, its text without white space around, whether it stands apart."""
    at = 0
    is_apart, is_fenced = True, False
    for whole in text.splitlines(keepends=True):
        line = whole.strip()
        if line:
            is_fence = line.startswith(_FENCES)
            begins = is_fence or is_fenced or line.startswith(_ITEMS) or _is_numbered(line)
            yield at + whole.index(line[0]), line, is_apart or begins
            is_fenced ^= is_fence
        is_apart = not line or line.startswith(_FENCES)
        at += len(whole)


def _gap(row: Marked, line: str, *, is_apart: bool) -> str:
    """What stands between a row and the line that is added: a line end, a space, or nothing."""
    if not row:
        return ""
    if is_apart:
        return "\n"
    return "" if _is_wide(row[-1][0]) and _is_wide(line) else " "


def _is_numbered(line: str) -> bool:
    number = line.partition(" ")[0]
    return len(number) <= 4 and number[:-1].isdecimal() and number[-1] in ".)"


def _is_wide(text: str) -> bool:
    return character_width(text[0]) == 2


def wrapped(row: Marked, columns: int) -> list[Marked]:
    """Break a row into lines of at most `columns`: at line ends and spaces, and anywhere beside a wide character."""
    lines: list[Marked] = []
    line: Marked = []
    room = columns
    for word in _words(row):
        begins = word[0][0].isspace()
        if line and (word[0][0] == "\n" or _columns(word) > room):
            lines.append(line)
            line, room = [], columns
        taken = word[1:] if not line and begins else word
        line += taken
        room -= _columns(taken)
    return [*lines, line] if line else lines


def _words(row: Marked) -> list[Marked]:
    """Pieces that are not broken, each with the space or line end before it."""
    words: list[Marked] = []
    for item in row:
        text = item[0]
        before = words[-1][-1][0] if words else " "
        breaks = not before.isspace() and (_is_wide(text) or _is_wide(before)) and not _closes(text)
        if not words or text.isspace() or breaks:
            words.append([item])
        else:
            words[-1].append(item)
    return words


def _closes(text: str) -> bool:
    """Whether a line does not begin with it: a wide full stop, comma or closing bracket."""
    return _is_wide(text) and unicodedata.category(text[0]) in ("Pe", "Pf", "Po")


def _columns(row: Marked) -> int:
    return sum(sum(map(character_width, text)) for text, _ in row)


def painted(row: Marked, paint: Callable[[str], str]) -> str:
    """The row as text, runs of marked characters painted."""
    parts: list[str] = []
    at = 0
    while at < len(row):
        end = at
        while end < len(row) and row[end][1] == row[at][1]:
            end += 1
        run = "".join(text for text, _ in row[at:end])
        parts.append(paint(run) if row[at][1] else run)
        at = end
    return "".join(parts)
