"""Lines that are longer than the terminal is wide, folded by us: every line on the screen begins with a sign of ours.

A terminal that folded them itself would let a text from outside begin a line, and look like something that we say. Pure.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import TypeAlias

from .characters import width

Paint: TypeAlias = Callable[[str, str], str]
"""Gives a text in a style, as `Terminal.paint` does."""

Units: TypeAlias = Iterable[tuple[str, str]]
"""What is shown for each character, with its style, or "" for none."""

_TAB = 8
_LEAST = 10
_FULL = 2 / 3


def folded(
    units: Units, paint: Paint, columns: int | None, first: str, rest: str, margin: int
) -> Iterator[str]:
    """The lines: `first` stands before the first one, `rest` before the others, each `margin` columns wide when shown.

    Nothing is folded where `columns` is None. What is shown for one character stays together.
    """
    row: list[tuple[str, str]] = []
    room = 0 if columns is None else max(columns - margin, _LEAST)
    taken = 0
    lead = first
    for unit in units:
        size = _size(unit)
        if columns is not None and taken + size > room and row:
            end = _end_of_words(row)
            yield lead + _painted(row[:end], paint)
            row, lead = row[end:], rest
            taken = sum(map(_size, row))
        row.append(unit)
        taken += size
    yield lead + _painted(row, paint)


def _size(unit: tuple[str, str]) -> int:
    """The columns that it takes at most."""
    return _TAB if unit[0] == "\t" else width(unit[0])


def _end_of_words(row: list[tuple[str, str]]) -> int:
    """How much of a full row is kept: up to its last blank, unless that would leave much of it empty."""
    end = next((place for place in range(len(row), 0, -1) if row[place - 1][0] == " "), 0)
    return end if end > _FULL * len(row) else len(row)


def _painted(row: list[tuple[str, str]], paint: Paint) -> str:
    parts = []
    for style, units in groupby(row, key=lambda unit: unit[1]):
        text = "".join(shown for shown, _ in units)
        parts.append(paint(style, text) if style else text)
    return "".join(parts)


def folded_text(
    parts: Iterable[tuple[Iterable[str], str]],
    paint: Paint,
    columns: int | None,
    lead: str,
    rest: str | None = None,
) -> Iterator[str]:
    """Fold texts that follow each other, each with its style and given as what is shown for each character.

    `lead` stands before the first line, and before the others, too, unless `rest` does.
    """
    units = ((shown, style) for text, style in parts for shown in text)
    others = lead if rest is None else rest
    return folded(units, paint, columns, lead, others, max(len(lead), len(others)))
