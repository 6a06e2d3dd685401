"""The operator's commands: what they show, what they ask, and what becomes of the answers."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from readingroom.apps import exit_codes
from readingroom.apps.git_publications import CommitIncomplete, GitUnusable
from readingroom.library.ledger import Draft, digest_of

from .operator_seat import PASSPHRASE, Scripted, Seat

KEY = ("Passphrase (set on", PASSPHRASE)
ACTION = "[p]ublish"


@pytest.fixture
def seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Seat:
    """Give a seat whose passphrase is set."""
    made = Seat(tmp_path, monkeypatch)
    made.set_passphrase()
    return made


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Seat:
    """Give a seat without one."""
    return Seat(tmp_path, monkeypatch)


def kinds(seat: Seat) -> list[str]:
    """Give the kinds of all decisions."""
    return [decision.kind for decision in seat.proposals.decisions()]


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


@pytest.mark.parametrize("kind", ["delete", "rename", "hidden", "long"])
def test_what_one_key_does_not_publish(seat: Seat, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """A draft with warnings, or one that is longer than the screen: they are told once more, and a word is wanted."""
    if kind in ("delete", "rename"):
        seat.proposals.propose(kind, path="b.md", **({"to": "d.md"} if kind == "rename" else {}))
    else:
        seat.proposals.edit("b.md", "see you", "see\U000e0041you" if kind == "hidden" else "see\n" * 30)
    monkeypatch.setattr("readingroom.apps.terminal.Terminal.rows", 24)
    before = seat.proposals.documents()
    typed = [(ACTION, "p"), ("Publish this draft? Type: yes", ""), (ACTION, "q")]
    _, shown = seat.run("review", typed=typed)
    assert seat.proposals.documents() == before
    warned = {"delete": "is deleted: 3 lines go", "rename": "moves to d.md", "hidden": "U+E0041 (line 3)"}
    assert kind == "long" or shown.count(warned[kind]) == 2
    code, shown = seat.run("review", typed=[(ACTION, "p"), ("Publish this draft?", "yes"), KEY])
    assert code == exit_codes.OK
    assert {"delete": "Published: b.md is deleted", "rename": "Published: b.md is now d.md"}.get(
        kind, "Published: b.md"
    ) in shown


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


def _updated(draft: Draft) -> Draft:
    """The draft as its app would make it anew."""
    content = b"# Greetings\n\nsomething else\n"
    return replace(draft, revision=2, content=content, digest=digest_of(content))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (_updated, "draft_revision_changed"),
        (lambda draft: replace(draft, path="b.md"), "approval_mismatch"),
        (lambda draft: replace(draft, note="harmless"), "approval_mismatch"),
        (lambda draft: replace(draft, state="withdrawn"), "not_open"),
    ],
)
def test_what_was_shown_is_what_is_approved(
    seat: Seat, monkeypatch: pytest.MonkeyPatch, change: Callable[[Draft], Draft], code: str
) -> None:
    """A draft that is changed while the person reads is not published: by its app, or past Reading Room."""
    draft = seat.proposals.edit("a.md", "hello", "hullo")

    def meanwhile(*_: object) -> bool:
        with seat.proposals.ledger() as ledger, ledger.writing() as writing:
            found = writing.draft(draft)
            assert found is not None
            writing.put_draft(change(found))
        return True

    monkeypatch.setattr("readingroom.apps.commands.publish.agreed", meanwhile)
    before = seat.proposals.documents()
    ended, shown = seat.run("publish", draft, typed=[KEY])
    assert ended == exit_codes.UNDECIDED
    assert code in shown
    assert seat.proposals.documents() == before


def test_a_marked_draft_that_changes(seat: Seat) -> None:
    """It is not marked any more: what is there now was not approved."""
    draft = seat.proposals.edit("a.md", "hello", "hullo")
    answer = Scripted.ask

    class Changing(Scripted):
        def ask(self, question: str) -> str | None:
            with seat.proposals.ledger() as ledger, ledger.writing() as writing:
                found = writing.draft(draft)
                assert found is not None
                writing.put_draft(_updated(found))
            return answer(self, question)

    seat.person = Changing
    code, shown = seat.run("review", typed=[(ACTION, "m"), (ACTION, "a"), (ACTION, "q")])
    assert code == exit_codes.OK
    assert "Nothing is marked." in shown


@pytest.mark.parametrize(("answer", "code"), [("unseen", exit_codes.OK), ("yes", exit_codes.UNDECIDED)])
def test_what_cannot_be_shown(seat: Seat, monkeypatch: pytest.MonkeyPatch, answer: str, code: int) -> None:
    """A difference that is too long to be shown whole is published only by who says that it is unseen."""
    monkeypatch.setattr("readingroom.library.drafts.diff.MAX_ROWS", 2)
    draft = seat.proposals.propose("create", path="n.md", content="one\ntwo\nthree\nfour\n")
    typed = [("2 changed lines could not be shown", answer)]
    more = [("this draft?", "yes"), KEY] if code == exit_codes.OK else []
    ended, shown = seat.run("publish", draft, typed=[*typed, *more])
    assert ended == code
    assert "NOT SHOWN" in shown


def test_no_text_to_show(seat: Seat) -> None:
    """A difference of bytes alone, and a file that is no text, are told as that."""
    draft = seat.proposals.propose("create", path="n.md", content="")
    _, shown = seat.run("publish", draft, typed=[("this draft?", "no")])
    assert "There is no difference between the texts." in shown


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


def test_undo(seat: Seat) -> None:
    """What it changes is shown first; the bytes from before come back, and an undo can be undone."""
    before = seat.proposals.documents()
    draft = seat.proposals.edit("a.md", "hello", "hullo")
    seat.run("publish", draft, typed=[("this draft?", "yes"), KEY])
    assert seat.run("undo", "2", typed=[("Undo decision 2?", "no")])[0] == exit_codes.UNDECIDED
    code, shown = seat.run("undo", "2", "--comment", "why", typed=[("Undo decision 2?", "yes"), KEY])
    assert code == exit_codes.OK
    assert "+ hello world" in shown
    assert "Undone: decision 2 on a.md (decision 3)" in shown
    assert seat.proposals.documents() == before
    code, shown = seat.run("undo", "3", typed=[("Undo decision 3?", "yes"), KEY])
    assert code == exit_codes.OK
    assert seat.proposals.text("a.md") == "# Greetings\n\nhullo world\n"
    code, shown = seat.run("undo", "2")
    assert code == exit_codes.UNDECIDED
    assert "! It cannot be undone: Decision 2 has been undone by decision 3; that one can be undone." in shown


def test_an_undo_that_would_be_refused(seat: Seat) -> None:
    """It is told before anybody is asked for a yes or the passphrase."""
    draft = seat.proposals.edit("a.md", "hello", "hullo")
    seat.run("publish", draft, typed=[("this draft?", "yes"), KEY])
    (seat.proposals.root / "a.md").write_text("# By hand\n")
    code, shown = seat.run("undo", "2")
    assert code == exit_codes.UNDECIDED
    assert "! It cannot be undone: a.md is not what decision 2 left: it has changed since." in shown
    (seat.proposals.root / "a.md").unlink()
    assert "It cannot be undone: a.md" in seat.run("undo", "2")[1]


def test_what_undoing_brings_back_is_warned_of(seat: Seat) -> None:
    """As a draft of the same change would be: visibility, what cannot be seen, and text that goes."""
    text = "---\nvisibility: internal\n---\n\n# Greetings\n"
    (seat.proposals.root / "a.md").write_text("# Greetings\n\nse\u200bcret\n")
    draft = seat.proposals.propose("replace", path="a.md", content=text)
    seat.run("publish", draft, typed=[("this draft?", "yes"), KEY])
    shown = seat.run("undo", "2", typed=[("Undo", "no")])[1]
    warned = "! The document becomes public: until now it is internal"
    assert warned in shown
    assert "! Invisible characters stand in what is added or changed: U+200B (line 3)." in shown
    assert shown.index(warned) < shown.index("- visibility: internal")


def test_what_undoing_changes(seat: Seat) -> None:
    """Of a new document, one that was deleted, and one that moved."""
    for kind, path, more in (
        ("create", "n.md", {"content": "# New\n"}),
        ("delete", "b.md", {}),
        ("rename", "sub/c.md", {"to": "d.md"}),
    ):
        draft = seat.proposals.propose(kind, path=path, **more)
        seat.run("publish", draft, typed=[("this draft?", "yes"), KEY])
    shown = [seat.run("undo", str(number), typed=[("Undo", "no")])[1] for number in (2, 3, 4)]
    assert "! The document is deleted: 1 lines go." in shown[0]
    assert "- # New" in shown[0]
    assert "b.md comes back" in shown[1]
    assert "+ see you" in shown[1]
    assert "! The document moves to sub/c.md." in shown[2]


@pytest.mark.parametrize(
    ("number", "code"), [("1", exit_codes.UNDECIDED), ("9", exit_codes.NOTHING), ("x", exit_codes.USAGE)]
)
def test_nothing_to_undo(seat: Seat, number: str, code: int) -> None:
    """A decision that changed no file, or is none."""
    assert seat.run("undo", number)[0] == code


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


def test_a_repository(seat: Seat) -> None:
    """With --git a publication and an undo are commits by the editor, and the work tree is clean afterwards."""

    def git(*arguments: str) -> str:
        command = [shutil.which("git") or "git", "-C", str(seat.proposals.root), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    git("init", "-q")
    git("config", "user.name", "anna")
    git("config", "user.email", "anna@example.org")
    git("add", ".")
    git("commit", "-q", "-m", "the beginning")
    draft = seat.proposals.edit("a.md", "hello", "hullo")
    code, shown = seat.run("publish", draft, "--git", typed=[("this draft?", "yes"), KEY])
    assert code == exit_codes.OK, shown
    assert f"Git: it is commit {git('rev-parse', 'HEAD')[:12]}." in shown
    seat.run("undo", "2", "--git", typed=[("Undo", "yes"), KEY])
    assert git("log", "--format=%an %cn", "-2").splitlines() == ["app anna", "app anna"]
    assert git("status", "--porcelain") == ""


class Git:
    """Stands for the hook to git; `refusing` and `failing` are what it says."""

    def __init__(self, refusing: str = "", failing: str = "", by_hand: tuple[str, ...] = ()) -> None:
        self.refusing, self.failing, self.by_hand = refusing, failing, by_hand
        self.committed: list[int] = []

    def check(self, _draft: str) -> None:
        """Say whether it could."""
        if self.refusing:
            raise GitUnusable(self.refusing)

    def check_undo(self, _number: int) -> None:
        """Say whether it could."""
        self.check("")

    def commit(self, decision: object) -> str:
        """Commit."""
        if self.failing:
            raise CommitIncomplete(self.failing, *self.by_hand)
        self.committed.append(decision.number)  # type: ignore[attr-defined]  # a decision
        return "0123456789abcdef"


def with_git(git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every command that asks for git have this one."""
    for name in ("review", "publish", "undo"):
        monkeypatch.setattr(
            f"readingroom.apps.commands.{name}.git_of", lambda *_, wanted: git if wanted else None
        )


def test_git(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each publication and each undo is committed, with --git alone."""
    git = Git()
    with_git(git, monkeypatch)
    for text in ("one", "two"):
        seat.proposals.edit("a.md", "hello", text)
    code, shown = seat.run("review", "--git", typed=[(ACTION, "p"), KEY, (ACTION, "q")])
    assert code == exit_codes.OK
    assert "Git: it is commit 0123456789ab." in shown
    seat.run("undo", "2", "--git", typed=[("Undo", "yes"), KEY])
    seat.run("undo", "3", typed=[("Undo", "yes"), KEY])
    assert git.committed == [2, 3]


def test_git_that_could_not(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then nothing is decided; in a review one goes on."""
    with_git(Git(refusing="git ignores a.md"), monkeypatch)
    draft = seat.proposals.edit("a.md", "hello", "hullo")
    code, shown = seat.run("review", "--git", typed=[(ACTION, "p"), (ACTION, "q")])
    assert code == exit_codes.OK
    assert "git ignores a.md" in shown
    code, shown = seat.run("publish", draft, "--git")
    assert code != exit_codes.OK
    assert "git ignores a.md" in shown
    assert kinds(seat) == ["set"]


def test_git_that_fails(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is published or undone stays, it is said what to do, and the exit code tells."""
    with_git(Git(failing="it is not committed.", by_hand=("git add", "git commit")), monkeypatch)
    by_hand = "To do by hand what git has not done:\n  git add\n  git commit\n"
    draft = seat.proposals.edit("a.md", "hello", "hullo")
    code, shown = seat.run("publish", draft, "--git", typed=[("this draft?", "yes"), KEY])
    assert code == exit_codes.FAILED
    assert "Git: it is not committed.\n" in shown
    assert shown.endswith(by_hand)
    code, shown = seat.run("undo", "2", "--git", typed=[("Undo", "yes"), KEY])
    assert code == exit_codes.FAILED
    assert shown.endswith(by_hand)
    seat.proposals.edit("b.md", "see", "saw")
    code, shown = seat.run("review", "--git", typed=[(ACTION, "p"), KEY])
    assert code == exit_codes.FAILED
    assert shown.endswith(by_hand)
    assert kinds(seat) == ["set", "publish", "undo", "publish"]
