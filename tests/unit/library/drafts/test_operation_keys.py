"""Keys of operations: the same call again gives the stored answer, another one under the same key is refused."""

import shutil
from typing import Any

import msgspec
import pytest

from readingroom.library import DraftRefused, Drafts
from readingroom.library.drafts.proposing import propose
from support.draft_houses import REVISION, House, code


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
