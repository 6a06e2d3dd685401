"""What the drafts' door refuses becomes a result with a code, and faults of the ledger are told without where it lies."""

from pathlib import Path

import msgspec
import pytest

from readingroom.desk import draft_telling as telling
from readingroom.library import (
    DRAFT_CODES,
    BadQuery,
    Candidate,
    DraftRefused,
    FolderUnusable,
    IndexBusy,
    LedgerBusy,
    LedgerFull,
    LedgerUnusable,
    LibraryError,
)
from readingroom.library.drafts import bounds
from readingroom.library.drafts.model import PREFIX

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "drafts.md"


def refusing(error: LibraryError) -> tuple[dict[str, object], str]:
    """The structured content and the text of a refusal to write."""

    def write() -> object:
        raise error

    result = telling.written(write)  # type: ignore[arg-type]  # it gives nothing
    assert result.is_error
    structured: dict[str, object] = msgspec.json.decode(msgspec.json.encode(result.structured))
    (block,) = msgspec.to_builtins(result.content)
    return structured, block["text"]


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (LedgerBusy("/home/a/ledger.db is held"), "ledger_busy", "send the same call again"),
        (LedgerFull("/home/a/ledger.db is full"), "ledger_full", "no room"),
        (LedgerUnusable("/home/a/ledger.db is broken"), "ledger_unusable", "in its log"),
        (FolderUnusable("The folder cannot be read."), "folder_unusable", "The folder cannot be read."),
        (BadQuery("Only editors keep drafts."), "bad_argument", "Only editors keep drafts."),
        (IndexBusy("The index is busy."), "not_possible", "The index is busy."),
    ],
)
def test_faults_are_told_by_code(
    error: LibraryError, code: str, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    """In words of our own where the library's would name a place on the disk; that goes to the log when it needs mending."""
    structured, text = refusing(error)
    assert structured == {"code": code}
    known = "NOT KNOWN WHETHER SAVED" if code == "ledger_unusable" else "NOT SAVED"
    assert text.startswith(f"{known} ({code}). ")
    assert words in text
    assert "/home" not in text
    logged = [record.getMessage() for record in caplog.records]
    assert logged == (["/home/a/ledger.db is broken"] if code == "ledger_unusable" else [])


def test_a_refusal_says_what_is_wrong_and_what_to_do() -> None:
    """With the places that were meant, each on a line of its own, whatever it says."""
    places = (Candidate(3, "ten\ncents `", 2), Candidate(4, "cents"))
    structured, text = refusing(DraftRefused("edit_ambiguous", "It occurs twice.", places))
    assert structured == {
        "code": "edit_ambiguous",
        "candidates": [{"line": 3, "text": "ten\ncents `", "edit": 2}, {"line": 4, "text": "cents"}],
    }
    assert text == (
        f"NOT SAVED (edit_ambiguous). It occurs twice. {DRAFT_CODES['edit_ambiguous']}\n\nPlaces in the document:\n\n"
        "- edit 2, line 3\n  > ten cents `\n- line 4\n  > cents"
    )


def test_every_code_is_documented() -> None:
    """With the words that a refusal says; and nothing is documented that there is not."""
    rows = [
        line
        for line in PAGE.read_text("utf-8").splitlines()
        if line.startswith("| `") and line.count("|") == 3
    ]
    told = {row.split("|")[1].strip(" `"): row.split("|")[2].strip() for row in rows}
    for code, words in DRAFT_CODES.items():
        assert told[code] == words
    codes = {code for code, _ in telling._FAULTS.values()} - set(DRAFT_CODES)
    assert codes < set(told)


@pytest.mark.parametrize(
    ("start", "most", "part", "following"),
    [
        (0, 100, "ab\ncd\nef", None),
        (0, 4, "ab\n", 3),
        (3, 4, "cd\n", 6),
        (6, 4, "ef", None),
        (0, 1, "a", 1),
        (0, 3, "ab\n", 3),
    ],
)
def test_cutting(start: int, most: int, part: str, following: int | None) -> None:
    """Whole lines where they fit, else as much of one as does."""
    assert telling.cut("ab\ncd\nef", start, most) == (part, following)


def test_where_drafts_are() -> None:
    """The desk and the library have one address for a draft, and a draft is named by it or by its id."""
    assert telling.DRAFTS == PREFIX
    assert telling.id_of(f"{PREFIX}d-x") == telling.id_of("d-x") == "d-x"


def test_every_bound_is_documented() -> None:
    """As it is."""
    told = PAGE.read_text("utf-8").partition("## Bounds")[2].partition("\n## ")[0]
    for value in (
        f"| {bounds.DRAFT_BYTES // 1024} KiB |",
        f"| edits of a draft | {bounds.EDITS} |",
        f"| a note | {bounds.NOTE_CHARACTERS:,} characters |",
        f"| open drafts of one principal | {bounds.OPEN_DRAFTS} |",
        f"| {bounds.DAY_BYTES // 1024**2} MiB |",
        f"| a new path | {bounds.PATH_BYTES:,} bytes |",
        f"| a name in it | {bounds.NAME_BYTES} bytes |",
        f"| folders in it | {bounds.DEPTH} |",
    ):
        assert value in told
