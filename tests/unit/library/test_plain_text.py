"""Plain text: paragraphs and nothing else."""

from readingroom.library.lines import Lines
from readingroom.library.plain_text import structure


def test_blank_lines_part_paragraphs() -> None:
    """Each run of lines that are not blank is a block; there are neither headings nor links."""
    found = structure(Lines("\n# a\nb\n\n\n  c [x](y)\n \t\nd"), 1)
    assert [(block.first, block.last, block.level) for block in found.blocks] == [
        (2, 3, 0),
        (6, 6, 0),
        (8, 8, 0),
    ]
    assert found.links == []


def test_reading_begins_where_it_is_told() -> None:
    """Lines above the first are no paragraph."""
    assert [(block.first, block.last) for block in structure(Lines("a\nb\nc\n"), 3).blocks] == [(3, 3)]
    assert structure(Lines("a\n"), 2).blocks == []
    assert structure(Lines(""), 1).blocks == []
