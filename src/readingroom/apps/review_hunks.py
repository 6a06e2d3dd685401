"""A difference as lines for a terminal, with both line numbers and everything visible that hides or reorders.

Nothing is left out and nothing is cut: what stands here is what is approved. Colours only help; every row says by its sign
what it is. Knows no draft.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from .counting import counted
from .folding import Paint, folded
from .revealing import is_odd_blank, named, shown_one_by_one

if TYPE_CHECKING:
    from ..library.drafts.diff import Hunk, Row

_STYLES = {"-": ("bad", "removed"), "+": ("good", "added")}
_MORE = "⋮"
_SHORT = 200
_ENDS = {"\r\n": "⟨CR LF⟩", "\r": "⟨CR⟩", "\n": "⟨LF⟩", "": "⟨no line end⟩"}


def hunk_lines(hunks: Sequence["Hunk"], paint: Paint, columns: int | None = None) -> Iterator[str]:
    """The lines of a difference, folded at `columns`; line ends are named where they are not all the same."""
    rows = [row for hunk in hunks for row in hunk.rows]
    numbers = [number for row in rows for number in (row.old, row.new) if number is not None]
    digits = len(str(max(numbers, default=0)))
    mixed = len({row.end for row in rows if row.end}) > 1
    for hunk in hunks:
        yield paint("dim", f"@@ line {hunk.old_start} before, {hunk.new_start} after")
        for row in hunk.rows:
            yield from _row_lines(row, digits, paint, columns, mixed=mixed)
        if hunk.left_out:
            yield paint(
                "mark",
                f"… {counted(hunk.left_out, 'more changed line')} NOT SHOWN: the difference is too long",
            )


def left_out(hunks: Iterable["Hunk"]) -> int:
    """How many changed lines `hunk_lines` does not show."""
    return sum(hunk.left_out for hunk in hunks)


def _row_lines(row: "Row", digits: int, paint: Paint, columns: int | None, *, mixed: bool) -> Iterator[str]:
    numbers = " ".join(f"{'' if number is None else number:>{digits}}" for number in (row.old, row.new))
    plain, strong = _STYLES.get(row.kind, ("", ""))
    first = f"{paint('dim', numbers)} {_signed(row.kind, plain, paint)} "
    rest = f"{' ' * len(numbers)} {_signed(_MORE, plain, paint)} "
    margin, end = len(numbers) + 3, _end(row, mixed=mixed)
    if not (row.marks or end) and _is_plain(row.text) and margin + len(row.text) <= (columns or _SHORT):
        yield first + _signed(
            row.text, plain, paint
        )  # as most lines are: a difference may have 100,000 of them
        return
    units = [*_units(row, plain, strong), (end, "mark")]
    yield from folded((unit for unit in units if unit[0]), paint, columns, first, rest, margin)


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable() and text != ""


def _signed(sign: str, style: str, paint: Paint) -> str:
    return paint(style, sign) if style else sign


def _units(row: "Row", plain: str, strong: str) -> Iterator[tuple[str, str]]:
    """What is shown for each character; what changed stands out, and odd blanks of it are named."""
    marked = {place for start, stop in row.marks for place in range(start, stop)}
    for place, (character, shown) in enumerate(zip(row.text, shown_one_by_one(row.text), strict=True)):
        if place in marked:
            yield (named(character) if is_odd_blank(character) else shown), strong
        else:
            yield shown, plain


def _end(row: "Row", *, mixed: bool) -> str:
    """What is to be said of the end of a line: blanks before it, and which it is, if that is not what all are."""
    blanks = len(row.text) - len(row.text.rstrip(" \t"))
    told = f"⟨{counted(blanks, 'blank')}⟩" if blanks and row.kind != " " else ""
    return told + (_ENDS.get(row.end, "") if mixed or not row.end else "")
