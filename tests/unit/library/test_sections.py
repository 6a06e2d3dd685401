"""Sections: the extents of headings, and passages that are neither too long nor cut where they should be whole."""

import pytest

from readingroom.library import markdown, plain_text, sections
from readingroom.library.lines import Lines
from readingroom.library.model import Heading, Passage
from readingroom.library.structure import Block, Mark, Row, block_of, blocks_of, title_of


def passages(text: str, characters: int = 2_000) -> list[tuple[tuple[str, ...], int, int]]:
    """Trail, first and last line of each passage of a Markdown text."""
    lines = Lines(text)
    found = sections.passages(markdown.structure(lines, 1).blocks, lines, characters)
    assert all(passage.text == lines.between(passage.first, passage.last) for passage in found)
    return [(passage.section, passage.first, passage.last) for passage in found]


def test_headings_reach_to_the_next_of_their_level_or_above() -> None:
    """A section holds the smaller ones under it, with all lines up to the next heading, or to the end."""
    lines = Lines("intro\n\n# A\n\na\n\n### B\nb\n\n## C\n\n# D\n")
    assert sections.headings(markdown.structure(lines, 1).blocks, lines) == (
        Heading(1, "A", 3, 11, lines.size(3, 11)),
        Heading(3, "B", 7, 9, 8),
        Heading(2, "C", 10, 11, 5),
        Heading(1, "D", 12, 12, 3),
    )


def test_a_passage_is_a_section_with_its_trail() -> None:
    """What precedes the first heading has no trail; blank lines at the ends of a section are in no passage."""
    text = "\nintro\n\n# A\n\na\n\n## B\nb\n\n\n### C\nc\n## D\nd\n# E\ne\n\n"
    assert passages(text) == [
        ((), 2, 2),
        (("A",), 4, 6),
        (("A", "B"), 8, 9),
        (("A", "B", "C"), 12, 13),
        (("A", "D"), 14, 15),
        (("E",), 16, 17),
    ]


def test_a_heading_with_nothing_under_it_is_a_passage_only_without_smaller_ones() -> None:
    """Its words are in the trail of what stands below it, or else would be found nowhere."""
    assert passages("# A\n\n## B\n\n## C\nc\n# D\nD\n=\n# E") == [
        (("A", "B"), 3, 3),
        (("A", "C"), 5, 6),
        (("D",), 7, 7),
        (("D",), 8, 9),
        (("E",), 10, 10),
    ]
    assert passages("#\n\n## B\n") == [(("B",), 3, 3)]


def test_levels_may_be_skipped() -> None:
    """A trail holds the headings that are above, whatever their levels."""
    assert passages("### A\na\n# B\nb\n#### C\nc\n## D\nd") == [
        (("A",), 1, 2),
        (("B",), 3, 4),
        (("B", "C"), 5, 6),
        (("B", "D"), 7, 8),
    ]


def test_a_long_section_is_split_between_blocks() -> None:
    """Blocks are put together up to the size; the heading stays with the first of them, the rest has the same trail."""
    paragraph = "x" * 40
    text = "# A\n\n" + f"{paragraph}\n\n" * 6
    assert passages(text, 100) == [(("A",), 1, 5), (("A",), 7, 9), (("A",), 11, 13)]
    assert passages(text, 10_000) == [(("A",), 1, 13)]


def test_a_small_rest_stays_with_what_precedes_it() -> None:
    """A passage may be a quarter larger if that spares a crumb at the end."""
    text = f"# A\n\n{'x' * 80}\n\n{'y' * 20}\n"
    assert passages(text, 100) == [(("A",), 1, 5)]


def test_a_lead_stays_with_the_block_it_leads_to() -> None:
    """A short sentence before a large block is no passage of its own if both together are not much too large."""
    fence = "```\n" + "code\n" * 24 + "```"
    assert passages(f"lead\n\n{fence}\n\n{'x' * 60}\n", 100) == [((), 1, 28), ((), 30, 30)]
    assert passages(f"lead\n\n{fence}\n\n{'x' * 60}\n", 80) == [((), 1, 1), ((), 3, 28), ((), 30, 30)]


@pytest.mark.parametrize(
    "block",
    [
        "```\n" + "code line\n\n" * 12 + "```",
        "| a | b |\n|---|---|\n" + "| c | d |\n" * 12,
        "".join(f"- item {number}\n\n" for number in range(14)),
        "> " + "quoted\n> \n> " * 14 + "end",
        "<div>\n" + "text\n" * 25 + "</div>",
    ],
)
def test_blocks_are_not_cut(block: str) -> None:
    """Fences, tables, lists, quotations and HTML stay whole though they are larger than a passage."""
    text = f"# A\n\n{'x' * 60}\n\n{block}\n\n{'y' * 60}\n"
    first = 5
    last = first + block.rstrip("\n").count("\n")
    assert any(begin <= first and end >= last for _, begin, end in passages(text, 60))


def test_a_block_of_four_times_the_size_is_cut_between_lines() -> None:
    """Beyond that a block is cut at the ends of its lines; no part is larger than a passage, none is blank."""
    text = "```\n" + "x" * 29 + "\n" + ("x" * 29 + "\n\n") * 20 + "```\n"
    found = passages(text, 100)
    assert found[0][1] == 1
    assert found[-1][2] == 43
    lines = Lines(text)
    assert all(lines.size(first, last) <= 100 for _, first, last in found)
    assert not any(lines.is_blank(first) or lines.is_blank(last) for _, first, last in found)
    one_line = "y" * 1_000
    assert passages(f"{one_line}\n{one_line}\nz\n", 100) == [((), 1, 1), ((), 2, 2), ((), 3, 3)]


def test_rows_are_cut_like_lines() -> None:
    """Where rows are shown in place of the source, a large block is cut between rows and keeps their lines."""
    rows = tuple(Row(line, line + 1, "x" * 30) for line in range(1, 21))
    block = Block(1, 21, 620, rows=rows)
    lines = Lines("<p>\n" * 30)
    found = sections.passages([block], lines, 100)
    assert [(passage.first, passage.last) for passage in found] == [
        (1, 4),
        (4, 7),
        (7, 10),
        (10, 13),
        (13, 16),
        (16, 19),
        (19, 21),
    ]
    assert found[0].shown == "\n".join(["x" * 30] * 3)


def test_passages_on_one_line_share_its_text() -> None:
    """Sections that stand on one line of the source each have their own text to show, and the same source."""
    lines = Lines("<h1>A</h1>a<h1>B</h1>b")
    blocks = [
        Block(1, 1, 1, level, text if level else "", (Row(1, 1, text),))
        for level, text in ((1, "A"), (0, "a"), (1, "B"), (0, "b"))
    ]
    found = sections.passages(blocks, lines, 2_000)
    assert found == (Passage(("A",), 1, 1, lines.text, "A\n\na"), Passage(("B",), 1, 1, lines.text, "B\n\nb"))
    assert found[0].text is found[1].text
    assert [heading.last for heading in sections.headings(blocks, lines)] == [1, 1]


def test_plain_text_is_split_at_paragraphs() -> None:
    """Without headings there are passages all the same."""
    lines = Lines(("x" * 30 + "\n\n") * 6)
    found = sections.passages(plain_text.structure(lines, 1).blocks, lines, 70)
    assert [(passage.section, passage.first, passage.last) for passage in found] == [
        ((), 1, 3),
        ((), 5, 7),
        ((), 9, 11),
    ]


def test_nothing_gives_no_passages() -> None:
    """An empty text, or one of blank lines, has none."""
    assert passages("") == passages("\n \n") == []


def test_marks_become_blocks() -> None:
    """Blocks reach from mark to mark without blank lines at their ends; marks inside a heading's lines do not count."""
    lines = Lines("a\n\nb\nH\n=\nc\n\nd\n")
    marks = [Mark(1), Mark(3), Mark(4, 1, "H", 5), Mark(5), Mark(8)]
    assert [(block.first, block.last, block.level) for block in blocks_of(lines, marks, 1)] == [
        (1, 1, 0),
        (3, 3, 0),
        (4, 5, 1),
        (6, 6, 0),
        (8, 8, 0),
    ]
    assert block_of(lines, 2, 2) is None
    assert block_of(lines, 2, 3) == block_of(lines, 3, 3) == Block(3, 3, 1)


def test_a_title_is_one_line_of_bounded_length() -> None:
    """White space becomes single blanks; what is longer than a title is cut."""
    assert title_of(" a\n  b\u00a0c\t") == "a b c"
    assert title_of("x" * 301) == "x" * 300 + "…"
    assert title_of("x" * 300) == "x" * 300
