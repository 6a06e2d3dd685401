"""AsciiDoc: where a title can stand, what only looks like one, the header, blocks that stay whole, and links."""

import pytest

from readingroom.library import asciidoc
from readingroom.library.lines import Lines
from readingroom.library.model import Parsed
from readingroom.library.parse import parse
from readingroom.library.rules import Rules


def headings(text: str) -> list[tuple[int, str, int, int]]:
    """Level, title, first and last line of every title."""
    found, _ = asciidoc.structure(Lines(text), 1)
    return [(block.level, block.title, block.first, block.last) for block in found.blocks if block.level]


def blocks(text: str) -> list[tuple[int, int]]:
    """First and last line of every block."""
    found, _ = asciidoc.structure(Lines(text), 1)
    return [(block.first, block.last) for block in found.blocks]


def told(text: str) -> Parsed:
    """All that is said of a document."""
    return parse("a/b.adoc", "asciidoc", text.encode(), Rules())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "= Title\n\n== One\n\ntext\n\n=== Two ===\n",
            [(1, "Title", 1, 1), (2, "One", 3, 3), (3, "Two", 7, 7)],
        ),
        ("# Title\n\n## One\n", [(1, "Title", 1, 1), (2, "One", 3, 3)]),
        ("Title\n=====\n\nOne\n---\n\nTwo\n~~~~\n", [(1, "Title", 1, 2), (2, "One", 4, 5), (3, "Two", 7, 8)]),
        ("text\n== no\n", []),
        ("==no\n", []),
        ("== \n", []),
        ("======= seven\n", []),
        ("----\n== no\n----\n\n== yes\n", [(2, "yes", 5, 5)]),
        ("....\n== no\n....\n", []),
        ("////\n== no\n", []),
        ("```ruby\n== no\n```\n== yes\n", [(2, "yes", 4, 4)]),
        ("|===\n|a\n\n== no\n|===\n", []),
        ("====\n== no\n\n----\n====\n----\n\n== no\n====\n\n== yes\n", [(2, "yes", 11, 11)]),
        ("--\n== no\n****\n--\n\n== yes\n", [(2, "yes", 6, 6)]),
        ("[[anchor]]\n[#id.role]\n== One\n", [(2, "One", 1, 3)]),
        ("[discrete]\n== no\n\n== yes\n", [(2, "yes", 4, 4)]),
        (":x: y\n\n== One\n", [(2, "One", 3, 3)]),
        ("// comment\n== One\n", [(2, "One", 1, 2)]),
        ("== [[a]]A *bold* `code` word\n", [(2, "A bold code word", 1, 1)]),
        ("== 日本語 Ж\n", [(2, "日本語 Ж", 1, 1)]),
        ("Text\n-------\n", []),
        (" Text\n-----\n", []),
        ("***\n---\n", []),
        ("Text\n----", [(2, "Text", 1, 2)]),
        ("Text", []),
        ("", []),
    ],
)
def test_titles(text: str, expected: list[tuple[int, str, int, int]]) -> None:
    """Titles begin a block outside of delimited ones; everything else that looks like one is text."""
    assert headings(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one\ntwo\n\nthree\n", [(1, 2), (4, 4)]),
        (".Name\n[source]\n----\na\n\nb\n----\nafter\n", [(1, 7), (8, 8)]),
        ("text\n----\na\n\n----\n", [(1, 2), (3, 3), (5, 5)]),
        ("longer text\n----\na\n\n----\n", [(1, 1), (2, 5)]),
        ("|===\n|a\n\n|b\n|===\n\n* x\n* y\n", [(1, 5), (7, 8)]),
        ("[NOTE]\n\ntext\n", [(1, 1), (3, 3)]),
        (".Only\n", [(1, 1)]),
    ],
)
def test_blocks(text: str, expected: list[tuple[int, int]]) -> None:
    """What stands between delimiters is whole, with the attributes and the title above it."""
    assert blocks(text) == expected


def test_the_header_tells_of_the_document() -> None:
    """Title, language and keywords are its own; an author's line is none of them, and the body's attributes do not count."""
    made = told(
        ":keywords: early\n= The *Title*\nA. Author <a@b.example>\n:lang: de\n:keywords: tides, the moon\n\n"
        ":lang: fr\n\ntext\n"
    )
    assert (made.title, made.language, made.tags) == ("The Title", "de", ("early", "tides", "the moon"))
    assert told(":doctitle: Named\n\ntext").title == "Named"
    assert told("---\ntitle: F\nlang: ru\n---\n= T\n:lang: de\n").language == "ru"


def test_links() -> None:
    """Macros, references and addresses are told with their lines; those in verbatim blocks are not."""
    made = told(
        "See link:a.adoc[the A], xref:b.adoc#x[] and\n<<c.adoc#y,C>>, <<local>>, https://d.example/e[D].\n\n"
        "include::part.adoc[]\n\n----\nlink:no[no]\n----\n\n====\nxref:in.adoc[in]\n====\n\n|===\n|link:cell.adoc[c]\n|===\n"
        "\nxref:bare and \\link:escaped[x]\n"
    )
    assert [(link.target, link.text, link.line) for link in made.links] == [
        ("a.adoc", "the A", 1),
        ("b.adoc#x", "", 1),
        ("c.adoc#y", "C", 2),
        ("#local", "", 2),
        ("https://d.example/e", "D", 2),
        ("part.adoc", "", 4),
        ("in.adoc", "in", 11),
        ("cell.adoc", "c", 15),
    ]


def test_front_matter_keeps_a_document_internal() -> None:
    """As in every text format."""
    assert told("---\nvisibility: internal\n---\n= T\n").visibility == "internal"


def test_hostile_lines_cost_no_more_than_others() -> None:
    """Endless openings of everything are read to their end."""
    for piece in ("link:", "link:a[", "<<", "[[", "<<a,", "*a", "include::", "https://"):
        told(piece * 100_000)
    told("====\n--\n----\n" * 20_000)
