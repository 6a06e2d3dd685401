"""Excerpts laid out for reading: white space joined, lines broken at a width, the query's words marked.

Pure. A text is a row of characters of which some are marked; breaking keeps the marks.
"""

from collections.abc import Callable, Sequence

from .characters import character_width, one_line

Marked = list[tuple[str, bool]]
"""Characters, or the names of harmful ones, each with whether it is marked."""


def marked(text: str, highlights: Sequence[tuple[int, int]]) -> Marked:
    """The characters of `text` on one line: white space is joined, harmful characters are shown by name."""
    inside = {place for first, last in highlights for place in range(first, last)}
    row: Marked = []
    for place, character in enumerate(text):
        if not character.isspace():
            row.append((one_line(character), place in inside))
        elif row and row[-1][0] != " ":
            row.append((" ", place in inside))
    while row and row[-1][0] == " ":
        row.pop()
    return row


def wrapped(row: Marked, columns: int) -> list[Marked]:
    """Break a row into lines of at most `columns`: at spaces, and anywhere beside a wide character."""
    lines: list[Marked] = []
    line: Marked = []
    room = columns
    for word in _words(row):
        if _columns(word) > room and line:
            lines.append(line)
            line, room = [], columns
        taken = word[1:] if not line and word[0][0] == " " else word
        line += taken
        room -= _columns(taken)
    return [*lines, line] if line else lines


def _words(row: Marked) -> list[Marked]:
    """Pieces that are not broken, each with the space before it."""
    words: list[Marked] = []
    for item in row:
        wide = character_width(item[0][0]) == 2
        before = words[-1][-1][0] if words else " "
        if not words or item[0] == " " or (before != " " and (wide or character_width(before[0]) == 2)):
            words.append([item])
        else:
            words[-1].append(item)
    return words


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
