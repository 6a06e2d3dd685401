"""Drafts whose document has changed, gone or come since: they are told to be outdated, and are made again."""

from pathlib import Path
from typing import Any

import pytest

from readingroom.library import DraftEdit, DraftRefused
from readingroom.library.ledger import digest_of
from support.draft_houses import TEXT, House, code


def _moved(root: Path) -> None:
    (root / "a.md").rename(root / "c.md")


def _ignored(root: Path) -> None:
    (root / ".gitignore").write_text("a.md\n", "utf-8")


def _binary(root: Path) -> None:
    (root / "a.md").write_bytes(b"\0\0")


def _taken(root: Path) -> None:
    (root / "b.md").write_bytes(b"theirs\n")


@pytest.mark.parametrize(
    ("kind", "arguments", "happens", "reason", "expected"),
    [
        ("create", {"path": "b.md", "content": "x"}, _taken, "taken", "exists"),
        ("rename", {"to": "b.md"}, _taken, "taken", "exists"),
        ("rename", {"to": "b.md"}, _moved, "gone", "not_found"),
        ("edit", {}, _moved, "gone", "not_found"),
        ("delete", {}, _moved, "gone", "not_found"),
        ("edit", {}, _ignored, "not_served", "path_not_served"),
        ("replace", {"content": "x"}, _ignored, "not_served", "path_not_served"),
        ("edit", {}, _binary, "not_served", "path_not_served"),
    ],
)
def test_an_outdated_draft_says_why_and_an_update_meets_the_folder(
    house: House, kind: str, arguments: dict[str, Any], happens: Any, reason: str, expected: str
) -> None:
    """Whatever made it so; where no update helps, the refusal says to withdraw it, and never that the change is there."""
    info = house.create(kind, **arguments)
    happens(house.root)
    told = house.drafts.read(info.id).draft
    assert (told.state, told.reason) == ("outdated", reason)
    again = {"content": "y"} if kind == "create" else {"base_revision": info.base_revision}
    with pytest.raises(DraftRefused) as caught:
        house.update(info.id, 1, **again)
    assert caught.value.code == expected
    assert "withdraw it" in caught.value.advice


@pytest.mark.parametrize(
    ("before", "content", "then", "after"),
    [
        (b"a\r\nb\r\n", "c\nd\n", b"a\nb\n", b"c\nd\n"),
        (b"a\nb\n", "c\nd\n", b"a\r\nb\r\n", b"c\r\nd\r\n"),
        (b"a\r\nb\r\n", "c\nd\n", b"a\rb\r", b"c\rd\r"),
        (b"a\nb\n", "c\r\nd\r\n", b"a\n\nb\n", b"c\r\nd\r\n"),
        ("a\r\nb\r\n".encode("utf-16"), "c\nd\n", b"a\nb\n", b"c\nd\n"),
        (b"a\r\nb\n", "c\nd\n", b"a\r\nb\r\n", b"c\r\nd\r\n"),
    ],
)
def test_a_replace_made_again_has_the_line_ends_of_its_new_base(
    house: House, before: bytes, content: str, then: bytes, after: bytes
) -> None:
    """Unless the text brought others than those of its base."""
    (house.root / "r.md").write_bytes(before)
    info = house.create("replace", "r.md", content=content, base_revision=digest_of(before))
    (house.root / "r.md").write_bytes(then)
    house.update(info.id, 1, base_revision=digest_of(then))
    assert house.kept(info.id).content == after


def test_an_outdated_draft_is_told_and_made_again(house: House) -> None:
    """Computed by the file as it is; against its new revision the same edits are made again."""
    info = house.create()
    replace = house.create("replace", content="all\nnew\n")
    rename = house.create("rename", to="b.md")
    changed = TEXT + b"three\r\n"
    (house.root / "a.md").write_bytes(changed)
    assert [item.state for item in house.drafts.list().items] == ["outdated"] * 3
    assert house.kept(info.id).state == "open"
    assert code(lambda: house.update(info.id, 1, edits=(DraftEdit("two", "2"),))) == "base_changed"
    assert house.update(info.id, 1, note="only that").state == "outdated"
    new = house.update(info.id, 2, base_revision=digest_of(changed))
    assert (new.base_revision, house.drafts.read(info.id).draft.state) == (digest_of(changed), "open")
    assert house.kept(info.id).content == changed.replace(b"one", b"1")
    house.update(replace.id, 1, base_revision=digest_of(changed))
    assert house.kept(replace.id).content == b"all\r\nnew\r\n"
    house.update(rename.id, 1, base_revision=digest_of(changed))
    assert [item.state for item in house.drafts.list().items] == ["open"] * 3
    (house.root / "a.md").write_bytes(TEXT)
    (house.root / "b.md").write_bytes(b"x\n")
    assert {item.state for item in house.drafts.list().items} == {"outdated"}


def test_a_create_is_outdated_when_something_stands_there(house: House) -> None:
    """And a draft whose document is gone, or left out by now."""
    house.create("create", "b.md", content="x")
    house.create("delete")
    assert [item.state for item in house.drafts.list(state="open").items] == ["open", "open"]
    (house.root / "b.md").mkdir()
    (house.root / ".gitignore").write_text("a.md\n", "utf-8")
    assert [item.state for item in house.drafts.list(state="outdated").items] == ["outdated", "outdated"]
