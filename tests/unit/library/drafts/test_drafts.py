"""The door of one principal: what is kept, what is replayed, what is refused with which code, and what others see of it."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from readingroom.library import BadQuery, DraftEdit, DraftRefused, Drafts, Library, Principal, Rules
from readingroom.library.drafts import bounds
from readingroom.library.drafts.codes import DRAFT_CODES
from readingroom.library.drafts.proposing import propose
from readingroom.library.ledger import Decision, Publication, digest_of

TEXT = b"# Title\r\n\r\none\r\ntwo\r\n"
REVISION = digest_of(TEXT)
GONE = digest_of(b"gone")


def _sentences(text: str) -> list[str]:
    return text.removesuffix(".").split(". ")


class House:
    """A folder with one document, its library and the drafts of an editor; every operation has a key of its own."""

    def __init__(self, place: Path) -> None:
        self.root = place / "docs"
        self.place = place
        self.root.mkdir()
        (self.root / "a.md").write_bytes(TEXT)
        self.now = 1000.0
        self.keys = 0
        self.library = self.opened()
        self.drafts = self.of("desk")

    def opened(self) -> Library:
        """The library, opened anew."""
        rules = Rules(leave_out=("private/",), max_file_bytes=2_000_000)
        return Library.open(
            self.root,
            rules=rules,
            roles=("reader", "editor"),
            cache=self.place / "cache",
            ledger=self.place / "ledger",
            clock=lambda: self.now,
        )

    def of(self, name: str) -> Drafts:
        """The drafts of an editor."""
        return self.library.drafts(Principal(name, "editor"))

    def key(self) -> str:
        """A key that was not used before."""
        self.keys += 1
        return f"operation-{self.keys}"

    def create(self, kind: Any = "edit", path: str = "a.md", **arguments: Any) -> Any:
        """A draft, by default an edit of the document."""
        if kind == "edit" and "edits" not in arguments:
            arguments["edits"] = (DraftEdit("one", "1"),)
        if kind != "create":
            arguments.setdefault("base_revision", REVISION)
        return self.drafts.create(self.key(), kind, path=path, **arguments).draft

    def update(self, draft: str, revision: int, **arguments: Any) -> Any:
        """The draft after an update."""
        return self.drafts.update(self.key(), draft, revision, **arguments).draft

    def kept(self, draft: str) -> Any:
        """The draft as the ledger has it."""
        with self.library.ledger.reading() as look:
            return look.draft(draft)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A house of its own."""
    made = House(tmp_path)
    yield made
    made.library.close()


def code(ask: Any) -> str:
    """The code of a refusal; each has a line in the table, and says what is wrong apart from what to do."""
    with pytest.raises(DraftRefused) as caught:
        ask()
    told = caught.value.advice or DRAFT_CODES[caught.value.code]
    assert not {*_sentences(told)} & {*_sentences(str(caught.value))}
    for word in ("Nothing was kept", "choose", "Choose", "ropose a", "leave it out", "Make it"):
        assert word not in str(caught.value)
    return caught.value.code


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


def test_the_same_call_again_gives_the_stored_answer(house: House) -> None:
    """Also when the document has changed since, when the draft has gone on, and after the library was opened anew."""

    def ask(drafts: Drafts) -> Any:
        return drafts.create("operation-x", "delete", path="a.md", base_revision=REVISION, note="n")

    first = ask(house.drafts)
    assert not first.replayed
    (house.root / "a.md").write_bytes(b"other\n")
    house.update(first.draft.id, 1, note="m")
    again = ask(house.drafts)
    assert (again.draft, again.replayed, again.now.draft_revision) == (first.draft, True, 2)
    house.library.close()
    house.library = house.opened()
    assert ask(house.of("desk")).draft == first.draft
    assert len(house.of("desk").list().items) == 1


@pytest.mark.parametrize("state", ["published", "rejected", "withdrawn", "outdated"])
def test_a_stored_answer_comes_with_what_the_draft_is_now(house: House, state: Any) -> None:
    """For the answer says what was so then, whatever has become of the draft."""

    def ask() -> Any:
        return house.drafts.create("operation-x", "create", path="b.md", content="x")

    first = ask()
    assert (first.draft.state, first.now) == ("open", None)
    if state == "outdated":
        (house.root / "b.md").write_bytes(b"x\n")
    else:
        with house.library.ledger.writing() as writing:
            writing.put_draft(
                msgspec.structs.replace(house.kept(first.draft.id), state=state, decided=house.now + 5)
            )
    again = ask()
    assert (again.draft, again.replayed, again.now.state) == (first.draft, True, state)


def test_a_stored_answer_needs_no_folder(house: House) -> None:
    """What the draft is now cannot be told then, and is not."""

    def ask() -> Any:
        return house.drafts.create("operation-x", "create", path="b.md", content="x")

    first = ask()
    shutil.rmtree(house.root)
    assert ask() == msgspec.structs.replace(first, replayed=True)


def test_update_and_withdraw_are_replayed_too(house: House) -> None:
    """Although the draft has another revision or state by then."""
    info = house.create()
    for _ in range(2):
        updated = house.drafts.update("operation-u", info.id, 1, note="m")
    assert (updated.replayed, updated.draft.draft_revision) == (True, 2)
    for _ in range(2):
        withdrawn = house.drafts.withdraw("operation-w", info.id)
    assert (withdrawn.replayed, withdrawn.draft.state) == (True, "withdrawn")


def test_a_key_with_other_content_is_refused_and_tells_nothing(house: House) -> None:
    """Of any other argument, tool or draft; nothing of what was asked under it is in the text."""
    house.drafts.create("operation-x", "create", path="secret-name.md", content="secret text")
    calls: tuple[Any, ...] = (
        lambda: house.drafts.create("operation-x", "create", path="secret-name.md", content="other"),
        lambda: house.drafts.create(
            "operation-x", "create", path="secret-name.md", content="secret text", note="n"
        ),
        lambda: house.drafts.withdraw("operation-x", "d-x"),
        lambda: house.drafts.update("operation-x", "d-x", 1),
    )
    for call in calls:
        with pytest.raises(DraftRefused) as caught:
            call()
        assert caught.value.code == "operation_reused"
        assert "secret" not in str(caught.value)


def test_keys_are_a_principals_own(house: House) -> None:
    """Somebody else's is simply new."""
    house.drafts.create("operation-x", "create", path="b.md", content="mine")
    answer = house.of("other").create("operation-x", "create", path="b.md", content="theirs")
    assert not answer.replayed


def test_a_refusal_is_not_kept(house: House) -> None:
    """The same call succeeds when its reason has gone."""

    def ask() -> Any:
        return house.drafts.create("operation-x", "create", path="b.md", content="x")

    (house.root / "b.md").write_bytes(b"x\n")
    assert code(ask) == "exists"
    (house.root / "b.md").unlink()
    assert not ask().replayed


@pytest.mark.parametrize("key", ["short", "x" * 129, "with blank", "with\0nul", "line-end\n", "umlaut-ä"])
def test_what_can_be_no_key_is_refused(house: House, key: str) -> None:
    """8 to 128 characters, of a few."""
    assert code(lambda: house.drafts.withdraw(key, "d-x")) == "bad_operation"


def test_drafts_of_others_are_not_there(house: House) -> None:
    """They give the same answer as ones that never were, whatever is asked of them."""
    info = house.create()
    other = house.of("other")
    asked: list[Any] = [
        other.read,
        lambda name: other.update(house.key(), name, 1, note="x"),
        lambda name: other.withdraw(house.key(), name),
    ]
    for ask in asked:
        texts = set()
        for name in (info.id, "d-none", "", "d-ä", "d-\0"):
            with pytest.raises(DraftRefused) as caught:
                ask(name)
            texts.add((caught.value.code, str(caught.value)))
        assert texts == {("draft_not_found", "You have no such draft.")}
    assert code(lambda: other.read("d-\ud800")) == "draft_not_found"
    assert other.list().items == ()
    assert other.list(after=info.id).items == ()


def test_only_editors_have_the_door(house: House) -> None:
    """And only in a library that serves them."""
    with pytest.raises(BadQuery, match="Only editors"):
        house.library.drafts(Principal("desk", "reader"))
    with Library.open(house.root) as readers, pytest.raises(BadQuery, match="without the role"):
        readers.drafts(Principal("desk", "editor"))


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


def test_a_document_does_not_grow_over_the_cap(house: House) -> None:
    """It would be served no more."""
    data = b"x" * 1_999_990 + b"\n"
    (house.root / "long.md").write_bytes(data)
    ask = {"path": "long.md", "base_revision": digest_of(data)}
    assert (
        code(lambda: house.create("edit", edits=(DraftEdit("x\n", "more than ten"),), **ask)) == "too_large"
    )


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


def test_a_publication_that_was_undone_is_told(house: House) -> None:
    """Until that is undone in its turn; and the time of the decision is that of the last change."""
    info = house.create()

    def decided(number: int, kind: Any) -> Any:
        decision = Decision(
            number=number, at=5.0, kind=kind, operator="o", chain=1, mac=b"", draft=info.id, path="a.md"
        )
        with house.library.ledger.writing() as writing:
            writing.append(decision)
            writing.put_draft(msgspec.structs.replace(house.kept(info.id), state="published", decided=2000.0))
        told = house.drafts.list().items[0]
        assert told == house.drafts.read(info.id).draft
        return told

    first = decided(1, "publish")
    assert (first.state, first.reason, first.changed) == ("published", "", 2000.0)
    assert (decided(2, "undo").state, decided(3, "undo").reason) == ("published", "")
    assert decided(4, "undo").reason == "undone"


def test_a_decision_in_between_wins(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look at the folder and the writing, the draft is looked at again."""
    from readingroom.library.drafts import renewing as module

    info = house.create()

    def slow(*arguments: Any) -> Any:
        house.of("desk").withdraw(house.key(), info.id)
        return propose(*arguments)

    monkeypatch.setattr(module, "propose", slow)
    assert code(lambda: house.update(info.id, 1, edits=(DraftEdit("two", "2"),))) == "not_open"


def test_the_same_call_twice_at_once_gives_one_draft(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who comes second finds the answer when it is its turn to write."""
    from readingroom.library.drafts import drafts as module

    inner: list[Any] = []

    def ask() -> Any:
        return house.drafts.create("operation-x", "create", path="b.md", content="x")

    def slow(*arguments: Any) -> Any:
        if not inner:
            inner.append(None)
            inner.append(ask())
        return propose(*arguments)

    monkeypatch.setattr(module, "propose", slow)
    outer = ask()
    assert outer.replayed
    assert outer.draft == inner[1].draft
    assert len(house.drafts.list().items) == 1


def test_open_drafts_and_bytes_are_bounded(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """For each principal; who withdraws has room again, and a day later there are new bytes."""
    monkeypatch.setattr(bounds, "OPEN_DRAFTS", 2)
    info = house.create()
    house.create("delete")
    assert code(house.create) == "too_many"
    house.of("other").create(house.key(), "create", path="b.md", content="x")
    house.drafts.withdraw(house.key(), info.id)
    last = house.create("create", "c.md", content="x")
    monkeypatch.setattr(bounds, "OPEN_DRAFTS", 10)
    monkeypatch.setattr(bounds, "DAY_BYTES", 3_000)
    assert code(lambda: house.create("create", "d.md", content="x" * 3_000)) == "too_many"
    assert code(lambda: house.update(last.id, 1, content="x" * 3_000)) == "too_many"
    house.now += 25 * 3600
    house.create("create", "d.md", content="x" * 1_000)


def test_a_list_comes_in_pages(house: House) -> None:
    """In order of creation, of one state or all, and with where to go on."""
    names = []
    for number in range(7):
        house.now += 1
        names.append(house.create("create", f"{number}.md", content="x").id)
    house.drafts.withdraw(house.key(), names[0])
    page = house.drafts.list(limit=3)
    assert ([item.id for item in page.items], page.next) == (names[:3], names[2])
    assert [item.id for item in house.drafts.list(limit=4, after=page.next).items] == names[3:]
    assert house.drafts.list(limit=4, after=page.next).next is None
    assert [item.id for item in house.drafts.list(state="withdrawn").items] == names[:1]
    assert house.drafts.list(state="outdated").items == ()
    (house.root / "6.md").write_bytes(b"x\n")
    (house.root / "3.md").write_bytes(b"x\n")
    outdated = house.drafts.list(state="outdated", limit=1)
    assert ([item.id for item in outdated.items], outdated.next) == ([names[3]], names[3])
    following = house.drafts.list(state="outdated", limit=1, after=names[3])
    assert ([item.id for item in following.items], following.next) == ([names[6]], None)
    for limit in (0, 101):
        assert code(lambda limit=limit: house.drafts.list(limit=limit)) == "bad_argument"


@pytest.mark.parametrize("state", ["published", "rejected", "withdrawn"])
def test_what_is_over_comes_newest_first(house: House, state: Any) -> None:
    """For who asks what became of it means the latest; in pages as well."""
    names = []
    for number in range(5):
        house.now += 1
        names.append(house.create("create", f"{number}.md", content="x").id)
        with house.library.ledger.writing() as writing:
            writing.put_draft(msgspec.structs.replace(house.kept(names[-1]), state=state))
    page = house.drafts.list(state=state, limit=3)
    assert ([item.id for item in page.items], page.next) == (names[:1:-1], names[2])
    rest = house.drafts.list(state=state, limit=3, after=page.next)
    assert ([item.id for item in rest.items], rest.next) == (names[1::-1], None)
    assert [item.id for item in house.drafts.list().items] == names


def test_a_long_list_is_looked_through(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until a page is full, however many are passed over."""
    monkeypatch.setattr(bounds, "PAGE", 2)
    for number in range(5):
        house.now += 1
        house.create("create", f"{number}.md", content="x")
    (house.root / "4.md").write_bytes(b"x\n")
    assert [item.path for item in house.drafts.list(state="outdated", limit=2).items] == ["4.md"]


def test_a_draft_is_read_with_its_difference(house: House) -> None:
    """Against what it was made against, also when that has changed since."""
    info = house.create()
    (house.root / "a.md").write_bytes(b"other\n")
    view = house.drafts.read(info.id)
    assert view.draft.state == "outdated"
    assert view.diff == "--- a.md\n+++ a.md\n@@ -1,4 +1,4 @@\n # Title\r\n \r\n-one\r\n+1\r\n two\r\n"
    assert [row.kind for hunk in view.hunks for row in hunk.rows] == [" ", " ", "-", "+", " "]
    assert view.content == TEXT.decode().replace("one", "1")


def test_each_kind_is_shown(house: House) -> None:
    """A new text, what goes, and where to."""
    create = house.drafts.read(house.create("create", "b.md", content="x\n").id)
    assert (create.diff, create.content) == ("--- /dev/null\n+++ b.md\n@@ -0,0 +1 @@\n+x\n", "x\n")
    delete = house.drafts.read(house.create("delete").id)
    assert (delete.diff or "").startswith("--- a.md\n+++ /dev/null\n@@ -1,4 +0,0 @@\n-# Title")
    assert delete.content is None
    rename = house.drafts.read(house.create("rename", to="b.md").id)
    assert (rename.diff, rename.hunks) == ("rename from a.md\nrename to b.md\n", ())


def test_what_is_left_out_by_now_is_not_shown(house: House) -> None:
    """But for the text that the app itself proposed."""
    edit, replace = house.create().id, house.create("replace", content="mine").id
    (house.root / ".gitignore").write_text("a.md\n", "utf-8")
    assert (house.drafts.read(edit).diff, house.drafts.read(edit).content) == (None, None)
    assert (house.drafts.read(replace).diff, house.drafts.read(replace).content) == (None, "mine")
