"""Keeping answers within a size: sharing a budget among texts, and cutting a document at the border of a line.

Pure. Sizes are characters.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence

import msgspec

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


class Portion(msgspec.Struct, frozen=True):
    """A part of a text, where it lies in lines (counted from 1), and the position to go on from, or None at the end."""

    text: str
    first: int
    last: int
    next: int | None


class Lines:
    """Where the lines of a text begin. A line ends with LF, CR LF or CR, as editors count them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [found.start() for found in _LINE.finditer(text)]

    def __len__(self) -> int:
        return len(self._starts)

    def start_of(self, line: int) -> int:
        """The position at which a line begins; that behind the last line is the end of the text."""
        return self._starts[line - 1] if line <= len(self._starts) else len(self.text)

    def line_at(self, position: int) -> int:
        """The line that a position lies in."""
        return max(1, bisect_right(self._starts, position))


def share(wanted: Sequence[int], budget: int) -> list[int]:
    """What each may take of `budget`: nobody more than wanted, and what the short ones leave goes to the long ones."""
    shares = [0] * len(wanted)
    left = budget
    order = sorted(range(len(wanted)), key=lambda at: (wanted[at], at))
    for done, at in enumerate(order):
        shares[at] = min(wanted[at], left // (len(wanted) - done))
        left -= shares[at]
    return shares


def portion(lines: Lines, begin: int, end: int, budget: int) -> Portion:
    """As many whole lines of the text between two positions as fit in `budget`; the end of the last line is left off.

    A line that alone is longer than the budget is cut in pieces of that size, so that reading on always ends.
    """
    text = lines.text
    stop = end if len(text[begin:end].rstrip("\r\n")) <= budget else _border(text, begin, begin + budget)
    piece = text[begin:stop].rstrip("\r\n")
    last = lines.line_at(max(begin, stop - 1)) if stop > begin else lines.line_at(begin)
    return Portion(piece, lines.line_at(begin), last, stop if stop < end else None)


def _border(text: str, begin: int, end: int) -> int:
    """The last position up to `end` at which a line begins; `end` when there is none behind `begin`."""
    if text[end - 1] == "\r" and text[end : end + 1] == "\n":
        end += 1
    for at in range(end, begin, -1):
        if text[at - 1] == "\n" or (text[at - 1] == "\r" and text[at : at + 1] != "\n"):
            return at
    return end
