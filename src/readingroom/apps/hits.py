"""Prints the hits of a search for a person: where each stands, its address, and the words around what was found."""

from typing import TYPE_CHECKING

from .characters import one_line, width
from .console import Console
from .terminal import Terminal
from .wrapping import Marked, marked, painted, wrapped

if TYPE_CHECKING:
    from ..library import Hit, SearchAnswer

_NUMBER = 3
_INDENT = " " * (_NUMBER + 1)
_LINES = 6
_UNDERLINES = frozenset("=-~^\"'`#*+:.<>_")


def tell_hits(answer: "SearchAnswer", console: Console) -> None:
    """Print every hit; what is to be said of the whole answer goes to stderr."""
    for number, hit in enumerate(answer.items, 1):
        if number > 1:
            console.out.line()
        for line in hit_lines(number, hit, console.out):
            console.out.line(line)
    console.out.flush()
    notes = ["No passage has all the words; these come nearest."] if answer.relaxed else []
    for note in [*notes, answer.hint]:
        if note:
            console.err.line(one_line(note))


def hit_lines(number: int, hit: "Hit", out: Terminal) -> list[str]:
    """Give the lines of one hit."""
    place = f"{one_line(hit.path)}:{lines_text(hit.lines)}"
    trail = one_line(" › ".join(_trail(hit)))
    room = out.columns - len(_INDENT)
    head = f"{number:{_NUMBER}} {out.paint('bold', place)}"
    lines = [f"{head}  {trail}"] if width(place) + width(trail) + 2 <= room else [head, _INDENT + trail]
    lines.append(_INDENT + out.paint("address", one_line(hit.uri)))
    lines += [f"{_INDENT}the same in {out.paint('address', one_line(uri))}" for uri in hit.also]
    text, highlights = without_heading(hit)
    return [*lines, *(_INDENT + row for row in _excerpt(wrapped(marked(text, highlights), room), out))]


def _excerpt(rows: list[Marked], out: Terminal) -> list[str]:
    """Give the rows that are shown: those around the first word that was found, when it stands far down."""
    found = next((place for place, row in enumerate(rows) if any(mark for _, mark in row)), 0)
    start = min(found - 1, len(rows) - _LINES) if found >= _LINES else 0
    shown = [painted(row, lambda run: out.paint("mark", run)) for row in rows[start : start + _LINES]]
    if start:
        shown[0] = "… " + shown[0]
    if len(rows) > start + _LINES:
        shown[-1] += " …"
    return shown


def _trail(hit: "Hit") -> list[str]:
    """The title and the headings; a heading that only repeats the title is said once."""
    return [hit.title, *(heading for heading in hit.section if heading != hit.title)]


def lines_text(lines: tuple[int, int]) -> str:
    """Give a range of lines as editors write it."""
    first, last = lines
    return str(first) if first == last else f"{first}-{last}"


def without_heading(hit: "Hit") -> tuple[str, tuple[tuple[int, int], ...]]:
    """Give the text and its highlights without the passage's own heading, which the trail has said already."""
    line, _, rest = hit.text.partition("\n")
    if not hit.section or not rest.strip() or line.strip("# \r\t") != hit.section[-1]:
        return hit.text, hit.highlights
    underline, _, after = rest.partition("\n")
    if underline.strip() and _UNDERLINES.issuperset(underline.strip()) and after.strip():
        rest = after
    start = len(hit.text) - len(rest)
    return rest, tuple((first - start, last - start) for first, last in hit.highlights if first >= start)
