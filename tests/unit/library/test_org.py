"""Org files: headlines and what is no part of their titles, blocks that stay whole, the header, and links."""

import pytest

from readingroom.library import org
from readingroom.library.lines import Lines
from readingroom.library.model import Parsed
from readingroom.library.parse import parse
from readingroom.library.rules import Rules


def headings(text: str) -> list[tuple[int, str, int]]:
    """Level, title and line of every headline."""
    found, _ = org.structure(Lines(text), 1)
    return [(block.level, block.title, block.first) for block in found.blocks if block.level]


def blocks(text: str) -> list[tuple[int, int]]:
    """First and last line of every block."""
    found, _ = org.structure(Lines(text), 1)
    return [(block.first, block.last) for block in found.blocks]


def told(text: str) -> Parsed:
    """All that is said of a document."""
    return parse("a/b.org", "org", text.encode(), Rules())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("* One\ntext\n** Two\n", [(1, "One", 1), (2, "Two", 3)]),
        ("* TODO [#A] Buy /new/ oars :boat:sea:\n", [(1, "Buy new oars", 1)]),
        ("* DONE\n", [(1, "", 1)]),
        ("* TODOs\n", [(1, "TODOs", 1)]),
        ("#+TODO: OPEN(o) | SHUT\n* OPEN Door\n* SHUT Gate\n", [(1, "Door", 2), (1, "Gate", 3)]),
        ("*bold* text\n *  no\n", []),
        ("* [[a.org][The A]] and =code=\n", [(1, "The A and code", 1)]),
        ("#+begin_src org\n,* no\n* yes\n#+end_src\n", [(1, "yes", 3)]),
        ("*" * 300 + " deep\n", [(20, "deep", 1)]),
        ("* \n", []),
        ("*  x", [(1, "x", 1)]),
        ("* 日本語 Ж :тег:\n", [(1, "日本語 Ж", 1)]),
    ],
)
def test_headlines(text: str, expected: list[tuple[int, str, int]]) -> None:
    """Stars at the beginning of a line and a blank; keyword, priority and tags are no part of the title."""
    assert headings(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one\ntwo\n\nthree\n", [(1, 2), (4, 4)]),
        ("text\n#+BEGIN_SRC sh\na\n\nb\n#+END_SRC\nafter\n", [(1, 1), (2, 6), (7, 7)]),
        ("* H\n:PROPERTIES:\n:ID: x\n:END:\ntext\n", [(1, 1), (2, 4), (5, 5)]),
        ("text\n| a |\n| b |\ntext\n", [(1, 1), (2, 3), (4, 4)]),
        ("#+begin_quote\na\n", [(1, 2)]),
        ("", []),
    ],
)
def test_blocks(text: str, expected: list[tuple[int, int]]) -> None:
    """Blocks, drawers and tables are whole, whatever blank lines are in them."""
    assert blocks(text) == expected


def test_the_header_tells_of_the_document() -> None:
    """Title, language and tags are its own; a headline is its title where it names none."""
    made = told(
        "#+TITLE: The\n#+title: /Tides/\n#+LANGUAGE: de\n#+FILETAGS: :sea:moon:\n#+KEYWORDS: pull\n\n* H\n"
    )
    assert (made.title, made.language, made.tags) == ("The Tides", "de", ("sea", "moon", "pull"))
    assert told("text\n* H\n").title == "H"
    assert told("---\nvisibility: internal\n---\n* H\n").visibility == "internal"


def test_links() -> None:
    """Targets lead to files and to places in them; those in code are none."""
    made = told(
        "[[file:a.org::*Moon][the moon]] [[./b.org]] [[https://c.example][C]] [[*Tides]] [[#custom]]\n"
        "#+begin_src org\n[[no.org]]\n#+end_src\n"
        "#+begin_quote\n[[d.org]]\n#+end_quote\n* [[e.org][E]]\n[[some name]] [[f.md]]\n"
    )
    assert [(link.target, link.text, link.line) for link in made.links] == [
        ("a.org#Moon", "the moon", 1),
        ("./b.org", "./b.org", 1),
        ("https://c.example", "C", 1),
        ("#Tides", "*Tides", 1),
        ("#custom", "#custom", 1),
        ("d.org", "d.org", 6),
        ("e.org", "E", 8),
        ("#some name", "some name", 9),
        ("f.md", "f.md", 9),
    ]


def test_hostile_lines_cost_no_more_than_others() -> None:
    """Endless openings of everything are read to their end."""
    for piece in ("[[", "[[a", "[[a][", "* ", "*a", ":a:", "#+"):
        told(piece * 100_000)
    told("#+begin_x\n:a:\n" * 20_000)
