"""What was under way when something came in between: ended or taken back, told, and blocking its file alone."""

import threading
from typing import Any

import pytest
from msgspec.structs import replace

from readingroom.library.errors import LedgerUnusable
from readingroom.library.ledger import Publication, digest_of
from readingroom.library.operator import DecisionKey, deciding, settling
from support.midway import between
from support.publishing import Desk

OLD, NEW, OTHER = b"# Old\n", b"# New\n", b"# Other\n"


def test_a_commit_that_failed_and_was_kept_counts(
    desk: Desk, key: DecisionKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the ledger says when it is looked at anew is what came of it."""
    draft = desk.draft("replace", "a.md", NEW)
    decided = deciding.Deciding._decided

    def failing(*args: Any) -> None:
        decided(*args)
        raise LedgerUnusable("it could not be synced")

    monkeypatch.setattr(deciding.Deciding, "_decided", failing)
    outcome = desk.publish(draft, key)
    assert outcome.decision is not None
    assert outcome.decision.number == 2
    assert desk.tree() == {"a.md": NEW, "ä": None, "ä/b.md": OTHER}
    assert desk.under_way() == 0


def test_a_hidden_file_that_cannot_be_removed_is_removed_by_the_next_command(
    desk: Desk, key: DecisionKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The decision stands."""

    def fail(*_args: Any) -> None:
        raise OSError(5, "Input/output error")

    draft = desk.draft("replace", "a.md", NEW)
    clear_up = deciding.clear_up
    monkeypatch.setattr(deciding, "clear_up", fail)
    outcome = desk.publish(draft, key)
    assert outcome.decision is not None
    assert outcome.notes == ("A hidden file may be left beside it; the next command removes it.",)
    assert desk.under_way() == 1
    monkeypatch.setattr(deciding, "clear_up", clear_up)
    assert desk.operator.recover() == ("A publication at a.md that was interrupted was ended.",)
    assert desk.tree() == {"a.md": NEW, "ä": None, "ä/b.md": OTHER}
    assert desk.operator.recover() == ()


def test_what_cannot_be_settled_yet_is_told_and_blocks_its_file_alone(
    desk: Desk, key: DecisionKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next command tries again; other files can be published meanwhile."""

    def fail(*_args: Any) -> None:
        raise OSError(5, "Input/output error")

    first, second = desk.draft("replace", "a.md", NEW), desk.draft("replace", "ä/b.md", NEW)
    move = desk.draft("rename", "ä/b.md", to="ä/c.md")
    monkeypatch.setattr(settling, "take_back", fail)
    between(monkeypatch, lambda: desk.put(replace(first, revision=2)))
    outcome = desk.publish(first, key)
    assert outcome.code == "unknown"
    assert "could not be taken back yet" in outcome.text
    assert desk.operator.recover() == ("What was under way at a.md could not be ended: Input/output error.",)
    blocked = desk.operator.publish([replace(desk.approval(first), revision=2)], key)
    assert blocked[0].code == "unsettled"
    assert desk.publish(second, key).decision is not None
    monkeypatch.undo()
    assert desk.operator.recover() == (
        "A publication at a.md that was interrupted was taken back; it had not been decided.",
    )
    assert desk.tree()["a.md"] == OLD
    assert desk.publish(move, key).code == "base_changed"


def test_a_file_that_is_being_written_is_settled_later(
    desk: Desk, key: DecisionKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Taking back waits for the other program, and says which file it has open."""
    draft = desk.draft("rename", "a.md", to="c.md")
    change = desk.draft("replace", "ä/b.md", NEW)
    files: list[Any] = []
    between(monkeypatch, lambda: files.append((desk.docs / "ä/b.md").open("r+b")) or key.forget())
    assert desk.publish(change, key).code == "unknown"
    (told,) = desk.operator.recover()
    assert told == (
        "What was under way at ä/b.md could not be ended: Another program has ä/b.md open for writing."
    )
    files[0].close()
    monkeypatch.undo()
    assert len(desk.operator.recover()) == 1
    assert desk.tree()["ä/b.md"] == OTHER
    assert desk.publish(draft, desk.key()).decision is not None


def test_recovery_leaves_what_another_process_has_under_way(
    desk: Desk, key: DecisionKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds the turn, so it is alive."""
    draft = desk.draft("replace", "a.md", NEW)
    told: list[Any] = []

    def other() -> None:
        thread = threading.Thread(target=lambda: told.append(desk.operator.recover()))
        thread.start()
        thread.join()

    between(monkeypatch, other)
    assert desk.publish(draft, key).decision is not None
    assert told == [()]
    assert desk.tree()["a.md"] == NEW


def forged(desk: Desk, **fields: Any) -> None:
    """A publication under way that nobody began."""
    usual = Publication(
        id="0f",
        kind="replace",
        path="a.md",
        before=digest_of(NEW),
        after=digest_of(OLD),
        temporary=".readingroom-0f.tmp",
        began=1.0,
    )
    with desk.ledger.writing() as writing:
        writing.keep(NEW)
        writing.keep(OLD)
        writing.begin(replace(usual, **fields))


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"kind": "create", "before": None},
        {"kind": "delete", "after": None},
        {"kind": "rename", "path": "c.md", "to": "a.md", "before": digest_of(OLD)},
        {"number": 1},
    ],
)
def test_a_publication_that_was_forged_touches_nothing(
    desk: Desk, key: DecisionKey, fields: dict[str, Any]
) -> None:
    """Whoever can write the ledger, and not the folder, gets nothing into the folder or out of it."""
    before = desk.tree()
    forged(desk, **fields)
    assert len(desk.operator.recover()) == 1
    assert desk.tree() == before
    assert desk.under_way() == 0


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"before": "sha256:none"}, "bytes of sha256:none are missing"),
        ({"temporary": "other.md"}, "not ours"),
        ({"temporary": "../.readingroom-0f.tmp"}, "not ours"),
        ({"temporary": "ä/.readingroom-0f.tmp"}, "not ours"),
        ({"path": "../a.md", "temporary": "../.readingroom-0f.tmp"}, "no path of a document"),
        ({"kind": "rename", "to": ".git/config.md"}, "no path of a document"),
    ],
)
def test_a_ledger_that_was_altered_is_told_and_blocks_its_file_alone(
    desk: Desk, key: DecisionKey, fields: dict[str, Any], text: str
) -> None:
    """Other files can be published; what was settled on the way is said with the outcome."""
    forged(desk, **fields)
    (told,) = desk.operator.recover()
    assert text in told
    outcome = desk.publish(desk.draft("replace", "ä/b.md", NEW), key)
    assert outcome.decision is not None
    assert outcome.notes == (told,)
    assert desk.operator.publish([], key) == ()


def test_bytes_that_were_altered_are_told(desk: Desk, key: DecisionKey) -> None:
    """The ledger holds others under that digest."""
    import apsw

    forged(desk)
    connection = apsw.Connection(str(desk.ledger.path))
    connection.execute("DROP TRIGGER contents_stay")
    connection.execute("UPDATE contents SET bytes = ? WHERE digest = ?", (b"evil", digest_of(NEW)))
    connection.close()
    (told,) = desk.operator.recover()
    assert "holds other bytes" in told


def test_a_publication_that_is_not_there_needs_no_settling(desk: Desk, key: DecisionKey) -> None:
    """Another command was faster."""
    assert settling.settle(desk.docs, desk.ledger, "none") == (None, ())
