"""The structure of plain text: paragraphs, which blank lines part. There are no headings and no links to tell."""

from collections.abc import Iterator

from readingroom.library.lines import Lines
from readingroom.library.structure import Mark, Structure, blocks_of


def structure(lines: Lines, first: int) -> Structure:
    """The paragraphs of the lines from `first` on."""
    return Structure(blocks_of(lines, paragraphs(lines, first), first), [])


def paragraphs(lines: Lines, first: int) -> Iterator[Mark]:
    """A mark wherever a line that is not blank follows a blank one."""
    blank = True
    for line in range(first, len(lines) + 1):
        after_blank, blank = blank, lines.is_blank(line)
        if after_blank and not blank:
            yield Mark(line)
