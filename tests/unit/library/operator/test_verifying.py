"""Whether journal, drafts and folder agree: what was forged, altered, cut off, or done past Reading Room is named."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from msgspec.structs import replace

from readingroom.library import Rules
from readingroom.library.ledger import Decision, digest_of
from readingroom.library.operator import DecisionKey, FileFault
from support.publishing import Desk, seated

OLD, NEW, OTHER = b"# Old\n", b"# New\n", b"# Other\n"
WITHOUT = "Without the passphrase a forged or altered decision cannot be told from a true one."


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A folder with two files."""
    with seated(tmp_path) as desk:
        desk.write("a.md", OLD)
        desk.write("b.md", OLD)
        yield desk


@pytest.fixture
def key(desk: Desk) -> DecisionKey:
    """The key of a chain with four publications."""
    key = desk.begin()
    for kind, path, content, to in (
        ("replace", "a.md", NEW, ""),
        ("create", "c.md", OTHER, ""),
        ("rename", "b.md", None, "x/b.md"),
        ("delete", "c.md", None, ""),
    ):
        outcome = desk.publish(desk.draft(kind, path, content, to), key)  # type: ignore[arg-type]  # words of the table
        assert outcome.decision is not None
    return key


def altered(desk: Desk, *statements: str) -> None:
    """What a program that knows SQL does to the ledger."""
    connection = apsw.Connection(str(desk.ledger.path))
    triggers = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for (trigger,) in triggers:
        connection.execute(f"DROP TRIGGER {trigger}")
    for statement in statements:
        connection.execute(statement)
    connection.close()


def faults(desk: Desk, key: DecisionKey | None) -> list[tuple[int, str]]:
    """The decisions that do not hold."""
    return [(fault.number, fault.kind) for fault in desk.operator.verify(key).journal]


def test_what_was_decided_alone_is_sound(desk: Desk, key: DecisionKey) -> None:
    """With the key and without, which says what it cannot see."""
    verified = desk.operator.verify(key)
    assert (verified.is_sound, verified.is_checked, verified.since, verified.decisions) == (True, True, 1, 5)
    assert verified.notes == ()
    blind = desk.operator.verify(None)
    assert (blind.is_sound, blind.is_checked, blind.notes) == (True, False, (WITHOUT,))


@pytest.mark.parametrize("with_key", [True, False])
def test_files_changed_past_reading_room_are_named(desk: Desk, key: DecisionKey, with_key: bool) -> None:
    """Changed, added, missing, and left out since; each with what it should be and what it is."""
    desk.write("a.md", OTHER)
    desk.write("new.md", NEW)
    (desk.docs / "x/b.md").unlink()
    found = desk.operator.verify(key if with_key else None)
    assert not found.is_sound
    assert found.files == (
        FileFault("a.md", "changed", digest_of(NEW), digest_of(OTHER), "a.md was changed past Reading Room"),
        FileFault("new.md", "added", None, digest_of(NEW), "new.md is there without a decision"),
        FileFault(
            "x/b.md", "missing", digest_of(OLD), None, "x/b.md should be there: nothing stands at that path"
        ),
    )


def test_a_file_that_is_hidden_by_rules_is_named(desk: Desk, key: DecisionKey) -> None:
    """Whoever lets an ignore file leave it out hides no change of it."""
    desk.write("a.md", OTHER)
    desk.write(".readingroomignore", b"a.md\n")
    (fault,) = desk.operator.verify(key).files
    assert (fault.path, fault.kind) == ("a.md", "missing")
    assert fault.text.startswith("a.md should be there: it is not served any more (ignored by")


def test_a_file_that_cannot_be_read_is_named(
    desk: Desk, key: DecisionKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no longer known what it holds."""
    from readingroom.library import walk

    read = walk.read

    def unreadable(root: Any, found: Any, limit: Any = None) -> bytes:
        if found.path == "a.md":
            raise walk.NotReadable("cannot be read")
        return read(root, found, limit)

    monkeypatch.setattr(walk, "read", unreadable)
    (fault,) = desk.operator.verify(key).files
    assert (fault.path, fault.text) == ("a.md", "a.md should be there: it cannot be read")


def test_a_forged_decision_does_not_whitewash_a_file(desk: Desk, key: DecisionKey) -> None:
    """With the key both are named; without, the forged one is taken at its word, and that is said."""
    desk.write("a.md", OTHER)
    with desk.ledger.writing() as writing:
        last = writing.last_decision()
        assert last is not None
        forged = Decision(number=6, at=1.0, kind="publish", operator="anna", chain=1, mac=b"m" * 32)
        writing.append(replace(forged, path="a.md", before=digest_of(NEW), after=digest_of(OTHER)))
    found = desk.operator.verify(key)
    assert [(fault.number, fault.kind) for fault in found.journal] == [(6, "forged")]
    assert [fault.path for fault in found.files] == ["a.md"]
    blind = desk.operator.verify(None)
    assert blind.files == ()
    assert blind.notes == (WITHOUT,)


def test_an_altered_decision_is_named(desk: Desk, key: DecisionKey) -> None:
    """Whatever field it was."""
    altered(desk, "UPDATE decisions SET comment = 'as agreed' WHERE number = 3")
    assert faults(desk, key)[0] == (3, "forged")


def test_decisions_in_another_order_are_named(desk: Desk, key: DecisionKey) -> None:
    """Two that changed places."""
    altered(
        desk,
        "UPDATE decisions SET number = 99 WHERE number = 3",
        "UPDATE decisions SET number = 3 WHERE number = 4",
        "UPDATE decisions SET number = 4 WHERE number = 99",
    )
    assert {number for number, _ in faults(desk, key)} >= {3, 4}


@pytest.mark.parametrize("with_key", [True, False])
def test_a_missing_decision_is_named(desk: Desk, key: DecisionKey, with_key: bool) -> None:
    """By its number; so is the draft that it decided on."""
    altered(desk, "DELETE FROM decisions WHERE number = 3")
    found = desk.operator.verify(key if with_key else None)
    assert (found.journal[0].number, found.journal[0].kind) == (3, "missing")
    assert found.drafts == (
        "The draft d-00000000000000000000000002 of c.md is published, and no decision says so.",
    )


@pytest.mark.parametrize("with_key", [True, False])
def test_decisions_cut_off_at_the_end_are_named(desk: Desk, key: DecisionKey, with_key: bool) -> None:
    """By the drafts and the files that they decided on."""
    altered(desk, "DELETE FROM decisions WHERE number > 2")
    found = desk.operator.verify(key if with_key else None)
    assert found.journal == ()
    assert len(found.drafts) == 3
    assert [(fault.path, fault.kind) for fault in found.files] == [("b.md", "missing"), ("x/b.md", "added")]
    altered(desk, "DELETE FROM drafts WHERE path <> 'a.md'")
    found = desk.operator.verify(key if with_key else None)
    assert found.drafts == ()
    assert len(found.files) == 2


def test_a_draft_that_was_set_back_is_named(desk: Desk, key: DecisionKey) -> None:
    """It would be published a second time."""
    altered(desk, "UPDATE drafts SET state = 'open' WHERE path = 'a.md'")
    assert desk.operator.verify(key).drafts == (
        "The draft d-00000000000000000000000001 of a.md is open, and a decision says otherwise.",
    )


def test_a_journal_that_does_not_begin_is_named(desk: Desk, key: DecisionKey) -> None:
    """Also without the key; there is no manifest to compare with then."""
    altered(desk, "UPDATE decisions SET kind = 'publish' WHERE number = 1")
    blind = desk.operator.verify(None)
    assert [(fault.number, fault.kind) for fault in blind.journal] == [(1, "forged")]
    assert (blind.since, blind.files) == (None, ())
    assert "No manifest holds" in blind.notes[-1]


def test_a_missing_manifest_is_told(desk: Desk, key: DecisionKey) -> None:
    """Nothing can be said of the files."""
    altered(desk, "DELETE FROM manifests")
    found = desk.operator.verify(key)
    assert found.notes == ("The manifest of decision 1 is missing, so the files cannot be compared.",)
    assert found.since is None
    assert found.kept == ("The manifest of decision 1 is missing.",)
    assert not found.is_sound


def test_an_altered_manifest_is_told(desk: Desk, key: DecisionKey) -> None:
    """And all else is looked at all the same."""
    altered(
        desk, "UPDATE manifests SET entries = CAST('{}' AS BLOB)", "DELETE FROM drafts WHERE path = 'a.md'"
    )
    found = desk.operator.verify(key)
    assert found.notes == ("The manifest of decision 1 is altered, so the files cannot be compared.",)
    assert found.kept == ("The manifest of decision 1 is altered.",)
    assert len(found.drafts) == 1


@pytest.mark.parametrize("with_key", [True, False])
@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("UPDATE contents SET bytes = CAST('x' AS BLOB)", "altered"),
        ("DELETE FROM contents", "missing"),
    ],
)
def test_bytes_that_the_ledger_no_longer_keeps_are_named(
    desk: Desk, key: DecisionKey, with_key: bool, statement: str, fault: str
) -> None:
    """Those from before a decision and those that it left: each digest once, with what is lost by it."""
    undone = desk.operator.undo(5, key)
    assert undone.decision is not None
    assert desk.operator.verify(key).is_sound
    for digest, what in (
        (digest_of(NEW), "The bytes of a.md from decision 2"),
        (digest_of(OLD), "The bytes of a.md from before decision 2"),
        (digest_of(OTHER), "The bytes of c.md from decision 3"),
    ):
        altered(desk, f"{statement} WHERE digest = '{digest}'")
        found = desk.operator.verify(key if with_key else None)
        assert f"{what} are {fault}: decisions on them cannot be undone." in found.kept
        assert not found.is_sound
    assert len(found.kept) == 3


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE drafts SET state = 'bogus' WHERE path = 'd.md'", "was altered: there is no state 'bogus'."),
        (
            "UPDATE drafts SET kind = 'merge' WHERE path = 'd.md'",
            "is damaged: there is no kind of draft 'merge'.",
        ),
        (
            "UPDATE contents SET bytes = CAST('x' AS BLOB) WHERE digest = (SELECT digest FROM drafts WHERE path = 'd.md')",
            "is damaged: the text that it proposes is altered in the ledger.",
        ),
        (
            "DELETE FROM contents WHERE digest = (SELECT base FROM drafts WHERE path = 'd.md')",
            "is damaged: the file that it was made against is missing in the ledger.",
        ),
    ],
)
def test_an_open_draft_that_was_altered_is_named(
    desk: Desk, key: DecisionKey, statement: str, said: str
) -> None:
    """Whatever of it can be seen to be wrong."""
    desk.write("d.md", b"# Base\n")
    draft = desk.draft("replace", "d.md", b"# Proposed\n")
    assert desk.operator.verify(key).drafts == ()
    altered(desk, statement)
    assert desk.operator.verify(key).drafts == (f"The draft {draft.id} of d.md {said}",)


def test_a_decided_draft_that_is_gone_is_named(desk: Desk, key: DecisionKey) -> None:
    """By the decision that is about it."""
    altered(desk, "DELETE FROM drafts WHERE path = 'a.md'")
    assert desk.operator.verify(key).drafts == (
        "The draft d-00000000000000000000000001 of a.md, which decision 2 is about, is missing.",
    )


def test_decisions_of_an_earlier_chain_are_counted(desk: Desk, key: DecisionKey) -> None:
    """They are checked as a whole; the folder is compared with the manifest of the newer chain."""
    from readingroom.library.operator import journal, reset_passphrase

    desk.write("a.md", OTHER)
    newer = reset_passphrase(desk.ledger, "anna", "quite another phrase", manifest=desk.operator.manifest())
    found = desk.operator.verify(newer)
    assert (found.is_sound, found.since) == (True, 6)
    assert found.notes[0].startswith("5 decisions were made under earlier passphrases")
    with desk.ledger.reading() as reading:
        assert len(list(journal(reading))) == 6


def test_before_the_first_passphrase_nothing_can_be_compared(desk: Desk) -> None:
    """There is no journal."""
    found = desk.operator.verify(None)
    assert (found.decisions, found.since, found.files) == (0, None, ())


def test_the_manifest_names_what_an_editor_is_served(tmp_path: Path) -> None:
    """Internal documents are in it; what is left out, hidden or of no served format is not."""
    desk = Desk(tmp_path, Rules(internal=("staff/",), leave_out=("drafts/",)))
    desk.write("staff/a.md", OLD)
    desk.write("drafts/b.md", OLD)
    desk.write(".hidden/c.md", OLD)
    desk.write("d.png", OLD)
    assert desk.operator.manifest() == {"staff/a.md": digest_of(OLD)}
