"""Publishing and rejecting drafts that are named on the command line."""

import pytest

from readingroom.apps import exit_codes

from .operator_seat import ACTION, KEY, Seat, kinds


def test_publish(seat: Seat) -> None:
    """The drafts that are named, by the beginnings of their ids, are shown, asked about once, and published."""
    first = seat.proposals.propose("create", path="new/n.md", content="# New\n")
    second = seat.proposals.propose("delete", path="b.md")
    third = seat.proposals.propose("rename", path="sub/c.md", to="sub/d.md")
    typed = [("these 3 drafts?", "y"), KEY]
    code, shown = seat.run("publish", first[:12], second, third, first, typed=typed)
    assert code == exit_codes.OK, shown
    assert "new new/n.md  (1 of 3)" in shown
    assert "rename sub/c.md → sub/d.md" in shown
    assert "Its text stays as it is." in shown
    assert "! The document is deleted: 3 lines go." in shown
    assert set(seat.proposals.documents()) == {"a.md", "new/n.md", "sub/d.md"}
    code, shown = seat.run("publish", first, typed=[])
    assert code == exit_codes.UNDECIDED
    assert "published already" in shown


@pytest.mark.parametrize("answer", ["no", "", None, "yes please"])
def test_publish_needs_a_yes(seat: Seat, answer: str | None) -> None:
    """Without it nothing is published, and the passphrase is not asked for."""
    draft = seat.proposals.edit("a.md", "hello", "hullo")
    assert seat.run("publish", draft, typed=[("this draft?", answer)])[0] == exit_codes.UNDECIDED
    assert kinds(seat) == ["set"]


def test_publish_of_an_outdated_draft(seat: Seat) -> None:
    """Nothing is asked."""
    draft = seat.proposals.edit("a.md", "hello", "hullo")
    (seat.proposals.root / "a.md").write_text("changed")
    code, shown = seat.run("publish", draft)
    assert code == exit_codes.UNDECIDED
    assert "nothing was published" in shown


@pytest.mark.parametrize(
    ("name", "code"), [("d-none", exit_codes.NOTHING), ("d-", exit_codes.NOTHING), ("x", exit_codes.NOTHING)]
)
def test_a_draft_that_is_not_there(seat: Seat, name: str, code: int) -> None:
    """It is said where drafts can be seen; two letters are no beginning of an id."""
    seat.proposals.edit("a.md", "hello", "hullo")
    ended, shown = seat.run("publish", name)
    assert ended == code
    assert "`readingroom review` shows those that wait" in shown


def test_a_beginning_of_several(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused."""
    monkeypatch.setattr("readingroom.apps.choosing._LEAST", 2)
    seat.proposals.edit("a.md", "hello", "hullo")
    seat.proposals.edit("b.md", "see you", "goodbye")
    assert seat.run("publish", "d-")[0] == exit_codes.USAGE


def test_reject(seat: Seat) -> None:
    """With the comment; what is not agreed to stays open."""
    draft = seat.proposals.edit("a.md", "hello", "hullo")
    assert seat.run("reject", draft, typed=[("this draft?", "no")])[0] == exit_codes.UNDECIDED
    code, shown = seat.run("reject", draft, "--comment", "no", typed=[("this draft?", "yes"), KEY])
    assert code == exit_codes.OK
    assert "Rejected: a.md" in shown
    assert seat.proposals.draft(draft).comment == "no"


def test_a_comment_that_is_too_long(seat: Seat) -> None:
    """It is refused; in a review one goes on."""
    draft = seat.proposals.edit("a.md", "hello", "hullo")
    long = "x" * 2001
    assert seat.run("reject", draft, "--comment", long)[0] == exit_codes.USAGE
    assert seat.run("undo", "1", "--comment", long)[0] == exit_codes.USAGE
    code, shown = seat.run("review", typed=[(ACTION, "r"), ("Why?", long), (ACTION, "q")])
    assert code == exit_codes.OK
    assert "at most 2,000 characters, and this one has 2,001" in shown
    assert kinds(seat) == ["set"]
