"""A difference laid out in two columns: what stands before beside what stands after, line by line. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeAlias

import msgspec
from markupsafe import Markup

from .seen import marked

if TYPE_CHECKING:
    from ...library.drafts.diff import Hunk, Row

MOST_PAIRS = 3000
"""Lines of one change that a page shows: beyond that no browser is pleasant, and no reader is left."""

LINE_CHARACTERS = 5000
"""Of one line; some documents are one long line."""

_ENDS = {"": "no line end", "\n": "line end LF", "\r\n": "line end CR LF", "\r": "line end CR"}


class Side(msgspec.Struct, frozen=True):
    """One line of one side: its number, its text as HTML, and what is to be said of its end, or "".

    `cut` is how many characters of it are not shown.
    """

    number: int
    html: Markup
    end: str = ""
    cut: int = 0


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
    """A whole difference; `left_out` is how many changed or neighbouring lines are not shown, `cut` how many not in full."""

    stretches: tuple[Stretch, ...] = ()
    left_out: int = 0
    cut: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether all of it is shown."""
        return not (self.left_out or self.cut)


_Rows: TypeAlias = "tuple[Row | None, Row | None]"


def laid_out(hunks: "Iterable[Hunk]", most: int = MOST_PAIRS) -> Layout:
    """Lay out hunks, at most so many lines of them."""
    stretches: list[Stretch] = []
    left, left_out = most, 0
    for hunk in hunks:
        beside = list(_beside(hunk.rows))
        taken = tuple(_pair(*rows) for rows in beside[:left])
        left -= len(taken)
        left_out += len(beside) - len(taken) + hunk.left_out
        if taken:
            stretches.append(Stretch(_place(taken[0]), taken))
    cut = sum(_is_cut(pair) for stretch in stretches for pair in stretch.pairs)
    return Layout(tuple(stretches), left_out, cut)


def _is_cut(pair: Pair) -> bool:
    return any(side is not None and side.cut for side in (pair.old, pair.new))


def _place(first: Pair) -> str:
    side = first.new or first.old
    return "" if side is None else f"Line {side.number}"


def _beside(rows: "Sequence[Row]") -> Iterator[_Rows]:
    """What stands beside what: a kept line beside itself, what was removed beside what was added in its place."""
    removed: list[Row] = []
    added: list[Row] = []
    for row in rows:
        if row.kind == "-":
            removed.append(row)
        elif row.kind == "+":
            added.append(row)
        else:
            yield from zip_longest(removed, added)
            removed, added = [], []
            yield row, row
    yield from zip_longest(removed, added)


def _pair(old: "Row | None", new: "Row | None") -> Pair:
    kind = "added" if old is None else "removed" if new is None else "kept" if old is new else "changed"
    ends = old is not None and new is not None and old.end != new.end
    return Pair(
        kind,
        None if old is None else _side(old, old.old, ends=ends),
        None if new is None else _side(new, new.new, ends=ends),
    )


def _side(row: "Row", number: int | None, *, ends: bool) -> Side:
    said = _ENDS.get(row.end, "") if ends else ""
    cut = max(0, len(row.text) - LINE_CHARACTERS)
    return Side(number or 0, marked(row.text[:LINE_CHARACTERS], row.marks), said, cut)
