"""Decisions of the operator: what was approved and nothing else, each by itself, with a journal that says so."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from readingroom.library.errors import LedgerUnusable
from readingroom.library.ledger import Chain, Decision, digest_of
from readingroom.library.operator import DecisionKey, KeyExpired, deciding
from readingroom.library.operator.chain import journal_faults
from support.midway import between
from support.publishing import Desk

OLD, NEW, OTHER = b"# Old\n", b"# New\n", b"# Other\n"


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


def test_a_turn_that_cannot_be_had_is_told(desk: Desk, key: DecisionKey) -> None:
    """The file that is locked cannot be opened."""
    desk.ledger.path.with_name("publishing.lock").mkdir()
    with pytest.raises(LedgerUnusable, match="cannot be locked"):
        desk.publish(desk.draft("replace", "a.md", NEW), key)


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
