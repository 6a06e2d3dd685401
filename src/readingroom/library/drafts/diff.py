"""How two versions of a text differ, line by line, with the words that changed: what a person decides by.

Pure, and bounded in time for texts of 8 MiB: where the budget ends, more is shown as changed than would have to be, and
never less. A line is compared with its end, so a change of line ends alone is a change. Lines are those of `lines`.
"""

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

import msgspec

from .matching import Block, Budget, matching
from .words import Marks, marks, words

CONTEXT = 3
MAX_ROWS = 100_000
"""What is shown of one difference: beyond that nobody reads it row by row, and it is said how much is missing."""

_LINE_STEPS = 3_000_000
_WORD_STEPS = 3_000_000
_PAIRED = 40  # lines of a change that are looked at for their counterparts; longer ones are paired in order
_LOOKED_AT = 1000  # characters of such a line
_LIKE = 0.5  # of the words of both lines together

RowKind: TypeAlias = Literal[" ", "-", "+"]


class Row(msgspec.Struct, frozen=True):
    """One line: kept (" "), taken away ("-") or added ("+"), with its number before and after where it has one.

    `text` is without its line end, as it stands in the document: whoever shows it makes what cannot be seen visible.
    `marks` are the characters that changed of a line that has a counterpart on the other side; none means the whole
    line, or that the counterpart alone has something more. `end` is the line end, "" of a last line without one.
    """

    kind: RowKind
    old: int | None
    new: int | None
    text: str
    marks: Marks = ()
    end: str = "\n"


class Hunk(msgspec.Struct, frozen=True):
    """Changes with the lines around them. `old_start` and `new_start` are the numbers of their first lines, counted
    from 1; of a side without lines, the line after which it would stand, as in a unified diff.

    `left_out` is how many more rows of changes the difference has that are not shown; of the last hunk alone.
    """

    old_start: int
    new_start: int
    rows: tuple[Row, ...]
    left_out: int = 0


def hunks(before: str, after: str, context: int = CONTEXT) -> tuple[Hunk, ...]:
    """The difference, with `context` lines before and behind each change. Empty when the texts are the same."""
    old, new = _lines(before), _lines(after)
    changes = _changes(matching(old, new, Budget(_LINE_STEPS + len(old) + len(new))), len(old), len(new))
    budget = Budget(_WORD_STEPS)
    found: list[Hunk] = []
    left = MAX_ROWS
    for group in _groups(changes, context):
        size = sum(change[1] - change[0] + change[3] - change[2] for change in group)
        if left <= 0 and found:
            last = found[-1]
            found[-1] = msgspec.structs.replace(last, left_out=last.left_out + size)
            continue
        found.append(_hunk(old, new, group, context, budget, left))
        left -= size
    return tuple(found)


_Change: TypeAlias = tuple[int, int, int, int]
"""What of the old lines is replaced by what of the new ones, each from one up to before another."""


def _lines(text: str) -> list[str]:
    """The lines with their ends."""
    if "\r" not in text:
        lines = [line + "\n" for line in text.split("\n")]
        lines[-1] = lines[-1][:-1]
        return lines if lines[-1] else lines[:-1]
    import re

    return re.findall("[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text)


def _changes(blocks: list[Block], old: int, new: int) -> list[_Change]:
    found: list[_Change] = []
    at = place = 0
    for first, start, length in [*blocks, (old, new, 0)]:
        if first > at or start > place:
            found.append((at, first, place, start))
        at, place = first + length, start + length
    return found


def _groups(changes: list[_Change], context: int) -> Iterator[list[_Change]]:
    """The changes that share lines of context, or touch with it."""
    group: list[_Change] = []
    for change in changes:
        if group and change[0] - group[-1][1] > 2 * context:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _hunk(
    old: Sequence[str], new: Sequence[str], group: list[_Change], context: int, budget: Budget, most: int
) -> Hunk:
    """One hunk, with at most `most` rows of changes."""
    ahead = min(context, group[0][0])
    first, start = group[0][0] - ahead, group[0][2] - ahead
    rows = [*_kept(old, first, group[0][0], start)]
    left_out = 0
    for number, change in enumerate(group):
        added = _replaced(old, new, change, budget, most)
        left_out += change[1] - change[0] + change[3] - change[2] - len(added)
        most -= len(added)
        rows += added
        until = group[number + 1][0] if number + 1 < len(group) else min(change[1] + context, len(old))
        rows += _kept(old, change[1], until, change[3])
    has_old = any(row.old for row in rows) or left_out
    has_new = any(row.new for row in rows) or left_out
    return Hunk(first + 1 if has_old else first, start + 1 if has_new else start, tuple(rows), left_out)


def _kept(old: Sequence[str], first: int, last: int, start: int) -> Iterator[Row]:
    for offset, line in enumerate(old[first:last]):
        text, end = _parted(line)
        yield Row(" ", first + offset + 1, start + offset + 1, text, (), end)


def _replaced(
    old: Sequence[str], new: Sequence[str], change: _Change, budget: Budget, most: int
) -> list[Row]:
    first, last, start, stop = change
    last = min(
        last, first + max(most - (stop - start), most // 2)
    )  # what is added is not hidden by what goes
    stop = min(stop, start + most - (last - first))
    removed = [_parted(line) for line in old[first:last]]
    added = [_parted(line) for line in new[start:stop]]
    marked_old: dict[int, Marks] = {}
    marked_new: dict[int, Marks] = {}
    for at, place in _pairs([text for text, _ in removed], [text for text, _ in added], budget):
        marked_old[at], marked_new[place] = marks(removed[at][0], added[place][0], budget)
    rows = [
        Row("-", first + at + 1, None, text, marked_old.get(at, ()), end)
        for at, (text, end) in enumerate(removed)
    ]
    rows += [
        Row("+", None, start + at + 1, text, marked_new.get(at, ()), end)
        for at, (text, end) in enumerate(added)
    ]
    return rows


def _pairs(removed: list[str], added: list[str], budget: Budget) -> list[tuple[int, int]]:
    """Which removed line became which added one, as far as one can tell, in order."""
    in_order = list(zip(range(len(removed)), range(len(added)), strict=False))
    if len(removed) == len(added) or len(removed) > _PAIRED or len(added) > _PAIRED:
        return in_order
    if not budget.spend(sum(min(len(line), _LOOKED_AT) for line in (*removed, *added))):
        return in_order
    known = [set(words(line[:_LOOKED_AT])) for line in added]
    pairs: list[tuple[int, int]] = []
    free = 0
    for at, line in enumerate(removed):
        own = set(words(line[:_LOOKED_AT]))
        likeness = [
            (len(own & known[place]) / max(len(own | known[place]), 1), -place)
            for place in range(free, len(added))
        ]
        best, place = max(likeness, default=(0.0, 0))
        if best >= _LIKE:
            pairs.append((at, -place))
            free = 1 - place
    return pairs


def _parted(line: str) -> tuple[str, str]:
    text = line.rstrip("\r\n")
    return text, line[len(text) :]


def unified(found: Sequence[Hunk], old_name: str = "", new_name: str = "") -> str:
    """The difference as a unified diff; with names, under the two lines that give them. "" for no difference.

    A line that ends with CR LF or CR is shown with a CR at its end, as other tools do.
    """
    if not found:
        return ""
    lines = [f"--- {old_name}\n", f"+++ {new_name}\n"] if old_name or new_name else []
    for hunk in found:
        old = sum(row.kind != "+" for row in hunk.rows)
        new = sum(row.kind != "-" for row in hunk.rows)
        lines.append(f"@@ -{_range(hunk.old_start, old)} +{_range(hunk.new_start, new)} @@\n")
        for row in hunk.rows:
            lines.append(f"{row.kind}{row.text}{row.end[:1] if row.end != chr(10) else ''}\n")
            if not row.end:
                lines.append("\\ No newline at end of file\n")
        if hunk.left_out:
            lines.append(f"… {hunk.left_out:,} more changed lines are not shown\n")
    return "".join(lines)


def _range(start: int, count: int) -> str:
    return f"{start}" if count == 1 else f"{start},{count}"
