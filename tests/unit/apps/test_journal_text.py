"""The journal in words."""

import pytest

from readingroom.apps.journal_text import decision_lines, verified_lines
from readingroom.library.ledger import Decision
from readingroom.library.operator import FileFault, JournalFault, Verified


def plain(_style: str, text: str) -> str:
    """Paint nothing."""
    return text


def test_nothing_of_a_decision_hides() -> None:
    """Its texts came from apps, or from whoever wrote past us."""
    decision = Decision(
        number=12,
        at=0.0,
        kind="publish",
        operator="an\u202ena",
        chain=1,
        mac=b"",
        draft="d-\x1b[2J",
        principal="a\u200bpp",
        path="a\r.md",
        to="b\n13  forged.md",
        before="sha256:0123456789abcdef",
        comment="one\ntwo\x07",
    )
    first, *comment = decision_lines(decision, plain)
    assert first.startswith(
        "   12  1970-01-01 00:00 UTC  publish  a⟨U+000D⟩.md → b⟨U+000A⟩13  forged.md  01234567 → none"
    )
    assert first.endswith("(draft d-⟨U+001B⟩[2J of a⟨U+200B⟩pp)  by an⟨U+202E⟩na")
    assert comment == ["       one", "       two⟨U+0007⟩"]


@pytest.mark.parametrize("columns", [40, 60, 66])
def test_a_decision_on_a_narrow_terminal(columns: int) -> None:
    """What it did begins on a line of its own, and short words are not torn apart."""
    decision = Decision(
        number=12,
        at=0.0,
        kind="publish",
        operator="anna",
        chain=1,
        mac=b"",
        draft="d-" + "a" * 26,
        principal="desk",
        path="travel/moscow.md",
        before="sha256:" + "01234567" * 8,
        after="sha256:" + "89abcdef" * 8,
    )
    first, *rest = decision_lines(decision, plain, columns)
    assert first == "   12  1970-01-01 00:00 UTC  publish"
    assert all(len(line) <= columns for line in rest)
    told = "\n".join(rest)
    for word in ("travel/moscow.md", "01234567", "89abcdef"):
        assert word in told


def test_a_kind_that_there_is_not() -> None:
    """Whoever writes past us writes nothing that a terminal obeys."""
    (line,) = decision_lines(Decision(number=1, at=0.0, kind="\x1b[2J", operator="", chain=1, mac=b""), plain)  # type: ignore[arg-type]  # no kind of ours
    assert "\x1b" not in line


def test_what_was_found() -> None:
    """Under headings, each behind a sign of ours; what could not be looked at is said, and nothing is said to hold."""
    found = Verified(
        is_checked=True,
        journal=(JournalFault(3, "forged", "decision 3 was not made with the passphrase"),),
        drafts=("The draft d-x is published, and no decision says so.",),
        files=(FileFault("a\x1b.md", "changed", "sha256:1", "sha256:2", "a\x1b.md was changed"),),
        since=1,
        decisions=3,
        notes=("Something could not be looked at.",),
    )
    assert list(verified_lines(found, plain)) == [
        "Decisions that do not hold:",
        "! decision 3 was not made with the passphrase",
        "Drafts that do not agree with the journal:",
        "! The draft d-x is published, and no decision says so.",
        "Files changed past Reading Room:",
        "! a⟨U+001B⟩.md was changed",
        "Something could not be looked at.",
    ]


def test_nothing_was_found() -> None:
    """With the key it held; without, it only looks right."""
    sound = Verified(is_checked=False, journal=(), drafts=(), files=(), since=None, decisions=1, notes=())
    assert list(verified_lines(sound, plain)) == ["All of it looks right: 1 decision."]
