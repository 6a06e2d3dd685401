"""What two sequences have in common, in an order that both keep: the ground of every diff, in bounded time.

Anchors first: what stands once on both sides (patience), then the shortest way between them (Myers, "An O(ND) Difference
Algorithm", 1986), as long as the budget lasts. What is left when it is spent counts as changed. Pure; knows no text.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

Block: TypeAlias = tuple[int, int, int]
"""Where a common run begins in the one and in the other, and how long it is."""
_MOST_EDITS = 600  # of one way: what is remembered of it grows with the square
_Gap: TypeAlias = tuple[int, int, int, int]
_Point: TypeAlias = tuple[int, int]


class Budget:
    """How many steps may still be taken; a step costs some tenths of a microsecond."""

    __slots__ = ("left",)

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int) -> bool:
        """Take `steps` off; false, and nothing is taken, when there are not so many left."""
        if steps > self.left:
            return False
        self.left -= steps
        return True


def matching(before: Sequence[str], after: Sequence[str], budget: Budget) -> list[Block]:
    """The common runs in order, neither overlapping nor touching on both sides at once."""
    found: list[Block] = []
    pending: list[_Gap] = [(0, len(before), 0, len(after))]
    while pending:
        gap = _trimmed(before, after, pending.pop(), found)
        first, last, start, stop = gap
        if first == last or start == stop:
            continue
        if not budget.spend(last - first + stop - start):
            continue
        anchors = _anchors(before, after, gap)
        if anchors:
            _between(before, after, gap, anchors, found, pending)
        else:
            found += _shortest(before[first:last], after[start:stop], (first, start), budget)
    return _merged(found)


def _trimmed(before: Sequence[str], after: Sequence[str], gap: _Gap, found: list[Block]) -> _Gap:
    """The gap without what both sides begin and end with, which is noted as found."""
    first, last, start, stop = gap
    begun = first
    while first < last and start < stop and before[first] == after[start]:
        first, start = first + 1, start + 1
    if first > begun:
        found.append((begun, start - (first - begun), first - begun))
    ended = last
    while first < last and start < stop and before[last - 1] == after[stop - 1]:
        last, stop = last - 1, stop - 1
    if last < ended:
        found.append((last, stop, ended - last))
    return first, last, start, stop


def _anchors(before: Sequence[str], after: Sequence[str], gap: _Gap) -> list[_Point]:
    """What stands exactly once on both sides of the gap, the longest series of it that keeps the order of both."""
    first, last, start, stop = gap
    old, new = before[first:last], after[start:stop]
    once_old = {item for item, count in Counter(old).items() if count == 1}
    once = {item for item, count in Counter(new).items() if count == 1 and item in once_old}
    if not once:
        return []
    places = {item: at for at, item in enumerate(new, start) if item in once}
    return _rising([(at, places[item]) for at, item in enumerate(old, first) if item in once])


def _rising(points: list[_Point]) -> list[_Point]:
    """The longest series of points that rise on both sides; they come in order of the first."""
    ends: list[int] = []
    numbers: list[int] = []
    previous: list[int] = []
    for number, (_, place) in enumerate(points):
        at = bisect_left(ends, place)
        previous.append(numbers[at - 1] if at else -1)
        ends[at : at + 1] = [place]
        numbers[at : at + 1] = [number]
    chosen: list[_Point] = []
    number = numbers[-1]
    while number >= 0:
        chosen.append(points[number])
        number = previous[number]
    return chosen[::-1]


def _between(
    before: Sequence[str],
    after: Sequence[str],
    gap: _Gap,
    anchors: list[_Point],
    found: list[Block],
    pending: list[_Gap],
) -> None:
    """Note the runs that begin at the anchors, and what lies between them as gaps to look at."""
    first, last, start, stop = gap
    for old, new in anchors:
        if old < first or new < start:
            continue
        length = 1
        while old + length < last and new + length < stop and before[old + length] == after[new + length]:
            length += 1
        pending.append((first, old, start, new))
        found.append((old, new, length))
        first, start = old + length, new + length
    pending.append((first, last, start, stop))


def _shortest(old: Sequence[str], new: Sequence[str], corner: _Point, budget: Budget) -> list[Block]:
    """The shortest way from one side to the other, as the runs that it keeps; none if it is too long or the budget ends."""
    reached = {1: 0}
    trail: list[dict[int, int]] = []
    for steps in range(min(len(old) + len(new), _MOST_EDITS) + 1):
        if not budget.spend(2 * steps + 1):
            return []
        trail.append(dict(reached))
        for diagonal in range(-steps, steps + 1, 2):
            at = _furthest(reached, diagonal, steps)
            begun = at
            while at < len(old) and at - diagonal < len(new) and old[at] == new[at - diagonal]:
                at += 1
            if not budget.spend(at - begun):
                return []
            reached[diagonal] = at
            if at >= len(old) and at - diagonal >= len(new):
                return _kept(trail, (at, at - diagonal), corner)
    return []


def _furthest(reached: dict[int, int], diagonal: int, steps: int) -> int:
    """Where a way of so many steps enters the diagonal: downwards from the one above it, or rightwards from below."""
    right, down = reached.get(diagonal - 1, -1), reached.get(diagonal + 1, -1)
    if diagonal == -steps or (diagonal != steps and right < down):
        return down
    return right + 1


def _kept(trail: list[dict[int, int]], end: _Point, corner: _Point) -> list[Block]:
    """The runs on the way back from the end."""
    at, other = end
    found: list[Block] = []
    for steps in range(len(trail) - 1, -1, -1):
        reached, diagonal = trail[steps], at - other
        entered = _furthest(reached, diagonal, steps)
        if at > entered:
            found.append((corner[0] + entered, corner[1] + entered - diagonal, at - entered))
        is_down = diagonal == -steps or (
            diagonal != steps and reached.get(diagonal - 1, -1) < reached.get(diagonal + 1, -1)
        )
        at = entered if is_down else entered - 1
        other = entered - diagonal - 1 if is_down else entered - diagonal
    return found


def _merged(found: list[Block]) -> list[Block]:
    """In order, and what touches on both sides as one."""
    merged: list[Block] = []
    for old, new, length in sorted(found):
        if merged and merged[-1][0] + merged[-1][2] == old and merged[-1][1] + merged[-1][2] == new:
            merged[-1] = (*merged[-1][:2], merged[-1][2] + length)
        else:
            merged.append((old, new, length))
    return merged
