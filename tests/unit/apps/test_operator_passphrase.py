"""Setting, changing and resetting the operator's passphrase, and what the commands do without one."""

import pytest

from readingroom.apps import exit_codes

from .operator_seat import ACTION, PASSPHRASE, Seat, kinds


def test_setting_the_passphrase(fresh: Seat) -> None:
    """It is asked for twice, until one is fit and both are the same."""
    typed = [
        ("New", "short"),
        ("New", PASSPHRASE),
        ("again", "another one"),
        ("New", PASSPHRASE),
        ("again", PASSPHRASE),
    ]
    code, shown = fresh.run("operator set", typed=typed)
    assert code == exit_codes.OK
    assert "8 to 1024 characters" in shown
    assert "The two were not the same." in shown
    assert PASSPHRASE not in shown
    assert kinds(fresh) == ["set"]


@pytest.mark.parametrize(
    "typed",
    [
        [("New", "short")] * 3,
        [("New", PASSPHRASE), ("again", "not the same")] * 3,
        [("New", None)],
    ],
)
def test_no_passphrase_after_all(fresh: Seat, typed: list[tuple[str, str | None]]) -> None:
    """After three that are no good, or none, nothing is set."""
    assert fresh.run("operator set", typed=typed)[0] == exit_codes.UNDECIDED
    assert kinds(fresh) == []


def test_changing_the_passphrase(seat: Seat) -> None:
    """The old one is asked for; the new one counts from then on."""
    new = "größere Wörter"
    typed = [("until now", "a wrong one"), ("until now", PASSPHRASE), ("New", new), ("again", new)]
    assert seat.run("operator set", typed=typed)[0] == exit_codes.OK
    assert seat.run("log", "--verify", typed=[("Passphrase", new)])[0] == exit_codes.OK
    assert "changed, with the old one" in seat.run("log")[1]


def test_three_wrong_passphrases(seat: Seat) -> None:
    """After three the command ends, and says so; each is followed by a wait."""
    code, shown = seat.run(
        "operator set", typed=[("until now", f"a wrong one {number}") for number in range(3)]
    )
    assert code == exit_codes.UNDECIDED
    assert "after 1 s" in shown
    assert "2 s later; waiting" in shown or "1 s later; waiting" in shown
    assert kinds(seat) == ["set"]


def test_resetting_the_passphrase(seat: Seat) -> None:
    """It has to be agreed to, and whoever is asked for the passphrase later sees that it was reset."""
    assert seat.run("operator reset", typed=[("Type: reset", "yes")])[0] == exit_codes.UNDECIDED
    typed = [("Type: reset", "reset"), ("New", "another phrase"), ("again", "another phrase")]
    code, shown = seat.run("operator reset", typed=typed)
    assert code == exit_codes.OK
    assert "can no longer be checked" in shown
    code, shown = seat.run("log", "--verify", typed=[("RESET on", "another phrase")])
    assert code == exit_codes.OK
    assert "the passphrase is RESET, without the old one" in shown


@pytest.mark.parametrize("times", [1, 2])
def test_a_reset_that_others_follow(seat: Seat, times: int) -> None:
    """Who has reset it cannot hide that by setting it again: every question for it tells of it from then on."""
    typed = [("Type: reset", "reset"), ("New", "another phrase"), ("again", "another phrase")]
    seat.run("operator reset", typed=typed)
    for turn in range(times):
        old, new = (
            ("another phrase", f"phrase number {turn}")
            if turn == 0
            else ("phrase number 0", "the last phrase")
        )
        changed = [("RESET", old), ("New", new), ("again", new)]
        assert seat.run("operator set", typed=changed)[0] == exit_codes.OK
    code, _ = seat.run("log", "--verify", typed=[("; RESET by decision 2 on ", new)])
    assert code == exit_codes.OK


def test_nothing_to_reset(fresh: Seat) -> None:
    """Without a passphrase the other action is named."""
    code, shown = fresh.run("operator reset")
    assert code == exit_codes.UNDECIDED
    assert "operator set" in shown


@pytest.mark.parametrize("command", ["publish", "reject", "undo", "log --verify", "log --accept"])
def test_without_a_passphrase(fresh: Seat, command: str) -> None:
    """Nothing can be decided or checked, and it is said what to do."""
    draft = fresh.proposals.edit("a.md", "hello", "hullo")
    first, *options = command.split()
    named = {"publish": [draft], "reject": [draft], "undo": ["1"]}.get(first, [])
    code, shown = fresh.run(first, *named, *options)
    assert code == exit_codes.UNDECIDED
    assert f"readingroom operator set {fresh.proposals.root}" in shown


def test_reviewing_without_a_passphrase(fresh: Seat) -> None:
    """One may look; what to do is said at the beginning, and before anything is typed for a decision."""
    fresh.proposals.edit("a.md", "hello", "hullo")
    typed = [(ACTION, "p"), (ACTION, "r"), (ACTION, "q")]
    code, shown = fresh.run("review", typed=typed)
    assert code == exit_codes.UNDECIDED
    assert "+ hullo world" in shown
    assert shown.index("You may look: no passphrase is set") < shown.index("edit a.md")
    assert shown.count("Nothing was decided: no passphrase is set for this folder yet") == 2
    assert "Why?" not in shown
