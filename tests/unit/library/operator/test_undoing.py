"""Undoing a decision: once, by itself a decision, and only as long as the file is what was decided."""

from typing import Any

import pytest
from msgspec.structs import replace

from readingroom.library.ledger import Chain, Decision, digest_of
from readingroom.library.operator import DecisionKey
from readingroom.library.operator.chain import journal_digest
from support.publishing import Desk

OLD, NEW, OTHER = b"# Old\n", b"# New\n", b"# Other\n"


def test_an_undo_can_be_undone_and_nothing_twice(desk: Desk, key: DecisionKey) -> None:
    """What was taken back comes again; a decision that has been undone says by which."""
    desk.publish(desk.draft("replace", "a.md", NEW), key)
    assert desk.operator.undo(2, key).decision is not None
    again = desk.operator.undo(2, key)
    assert (again.code, again.text) == (
        "not_undoable",
        "Decision 2 has been undone by decision 3; that one can be undone.",
    )
    assert desk.operator.undo(3, key).decision is not None
    assert desk.tree()["a.md"] == NEW


def test_what_changed_no_file_cannot_be_undone(desk: Desk, key: DecisionKey) -> None:
    """Nor can a decision that is not there."""
    assert desk.operator.undo(1, key).code == "not_undoable"
    assert desk.operator.undo(9, key).code == "decision_not_found"


@pytest.mark.parametrize("kind", ["replace", "create", "rename", "delete"])
def test_an_undo_after_the_file_has_changed_is_refused(desk: Desk, key: DecisionKey, kind: Any) -> None:
    """What somebody wrote since is not overwritten."""
    path = "new.md" if kind == "create" else "a.md"
    to = "b.md" if kind == "rename" else ""
    content = NEW if kind in ("create", "replace") else None
    assert desk.publish(desk.draft(kind, path, content, to), key).decision is not None
    desk.write(to or path, OTHER)
    before = desk.tree()
    outcome = desk.operator.undo(2, key)
    assert outcome.code == ("exists" if kind == "delete" else "base_changed")
    assert desk.tree() == before
    assert desk.under_way() == 0


def test_an_undo_of_a_forged_decision_is_refused(desk: Desk, key: DecisionKey) -> None:
    """It would put bytes of somebody else's choice into the folder."""
    with desk.ledger.writing() as writing:
        evil = writing.keep(b"# Evil\n")
        forged = Decision(number=2, at=1.0, kind="publish", operator="anna", chain=1, mac=b"m" * 32)
        writing.append(replace(forged, path="a.md", before=evil, after=digest_of(OLD)))
    outcome = desk.operator.undo(2, key)
    assert outcome.code == "not_undoable"
    assert desk.tree()["a.md"] == OLD


@pytest.mark.parametrize("altered", [False, True])
def test_a_decision_of_an_earlier_chain_can_be_undone(desk: Desk, key: DecisionKey, altered: bool) -> None:
    """It cannot be checked singly any more; if anything was altered since the newer chain began, it is refused."""
    desk.publish(desk.draft("replace", "a.md", NEW), key)
    with desk.ledger.writing() as writing:
        chain = Chain(number=2, salt=b"", n=2, r=1, p=1, check=b"second", began=1.0)
        other = DecisionKey(b"o" * 32, chain)
        before = journal_digest(writing.decisions(limit=1) if altered else writing.decisions())
        writing.begin_chain(chain)
        bare = Decision(number=3, at=1.0, kind="reset", operator="anna", chain=2, mac=b"")
        writing.append(replace(bare, mac=other.sign(before, bare)))
    outcome = desk.operator.undo(2, other)
    assert outcome.code == ("not_undoable" if altered else "")
    assert desk.tree()["a.md"] == (NEW if altered else OLD)
