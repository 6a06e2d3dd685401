"""Proposing new documents, edits, renames and deletions: what is kept of each, and what is refused with which code."""

from typing import Any

import pytest

from readingroom.library import DraftEdit, DraftRefused
from support.draft_houses import REVISION, TEXT, House, code


def test_an_edit_is_kept_and_the_folder_stays(house: House) -> None:
    """The bytes that would stand there, those they were made against, and what was said."""
    house.now = 1234.5
    info = house.create(note="why")
    assert info.uri == f"library:///.draft/{info.id}"
    assert (info.kind, info.path, info.to, info.base_revision) == ("edit", "a.md", "", REVISION)
    assert (info.draft_revision, info.state, info.note, info.comment) == (1, "open", "why", "")
    assert (info.created, info.changed) == (1234.5, 1234.5)
    kept = house.kept(info.id)
    assert (kept.principal, kept.content, kept.base_content) == ("desk", TEXT.replace(b"one", b"1"), TEXT)
    assert kept.edits == (DraftEdit("one", "1"),)
    assert (house.root / "a.md").read_bytes() == TEXT
    assert [path.name for path in house.root.iterdir()] == ["a.md"]


def test_an_id_cannot_be_guessed(house: House) -> None:
    """128 bits in 26 characters."""
    ids = {house.create("create", f"{number}.md", content="x").id for number in range(5)}
    assert len(ids) == 5
    assert all(len(name) == 28 and name.startswith("d-") and name[2:].isalnum() for name in ids)


def test_each_kind_keeps_what_it_would_make(house: House) -> None:
    """New bytes of a create and a replace, none of a rename and a delete."""
    create = house.kept(house.create("create", "new/b.md", content="text\n").id)
    assert (create.content, create.base, create.base_content) == (b"text\n", None, None)
    replace = house.kept(house.create("replace", content="new\ntext\n").id)
    assert (replace.content, replace.base) == (b"new\r\ntext\r\n", REVISION)
    rename = house.kept(house.create("rename", to="library:///b%20c.md").id)
    assert (rename.content, rename.digest, rename.to, rename.base_content) == (None, "", "b c.md", TEXT)
    delete = house.kept(house.create("delete").id)
    assert (delete.content, delete.digest, delete.base_content) == (None, "", TEXT)


def test_the_base_is_what_stands_there_now(house: House) -> None:
    """Another one is refused, and the one that is there is not told: it is to be read together with the text."""
    (house.root / "a.md").write_bytes(b"other\n")
    for kind, arguments in (("replace", {"content": "x"}), ("rename", {"to": "b.md"}), ("delete", {})):
        with pytest.raises(DraftRefused, match="not as you read it") as caught:
            house.create(kind, **arguments)
        assert (caught.value.code, "sha256" in str(caught.value)) == ("base_changed", False)
    assert code(house.create) == "base_changed"


@pytest.mark.parametrize(
    ("kind", "arguments", "expected"),
    [
        ("create", {}, "bad_argument"),
        ("create", {"path": "b.md", "content": "x", "base_revision": REVISION}, "bad_argument"),
        ("create", {"path": "b.md", "content": "x", "to": "c.md"}, "bad_argument"),
        ("replace", {"content": "x", "base_revision": None}, "bad_argument"),
        ("edit", {"edits": ()}, "bad_argument"),
        ("edit", {"content": "x"}, "bad_argument"),
        ("rename", {}, "bad_argument"),
        ("delete", {"content": ""}, "bad_argument"),
        ("publish", {}, "bad_argument"),
        ("create", {"path": "../b.md", "content": "x"}, "bad_path"),
        ("create", {"path": "con.md", "content": "x"}, "bad_path"),
        ("create", {"path": "private/b.md", "content": "x"}, "path_not_served"),
        ("create", {"path": "a.md", "content": "x"}, "exists"),
        ("create", {"path": "A.md", "content": "x"}, "exists"),
        ("create", {"path": "b.md", "content": "x\0"}, "not_text"),
        ("create", {"path": "b.md", "content": "\ud800"}, "not_text"),
        ("create", {"path": "b.md", "content": "\ufeffx"}, "not_text"),
        ("create", {"path": "b.md", "content": "x", "note": "\0"}, "not_text"),
        ("create", {"path": "b.md", "content": "x", "note": "x" * 4001}, "too_large"),
        ("create", {"path": "b.md", "content": "ä" * 300_000}, "too_large"),
        ("edit", {"path": "b.md"}, "not_found"),
        ("edit", {"path": ".hidden.md"}, "path_not_served"),
        ("edit", {"edits": (DraftEdit("none", "x"),)}, "edit_not_found"),
        ("edit", {"edits": (DraftEdit("\n", "x"),)}, "edit_ambiguous"),
        ("edit", {"edits": (DraftEdit("one", "x"), DraftEdit("ne", "y"))}, "edit_overlaps"),
        ("edit", {"edits": (DraftEdit("one", "one"),)}, "nothing_changes"),
        ("edit", {"edits": (DraftEdit("one", "x\0"),)}, "not_text"),
        ("edit", {"edits": (DraftEdit("x", "y"),) * 201}, "too_large"),
        ("edit", {"edits": (DraftEdit("one", "x" * 600_000),)}, "too_large"),
        ("edit", {"edits": (DraftEdit("# Title", "\ufeff# Title"),)}, "not_text"),
        ("replace", {"content": TEXT.decode()}, "nothing_changes"),
        ("replace", {"content": TEXT.decode().replace("\r", "")}, "nothing_changes"),
        ("rename", {"to": "a.md"}, "nothing_changes"),
        ("rename", {"to": "b.exe"}, "path_not_served"),
        ("rename", {"to": "b.md/"}, "bad_path"),
    ],
)
def test_what_is_refused(house: House, kind: str, arguments: dict[str, Any], expected: str) -> None:
    """With its code, and nothing is kept."""
    assert code(lambda: house.create(kind, **arguments)) == expected
    assert house.drafts.list().items == ()


@pytest.mark.parametrize(
    ("path", "advice"),
    [
        ("pics/n.md", "Write the folder as it is there: Pics/n.md"),
        ("Pics/sub/n.md", "Write the folder as it is there: Pics/Sub/n.md"),
        ("A.md", ""),
        ("pics.md", "Choose another path."),
    ],
)
def test_a_clash_by_case_says_what_there_is(house: House, path: str, advice: str) -> None:
    """A folder is no document that could be edited."""
    for folder in ("Pics/Sub", "Pics.md"):
        (house.root / folder).mkdir(parents=True)
    with pytest.raises(DraftRefused) as caught:
        house.create("create", path, content="x")
    assert (caught.value.code, caught.value.advice) == ("exists", advice)


@pytest.mark.parametrize("path", ["left.md", "secrets/n.md", "sub/left.md"])
def test_what_is_left_out_cannot_be_found_out_by_case(house: House, path: str) -> None:
    """The answer is the same, whether it is there or not."""
    (house.root / ".gitignore").write_text("Left.md\nSecrets/\n", "utf-8")
    (house.root / "sub").mkdir()
    before = house.create("create", path, content="x")
    (house.root / "Secrets").mkdir()
    for name in ("Left.md", "Secrets/n.md", "sub/Left.md"):
        (house.root / name).write_bytes(b"x\n")
    after = house.create("create", path, content="x")
    assert (
        (before.state, after.state) == (house.drafts.read(before.id).draft.state, "open") == ("open", "open")
    )


def test_a_document_may_get_another_case(house: House) -> None:
    """It is in nobody's way but its own."""
    assert house.create("rename", to="A.md").to == "A.md"
