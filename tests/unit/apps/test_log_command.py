"""The log of decisions: listed, verified against the folder, and the folder accepted as it is."""

import json

import pytest

from readingroom.apps import exit_codes

from .operator_seat import KEY, Scripted, Seat


def test_the_log(seat: Seat) -> None:
    """Every decision, or those on one path; as JSON for programs."""
    draft = seat.proposals.edit("a.md", "hello", "hullo")
    seat.run("publish", draft, typed=[("this draft?", "yes"), KEY])
    draft = seat.proposals.edit("b.md", "see you", "goodbye")
    seat.run("reject", draft, "--comment", "no\x1b[2J", typed=[("this draft?", "yes"), KEY])
    _, shown = seat.run("log")
    assert [line.split()[0] for line in shown.splitlines() if "UTC" in line] == ["1", "2", "3"]
    assert "no⟨U+001B⟩[2J" in shown
    _, shown = seat.run("log", "--path", "a.md")
    assert shown.count("UTC") == 1
    told = json.loads(seat.run("log", "--json", "--path", "a.md")[1])
    assert [(one["number"], one["kind"], one["path"]) for one in told["decisions"]] == [
        (2, "publish", "a.md")
    ]
    assert len(bytes.fromhex(told["decisions"][0]["mac"])) == 32


def test_an_empty_log(fresh: Seat) -> None:
    """It says so."""
    assert fresh.run("log") == (exit_codes.OK, "Nothing has been decided.\n")


def test_a_log_that_holds(seat: Seat) -> None:
    """Verifying says so, and as JSON, too."""
    draft = seat.proposals.edit("a.md", "hello", "hullo")
    seat.run("publish", draft, typed=[("this draft?", "yes"), KEY])
    code, shown = seat.run("log", "--verify", typed=[KEY])
    assert code == exit_codes.OK
    assert shown.endswith("All of it held: 2 decisions; files are compared since decision 1.\n")
    code, shown = seat.run("log", "--verify", "--json", typed=[KEY])
    told = json.loads(shown[shown.index("{") :])["verified"]
    assert (told["sound"], told["journal"], "manifest" in told) == (True, [], False)


def test_a_file_changed_past_us(seat: Seat) -> None:
    """It is named until the folder is accepted as it is."""
    (seat.proposals.root / "b.md").write_text("past us")
    (seat.proposals.root / "new.md").write_text("past us")
    code, shown = seat.run("log", "--verify", typed=[KEY])
    assert code == exit_codes.NOTHING
    assert "! b.md was changed past Reading Room" in shown
    assert "! new.md is there without a decision" in shown
    assert seat.run("log", "--accept", typed=[KEY, ("for right", "no")])[0] == exit_codes.UNDECIDED
    code, shown = seat.run("log", "--accept", typed=[KEY, ("for right", "yes")])
    assert code == exit_codes.OK
    assert "the folder is accepted as it is" in shown
    assert seat.run("log", "--verify", typed=[KEY])[0] == exit_codes.OK
    code, shown = seat.run("log", "--accept", typed=[KEY])
    assert code == exit_codes.OK
    assert "there is nothing to accept" in shown


def test_what_is_to_be_accepted_is_shown(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its revisions, what to beware of, and the difference against what was decided, where that is kept."""
    draft = seat.proposals.propose("replace", path="b.md", content="---\nvisibility: internal\n---\n\nold\n")
    seat.run("publish", draft, typed=[("this draft?", "yes"), KEY])
    (seat.proposals.root / "a.md").write_text("never kept")
    (seat.proposals.root / "b.md").write_text("new\n")
    (seat.proposals.root / "n.md").write_text("a\u200bb\n")
    (seat.proposals.root / "sub/c.md").unlink()
    _, shown = seat.run("log", "--accept", typed=[KEY, ("for right", "no")])
    was, now = seat.proposals.decisions()[1].after, seat.proposals.revision("b.md")
    assert f"b.md  {(was or '')[7:15]} → {now[7:15]}" in shown
    assert shown.index("! The document becomes public") < shown.index("- old") < shown.index("+ new")
    assert "n.md  none → " in shown
    assert "! Invisible characters" in shown
    assert "+ a⟨U+200B⟩b" in shown
    assert shown.count("! What it was before is not kept in the ledger; compare it yourself.") == 2
    monkeypatch.setattr("readingroom.apps.commands.log._SHOWN", 1)
    _, shown = seat.run("log", "--accept", typed=[KEY, ("for right", "no")])
    assert "What changed in 3 more files of those named above is NOT SHOWN." in shown


def test_what_is_accepted_is_what_was_shown(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that changes while the person reads is named the next time."""
    (seat.proposals.root / "b.md").write_text("past us")
    answer = Scripted.ask

    def meanwhile(person: Scripted, question: str) -> str | None:
        (seat.proposals.root / "a.md").write_text("past the person")
        return answer(person, question)

    monkeypatch.setattr(Scripted, "ask", meanwhile)
    assert seat.run("log", "--accept", typed=[KEY, ("for right", "yes")])[0] == exit_codes.OK
    code, shown = seat.run("log", "--verify", typed=[KEY])
    assert code == exit_codes.NOTHING
    assert [line for line in shown.splitlines() if line.startswith("! ")] == [
        "! a.md was changed past Reading Room"
    ]


def test_accepting_is_for_a_person(seat: Seat) -> None:
    """It cannot be combined with output for a program."""
    assert seat.run("log", "--accept", "--json")[0] == exit_codes.USAGE
