"""Updating and withdrawing a draft: what an update takes, and what is decided is not changed."""

from typing import Any

import msgspec
import pytest

from readingroom.library import DraftEdit, DraftRefused
from readingroom.library.drafts.proposing import propose
from readingroom.library.ledger import Publication
from support.draft_houses import REVISION, TEXT, House, code


def test_an_update_puts_content_edits_or_note_anew(house: House) -> None:
    """The rest stays; the revision goes up and tells who comes too late."""
    info = house.create(note="n")
    house.now = 2000.0
    updated = house.update(info.id, 1, edits=(DraftEdit("two", "2"),))
    assert (updated.draft_revision, updated.note, updated.created, updated.changed) == (
        2,
        "n",
        1000.0,
        2000.0,
    )
    assert house.kept(info.id).content == TEXT.replace(b"two", b"2")
    assert code(lambda: house.update(info.id, 1, note="m")) == "draft_revision_changed"
    assert house.update(info.id, 2, note="").note == ""
    create = house.create("create", "b.md", content="x")
    house.update(create.id, 1, content="y")
    assert house.kept(create.id).content == b"y"


def test_an_update_that_does_not_fit_the_kind_is_refused(house: House) -> None:
    """Or that changes nothing."""
    info = house.create()
    create = house.create("create", "b.md", content="x")
    delete = house.create("delete")
    asked: tuple[dict[str, Any], ...] = (
        {},
        {"note": ""},
        {"edits": (DraftEdit("one", "1"),)},
        {"base_revision": REVISION},
    )
    for arguments in asked:
        assert code(lambda arguments=arguments: house.update(info.id, 1, **arguments)) == "draft_unchanged"
    assert code(lambda: house.update(info.id, 1, edits=(DraftEdit("one", "one"),))) == "nothing_changes"
    assert code(lambda: house.update(info.id, 1, content="x")) == "bad_argument"
    assert code(lambda: house.update(create.id, 1, base_revision=REVISION)) == "bad_argument"
    assert code(lambda: house.update(delete.id, 1, content="x")) == "bad_argument"
    assert code(lambda: house.update(info.id, 1, note="x" * 5000)) == "too_large"


@pytest.mark.parametrize(
    ("kind", "arguments", "wrong", "takes"),
    [
        ("create", {"path": "b.md", "content": "x"}, {"base_revision": REVISION}, "content"),
        ("replace", {"content": "x"}, {"edits": (DraftEdit("one", "1"),)}, "content and base_revision"),
        ("edit", {}, {"content": "x"}, "edits and base_revision"),
        ("rename", {"to": "b.md"}, {"content": "x"}, "base_revision"),
        ("delete", {}, {"edits": (DraftEdit("one", "1"),)}, "base_revision"),
    ],
)
def test_an_update_is_told_what_it_takes(
    house: House, kind: str, arguments: dict[str, Any], wrong: dict[str, Any], takes: str
) -> None:
    """Which is never a path."""
    info = house.create(kind, **arguments)
    with pytest.raises(DraftRefused) as caught:
        house.update(info.id, 1, **wrong)
    assert caught.value.code == "bad_argument"
    assert str(caught.value) == f"The draft is of kind {kind}: besides a note, an update of it takes {takes}."


def test_what_is_decided_is_not_changed(house: House) -> None:
    """Nor what is being published just now."""
    info = house.create()
    with house.library.ledger.writing() as writing:
        writing.begin(
            Publication(
                id="p",
                kind="edit",
                path="a.md",
                before=REVISION,
                after=None,
                temporary=".x",
                began=1.0,
                draft=info.id,
            )
        )
    assert code(lambda: house.drafts.withdraw(house.key(), info.id)) == "not_open"
    assert code(lambda: house.update(info.id, 1, note="x")) == "not_open"
    with house.library.ledger.writing() as writing:
        writing.end("p")
        writing.put_draft(
            msgspec.structs.replace(house.kept(info.id), state="rejected", comment="no", decided=5.0)
        )
    assert code(lambda: house.drafts.withdraw(house.key(), info.id)) == "not_open"
    assert code(lambda: house.update(info.id, 1, note="x")) == "not_open"
    told = house.drafts.read(info.id).draft
    assert (told.state, told.comment) == ("rejected", "no")


def test_a_decision_in_between_wins(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look at the folder and the writing, the draft is looked at again."""
    from readingroom.library.drafts import renewing as module

    info = house.create()

    def slow(*arguments: Any) -> Any:
        house.of("desk").withdraw(house.key(), info.id)
        return propose(*arguments)

    monkeypatch.setattr(module, "propose", slow)
    assert code(lambda: house.update(info.id, 1, edits=(DraftEdit("two", "2"),))) == "not_open"
