"""The state of a library in words: counts, freshness, and lists of what is left out and what should be mended."""

import time
from typing import Any

import msgspec
import pytest

from readingroom.apps.characters import width
from readingroom.apps.status_text import status_lines
from readingroom.library.ledger import LedgerLook
from readingroom.library.model import LeftOut
from readingroom.library.operator import Kept, Notice, RoleStatus, Status

from .streams import console

NOW = 1_800_000_000.0
STATUS = Status(
    root="/home/me/articles",
    index="/home/me/.cache/readingroom/abc",
    public=36,
    internal=2,
    roles=(RoleStatus("reader", "ready", 36, NOW - 125, 120_000),),
    left_out=(),
    notices=(),
    began=NOW - 125,
    ended=NOW - 124.5,
    scanning=False,
    trouble="",
)


def shown(everything: bool = False, **fields: Any) -> list[str]:
    """Give the lines for a state with some fields changed."""
    status = msgspec.structs.replace(STATUS, **fields)
    return status_lines(status, console().out, now=NOW, everything=everything)


@pytest.fixture(autouse=True)
def _utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "localtime", time.gmtime)


def test_overview() -> None:
    """The folder, what is in it, what a role can find, how fresh that is, and where the index lies."""
    assert shown() == [
        "/home/me/articles",
        "  documents  36 public, 2 internal",
        "  reader     can find 36 documents; the index has 120 KB",
        "  scanned    2027-01-15 07:57:55, 2 minutes ago, in 0.5 s",
        "  index in   /home/me/.cache/readingroom/abc",
    ]


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ("none", "no index yet"),
        ("building", "still being indexed"),
        ("damaged", "damaged: it is built anew by the next scan"),
    ],
)
def test_states(state: str, told: str) -> None:
    """An index that is not ready says so."""
    assert told in "\n".join(shown(roles=(RoleStatus("reader", state, 1, None, 1),)))


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"began": None, "ended": None}, "scanned    not yet"),
        ({"began": None, "ended": None, "scanning": True}, "scanned    a scan is under way"),
        ({"scanning": True}, "in 0.5 s; a scan is under way"),
        ({"trouble": "OSError: \x1b[2J"}, "trouble    OSError: ⟨U+001B⟩[2J"),
    ],
)
def test_scans(fields: dict[str, Any], told: str) -> None:
    """Whether there was a scan, whether there is one now, and why the last one failed."""
    assert told in "\n".join(shown(**fields))


def test_lists() -> None:
    """Paths and reasons stand in two columns, whatever their script, each on one line."""
    left_out = (
        LeftOut("借阅/旧.bak", "hidden by .gitignore"),
        LeftOut("a\nb", "binary\x1b"),
        LeftOut("x" * 90, "too large"),
    )
    lines = shown(left_out=left_out, notices=(Notice("c.md", "its front matter cannot be read"),))
    at = lines.index("Left out: 3")
    first, second, third, fourth = lines[at + 1 : at + 5]
    begins = [(first, "hidden"), (second, "binary"), (fourth, "too")]
    assert {width(line.partition(word)[0]) for line, word in begins} == {15}
    assert second.startswith("  a⟨U+000A⟩b ")
    assert second.endswith("binary⟨U+001B⟩")
    assert third == "  " + "x" * 90
    assert lines[-3:] == ["", "Warnings: 1", "  c.md  its front matter cannot be read"]


def test_internal_documents_are_named() -> None:
    """The operator sees which documents are internal, and why."""
    found = (Kept("a.md", "it says so"), Kept("staff/b.md", "matches --internal staff/"))
    told = shown(internal_documents=found)[-3:]
    assert told == ["Internal: 2", "  a.md        it says so", "  staff/b.md  matches --internal staff/"]


def test_long_lists_are_cut_unless_all_is_asked_for() -> None:
    """Ten are shown, and the rest is counted."""
    left_out = tuple(LeftOut(f"{number:03}", "hidden") for number in range(1_234))
    assert shown(left_out=left_out)[-1] == "  and 1,224 more: --all lists them"
    assert len(shown(left_out=left_out)) == 5 + 2 + 10 + 1
    assert len(shown(everything=True, left_out=left_out)) == 5 + 2 + 1_234


def test_ledger() -> None:
    """Where it lies and that it is sound, or else what is wrong; nothing is said where there is none."""
    sound = LedgerLook("/home/me/ledger.db", "", 1, 12)
    assert "  ledger     sound, 1 open draft, 12 decisions, in /home/me/ledger.db" in shown(ledger=sound)
    damaged = LedgerLook("/home/me/ledger.db", "The ledger is damaged: \x1b[2J.")
    (line,) = [line for line in shown(ledger=damaged) if line.startswith("  ledger ")]
    assert "The ledger is damaged: " in line
    assert "\x1b" not in line
    assert not [line for line in shown() if line.startswith("  ledger ")]
