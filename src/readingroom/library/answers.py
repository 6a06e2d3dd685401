"""Keeping answers within a size: sharing a budget among texts, and cutting a document at the border of a line.

Pure. Sizes are characters.
"""

from bisect import bisect_right
from collections.abc import Sequence

import msgspec

from .lines import Lines


class Portion(msgspec.Struct, frozen=True):
    """A part of a text, where it lies in lines (counted from 1), and the position to go on from, or None at the end."""

    text: str
    first: int
    last: int
    next: int | None


def start_of(lines: Lines, line: int) -> int:
    """The position at which a line begins; that behind the last line is the end of the text."""
    return lines.starts[line - 1] if line <= len(lines) else len(lines.text)


def line_at(lines: Lines, position: int) -> int:
    """The line that a position lies in; 0 in a text without lines."""
    return bisect_right(lines.starts, position)


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

    A line that alone is longer than the budget is cut in pieces of that size, so that reading on always ends. Of a text
    without lines, the portion is from line 0 to line 0.
    """
    text = lines.text
    stop = end if len(_without_last_end(text[begin:end])) <= budget else _border(text, begin, begin + budget)
    piece = _without_last_end(text[begin:stop])
    last = line_at(lines, max(begin, stop - 1)) if stop > begin else line_at(lines, begin)
    return Portion(piece, line_at(lines, begin), last, stop if stop < end else None)


def _without_last_end(text: str) -> str:
    """The text without the end of its last line, and no more: blank lines are lines."""
    if text.endswith("\r\n"):
        return text[:-2]
    return text[:-1] if text.endswith(("\n", "\r")) else text


def _border(text: str, begin: int, end: int) -> int:
    """The last position up to `end` at which a line begins; `end` when there is none behind `begin`."""
    if text[end - 1] == "\r" and text[end : end + 1] == "\n":
        end += 1
    for at in range(end, begin, -1):
        if text[at - 1] == "\n" or (text[at - 1] == "\r" and text[at : at + 1] != "\n"):
            return at
    return end
