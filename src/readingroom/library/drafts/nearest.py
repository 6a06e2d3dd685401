"""Which lines of a document come nearest to a text that is not in it. Pure, and bounded in time for 8 MiB.

Pieces of the text are looked for as they are, and the lines that hold most of them are compared closely.
"""

from array import array
from bisect import bisect_right
from collections import Counter
from itertools import pairwise

from .words import words

_LINES = 5
_PIECES = 12
_PLACES = 300  # of one piece: what is found more often tells nothing
_COMPARED = 30
_CHARACTERS = 300  # of a line, for the comparison
_LEAST = 0.4


def line_starts(text: str) -> "array[int]":
    """Where each line begins in a text with LF as its line end."""
    starts = array("q", [0])
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts


def nearest(text: str, wanted: str) -> list[int]:
    """The lines that are most like the longest line of `wanted`, the likest first; none when none is much like it.

    Both have LF alone as their line end; lines are counted from 1.
    """
    line = max(wanted.split("\n"), key=lambda line: len(line.strip())).strip()[:_CHARACTERS]
    if not line:
        return []
    folded = text.lower()
    found = _holding(folded, _pieces(line.lower()))
    contents = text.split("\n")
    likeness = {number: _likeness(contents[number - 1].strip()[:_CHARACTERS], line) for number in found}
    likely = [number for number in found if likeness[number] >= _LEAST]
    return sorted(likely, key=lambda number: (-likeness[number], number))[:_LINES]


def _pieces(line: str) -> list[str]:
    """What is looked for: the longest words, and of scripts without blanks, pairs of characters."""
    parts = words(line)
    pairs = [first + second for first, second in pairwise(parts) if _are_single(first, second)]
    pieces = [part for part in parts if len(part) > 1 and not part.isspace()] + pairs
    if not pieces:
        pieces = [part for part in parts if not part.isspace()]
    return sorted(dict.fromkeys(pieces), key=len, reverse=True)[:_PIECES]


def _are_single(first: str, second: str) -> bool:
    return len(first) == len(second) == 1 and first.isalnum() and second.isalnum()


def _holding(text: str, pieces: list[str]) -> list[int]:
    """The lines that hold most of the pieces, of each those that are found first."""
    starts = line_starts(text)
    votes: Counter[int] = Counter()
    for piece in pieces:
        at = text.find(piece)
        holding: set[int] = set()
        for _ in range(_PLACES):
            if at < 0:
                break
            holding.add(bisect_right(starts, at))
            at = text.find(piece, at + len(piece))
        votes.update(dict.fromkeys(holding, len(piece)))
    return [number for number, _ in votes.most_common(_COMPARED)]


def _likeness(line: str, wanted: str) -> float:
    from difflib import SequenceMatcher

    return SequenceMatcher(None, line, wanted, autojunk=False).ratio()
