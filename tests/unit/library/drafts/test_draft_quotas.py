"""How much a principal may propose: open drafts, bytes in a day, and the size of the document that comes of it."""

import pytest

from readingroom.library import DraftEdit
from readingroom.library.drafts import bounds
from readingroom.library.ledger import digest_of
from support.draft_houses import House, code


def test_a_document_does_not_grow_over_the_cap(house: House) -> None:
    """It would be served no more."""
    data = b"x" * 1_999_990 + b"\n"
    (house.root / "long.md").write_bytes(data)
    ask = {"path": "long.md", "base_revision": digest_of(data)}
    assert (
        code(lambda: house.create("edit", edits=(DraftEdit("x\n", "more than ten"),), **ask)) == "too_large"
    )


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
