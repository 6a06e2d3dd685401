"""Reading and listing drafts: for whom they are there, in which order they come, and what is shown of each."""

from typing import Any

import msgspec
import pytest

from readingroom.library import BadQuery, DraftRefused, Library, Principal
from readingroom.library.drafts import bounds
from readingroom.library.ledger import Decision
from support.draft_houses import TEXT, House, code


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
