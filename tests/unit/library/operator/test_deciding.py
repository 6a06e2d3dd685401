"""Decisions of the operator: what was approved and nothing else, each by itself, with a journal that says so."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from readingroom.library.errors import LedgerUnusable
from readingroom.library.ledger import Chain, Decision, Publication, digest_of
from readingroom.library.operator import DecisionKey, KeyExpired, deciding, settling
from readingroom.library.operator.chain import journal_digest, journal_faults
from support.publishing import Desk, seated

OLD, NEW, OTHER = b"# Old\n", b"# New\n", b"# Other\n"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A folder with a file and an open chain."""
    with seated(tmp_path, clock=lambda: 77.0) as desk:
        desk.write("a.md", OLD)
        desk.write("ä/b.md", OTHER)
        yield desk


@pytest.fixture
def key(desk: Desk) -> DecisionKey:
    """The key of the chain that begins here."""
    return desk.begin()


def test_publishing_changes_the_file_and_says_so(desk: Desk, key: DecisionKey) -> None:
    """The decision names draft, principal, file and both revisions; the draft is published, with the comment."""
    draft = desk.draft("edit", "a.md", NEW)
    (outcome,) = desk.operator.publish([desk.approval(draft)], key, "well done")
    decision = outcome.decision
    assert decision is not None
    assert (outcome.draft, outcome.path, outcome.code, outcome.text, outcome.notes) == (
        draft.id,
        "a.md",
        "",
        "",
        (),
    )
    assert replace(decision, mac=b"") == Decision(
        number=2,
        at=77.0,
        kind="publish",
        operator="anna",
        chain=1,
        mac=b"",
        draft=draft.id,
        draft_revision=1,
        principal="editor",
        path="a.md",
        before=digest_of(OLD),
        after=digest_of(NEW),
        comment="well done",
    )
    now = desk.read(draft.id)
    assert (now.state, now.comment, now.decided, now.content) == ("published", "well done", 77.0, NEW)
    assert desk.tree() == {"a.md": NEW, "ä": None, "ä/b.md": OTHER}
    assert desk.under_way() == 0


def test_each_kind_of_draft_is_published_and_undone(desk: Desk, key: DecisionKey) -> None:
    """Create, replace, rename and delete with one answer; undone in the reverse order the folder is as it was."""
    before = desk.tree()
    create = desk.draft("create", "x/y/new.md", NEW)
    change = desk.draft("replace", "a.md", NEW)
    rename = desk.draft("rename", "ä/b.md", to="ä/c.md")
    outcomes = desk.operator.publish([desk.approval(one) for one in (create, change, rename)], key)
    assert [outcome.decision is not None for outcome in outcomes] == [True] * 3
    delete = desk.draft("delete", "x/y/new.md")
    assert desk.publish(delete, key).decision is not None
    assert desk.tree() == {"a.md": NEW, "x": None, "x/y": None, "ä": None, "ä/c.md": OTHER}
    for number in (5, 4, 3, 2):
        undone = desk.operator.undo(number, key, "no")
        assert undone.decision is not None, undone
        assert (undone.decision.undoes, undone.decision.comment) == (number, "no")
    assert desk.tree() == {**before, "x": None, "x/y": None}
    assert desk.operator.verify(key).is_sound
    assert [decision.number for decision in desk.operator.history(path="ä/c.md")] == [4, 7]
    assert [decision.number for decision in desk.operator.history(after=3, limit=2)] == [4, 5]


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


def test_one_that_fails_does_not_stop_the_others(desk: Desk, key: DecisionKey) -> None:
    """Each has an outcome of its own, in the order of the approvals."""
    first, second = desk.draft("replace", "a.md", NEW), desk.draft("create", "new.md", NEW)
    missing = replace(desk.approval(first), draft="d-none")
    outcomes = desk.operator.publish(
        [desk.approval(first), desk.approval(first), missing, desk.approval(second)], key
    )
    assert [outcome.code for outcome in outcomes] == ["", "not_open", "draft_not_found", ""]
    assert [outcome.path for outcome in outcomes] == ["a.md", "a.md", "", "new.md"]
    assert [decision.number for decision in desk.operator.history()] == [1, 2, 3]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"revision": 2}, "draft_revision_changed"),
        ({"digest": digest_of(OTHER)}, "approval_mismatch"),
        ({"base": digest_of(OTHER)}, "approval_mismatch"),
        ({"base": None}, "approval_mismatch"),
    ],
)
@pytest.mark.parametrize("how", ["publish", "reject"])
def test_what_was_not_shown_is_not_decided(
    desk: Desk, key: DecisionKey, change: dict[str, Any], code: str, how: str
) -> None:
    """Nothing changes: neither folder nor draft nor journal."""
    draft = desk.draft("replace", "a.md", NEW)
    (outcome,) = getattr(desk.operator, how)([replace(desk.approval(draft), **change)], key)
    assert (outcome.code, outcome.decision) == (code, None)
    assert desk.read(draft.id) == draft
    assert desk.tree()["a.md"] == OLD
    assert len(desk.operator.history()) == 1
    assert desk.under_way() == 0


@pytest.mark.parametrize(
    "fields", [{"to": "b.md"}, {"kind": "create"}, {"kind": "rename"}, {"kind": "delete"}, {"base": None}]
)
def test_a_draft_that_is_none_is_not_published(desk: Desk, key: DecisionKey, fields: dict[str, Any]) -> None:
    """The ledger was altered: what it holds does not go together."""
    draft = replace(desk.draft("replace", "a.md", NEW), **fields)
    if draft.base is None:
        draft = replace(draft, base_content=None)
    desk.put(draft)
    assert desk.publish(draft, key).code == "altered"
    assert desk.tree()["a.md"] == OLD


@pytest.mark.parametrize("path", [".hidden.md", "x/.git/a.md", "../out.md", "a.exe", "x//a.md", "noformat"])
def test_a_path_where_no_document_may_stand_is_refused(desk: Desk, key: DecisionKey, path: str) -> None:
    """Whatever the draft says."""
    before = desk.tree()
    draft = replace(desk.draft("create", "new.md", NEW), path=path)
    desk.put(draft)
    assert desk.publish(draft, key).code == "path_not_served"
    moved = desk.draft("rename", "a.md", to=path)
    assert desk.publish(moved, key).code == "path_not_served"
    assert desk.tree() == before


def test_a_folder_that_is_a_link_or_a_file_is_refused(desk: Desk, key: DecisionKey, tmp_path: Path) -> None:
    """Nothing is made outside."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (desk.docs / "link").symlink_to(outside)
    for path in ("link/new.md", "a.md/new.md"):
        assert desk.publish(desk.draft("create", path, NEW), key).code == "path_not_served"
    assert list(outside.iterdir()) == []


def test_a_file_that_changed_or_grew_or_is_none_is_refused(desk: Desk, key: DecisionKey) -> None:
    """The draft stays open, and is outdated."""
    draft = desk.draft("replace", "a.md", NEW)
    for make in (
        lambda: desk.write("a.md", OTHER),
        lambda: desk.write("a.md", b"x" * (8 * 1024 * 1024 + 1)),
        (desk.docs / "a.md").unlink,
        (desk.docs / "a.md").mkdir,
    ):
        make()
        assert desk.publish(draft, key).code == "base_changed"
    assert desk.read(draft.id).state == "open"
    assert [pending.is_outdated for pending in desk.operator.queue()] == [True]


def test_rejecting_changes_no_file_and_tells_why(desk: Desk, key: DecisionKey) -> None:
    """The comment is for who proposed it; an outdated draft can be rejected, too."""
    first, second = desk.draft("replace", "a.md", NEW), desk.draft("delete", "ä/b.md")
    desk.write("a.md", OTHER)
    outcomes = desk.operator.reject([desk.approval(first), desk.approval(second)], key, "not yet")
    assert [outcome.decision and outcome.decision.kind for outcome in outcomes] == ["reject", "reject"]
    assert desk.read(first.id).state == "rejected"
    assert desk.read(second.id).comment == "not yet"
    assert desk.tree() == {"a.md": OTHER, "ä": None, "ä/b.md": OTHER}


def test_a_key_that_is_spent_or_of_another_chain_decides_nothing(desk: Desk, key: DecisionKey) -> None:
    """Whatever was asked for raises, and the passphrase can be asked for again."""
    draft = desk.draft("replace", "a.md", NEW)
    other = DecisionKey(b"k" * 32, Chain(number=1, salt=b"", n=2, r=1, p=1, check=b"x", began=1.0))
    spent = desk.key()
    spent.forget()
    for bad in (other, spent):
        for decide in (
            lambda bad: desk.operator.publish([desk.approval(draft)], bad),
            lambda bad: desk.operator.reject([desk.approval(draft)], bad),
            lambda bad: desk.operator.undo(1, bad),
            desk.operator.accept,
        ):
            with pytest.raises(KeyExpired):
                decide(bad)
    assert len(desk.operator.history()) == 1
    assert desk.tree()["a.md"] == OLD


def test_a_key_that_ends_between_two_leaves_the_first_decided(
    desk: Desk, key: DecisionKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The outcomes say which."""
    drafts = [desk.draft("create", f"{name}.md", NEW) for name in ("x", "y", "z")]
    clear_up = deciding.clear_up

    def ended(*args: Any) -> Any:
        key.forget()
        return clear_up(*args)

    monkeypatch.setattr(deciding, "clear_up", ended)
    outcomes = desk.operator.publish([desk.approval(draft) for draft in drafts], key)
    assert [outcome.code for outcome in outcomes] == ["", "key_expired", "key_expired"]


def test_a_key_that_ends_midway_takes_everything_back(
    desk: Desk, key: DecisionKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file was there for a moment; without the signature it does not stay."""
    draft = desk.draft("replace", "a.md", NEW)
    between(monkeypatch, key.forget)
    with pytest.raises(KeyExpired):
        desk.publish(draft, key)
    assert desk.tree()["a.md"] == OLD
    assert desk.read(draft.id).state == "open"
    assert desk.under_way() == 0


def between(monkeypatch: pytest.MonkeyPatch, act: Any) -> None:
    """Let `act` happen after the folder was changed and before the decision is kept."""
    carry_out = deciding.carry_out

    def carried(*args: Any) -> None:
        carry_out(*args)
        act()

    monkeypatch.setattr(deciding, "carry_out", carried)


@pytest.mark.parametrize(
    ("fields", "code"),
    [({"revision": 2}, "draft_revision_changed"), ({"state": "withdrawn"}, "not_open")],
)
def test_a_draft_that_changes_midway_is_not_published(
    desk: Desk, key: DecisionKey, monkeypatch: pytest.MonkeyPatch, fields: dict[str, Any], code: str
) -> None:
    """Its editor was faster; the folder is as it was."""
    draft = desk.draft("replace", "a.md", NEW)
    between(monkeypatch, lambda: desk.put(replace(draft, **fields)))
    assert desk.publish(draft, key).code == code
    assert desk.tree()["a.md"] == OLD
    assert desk.under_way() == 0


def test_who_ends_the_program_midway_leaves_nothing_behind(
    desk: Desk, key: DecisionKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C is handed on after all has been taken back."""
    draft = desk.draft("replace", "a.md", NEW)

    def end() -> None:
        raise KeyboardInterrupt

    between(monkeypatch, end)
    with pytest.raises(KeyboardInterrupt):
        desk.publish(draft, key)
    assert desk.tree()["a.md"] == OLD
    assert desk.under_way() == 0


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


def test_a_turn_that_cannot_be_had_is_told(desk: Desk, key: DecisionKey) -> None:
    """The file that is locked cannot be opened."""
    desk.ledger.path.with_name("publishing.lock").mkdir()
    with pytest.raises(LedgerUnusable, match="cannot be locked"):
        desk.publish(desk.draft("replace", "a.md", NEW), key)


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


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE contents SET bytes = CAST('x' AS BLOB) WHERE digest = (SELECT digest FROM drafts WHERE path = 'a.md')",
        "UPDATE contents SET bytes = CAST('x' AS BLOB) WHERE digest = (SELECT base FROM drafts WHERE path = 'a.md')",
        "DELETE FROM contents WHERE digest = (SELECT digest FROM drafts WHERE path = 'a.md')",
        "UPDATE drafts SET kind = 'merge' WHERE path = 'a.md'",
        "UPDATE drafts SET target = 'c.md' WHERE path = 'a.md'",
    ],
)
def test_a_damaged_draft_harms_no_other_and_can_be_rejected(
    desk: Desk, key: DecisionKey, statement: str
) -> None:
    """It waits among the others, is shown without its text and with what is wrong, and is not published."""
    import apsw

    damaged, whole = desk.draft("replace", "a.md", NEW), desk.draft("create", "n.md", b"# Whole\n")
    connection = apsw.Connection(str(desk.ledger.path))
    connection.execute("DROP TRIGGER contents_stay")
    connection.execute(statement)
    connection.close()
    assert [(one.draft.id, one.is_outdated) for one in desk.operator.queue()] == [
        (damaged.id, True),
        (whole.id, False),
    ]
    shown = desk.operator.show(damaged.id)
    assert (shown.before, shown.after, shown.hunks, shown.is_outdated) == (None, None, (), True)
    assert shown.outdated[0].startswith("The draft is damaged: ")
    approvals = [shown.approval, desk.operator.show(whole.id).approval]
    refused, done = desk.operator.publish(approvals, key)
    assert (refused.code, refused.decision) == ("altered", None)
    assert done.decision is not None
    assert desk.tree()["a.md"] == OLD
    (rejected,) = desk.operator.reject([shown.approval], key)
    assert rejected.decision is not None
    assert desk.operator.queue() == ()


def test_a_publication_that_is_not_there_needs_no_settling(desk: Desk, key: DecisionKey) -> None:
    """Another command was faster."""
    assert settling.settle(desk.docs, desk.ledger, "none") == (None, ())


def test_a_journal_without_a_beginning_is_not_added_to(desk: Desk) -> None:
    """There is a chain and no decision: the journal was cut."""
    with desk.ledger.writing() as writing:
        writing.begin_chain(Chain(number=1, salt=b"", n=2, r=1, p=1, check=b"checked", began=1.0))
    with pytest.raises(KeyExpired):
        desk.publish(desk.draft("replace", "a.md", NEW), desk.key())
    assert desk.tree()["a.md"] == OLD


def test_accepting_begins_a_new_manifest(desk: Desk, key: DecisionKey) -> None:
    """The folder as it is now is right; the decision names the digest of its manifest."""
    desk.write("a.md", OTHER)
    desk.write("ä/new.md", NEW)
    assert not desk.operator.verify(key).is_sound
    decision = desk.operator.accept(key, "I did that")
    assert (decision.kind, decision.number, decision.comment) == ("accept", 2, "I did that")
    with desk.ledger.reading() as reading:
        assert reading.manifest(decision.manifest) == {
            "a.md": digest_of(OTHER),
            "ä/b.md": digest_of(OTHER),
            "ä/new.md": digest_of(NEW),
        }
    verified = desk.operator.verify(key)
    assert (verified.is_sound, verified.since) == (True, 2)
    assert journal_faults(desk.operator.history(), key) == ()
