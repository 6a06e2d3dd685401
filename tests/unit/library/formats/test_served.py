"""Converted documents through the library's door: found, read by line and section, and refused one by one."""

import hashlib
from pathlib import Path

import pytest

from readingroom.library import NotFound
from readingroom.library.operator import status
from support.shelves import Shelves, found, paths, view
from support.written import cell, notebook

NOTEBOOK = notebook(
    cell("markdown", "# Tides\n\ntext"), cell("markdown", "## Moon\n\npull"), cell("code", "pull()")
)


def test_a_notebook_is_found_and_read_like_any_document(tmp_path: Path) -> None:
    """Hits, lines, sections and the whole are of the one text; the revision is that of the file's bytes."""
    shelves = Shelves(tmp_path)
    shelves.write("sea/tides.ipynb", NOTEBOOK)
    with shelves.scanned() as library:
        seen = view(library)
        (hit,) = seen.search("pull").items
        assert (hit.path, hit.section, hit.lines) == ("sea/tides.ipynb", ("Tides", "Moon"), (5, 11))
        assert hit.revision == "sha256:" + hashlib.sha256(NOTEBOOK).hexdigest()
        part = seen.read(hit.path, lines=hit.lines)
        assert part.text == hit.text
        assert (part.total_lines, part.section) == (11, ("Tides", "Moon"))
        assert seen.read(hit.path, section="Moon").text == hit.text
        assert [heading.title for heading in seen.outline(hit.path).headings] == ["Tides", "Moon"]
        assert seen.whole(hit.path)[1].startswith("# Tides\n")


def test_a_changed_one_is_read_as_it_stands_now(tmp_path: Path) -> None:
    """Before the next scan, its text is that of its new bytes; broken by now, it is not there."""
    shelves = Shelves(tmp_path)
    shelves.write("a.ipynb", NOTEBOOK)
    with shelves.scanned() as library:
        shelves.write("a.ipynb", notebook(cell("raw", "anew")), at=None)
        assert view(library).read("a.ipynb").text == "anew"
        shelves.write("a.ipynb", b"{", at=None)
        with pytest.raises(NotFound):
            view(library).read("a.ipynb")


def test_a_broken_one_is_one_entry_in_status(tmp_path: Path) -> None:
    """It is named with its reason, and everything else is served."""
    shelves = Shelves(tmp_path)
    shelves.write("broken.ipynb", NOTEBOOK[:-20])
    shelves.write("whole.ipynb", NOTEBOOK)
    with shelves.scanned() as library:
        assert paths(library) == ["whole.ipynb"]
        assert found(library, "pull") == ["whole.ipynb"]
        (notice,) = status(library).left_out
        assert notice.path == "broken.ipynb"
        assert "no Jupyter notebook" in notice.reason
