"""What undoing a decision would change is shown before anybody decides it, and so is what stands against it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from readingroom.library import NotFound
from readingroom.library.operator import DecisionKey
from support.publishing import Desk, seated

OLD = b"# Old\n\none\n"
INTERNAL = b"---\nvisibility: internal\n---\n\n# Old\n"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A folder with files."""
    with seated(tmp_path) as desk:
        desk.write("a.md", OLD)
        desk.write("b.md", OLD)
        desk.write("c.md", OLD)
        yield desk


def test_the_change_is_the_other_way_round(desk: Desk, key: DecisionKey) -> None:
    """Of each kind, with the warnings of a draft that proposed it."""
    for draft in (
        desk.draft("replace", "a.md", INTERNAL),
        desk.draft("create", "n.md", OLD),
        desk.draft("delete", "b.md"),
        desk.draft("rename", "c.md", to="d.md"),
    ):
        assert desk.publish(draft, key).decision is not None
    replace, create, delete, rename = map(desk.operator.show_undo, (2, 3, 4, 5))
    assert (replace.kind, replace.before, replace.after) == ("replace", INTERNAL.decode(), OLD.decode())
    assert ("-", "visibility: internal") in [
        (row.kind, row.text) for hunk in replace.hunks for row in hunk.rows
    ]
    assert any("becomes public" in sentence for sentence in replace.warnings)
    assert (create.kind, create.path, create.after) == ("delete", "n.md", None)
    assert any("is deleted" in sentence for sentence in create.warnings)
    assert (delete.kind, delete.path, delete.after, delete.warnings) == ("create", "b.md", OLD.decode(), ())
    assert (rename.kind, rename.path, rename.to, rename.hunks) == ("rename", "d.md", "c.md", ())
    assert any("moves to c.md" in sentence for sentence in rename.warnings)
    assert {one.against for one in (replace, create, delete, rename)} == {()}
    assert desk.operator.undo(2, key).decision is not None
    assert any("becomes internal" in sentence for sentence in desk.operator.show_undo(6).warnings)


def test_what_stands_against_it(desk: Desk, key: DecisionKey) -> None:
    """No file, undone already, a file that has changed or is gone, and something in its place."""
    desk.publish(desk.draft("replace", "a.md", INTERNAL), key)
    desk.publish(desk.draft("delete", "b.md"), key)
    assert desk.operator.show_undo(1).against == ("Decision 1 changed no file.",)
    assert desk.operator.show_undo(1).kind is None
    desk.write("a.md", b"else\n")
    desk.write("b.md", b"else\n")
    assert desk.operator.show_undo(2).against == ("a.md is not what decision 2 left: it has changed since.",)
    assert desk.operator.show_undo(3).against == ("There is something at b.md already.",)
    desk.write("a.md", INTERNAL)
    desk.operator.undo(2, key)
    assert desk.operator.show_undo(2).against == (
        "Decision 2 has been undone by decision 4; that one can be undone.",
    )
    with pytest.raises(NotFound, match="no decision 9"):
        desk.operator.show_undo(9)


def test_bytes_that_are_gone_or_no_text(
    desk: Desk, key: DecisionKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no difference then, and bytes that the ledger has lost cannot come back."""
    desk.write("a.md", b"\x00\x01\n")
    desk.publish(desk.draft("replace", "a.md", OLD), key)
    shown = desk.operator.show_undo(2)
    assert (shown.is_text, shown.hunks, shown.against) == (False, (), ())
    assert any("cannot be read as text" in sentence for sentence in shown.warnings)
    monkeypatch.setattr(
        "readingroom.library.ledger.reading.LedgerReading.content_fault", lambda *_: "missing"
    )
    lost = desk.operator.show_undo(2)
    assert lost.against == ("What stood at a.md before is missing in the ledger.",)
    assert (lost.is_text, lost.warnings) == (False, ())


def test_a_refusal_names_the_file(desk: Desk, key: DecisionKey) -> None:
    """Also when there is nothing to undo."""
    desk.publish(desk.draft("replace", "a.md", INTERNAL), key)
    desk.operator.undo(2, key)
    assert desk.operator.undo(2, key).path == "a.md"
    assert desk.operator.undo(1, key).path == "decision 1"
