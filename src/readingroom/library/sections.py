"""From blocks to headings with their extents and to passages: one for each section, several for a long one.

A passage is never cut inside a block, so that fenced code, tables and lists stay whole, unless the block alone is four
times as large as a passage; then it is cut between lines.
"""

from collections.abc import Iterator

from readingroom.library.lines import Lines
from readingroom.library.model import Heading, Passage
from readingroom.library.structure import Block, Row, block_of

_UNCUT = 4  # a block up to this many times the size of a passage is left whole
_JOINT = 2  # what stands between two blocks, counted with each


def headings(blocks: list[Block], lines: Lines) -> tuple[Heading, ...]:
    """The headings among the blocks; a section ends before the next heading of its level or above, or with the text."""
    ends: dict[int, int] = {}
    open_ones: list[int] = []
    for number, block in enumerate(blocks):
        if not block.level:
            continue
        while open_ones and blocks[open_ones[-1]].level >= block.level:
            ends[open_ones.pop()] = block.first - 1
        open_ones.append(number)
    found = []
    for number, block in enumerate(blocks):
        if block.level:
            last = max(ends.get(number, len(lines)), block.first)
            found.append(Heading(block.level, block.title, block.first, last, lines.size(block.first, last)))
    return tuple(found)


def passages(blocks: list[Block], lines: Lines, characters: int) -> tuple[Passage, ...]:
    """The passages of the document, near `characters` in size where a section is longer than that.

    A heading with nothing under it is a passage of its own only if no smaller heading follows it.
    """
    found: list[Passage] = []
    cached = (0, 0, "")  # of a page on one line, all passages share its text
    for trail, section in _sections(blocks):
        for group in _groups(section, lines, characters):
            first, last = group[0].first, group[-1].last
            if cached[:2] != (first, last):
                cached = (first, last, lines.between(first, last))
            shown = "\n\n".join("\n".join(row.text for row in block.rows) for block in group if block.rows)
            found.append(Passage(trail, first, last, cached[2], shown))
    return tuple(found)


def _sections(blocks: list[Block]) -> Iterator[tuple[tuple[str, ...], list[Block]]]:
    """Each section's trail and its own blocks, the heading first, what stands under smaller headings apart."""
    open_ones: list[Block] = []
    section: list[Block] = []
    for block in blocks:
        if block.level:
            bare = len(section) == 1 and 0 < section[0].level < block.level
            if section and not bare:
                yield _trail(open_ones), section
            while open_ones and open_ones[-1].level >= block.level:
                open_ones.pop()
            open_ones.append(block)
            section = []
        section.append(block)
    if section:
        yield _trail(open_ones), section


def _trail(open_ones: list[Block]) -> tuple[str, ...]:
    return tuple(block.title for block in open_ones if block.title)


def _groups(section: list[Block], lines: Lines, characters: int) -> Iterator[list[Block]]:
    """The blocks of a section, put together to passages; a heading stays with what follows it."""
    pieces = [piece for block in section for piece in _pieces(block, lines, characters)]
    left = sum(piece.characters + _JOINT for piece in pieces)
    group: list[Block] = []
    size = 0
    for piece in pieces:
        grown = size + piece.characters
        alone = len(group) == 1 and group[0].level
        full = grown > characters and size + left > characters * 5 // 4
        # little that leads over to a large block stays with it
        if group and not alone and full and (size >= characters // 4 or grown > characters * 3 // 2):
            yield group
            group, size = [], 0
        group.append(piece)
        size += piece.characters + _JOINT
        left -= piece.characters + _JOINT
    yield group


def _pieces(block: Block, lines: Lines, characters: int) -> list[Block]:
    """The block, or runs of its lines of the size of a passage when it is too large to be left whole."""
    if block.characters <= _UNCUT * characters:
        return [block]
    return _cut_rows(block.rows, characters) if block.rows else _cut_lines(block, lines, characters)


def _cut_lines(block: Block, lines: Lines, characters: int) -> list[Block]:
    pieces = []
    begun = block.first
    for line in range(block.first + 1, block.last + 1):
        if lines.size(begun, line) > characters:
            pieces.append(block_of(lines, begun, line - 1))
            begun = line
    pieces.append(block_of(lines, begun, block.last))
    return [piece for piece in pieces if piece is not None]


def _cut_rows(rows: tuple[Row, ...], characters: int) -> list[Block]:
    pieces = []
    begun = size = 0
    for number, row in enumerate(rows):
        if number > begun and size + len(row.text) > characters:
            pieces.append(_of_rows(rows[begun:number], size))
            begun, size = number, 0
        size += len(row.text) + 1
    pieces.append(_of_rows(rows[begun:], size))
    return pieces


def _of_rows(rows: tuple[Row, ...], size: int) -> Block:
    return Block(rows[0].first, rows[-1].last, size, rows=rows)
