"""The bounds of drafts are those of the documentation."""

from pathlib import Path

from readingroom.library.drafts import bounds
from readingroom.library.rules import MAX_FILE_BYTES

PAGE = Path(__file__).resolve().parents[4] / "docs" / "reference" / "drafts.md"
TOLD = {
    "the text of a draft: its content, or all its edits together": f"{bounds.DRAFT_BYTES // 1024} KiB",
    "edits of a draft": f"{bounds.EDITS}",
    "the document that comes of it": f"{MAX_FILE_BYTES // 1024**2} MiB",
    "a note": f"{bounds.NOTE_CHARACTERS:,} characters",
    "open drafts of one principal": f"{bounds.OPEN_DRAFTS}",
    "what is kept for one principal in a day: texts, what they were made against, answers": (
        f"{bounds.DAY_BYTES // 1024**2} MiB"
    ),
    "a new path": f"{bounds.PATH_BYTES:,} bytes",
    "a name in it": f"{bounds.NAME_BYTES} bytes",
    "folders in it": f"{bounds.DEPTH}",
}


def test_the_bounds_are_documented() -> None:
    """A change of one is a change of what is promised."""
    text = PAGE.read_text("utf-8")
    table = text[text.index("## Bounds") : text.index("## Refusals")]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    assert dict(rows[1:]) == TOLD
