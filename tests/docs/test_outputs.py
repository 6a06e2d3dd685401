"""Every terminal output in README.md and docs/ is what its command writes today."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


def _script(name: str) -> ModuleType:
    place = Path(__file__).resolve().parents[2] / "scripts" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


outputs = _script("docs_outputs")
MADE = "<!-- Made by scripts/generate_docs.py"
BLOCKS = [block for page in outputs.pages() for block in outputs.blocks(page)]


def _named(block: Any) -> str:
    return f"{block.page.relative_to(outputs.ROOT)}:{block.line}"


@pytest.mark.parametrize(
    "page", sorted({block.page for block in BLOCKS if block.command}), ids=lambda page: page.name
)
def test_outputs(page: Path) -> None:
    """Each block shows what its command writes, apart from times, versions and places; `make docs` brings it up to date."""
    for block, output in outputs.outputs_of(page):
        assert outputs.comparable(block.text) == outputs.comparable(output), block.command


def test_no_output_without_a_run() -> None:
    """No page that is written by hand shows an output of which nobody knows where it comes from."""
    unknown = [block for block in BLOCKS if block.command is None]
    assert [_named(block) for block in unknown if MADE not in block.page.read_text("utf-8")] == []


def test_a_changed_output_is_noticed(tmp_path: Path) -> None:
    """A page whose output is not what the command writes is told apart, and is mended."""
    page = tmp_path / "page.md"
    page.write_text(
        "# Page\n\n<!-- run: readingroom version -->\n```text\nReading Room 9.9.9\nand nonsense\n```\n\nMore.\n\n"
        "<!-- not run: another program's -->\n```console\nx\n```\n\n```text\nfrom nowhere\n```\n",
        "utf-8",
    )
    ours, theirs, unknown = outputs.blocks(page)
    assert (ours.command, theirs.command, unknown.command) == ("readingroom version", "", None)
    ((_, output),) = outputs.outputs_of(page)
    assert outputs.comparable(ours.text) != outputs.comparable(output)
    mended = outputs.refreshed(page)
    assert "nonsense" not in mended
    assert "Model Context Protocol 2026-07-28" in mended
    page.write_text(mended, "utf-8")
    assert outputs.refreshed(page) == mended


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "scanned  2026-11-30 10:00:00, just now, in 0.1 s",
            "scanned  2027-01-02 23:59:59, 5 minutes ago, in 12.3 s",
        ),
        ("Reading Room 0.1.0", "Reading Room 1.12.3"),
        ("the index has 12 KB", "the index has 1.3 MB"),
    ],
)
def test_what_differs_from_run_to_run(one: str, other: str) -> None:
    """Times, versions and sizes are no difference."""
    assert outputs.comparable(one) == outputs.comparable(other)


@pytest.mark.parametrize(
    ("one", "other"), [("lines 10-20", "lines 10-21"), ("38 documents", "39 documents"), ("a", "b")]
)
def test_what_does_not(one: str, other: str) -> None:
    """Lines, counts and texts are a difference."""
    assert outputs.comparable(one) != outputs.comparable(other)


def test_only_our_programs_are_run(tmp_path: Path) -> None:
    """A page cannot make the tests run something else."""
    page = tmp_path / "page.md"
    page.write_text("<!-- run: rm -r docs -->\n```text\n```\n", "utf-8")
    with pytest.raises(ValueError, match="only readingroom"):
        outputs.outputs_of(page)
