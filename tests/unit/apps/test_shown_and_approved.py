"""Whoever approves has seen it: what one key does not publish, what changes meanwhile, and what cannot be shown."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from readingroom.apps import exit_codes
from readingroom.library.ledger import Draft, digest_of

from .operator_seat import ACTION, KEY, Scripted, Seat


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
