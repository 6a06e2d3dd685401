"""A review: how one moves from draft to draft, marks, decides, and goes on after what was refused."""

import pytest

from readingroom.apps import exit_codes

from .operator_seat import ACTION, KEY, Seat, kinds


def test_review(seat: Seat) -> None:
    """Draft after draft, with warnings before the change; the passphrase is asked for once."""
    first = seat.proposals.edit("a.md", "hello", "hal\u202elo", note="one\ntwo")
    second = seat.proposals.edit("b.md", "see you", "goodbye")
    typed = [(ACTION, "p"), ("this draft?", "yes"), KEY, (ACTION, "r"), ("Why?", "too short")]
    code, shown = seat.run("review", typed=typed)
    assert code == exit_codes.OK
    assert shown.index("2 drafts wait.") < shown.index("edit a.md  (1 of 2)") < shown.index("note: two")
    assert shown.index("! Characters that change the direction") < shown.index("hal⟨U+202E⟩lo")
    assert "\u202e" not in shown
    assert "Published: a.md (decision 2)" in shown
    assert "Rejected: b.md (decision 3)" in shown
    assert shown.endswith("Nothing waits any more.\n")
    assert seat.proposals.text("a.md") == "# Greetings\n\nhal\u202elo world\n"
    assert seat.proposals.text("b.md") == "# Farewells\n\nsee you\n"
    assert (seat.proposals.draft(first).state, seat.proposals.draft(second).state) == (
        "published",
        "rejected",
    )
    assert seat.proposals.draft(second).comment == "too short"


def test_nothing_waits(seat: Seat) -> None:
    """A review of nothing asks nothing."""
    assert seat.run("review") == (exit_codes.OK, "Nothing waits.\n")


def test_moving_about(seat: Seat) -> None:
    """Next, back, list, help and leaving decide nothing; at the ends one stays."""
    seat.proposals.edit("a.md", "hello", "hullo")
    seat.proposals.edit("b.md", "see you", "goodbye")
    answers = ["next", "", "n", "b", "back", "l", "what?", "a", "r", "QUIT"]
    typed: list[tuple[str, str | None]] = []
    for answer in answers:
        typed += [(ACTION, answer), *([("Why?", ".")] if answer == "r" else [])]
    code, shown = seat.run("review", typed=typed)
    assert code == exit_codes.OK
    assert shown.count("(2 of 2)") == 1
    assert shown.count("(1 of 2)") == 2
    assert shown.count("This is the last draft.") == 2
    assert shown.count("This is the first draft.") == 1
    assert shown.count("2 drafts wait.") == 2
    assert "m  mark it" in shown
    assert "Nothing is marked." in shown
    assert kinds(seat) == ["set"]


def test_the_end_of_input_decides_nothing(seat: Seat) -> None:
    """Neither in place of an action, nor of a reason, nor of the passphrase."""
    seat.proposals.edit("a.md", "hello", "hullo")
    assert seat.run("review", typed=[(ACTION, None)])[0] == exit_codes.OK
    assert seat.run("review", typed=[(ACTION, "r"), ("Why?", None), (ACTION, None)])[0] == exit_codes.OK
    assert seat.run("review", typed=[(ACTION, "p"), ("Passphrase", None)])[0] == exit_codes.UNDECIDED
    assert kinds(seat) == ["set"]


def test_several_at_once(seat: Seat) -> None:
    """Drafts that are marked are published with one answer and one passphrase; a mark can be taken away."""
    seat.proposals.edit("a.md", "hello", "hullo")
    seat.proposals.edit("b.md", "see you", "goodbye")
    seat.proposals.edit("sub/c.md", "more", "less")
    typed = [(ACTION, key) for key in ("m", "m", "m", "b", "b", "m", "a")]
    code, shown = seat.run("review", typed=[*typed, ("these 2 drafts?", "yes"), KEY, (ACTION, "q")])
    assert code == exit_codes.OK
    assert ", marked)" in shown
    assert kinds(seat) == ["set", "publish", "publish"]
    assert len(seat.proposals.documents()) == 3


def test_wrong_passphrases_do_not_end_a_review(seat: Seat) -> None:
    """One is asked again what to do, and what was marked still is."""
    seat.proposals.edit("a.md", "hello", "hullo")
    seat.proposals.edit("b.md", "see you", "goodbye")
    wrong = [("Passphrase", f"wrong number {number}") for number in range(3)]
    marked = [(ACTION, "m"), (ACTION, "m"), (ACTION, "a"), ("these 2 drafts?", "yes"), *wrong]
    code, shown = seat.run("review", typed=[*marked, (ACTION, "a"), ("these 2 drafts?", "yes"), KEY])
    assert "Nothing was decided: That is not the passphrase" in shown
    assert kinds(seat) == ["set", "publish", "publish"]
    assert code == exit_codes.UNDECIDED


def test_a_marked_draft_needs_an_answer(seat: Seat) -> None:
    """Whatever is not yes is no."""
    seat.proposals.edit("a.md", "hello", "hullo")
    code, _ = seat.run(
        "review", typed=[(ACTION, "m"), (ACTION, "a"), ("this draft?", "maybe"), (ACTION, "q")]
    )
    assert code == exit_codes.OK
    assert kinds(seat) == ["set"]


def test_an_outdated_draft(seat: Seat) -> None:
    """It is said that it is, and why; it can be rejected, and neither published nor marked."""
    seat.proposals.edit("a.md", "hello", "hullo")
    (seat.proposals.root / "a.md").write_text("changed")
    typed = [(ACTION, "p"), (ACTION, "m"), (ACTION, "r"), ("Why?", ""), KEY]
    code, shown = seat.run("review", typed=typed)
    assert code == exit_codes.OK
    assert "  outdated" in shown
    assert "! It cannot be published as it is: a.md has changed" in shown
    assert shown.count("the app has to update it, or you reject it") == 2
    assert kinds(seat) == ["set", "reject"]
    assert seat.proposals.text("a.md") == "changed"


def test_a_ledger_that_is_busy(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """A review goes on; what was not decided can be decided again."""
    from readingroom.library import LedgerBusy
    from readingroom.library.operator.door import Operator

    publish = Operator.publish

    def busy(*_: object) -> None:
        monkeypatch.setattr(Operator, "publish", publish)
        raise LedgerBusy("Another decision is being carried out; try again.")

    seat.proposals.edit("a.md", "hello", "hullo")
    monkeypatch.setattr(Operator, "publish", busy)
    code, shown = seat.run("review", typed=[(ACTION, "p"), KEY, (ACTION, "p")])
    assert code == exit_codes.OK
    assert shown.index("Another decision is being carried out") < shown.index("Published: a.md")
