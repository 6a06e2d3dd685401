"""Which words differ between two versions of a line. Pure; bounded by the budget that it is given.

A word is a run of letters and digits; of scripts that write no blanks between words, each character is one.
"""

from collections.abc import Sequence
from typing import TypeAlias

from .matching import Budget, matching

Marks: TypeAlias = tuple[tuple[int, int], ...]
"""Where what has changed begins and ends, in characters of the line."""

_WORDS = r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]|\w+|\s+|[^\w\s]"
_ALIKE = 0.3  # of the longer line: below that the two are different lines, and words in common are chance
_CUT_CHARACTERS = 40_000  # beyond that, in both together, only what they begin and end with is compared


def words(line: str) -> list[str]:
    """The line cut into words, blanks and single signs; put together they are the line."""
    import re

    return re.findall(_WORDS, line)


def marks(before: str, after: str, budget: Budget) -> tuple[Marks, Marks]:
    """What differs of the one and of the other; nothing for either when the two have too little in common.

    Empty marks of one side alone say that nothing was taken from it, or added to it.
    """
    characters = len(before) + len(after)
    if characters > _CUT_CHARACTERS or not budget.spend(characters):
        return _ends(before, after)
    old, new = words(before), words(after)
    blocks = matching(old, new, budget)
    alike = sum(len(word) for at, _, length in blocks for word in old[at : at + length] if not word.isspace())
    if alike < _ALIKE * max(len(before.strip()), len(after.strip())):
        return (), ()
    kept_old = [(at, at + length) for at, _, length in blocks]
    kept_new = [(at, at + length) for _, at, length in blocks]
    return _changed(old, kept_old), _changed(new, kept_new)


def _ends(before: str, after: str) -> tuple[Marks, Marks]:
    """The middle of both, between what they begin and what they end with."""
    first = _common(before, after)
    most = min(len(before), len(after)) - first
    last = _common(before[::-1][:most], after[::-1][:most])
    if first + last < _ALIKE * max(len(before), len(after)):
        return (), ()
    spans = ((first, len(text) - last) for text in (before, after))
    old, new = (((start, stop),) if stop > start else () for start, stop in spans)
    return old, new


def _common(before: str, after: str) -> int:
    """How many characters both begin with."""
    low, high = 0, min(len(before), len(after))
    while low < high:
        middle = (low + high + 1) // 2
        if before[low:middle] == after[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _changed(parts: Sequence[str], kept: list[tuple[int, int]]) -> Marks:
    """What lies between the kept runs, in characters; a blank between two changed words belongs to them."""
    found: list[tuple[int, int]] = []
    at = position = 0
    for start, stop in [*kept, (len(parts), len(parts))]:
        lost = sum(map(len, parts[at:start]))
        if lost:
            found.append((position, position + lost))
        position += lost + sum(map(len, parts[start:stop]))
        at = stop
    return _joined(found, "".join(parts))


def _joined(found: list[tuple[int, int]], line: str) -> Marks:
    joined: list[tuple[int, int]] = []
    for start, stop in found:
        if joined and line[joined[-1][1] : start].isspace():
            joined[-1] = (joined[-1][0], stop)
        else:
            joined.append((start, stop))
    return tuple(joined)
