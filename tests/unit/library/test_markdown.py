"""Markdown: headings, blocks and links with their lines."""

import pytest

from readingroom.library import markdown
from readingroom.library.lines import Lines
from readingroom.library.model import Link


def headings(text: str, first: int = 1) -> list[tuple[int, str, int, int]]:
    """Level, title, first and last line of every heading."""
    found = markdown.structure(Lines(text), first)
    return [(block.level, block.title, block.first, block.last) for block in found.blocks if block.level]


def blocks(text: str) -> list[tuple[int, int]]:
    """First and last line of every block."""
    return [(block.first, block.last) for block in markdown.structure(Lines(text), 1).blocks]


def links(text: str) -> list[Link]:
    """The links in order."""
    return markdown.structure(Lines(text), 1).links


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\n\ntext\n\n## B ##\n", [(1, "A", 1, 1), (2, "B", 5, 5)]),
        ("A\n===\n\nB\nstill B\n---\n", [(1, "A", 1, 2), (2, "B still B", 4, 6)]),
        ("#\n\n####### no\n\n#no\n", [(1, "", 1, 1)]),
        (
            "# `code` *and* **more** [link](x) ![pic](y) \\# &amp;\n",
            [(1, "code and more link pic # &", 1, 1)],
        ),
        ("# Title {#anchor .class}\n", [(1, "Title", 1, 1)]),
        ("# [[wiki|shown]]\n", [(1, "shown", 1, 1)]),
        ("```\n# no\n```\n# yes\n", [(1, "yes", 4, 4)]),
        ("~~~\n# no\n```\n# no\n", []),
        ("    # no\n\n# yes\n", [(1, "yes", 3, 3)]),
        ("<div>\n# no\n</div>\n\n# yes\n", [(1, "yes", 5, 5)]),
        ("<!--\n# no\n\n# no\n-->\n# yes\n", [(1, "yes", 6, 6)]),
        ("> # quoted\n\n- # listed\n\n# yes\n", [(1, "yes", 5, 5)]),
        ("# A\r\n\r\ntext\r\n\r\n## B\r\n", [(1, "A", 1, 1), (2, "B", 5, 5)]),
        ("# A\r\rtext\r\rB\r---\r", [(1, "A", 1, 1), (2, "B", 5, 6)]),
        ("# é Ж 日本 🐘\n\nЖ\n\n## ü\n", [(1, "é Ж 日本 🐘", 1, 1), (2, "ü", 5, 5)]),
        ("a\x0b\u2028\x85b\n\n# A\n", [(1, "A", 3, 3)]),
        ("[a]: x\n\n# A\n[b]: y\n", [(1, "A", 3, 3)]),
        ("# A\n# B", [(1, "A", 1, 1), (1, "B", 2, 2)]),
        ("# " + "x" * 500, [(1, "x" * 300 + "…", 1, 1)]),
        ("# a\\\n", [(1, "a\\", 1, 1)]),
        ("A\\\nB\n=\n", [(1, "A B", 1, 3)]),
    ],
)
def test_headings_stand_where_commonmark_has_them(
    text: str, expected: list[tuple[int, str, int, int]]
) -> None:
    """Headings of the top level, in neither code, HTML, lists nor quotations, whatever the line ends."""
    assert headings(text) == expected


def test_lines_count_from_the_top_of_the_file() -> None:
    """What precedes the first line to be read counts in the lines, and is not read."""
    assert headings("---\nx\n---\n# A\n", 4) == [(1, "A", 4, 4)]
    assert headings("# no\n# A\n", 2) == [(1, "A", 2, 2)]


def test_blocks_are_those_of_the_top_level() -> None:
    """Paragraphs, fences, tables, lists and quotations are blocks, with what nobody claims at the end of the one before."""
    text = (
        "para\nmore\n\n```\ncode\n\ncode\n```\ntext\n\n- a\n\n  b\n- c\n\n| x |\n|---|\n| y |\n\n> q\nlazy\n\n***\n\n"
        "[r]: s\n\n# H\n[t]: u\n\nend\n\n[^1]: note\n\n    more\n"
    )
    assert blocks(text) == [
        (1, 2),
        (4, 8),
        (9, 9),
        (11, 14),
        (16, 18),
        (20, 21),
        (23, 25),
        (27, 27),
        (28, 28),
        (30, 30),
        (32, 34),
    ]


def test_links_are_told_with_kind_target_text_and_line() -> None:
    """Inline, reference and automatic links, and wiki links with their parts; images are no links, embedding is."""
    text = (
        'See [the *rules*](rules.md#late "t") and\n[ref][r], [r], [r][].\n<https://a.example/> <me@b.example>\n\n'
        "[[Page]] [[dir/Page#part|shown]] ![[Embedded]] ![image](i.png) [![pic](i.png)](big.md)\n\n"
        "| a |\n|---|\n| [[T\\|t]] |\n\n[r]: other.md\n"
    )
    assert links(text) == [
        Link("markdown", "rules.md#late", "the rules", 1),
        Link("markdown", "other.md", "ref", 2),
        Link("markdown", "other.md", "r", 2),
        Link("markdown", "other.md", "r", 2),
        Link("markdown", "https://a.example/", "https://a.example/", 3),
        Link("markdown", "mailto:me@b.example", "me@b.example", 3),
        Link("wiki", "Page", "Page", 5),
        Link("wiki", "dir/Page#part", "shown", 5),
        Link("wiki", "Embedded", "Embedded", 5),
        Link("markdown", "big.md", "pic", 5),
        Link("wiki", "T", "t", 9),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "`[a](b)` and `[[c]]`\n",
        "```\n[a](b) [[c]]\n```\n",
        "    [[c]]\n",
        "<div>\n[[c]]\n</div>\n",
        "[a]() [] [a][nowhere] \\[a](b) [[]] [[ ]]\n",
        "[[over\ntwo lines]]\n",
        "![a](b.png)\n",
    ],
)
def test_what_is_no_link_is_not_told(text: str) -> None:
    """Code, HTML, escapes, empty targets and references to nothing are no links."""
    assert links(text) == []


def test_links_in_headings_and_lists_have_their_lines() -> None:
    """A link anywhere is told with the line on which it begins."""
    assert links("# A [b](c)\n\n- x\n- y\n  [d](e)\n\n> [f\n> g](h)\n") == [
        Link("markdown", "c", "b", 1),
        Link("markdown", "e", "d", 5),
        Link("markdown", "h", "f g", 7),
    ]
