"""What waits for the operator and what is shown of it: the change, what to know before, and what names it exactly."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from readingroom.library import NotFound, Rules
from readingroom.library.drafts.warnings import Around
from readingroom.library.ledger.model import Kind
from readingroom.library.operator import Operator
from support.publishing import Desk, seated

OLD, NEW = b"# Old\n\none\n", b"# Old\n\ntwo\n"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A folder with a file."""
    with seated(tmp_path, Rules(leave_out=("old/",))) as desk:
        desk.write("a.md", OLD)
        yield desk


def test_open_drafts_wait_in_the_order_they_were_made(desk: Desk) -> None:
    """Decided ones do not, and what is outdated says so; all of them, however many."""
    drafts = [desk.draft("create", f"new-{number}.md", NEW) for number in range(120)]
    desk.put(replace(drafts[3], state="withdrawn"))
    desk.write("new-5.md", NEW)
    pending = desk.operator.queue()
    assert [one.draft.id for one in pending] == [draft.id for draft in drafts if draft is not drafts[3]]
    assert [one.draft.path for one in pending if one.is_outdated] == ["new-5.md"]
    assert pending[0].draft.content is None


def test_a_draft_is_shown_with_its_difference(desk: Desk) -> None:
    """Texts before and after, the lines that changed, and no bytes."""
    draft = desk.draft("replace", "a.md", NEW)
    shown = desk.operator.show(draft.id)
    assert (shown.before, shown.after) == (OLD.decode(), NEW.decode())
    rows = [(row.kind, row.text) for hunk in shown.hunks for row in hunk.rows]
    assert ("-", "one") in rows
    assert ("+", "two") in rows
    assert (shown.is_outdated, shown.outdated) == (False, ())
    assert shown.draft == replace(draft, content=None, base_content=None)
    assert shown.approval == desk.approval(draft)


@pytest.mark.parametrize(
    ("kind", "path", "to", "named"),
    [
        ("create", "Old/x.md", "", "old"),
        ("create", "sub/hidden.MD", "", "sub/hidden.md"),
        ("rename", "a.md", "OLD/a.md", "old"),
        ("create", "sub/other.md", "", ""),
        ("create", "new/sub/x.md", "", ""),
        ("create", "A.MD", "", ""),
    ],
)
def test_what_is_left_out_and_differs_by_case_is_named(
    desk: Desk, kind: Kind, path: str, to: str, named: str
) -> None:
    """No app was told of it; the person who publishes is."""
    desk.write("old/x.md", OLD)
    desk.write("sub/hidden.md", OLD)
    desk.write("sub/.gitignore", b"hidden.md\n")
    if (desk.docs / "OLD").exists():
        pytest.skip("this file system does not tell case apart")
    draft = desk.draft(kind, path, None if kind == "rename" else NEW, to=to)
    told = [line for line in desk.operator.show(draft.id).warnings if "differs in case alone" in line]
    assert [line.partition(" is there and left out")[0] for line in told] == ([named] if named else [])


def test_an_outdated_draft_is_shown_against_its_base(desk: Desk) -> None:
    """And why it is outdated, in words."""
    draft = desk.draft("replace", "a.md", NEW)
    desk.write("a.md", b"# Else\n")
    shown = desk.operator.show(draft.id)
    assert shown.is_outdated
    assert shown.outdated == ("a.md has changed since this was shown, or is being written.",)
    assert shown.before == OLD.decode()


def test_a_decided_draft_is_shown_and_never_outdated(desk: Desk) -> None:
    """The folder has gone on."""
    key = desk.begin()
    draft = desk.draft("replace", "a.md", NEW)
    desk.publish(draft, key)
    shown = desk.operator.show(draft.id)
    assert (shown.draft.state, shown.is_outdated) == ("published", False)


def test_a_delete_and_a_rename_are_shown(desk: Desk) -> None:
    """One has nothing after it, the other the same; both are said in words."""
    delete = desk.operator.show(desk.draft("delete", "a.md").id)
    assert (delete.before, delete.after) == (OLD.decode(), None)
    assert any("deleted" in warning for warning in delete.warnings)
    rename = desk.operator.show(desk.draft("rename", "a.md", to="b.md").id)
    assert (rename.before, rename.after, rename.hunks) == (OLD.decode(), OLD.decode(), ())
    assert any("b.md" in warning for warning in rename.warnings)


def test_bytes_that_are_no_text_have_none(desk: Desk) -> None:
    """They are not shown as something else."""
    desk.write("a.md", b"\0\1")
    shown = desk.operator.show(desk.draft("replace", "a.md", NEW).id)
    assert (shown.before, shown.after) == (None, NEW.decode())


def test_who_asks_for_no_draft_is_told(desk: Desk) -> None:
    """There is none."""
    with pytest.raises(NotFound):
        desk.operator.show("d-none")


def test_what_leaves_the_rules_is_said(desk: Desk) -> None:
    """By an ignore file that stands there already, by the rules for a new path, or by what was known before."""
    gone = desk.operator.show(desk.draft("rename", "a.md", to="old/a.md").id)
    assert any("not served any more" in warning for warning in gone.warnings)
    draft = desk.draft("replace", "a.md", NEW)
    desk.write(".gitignore", b"a.md\n")
    assert any("ignored by .gitignore" in warning for warning in desk.operator.show(draft.id).warnings)
    known = Operator(
        desk.docs,
        desk.rules,
        desk.ledger,
        operator="anna",
        around=lambda _draft: Around(left_out="somebody knows why", incoming=(("x.md", 3),)),
    )
    assert any("somebody knows why" in warning for warning in known.show(draft.id).warnings)


def test_a_folder_that_cannot_be_reached_makes_a_draft_outdated(desk: Desk) -> None:
    """What the system says is said."""
    desk.write("x/b.md", OLD)
    draft = desk.draft("replace", "x/b.md", NEW)
    (desk.docs / "x/b.md").unlink()
    (desk.docs / "x").rmdir()
    desk.write("x", OLD)
    shown = desk.operator.show(draft.id)
    assert shown.outdated == ("x/b.md cannot be looked at: Not a directory.",)
