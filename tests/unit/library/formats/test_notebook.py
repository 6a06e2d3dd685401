"""Jupyter notebooks: which of their cells and outputs become text, in which sections, and what is refused."""

import pytest

from readingroom.library.model import Parsed
from readingroom.library.parse import NotText, parse
from readingroom.library.rules import Rules
from support.written import cell, notebook, printed


def told(data: bytes) -> Parsed:
    """What is said of a notebook."""
    return parse("a/b.ipynb", "notebook", data, Rules())


PYTHON = {"kernelspec": {"name": "python3", "language": "python"}, "language_info": {"name": "python"}}


def test_cells_are_sections_of_one_text() -> None:
    """Headings of Markdown cells begin sections; code stands in fences below them, with what it printed."""
    made = told(
        notebook(
            cell("markdown", ["# Tides\n", "\n", "See [more](more.md)."]),
            cell("code", "print(1)", printed("1\n")),
            cell("markdown", "## Moon"),
            cell("code", "2"),
            metadata=PYTHON,
        )
    )
    assert made.text == (
        "# Tides\n\nSee [more](more.md).\n\n```python\nprint(1)\n```\n\n```output\n1\n```\n\n"
        "## Moon\n\n```python\n2\n```\n"
    )
    assert made.title == "Tides"
    assert [(heading.title, heading.first, heading.last) for heading in made.headings] == [
        ("Tides", 1, 17),
        ("Moon", 13, 17),
    ]
    assert [(passage.section, passage.first, passage.last) for passage in made.passages] == [
        (("Tides",), 1, 11),
        (("Tides", "Moon"), 13, 17),
    ]
    assert [(link.target, link.line) for link in made.links] == [("more.md", 3)]


def test_passages_are_the_lines_of_the_text() -> None:
    """A passage's text is exactly that of its lines, whatever line ends the cells have."""
    made = told(notebook(cell("markdown", "# A\r\n\r\none\rtwo"), cell("code", "\n\nx\r\ny\n")))
    lines = made.text.split("\n")
    for passage in made.passages:
        assert passage.text == "\n".join(lines[passage.first - 1 : passage.last])
    assert "\r" not in made.text


def test_an_open_fence_ends_with_its_cell() -> None:
    """What one Markdown cell leaves open does not swallow the headings of the next."""
    made = told(notebook(cell("markdown", "```\nx"), cell("markdown", "# Later")))
    assert [heading.title for heading in made.headings] == ["Later"]


def test_code_is_no_heading_and_closes_no_fence() -> None:
    """A comment in code makes no section, and the fence is longer than any in it."""
    made = told(notebook(cell("code", "# not a title\n```\n````")))
    assert made.text == "`````\n# not a title\n```\n````\n`````\n"
    assert made.headings == ()


def test_of_outputs_little_text_is_kept() -> None:
    """Results, errors and streams are kept to a bound, without colours; pictures are not."""
    result = {"output_type": "execute_result", "data": {"text/plain": ["4", "2"], "image/png": "AAAA"}}
    error = {"output_type": "error", "ename": "KeyError", "evalue": "'x'", "traceback": ["\x1b[31mno"]}
    made = told(
        notebook(cell("code", "f()", result, printed("\x1b[31mred\x1b[0m\n"), error), cell("code", "g()"))
    )
    assert "```output\n42\nred\nKeyError: 'x'\n```" in made.text
    assert "AAAA" not in made.text
    long = told(notebook(cell("code", "f()", printed("line\n" * 500))))
    assert long.text.count("line") == 200
    assert long.text.endswith("line\n…\n```\n")
    broad = told(notebook(cell("code", "f()", printed("x" * 5_000), printed("never"))))
    assert "never" not in broad.text
    assert broad.text.count("x") == 1_000


def test_strange_outputs_are_nothing() -> None:
    """An output whose text is no text is left out."""
    made = told(
        notebook(cell("code", "f()", {"data": {"text/plain": 7}}, {"data": {"text/plain": [1, "a"]}}))
    )
    assert made.text.endswith("```output\na\n```\n")


def test_front_matter_in_the_first_cell_counts() -> None:
    """What a first cell, raw or not, says between dashes are the fields of the document, and no passage."""
    for kind in ("raw", "markdown"):
        front = "---\ntitle: Named\nvisibility: internal\n---"
        made = told(notebook(cell(kind, front), cell("markdown", "## Text\n\n[l](m.md)")))
        assert (made.title, made.visibility) == ("Named", "internal")
        assert [passage.text for passage in made.passages] == ["## Text\n\n[l](m.md)"]
        assert [link.line for link in made.links] == [8]


def test_the_metadata_names_the_notebook() -> None:
    """A title in the metadata comes before the first heading; an odd language marks no fence."""
    made = told(
        notebook(cell("code", "1"), metadata={"title": "T", "language_info": {"name": "x\n```\n# forged"}})
    )
    assert made.title == "T"
    assert made.text == "```\n1\n```\n"


def test_what_no_text_can_hold_is_replaced() -> None:
    """NUL and halves of surrogate pairs, which JSON can name, are not kept."""
    data = notebook(cell("raw", ""), cell("raw", "a\0b"))
    assert "a\ufffdb" in told(data).text


def test_an_empty_notebook_is_found_by_its_name() -> None:
    """Without text, the one passage has the names."""
    made = told(notebook(cell("code", ""), cell("markdown", " \n")))
    assert made.text == ""
    assert [passage.shown for passage in made.passages] == ["b"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no Jupyter notebook"),
        (b"{", "no Jupyter notebook"),
        (b"[]", "no Jupyter notebook"),
        (b"{}", "no Jupyter notebook"),
        (b'{"nbformat": 4, "cells": ' + b"[" * 100_000, "no Jupyter notebook"),
        (b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": {}}]}', "no Jupyter notebook"),
        (notebook(cell("raw", "\ud800")), "no Jupyter notebook"),
        (notebook(form=3), "old format 3"),
        (b"\0\0", "NUL"),
    ],
)
def test_what_is_no_notebook_is_refused(data: bytes, reason: str) -> None:
    """Broken, cut off, nested without end or of an old format: one refusal that says so."""
    with pytest.raises(NotText, match=reason):
        told(data)
