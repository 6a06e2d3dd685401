"""A difference laid out in two columns: what stands before beside what stands after, line by line. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

import msgspec
from markupsafe import Markup

from .seen import marked, seen

if TYPE_CHECKING:
    from ...library.drafts.diff import Hunk, Row

MOST_PAIRS = 3000
"""Lines of one change that a page shows: beyond that no browser is pleasant, and no reader is left."""

_ENDS = {"": "no line end", "\n": "line end LF", "\r\n": "line end CR LF", "\r": "line end CR"}


class Side(msgspec.Struct, frozen=True):
    """One line of one side: its number, its text as HTML, and what is to be said of its end, or ""."""

    number: int
    html: Markup
    end: str = ""


class Pair(msgspec.Struct, frozen=True):
    """A line of the layout: kept, changed, removed or added; a side that has no line is None."""

    kind: str
    old: Side | None
    new: Side | None


class Stretch(msgspec.Struct, frozen=True):
    """Pairs that follow on each other, under the place where they begin."""

    place: str
    pairs: tuple[Pair, ...]


class Layout(msgspec.Struct, frozen=True):
    """A whole difference; `left_out` is how many changed or neighbouring lines are not shown."""

    stretches: tuple[Stretch, ...] = ()
    left_out: int = 0


def laid_out(hunks: "Iterable[Hunk]", most: int = MOST_PAIRS) -> Layout:
    """Lay out hunks, at most so many lines of them."""
    stretches: list[Stretch] = []
    left, left_out = most, 0
    for hunk in hunks:
        pairs = tuple(_pairs(hunk.rows))
        taken = pairs[:left]
        left -= len(taken)
        left_out += len(pairs) - len(taken) + hunk.left_out
        if taken:
            stretches.append(Stretch(_place(taken[0]), taken))
    return Layout(tuple(stretches), left_out)


def _place(first: Pair) -> str:
    side = first.new or first.old
    return "" if side is None else f"Line {side.number}"


def _pairs(rows: "Sequence[Row]") -> Iterator[Pair]:
    removed: list[Row] = []
    added: list[Row] = []
    for row in rows:
        if row.kind == "-":
            removed.append(row)
        elif row.kind == "+":
            added.append(row)
        else:
            yield from _changed(removed, added)
            removed, added = [], []
            yield Pair("kept", Side(row.old or 0, seen(row.text)), Side(row.new or 0, seen(row.text)))
    yield from _changed(removed, added)


def _changed(removed: "list[Row]", added: "list[Row]") -> Iterator[Pair]:
    for old, new in zip_longest(removed, added):
        ends = old is not None and new is not None and old.end != new.end
        kind = "added" if old is None else "removed" if new is None else "changed"
        yield Pair(kind, _side(old, ends=ends), _side(new, ends=ends))


def _side(row: "Row | None", *, ends: bool) -> Side | None:
    if row is None:
        return None
    number = row.old if row.kind == "-" else row.new
    said = _ENDS.get(row.end, "") if ends else ""
    return Side(number or 0, marked(row.text, row.marks), said)
