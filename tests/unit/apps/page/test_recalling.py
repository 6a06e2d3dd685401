"""Tests of the pages of what was decided."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest

from readingroom.library.ledger import Draft, Ledger
from readingroom.library.operator import Operator, reset_passphrase, set_passphrase
from support.pages import INTERNAL, PASSPHRASE, Page, Proposing, Reply, hidden_fields, published_of, text_of

NEW = "# Harbour\n\nThe ferry leaves the harbour at one.\n"


def test_the_history_shows_every_decision(published: Page) -> None:
    """The newest first, with who and for whom."""
    said = text_of(published.get("/history"))
    assert said.index("published") < said.index("passphrase set")
    assert "somebody, for desk" in said
    assert "Yes." in said


def test_the_history_of_one_file(published: Page) -> None:
    """The others are a link away."""
    said = text_of(published.get("/history?path=harbour.md"))
    assert "Only those about harbour.md" in said
    assert "passphrase set" not in said
    assert "Nothing has been decided yet" in text_of(published.get("/history?path=other.md"))


def test_a_long_history_is_shown_in_parts(published: Page, operator: Operator, ledger: Ledger) -> None:
    """Fifty decisions a page; the last page ends with the first."""
    from readingroom.library.operator import unlock

    key = unlock(ledger, PASSPHRASE)
    for _ in range(60):
        operator.accept(key, "again")
    first = published.get("/history")
    assert "/history?before=13" in first.body.decode()
    rest = published.get("/history?before=13")
    assert "passphrase set" in text_of(rest)
    assert "Older decisions" not in text_of(rest)
    assert published.get("/history?before=x").status == 400


def test_a_decision_shows_what_it_changed(published: Page) -> None:
    """Before beside after, and both revisions."""
    reply = published.get("/decision/2").body.decode()
    assert "at <mark>noon</mark>." in reply
    assert "at <mark>one</mark>." in reply
    assert reply.count("sha256:") == 2


@pytest.mark.parametrize("number", ["0", "99", "x", "-1", str(2**63 - 1), str(2**63), "9" * 23, "9" * 5000])
def test_a_decision_that_is_not_there(page: Page, number: str) -> None:
    """Is not found."""
    assert page.get(f"/decision/{number}").status == 404


def test_what_changed_no_file_cannot_be_undone(page: Page) -> None:
    """There is no form for it, and a form that was made by hand does nothing."""
    assert "Undo it" not in text_of(page.get("/decision/1"))
    reply = page.post("/undo", ("number", "1"), ("passphrase", PASSPHRASE))
    assert reply.status == 409
    assert "changed no file" in text_of(reply)


def test_undo_brings_the_file_back(published: Page, folder: Path) -> None:
    """With the passphrase, as a decision of its own that can be undone as well."""
    wrong = published.post("/undo", ("number", "2"), ("passphrase", ""), ("comment", "Kept"))
    assert wrong.status == 403
    assert "Kept" in text_of(wrong)
    reply = published.post("/undo", ("number", "2"), ("passphrase", PASSPHRASE))
    assert reply.status == 200
    assert "Undone" in text_of(reply)
    assert "noon" in (folder / "harbour.md").read_text()
    again = text_of(published.get("/decision/3"))
    assert "Undoes decision 2" in again
    assert "Undo it" in again


def undoing_of(reply: Reply) -> str:
    """What a decision's page shows of undoing it."""
    return text_of(reply).partition("What undoing it changes")[2]


CHANGES: dict[str, tuple[Callable[[Proposing], Draft], str]] = {
    "becomes internal": (
        lambda proposing: proposing.edit("harbour.md", INTERNAL),
        "The document becomes public: until now it is internal",
    ),
    "becomes public": (
        lambda proposing: proposing.edit("secret.md", "# Vault\n"),
        "The document becomes internal",
    ),
    "created": (lambda proposing: proposing.create("new.md", "# New\n"), "The document is deleted"),
    "renamed": (
        lambda proposing: proposing.rename("harbour.md", "port.md"),
        "The document moves to harbour.md",
    ),
    "internal deleted": (
        lambda proposing: proposing.delete("secret.md"),
        "The new document is internal",
    ),
    "without what hides": (
        lambda proposing: proposing.edit("hidden.txt", "left right and nothing\n"),
        "U+202E",
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_undo_warns_of_what_it_does_as_a_draft_of_it_would(
    page: Page, proposing: Proposing, folder: Path, what: str
) -> None:
    """And asks for the tick that says that it was read; without it nothing is undone."""
    make, warning = CHANGES[what]
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    published_of(page, make(proposing))
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    shown = page.get("/decision/2")
    assert "Before you decide" in undoing_of(shown)
    assert warning in undoing_of(shown)
    fields = [("number", "2"), ("passphrase", PASSPHRASE), ("comment", "Back.")]
    unread = page.post("/undo", *fields)
    assert unread.status == 422
    assert "Read what is marked in yellow" in text_of(unread)
    assert "Back." in text_of(unread)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == after
    assert page.post("/undo", *fields, ("read", "yes")).status == 200
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(
    ("make", "done", "undone"),
    [
        (
            lambda proposing: proposing.edit("harbour.md", NEW),
            "harbour.md is published: decision 2.",
            "harbour.md is as it was before decision 2: decision 3.",
        ),
        (
            lambda proposing: proposing.create("new.md", "# New\n"),
            "new.md is published: decision 2.",
            "new.md is deleted: decision 3.",
        ),
        (
            lambda proposing: proposing.delete("harbour.md"),
            "harbour.md is deleted: decision 2.",
            "harbour.md is as it was before decision 2: decision 3.",
        ),
        (
            lambda proposing: proposing.rename("harbour.md", "port.md"),
            "harbour.md is now port.md: decision 2.",
            "port.md is now harbour.md: decision 3.",
        ),
        (
            lambda proposing: proposing.rename("harbour.md", "a\u00a0b.md"),
            "harbour.md is now a⟨U+00A0⟩b.md: decision 2.",
            "a⟨U+00A0⟩b.md is now harbour.md: decision 3.",
        ),
    ],
)
def test_what_became_of_the_file_is_said(
    page: Page, proposing: Proposing, make: Callable[[Proposing], Draft], done: str, undone: str
) -> None:
    """By what happened to it: a file that is gone is not called published."""
    assert done in text_of(published_of(page, make(proposing)))
    reply = page.post("/undo", ("number", "2"), ("passphrase", PASSPHRASE), ("read", "yes"))
    assert undone in text_of(reply)


def test_a_name_is_shown_by_all_pages_so_that_it_looks_like_no_other(
    page: Page, proposing: Proposing
) -> None:
    """Queue, review, what came of it, history, decision, and the document itself."""
    name = "a\u00a0b \u2192 c.md"
    draft = proposing.create(name, "# New\n")
    pages = [page.get("/"), page.get(f"/review?draft={draft.id}"), published_of(page, draft)]
    address = quote(name)
    pages += [page.get(where) for where in ("/history", f"/history?path={address}", "/decision/2")]
    pages.append(page.get(f"/document?path={address}"))
    for reply in pages:
        assert reply.status == 200
        assert "a⟨U+00A0⟩b ⟨U+2192⟩ c.md" in text_of(reply)


def test_undo_shows_the_difference_that_it_makes(published: Page) -> None:
    """From what the decision left to what was before it, below what it changed itself; no tick where nothing warns."""
    reply = published.get("/decision/2")
    done, undone = reply.body.decode().split("What undoing it changes")
    noon, one = "at <mark>noon</mark>.", "at <mark>one</mark>."
    assert done.index(noon) < done.index(one)
    assert undone.index(one) < undone.index(noon)
    assert 'name="read"' not in undone


@pytest.mark.parametrize("why", ["undone", "changed", "gone", "kept bytes gone"])
def test_what_cannot_be_undone_is_not_asked_for(
    published: Page, folder: Path, ledger: Ledger, operator: Operator, why: str
) -> None:
    """The page says why instead, and a form that was shown before is refused with the same words."""
    fields = [("number", "2"), ("passphrase", PASSPHRASE), ("read", "yes")]
    said = {
        "undone": "Decision 2 has been undone by decision 3",
        "changed": "harbour.md is not what decision 2 left",
        "gone": "harbour.md",
        "kept bytes gone": "What stood at harbour.md before is",
    }[why]
    if why == "undone":
        assert published.post("/undo", *fields).status == 200
    elif why == "changed":
        (folder / "harbour.md").write_text("by hand\n")
    elif why == "gone":
        (folder / "harbour.md").unlink()
    else:
        with sqlite3.connect(next((folder.parent / "ledgers").rglob("ledger.db"))) as broken:
            (before,) = broken.execute("SELECT before FROM decisions WHERE number = 2").fetchone()
            broken.execute("DROP TRIGGER contents_stay")
            broken.execute("UPDATE contents SET bytes = x'00' WHERE digest = ?", (before,))
        broken.close()
    shown = published.get("/decision/2")
    assert shown.status == 200
    assert "It cannot be undone" in text_of(shown)
    assert said in text_of(shown)
    assert b'type="password"' not in shown.body
    refused = published.post("/undo", *fields)
    assert refused.status == 409
    assert said in text_of(refused)


def test_undo_does_not_overwrite_what_came_later(published: Page, folder: Path) -> None:
    """The file is another one now."""
    (folder / "harbour.md").write_text("by hand\n")
    reply = published.post("/undo", ("number", "2"), ("passphrase", PASSPHRASE))
    assert reply.status == 409
    assert (folder / "harbour.md").read_text() == "by hand\n"


@pytest.mark.parametrize("number", ["", "x", "1" * 10])
def test_a_form_that_names_no_decision(page: Page, number: str) -> None:
    """Is refused."""
    assert page.post("/undo", ("number", number), ("passphrase", PASSPHRASE)).status == 400


ASKING = ["/verify", "/decision/2", "/review", "/verify?checked"]


@pytest.mark.parametrize("where", ASKING)
@pytest.mark.parametrize("then", ["", "set", "set twice"])
def test_a_passphrase_that_was_reset_is_said(
    published: Page,
    proposing: Proposing,
    folder: Path,
    ledger: Ledger,
    operator: Operator,
    where: str,
    then: str,
) -> None:
    """By every question, also after another one was set since: whoever did not do it is warned before typing it."""
    draft = proposing.create("new.md", "# New\n")
    typed, manifest = "another passphrase 0", operator.manifest()
    reset_passphrase(ledger, "other", typed, manifest=manifest).forget()
    for number in range(1, 1 + len(then.split())):
        old, typed = typed, f"another passphrase {number}"
        set_passphrase(ledger, "other", typed, old, manifest=manifest).forget()
    if where == "/verify?checked":
        (folder / "by-hand.md").write_text("by hand\n")
        reply = published.post("/verify", ("passphrase", typed))
    else:
        reply = published.get(f"/review?draft={draft.id}" if where == "/review" else where)
    said = text_of(reply)
    assert said.count("decision 3") >= reply.body.count(b'type="password"') > 0
    assert said.count("If that was not you, do not type it") == reply.body.count(b'type="password"')
    assert ("and set on" in said) == bool(then)


def test_a_passphrase_that_was_never_reset(page: Page, ledger: Ledger, operator: Operator) -> None:
    """It is said when it was set, also after it was changed with the old one, and nothing more."""
    set_passphrase(ledger, "somebody", "a new passphrase", PASSPHRASE, manifest=operator.manifest()).forget()
    said = text_of(page.get("/verify"))
    assert "Set on" in said
    assert "RESET" not in said


def test_a_decision_whose_bytes_are_no_text(page: Page, proposing: Proposing, folder: Path) -> None:
    """It is shown without lines."""
    (folder / "odd.md").write_bytes(b"\0\1")
    draft = proposing.edit("odd.md", b"# Now text\n")
    approval = hidden_fields(page.get(f"/review?draft={draft.id}"), "approval")[0]
    fields = [("approval", approval), ("decision", "publish"), ("passphrase", PASSPHRASE), ("read", "yes")]
    assert page.post("/decide", *fields).status == 200
    reply = page.get("/decision/2")
    assert reply.status == 200
    assert "<table" not in reply.body.decode()
