"""What a format's parser finds in a document, before it is cut into passages: blocks, headings among them, and links.

Formats that are read as they stand tell where blocks begin (marks); from the marks and the lines come the blocks. HTML,
whose source is not what is read, tells its blocks with the rows of text that are shown for them.
"""

from collections.abc import Iterable

import msgspec

from readingroom.library.lines import Lines
from readingroom.library.model import Link

TITLE_CHARACTERS = (
    300  # a longer heading is a paragraph that was marked by mistake, and would be repeated in every trail
)


class Mark(msgspec.Struct, frozen=True):
    """A line on which a block begins; a heading has a level from 1, other blocks 0. `last` is a heading's last line."""

    line: int
    level: int = 0
    title: str = ""
    last: int = 0


class Row(msgspec.Struct, frozen=True):
    """A line of text as it is shown, with the lines of the source it comes from."""

    first: int
    last: int
    text: str


class Block(msgspec.Struct, frozen=True):
    """Lines that belong together, not blank at either end; `rows` only where the source is not what is shown."""

    first: int
    last: int
    characters: int
    level: int = 0
    title: str = ""
    rows: tuple[Row, ...] = ()


class Structure(msgspec.Struct, frozen=True):
    """All that a parser tells of a document."""

    blocks: list[Block]
    links: list[Link]


class Head(msgspec.Struct):
    """What a document says of itself: the first title and language, and what it names as keywords and visibility."""

    title: str = ""
    language: str = ""
    keywords: list[str] = []
    visibility: list[str] = []


def title_of(text: str) -> str:
    """A title on one line, cut if it is longer than a title can be."""
    title = " ".join(text.split())
    return title if len(title) <= TITLE_CHARACTERS else title[:TITLE_CHARACTERS].rstrip() + "…"


def blocks_of(lines: Lines, marks: Iterable[Mark], first: int) -> list[Block]:
    """The blocks of the lines from `first` on: each reaches from its mark to the next, a heading to its last line.

    Marks come in order of their lines. What precedes the first and what follows a heading is a block as well.
    """
    blocks: list[Block | None] = []
    begun = first
    for mark in marks:
        if mark.line < begun:
            continue
        blocks.append(block_of(lines, begun, mark.line - 1))
        begun = mark.line
        if mark.level:
            blocks.append(
                Block(mark.line, mark.last, lines.size(mark.line, mark.last), mark.level, mark.title)
            )
            begun = mark.last + 1
    blocks.append(block_of(lines, begun, len(lines)))
    return [block for block in blocks if block is not None]


def block_of(lines: Lines, first: int, last: int) -> Block | None:
    """The lines from `first` to `last` as a block, without blank lines at its ends; None if all are blank."""
    while last >= first and lines.is_blank(last):
        last -= 1
    while first <= last and lines.is_blank(first):
        first += 1
    return Block(first, last, lines.size(first, last)) if first <= last else None
