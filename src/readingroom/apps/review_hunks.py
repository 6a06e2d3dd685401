"""A difference as lines for a terminal, with both line numbers and everything visible that hides or reorders.

Nothing is left out and nothing is cut: what stands here is what is approved. Colours only help; every row says by its sign
what it is. Knows no draft.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from .counting import counted
from .revealing import is_odd_blank, named, shown_one_by_one

if TYPE_CHECKING:
    from ..library.drafts.diff import Hunk, Row

Paint: TypeAlias = Callable[[str, str], str]
"""Gives a text in a style, as `Terminal.paint` does."""

_STYLES = {"-": ("bad", "removed"), "+": ("good", "added")}
_ENDS = {"\r\n": "⟨CR LF⟩", "\r": "⟨CR⟩", "\n": "⟨LF⟩", "": "⟨no line end⟩"}


def hunk_lines(hunks: Sequence["Hunk"], paint: Paint) -> Iterator[str]:
    """The lines of a difference; line ends are named where they are not all the same."""
    rows = [row for hunk in hunks for row in hunk.rows]
    numbers = [number for row in rows for number in (row.old, row.new) if number is not None]
    columns = len(str(max(numbers, default=0)))
    mixed = len({row.end for row in rows if row.end}) > 1
    for hunk in hunks:
        yield paint("dim", f"@@ line {hunk.old_start} before, {hunk.new_start} after")
        for row in hunk.rows:
            yield _row_line(row, columns, paint, mixed=mixed)
        if hunk.left_out:
            yield paint(
                "mark",
                f"… {counted(hunk.left_out, 'more changed line')} NOT SHOWN: the difference is too long",
            )


def left_out(hunks: Iterable["Hunk"]) -> int:
    """How many changed lines `hunk_lines` does not show."""
    return sum(hunk.left_out for hunk in hunks)


def _row_line(row: "Row", columns: int, paint: Paint, *, mixed: bool) -> str:
    numbers = " ".join(f"{'' if number is None else number:>{columns}}" for number in (row.old, row.new))
    pieces = _pieces(row)
    if row.kind == " ":
        return f"{paint('dim', numbers)}   {''.join(text for text, _ in pieces)}{_end(row, mixed=mixed)}"
    plain, strong = _STYLES[row.kind]
    text = "".join(paint(strong if is_marked else plain, text) for text, is_marked in pieces if text)
    end = _end(row, mixed=mixed)
    return f"{paint('dim', numbers)} {paint(plain, row.kind)} {text}{paint('mark', end) if end else ''}"


def _pieces(row: "Row") -> Iterator[tuple[str, bool]]:
    """The text in pieces, each with whether it is what changed; blanks that changed and are no spaces are named."""
    shown = shown_one_by_one(row.text)
    place = 0
    for start, stop in (*row.marks, (len(shown), len(shown))):
        yield "".join(shown[place:start]), False
        yield "".join(_told(row.text[at], shown[at]) for at in range(start, stop)), True
        place = stop


def _told(character: str, shown: str) -> str:
    return named(character) if is_odd_blank(character) else shown


def _end(row: "Row", *, mixed: bool) -> str:
    """What is to be said of the end of a line: blanks before it, and which it is, if that is not what all are."""
    blanks = len(row.text) - len(row.text.rstrip(" \t"))
    told = f"⟨{counted(blanks, 'blank')}⟩" if blanks and row.kind != " " else ""
    return told + (_ENDS.get(row.end, "") if mixed or not row.end else "")
