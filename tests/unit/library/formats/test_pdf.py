"""PDF: pages as sections, and every way in which one cannot be read as one refusal that says what to do."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from readingroom.library import extras
from readingroom.library.formats import pdf as reading
from readingroom.library.formats import pdf_reading
from readingroom.library.model import Parsed
from readingroom.library.operator import status
from readingroom.library.parse import NotText, parse
from readingroom.library.rules import Rules
from support.shelves import Shelves, found, paths, view
from support.written import LOCKED, pdf

PAGES = ("The tides rise\nand fall", "", "The moon pulls")


def told(data: bytes) -> Parsed:
    """What is said of a PDF."""
    return parse("a/b.pdf", "pdf", data, Rules())


def test_pages_are_sections() -> None:
    """Each is found under the number by which a viewer opens it, an empty one, too."""
    made = told(pdf(*PAGES))
    assert made.text == (
        "## page 1\n\nThe tides rise\nand fall\n\n## page 2\n\n## page 3\n\nThe moon pulls\n"
    )
    assert [passage.section for passage in made.passages] == [("page 1",), ("page 2",), ("page 3",)]
    assert made.title == "b"
    assert made.warnings == ("1 of its 3 pages have no text",)


def test_the_title_is_the_one_it_names() -> None:
    """But not what programs put there by themselves."""
    assert told(pdf("a", info="/Title (On  Tides)")).title == "On Tides"
    assert told(pdf("a", info="/Title (Microsoft Word - x.doc)")).title == "b"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no PDF"),
        (b"%PDF-1.7\n", "no PDF"),
        (b"\0" * 5_000, "no PDF"),
        (pdf("a")[:120], "no PDF"),
        (pdf("", ""), "2 pages without text.*ocrmypdf"),
        (pdf("a", trailer=LOCKED), "encrypted PDF.*without a password"),
    ],
)
def test_what_cannot_be_read_is_refused(data: bytes, reason: str) -> None:
    """Broken, cut off, locked or of pictures alone."""
    with pytest.raises(NotText, match=reason):
        told(data)


@pytest.mark.parametrize(
    ("data", "reason"), [(b"break", "broke its reader"), (b"nonsense", "broke its reader")]
)
def test_a_reader_that_breaks_is_one_refusal(data: bytes, reason: str, stuck: str) -> None:
    """Whatever becomes of the process that reads, this one goes on."""
    with pytest.raises(NotText, match=reason):
        reading.convert(data, reader=stuck)


def test_a_reader_that_never_ends_is_ended(stuck: str) -> None:
    """A PDF that takes for ever is refused when its time is up."""
    with pytest.raises(NotText, match="in the time"):
        reading.convert(b"stay", seconds=0.2, reader=stuck)


def test_a_reader_that_cannot_start_is_one_refusal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As when the machine has no more processes."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none"))
    with pytest.raises(NotText, match="could not be started"):
        reading.convert(b"")


@pytest.fixture
def stuck(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a reader that does what its input says; it is started where tests are found."""
    run = subprocess.run

    def started(command: list[str], **rest: Any) -> Any:
        place = Path(__file__).parents[3] / "support" / "stuck_reader.py"
        return run([*command[:2], str(place)], **rest)

    monkeypatch.setattr(subprocess, "run", started)
    return "stuck"


def test_bounds_of_pages_and_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """What has more pages or text than any book is refused."""
    monkeypatch.setattr(pdf_reading, "MOST_CHARACTERS", 10)
    assert "more than 10 characters" in pdf_reading.told(pdf("a" * 20)).problem
    monkeypatch.setattr(pdf_reading, "MOST_PAGES", 1)
    assert pdf_reading.told(pdf("a", "b")).problem == "a PDF of 2 pages"


def test_a_page_is_read_by_search_and_by_section(tmp_path: Path) -> None:
    """A hit names its page, and the page can be asked for."""
    shelves = Shelves(tmp_path)
    shelves.write("sea.pdf", pdf(*PAGES))
    with shelves.scanned() as library:
        (hit,) = view(library).search("moon").items
        assert (hit.path, hit.section) == ("sea.pdf", ("page 3",))
        assert view(library).read("sea.pdf", section="page 3").text == hit.text
        assert view(library).read("sea.pdf", lines=hit.lines).section == ("page 3",)


def test_without_its_extra_a_pdf_is_one_entry_in_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says what to install; when that is there, the next scan reads the file."""
    shelves = Shelves(tmp_path)
    shelves.write("sea.pdf", pdf(*PAGES))
    shelves.write("a.md", "# A")
    with monkeypatch.context() as patched:
        extras._is_there.cache_clear()
        patched.setattr(importlib.util, "find_spec", lambda _: None)
        with shelves.scanned() as library:
            assert paths(library) == ["a.md"]
            (entry,) = status(library).left_out
            assert (entry.path, "pip install 'readingroom[pdf]'" in entry.reason) == ("sea.pdf", True)
    extras._is_there.cache_clear()
    with shelves.scanned() as library:
        assert found(library, "tides") == ["sea.pdf"]
