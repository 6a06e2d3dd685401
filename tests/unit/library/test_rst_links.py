"""Links of reStructuredText: embedded targets, roles, explicit targets; none in literals."""

import pytest

from readingroom.library.lines import Lines
from readingroom.library.model import Link
from readingroom.library.rst_links import links


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See `the rules <rules.rst>`_.\n", [("rules.rst", "the rules", 1)]),
        ("See `the rules <rules.rst#late>`__.\n", [("rules.rst#late", "the rules", 1)]),
        ("\nSee `the\nrules\n<rul\nes.rst>`_.\n", [("rules.rst", "the rules", 2)]),
        ("`<https://a.example>`_\n", [("https://a.example", "https://a.example", 1)]),
        (
            ":doc:`guide/intro` and :doc:`Intro <../intro>`\n",
            [("guide/intro.rst", "guide/intro", 1), ("../intro.rst", "Intro", 1)],
        ),
        (":doc:`notes.md`\n", [("notes.md", "notes.md", 1)]),
        (":download:`the file <a.txt>`\n", [("a.txt", "the file", 1)]),
        (
            ".. _Rules: rules.rst\n.. _`Long: name`: https://a.example/b\n",
            [("rules.rst", "Rules", 1), ("https://a.example/b", "Long: name", 2)],
        ),
        ("- `a <b>`_\n\n  text `c <d>`_\n", [("b", "a", 1), ("d", "c", 3)]),
        ("text::\n\n  `no <x>`_\n\n`a <b>`_\n", [("b", "a", 5)]),
        (".. code-block:: rst\n\n   `no <x>`_\n\n.. note::\n\n   `a <b>`_\n", [("b", "a", 7)]),
        ("``a` <b>`_`` `c <d>`_\n", [("d", "c", 1)]),
    ],
)
def test_links_are_told(text: str, expected: list[tuple[str, str, int]]) -> None:
    """Each link has its target, its text and the line where it begins."""
    assert links(Lines(text), 1) == [Link("rst", *link) for link in expected]


@pytest.mark.parametrize(
    "text",
    [
        "`name`_ and name_ and `role text`\n",
        ":ref:`text <label>` and :func:`f <g>`\n",
        "`text <name_>`_\n",
        ".. _name:\n.. _other: name_\n.. __: x\n",
        "``literal `a <b>`_``\n",
        "\\`a <b>`_\n",
        ":doc:`` :doc:` `\n",
        ".. comment `a`\n",
        "`a <b>` without the mark\n",
    ],
)
def test_what_is_no_link_is_not_told(text: str) -> None:
    """References by name, other roles, escapes and literals lead to no document."""
    assert links(Lines(text), 1) == []


def test_lines_above_are_not_read() -> None:
    """Only the lines from the first on hold links, with their numbers in the file."""
    assert links(Lines("`a <b>`_\n`c <d>`_\n"), 2) == [Link("rst", "d", "c", 2)]
