"""Undoing a decision: what it changes is shown and warned of first, and what cannot be undone is told."""

import pytest

from readingroom.apps import exit_codes

from .operator_seat import KEY, Seat


def test_undo(seat: Seat) -> None:
    """What it changes is shown first; the bytes from before come back, and an undo can be undone."""
    before = seat.proposals.documents()
    draft = seat.proposals.edit("a.md", "hello", "hullo")
    seat.run("publish", draft, typed=[("this draft?", "yes"), KEY])
    assert seat.run("undo", "2", typed=[("Undo decision 2?", "no")])[0] == exit_codes.UNDECIDED
    code, shown = seat.run("undo", "2", "--comment", "why", typed=[("Undo decision 2?", "yes"), KEY])
    assert code == exit_codes.OK
    assert "+ hello world" in shown
    assert "Undone: decision 2 on a.md (decision 3)" in shown
    assert seat.proposals.documents() == before
    code, shown = seat.run("undo", "3", typed=[("Undo decision 3?", "yes"), KEY])
    assert code == exit_codes.OK
    assert seat.proposals.text("a.md") == "# Greetings\n\nhullo world\n"
    code, shown = seat.run("undo", "2")
    assert code == exit_codes.UNDECIDED
    assert "! It cannot be undone: Decision 2 has been undone by decision 3; that one can be undone." in shown


def test_an_undo_that_would_be_refused(seat: Seat) -> None:
    """It is told before anybody is asked for a yes or the passphrase."""
    draft = seat.proposals.edit("a.md", "hello", "hullo")
    seat.run("publish", draft, typed=[("this draft?", "yes"), KEY])
    (seat.proposals.root / "a.md").write_text("# By hand\n")
    code, shown = seat.run("undo", "2")
    assert code == exit_codes.UNDECIDED
    assert "! It cannot be undone: a.md is not what decision 2 left: it has changed since." in shown
    (seat.proposals.root / "a.md").unlink()
    assert "It cannot be undone: a.md" in seat.run("undo", "2")[1]


def test_what_undoing_brings_back_is_warned_of(seat: Seat) -> None:
    """As a draft of the same change would be: visibility, what cannot be seen, and text that goes."""
    text = "---\nvisibility: internal\n---\n\n# Greetings\n"
    (seat.proposals.root / "a.md").write_text("# Greetings\n\nse\u200bcret\n")
    draft = seat.proposals.propose("replace", path="a.md", content=text)
    seat.run("publish", draft, typed=[("this draft?", "yes"), KEY])
    shown = seat.run("undo", "2", typed=[("Undo", "no")])[1]
    warned = "! The document becomes public: until now it is internal"
    assert warned in shown
    assert "! Invisible characters stand in what is added or changed: U+200B (line 3)." in shown
    assert shown.index(warned) < shown.index("- visibility: internal")


def test_what_undoing_changes(seat: Seat) -> None:
    """Of a new document, one that was deleted, and one that moved."""
    for kind, path, more in (
        ("create", "n.md", {"content": "# New\n"}),
        ("delete", "b.md", {}),
        ("rename", "sub/c.md", {"to": "d.md"}),
    ):
        draft = seat.proposals.propose(kind, path=path, **more)
        seat.run("publish", draft, typed=[("this draft?", "yes"), KEY])
    shown = [seat.run("undo", str(number), typed=[("Undo", "no")])[1] for number in (2, 3, 4)]
    assert "! The document is deleted: 1 lines go." in shown[0]
    assert "- # New" in shown[0]
    assert "b.md comes back" in shown[1]
    assert "+ see you" in shown[1]
    assert "! The document moves to sub/c.md." in shown[2]


@pytest.mark.parametrize(
    ("number", "code"), [("1", exit_codes.UNDECIDED), ("9", exit_codes.NOTHING), ("x", exit_codes.USAGE)]
)
def test_nothing_to_undo(seat: Seat, number: str, code: int) -> None:
    """A decision that changed no file, or is none."""
    assert seat.run("undo", number)[0] == code
