"""Which places of a document come nearest to a text that is not in it. Pure, and bounded in time for 8 MiB.

Pieces of the text are looked for as they are; the lines that hold the rarest of them are compared closely, each where it is
most like the text: a line may be a whole paragraph.
"""

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from itertools import islice, pairwise

from .words import words

_LINES = 5
_PIECES = 12
_PLACES = 300  # of one piece: what is found more often tells little
_COMPARED = 30
_CHARACTERS = 300  # of the text that is looked for, and of what it is compared with
_ANCHORS = 4  # places of a line that are compared, those that most pieces agree on
_HALVED = 6  # characters of a word that is looked for by its halves when it is not found
_LEAST = 0.5


def line_starts(text: str) -> "array[int]":
    """Where each line begins in a text with LF as its line end."""
    starts = array("q", [0])
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts


def nearest(text: str, wanted: str) -> list[int]:
    """The places that are most like the longest line of `wanted`, the likest first; none when none is much like it.

    Both have LF alone as their line end; a place is where in the text the likeness begins, one of a line.
    """
    line = max(wanted.split("\n"), key=lambda line: len(line.strip())).strip()[:_CHARACTERS]
    if not line:
        return []
    folded = text.lower()
    if len(folded) != len(
        text
    ):  # a few characters have lower forms of another length; places must stay places
        folded = text
    pieces = _pieces(line.lower())
    found: list[tuple[float, int]] = []
    for start, stop in _holding(folded, pieces):
        found.append(_likest(text, folded, start, stop, line, pieces))
    return [
        place for likeness, place in sorted(found, key=lambda one: (-one[0], one[1])) if likeness >= _LEAST
    ][:_LINES]


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


def _places(text: str, piece: str, start: int = 0, stop: int | None = None) -> Iterator[int]:
    at = text.find(piece, start, stop)
    while at >= 0:
        yield at
        at = text.find(piece, at + len(piece), stop)


def _holding(text: str, pieces: list[str]) -> list[tuple[int, int]]:
    """Where the lines begin and end that hold most of the pieces; a piece counts the less, the more lines hold it."""
    starts = line_starts(text)
    votes: Counter[int] = Counter()
    weights: dict[int, float] = {}
    for piece in pieces:
        found = list(islice(_places(text, piece), _PLACES)) or [
            at for half in _halves(piece) for at in islice(_places(text, half), _PLACES)
        ]
        holding = {bisect_right(starts, at) for at in found}
        for number in holding:
            weights[number] = weights.get(number, 0.0) + len(piece) / len(holding)
            votes[number] += len(piece)
    likely = sorted(weights, key=lambda number: (-weights[number], -votes[number], number))[:_COMPARED]
    return [
        (starts[number - 1], starts[number] - 1 if number < len(starts) else len(text)) for number in likely
    ]


def _halves(piece: str) -> tuple[str, ...]:
    middle = len(piece) // 2
    return (piece[:middle], piece[middle:]) if len(piece) >= _HALVED else ()


def _likest(
    text: str, folded: str, start: int, stop: int, wanted: str, pieces: list[str]
) -> tuple[float, int]:
    """How like `wanted` a line is where it is most like it, and where in the text that is."""
    most = max(
        (_likeness(text, at, stop, wanted), -at) for at in _anchors(folded, start, stop, wanted, pieces)
    )
    return most[0], -most[1]


def _anchors(folded: str, start: int, stop: int, wanted: str, pieces: list[str]) -> list[int]:
    """Where in a line the text would begin, by the places of its pieces; those that most pieces agree on."""
    low = wanted.lower()
    agreed: Counter[int] = Counter()
    for piece in pieces:
        for part in (piece, *_halves(piece)):
            offset = low.find(part)
            for at in islice(_places(folded, part, start, stop), _PLACES):
                agreed[max(start, min(at - offset, stop - len(wanted)))] += len(part)
    return [at for at, _ in agreed.most_common(_ANCHORS)] or [start]


def _likeness(text: str, start: int, stop: int, wanted: str) -> float:
    from difflib import SequenceMatcher

    found = text[start : min(stop, start + len(wanted))].strip()
    return SequenceMatcher(None, found, wanted, autojunk=False).ratio()
