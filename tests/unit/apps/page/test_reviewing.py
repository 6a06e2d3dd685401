"""Tests of the pages of drafts: what is shown is what is decided, or nothing is."""

import html
import re
import sqlite3
from pathlib import Path
from urllib.parse import urlencode

import pytest

from readingroom.library.ledger import Draft, Ledger
from readingroom.library.operator import Operator
from support.pages import PASSPHRASE, Page, Proposing, Reply, hidden_fields, text_of

NEW = "# Harbour\n\nThe ferry leaves the harbour at one.\n"


def decide(
    page: Page, shown: Reply, decision: str, *more: tuple[str, str], passphrase: str = PASSPHRASE
) -> Reply:
    """Send the form of a page, as it was shown."""
    approvals = [("approval", value) for value in hidden_fields(shown, "approval")]
    return page.post("/decide", *approvals, ("decision", decision), ("passphrase", passphrase), *more)


def state_of(ledger: Ledger, draft: Draft) -> str:
    """The state of a draft now."""
    with ledger.reading() as reading:
        found = reading.draft(draft.id)
    assert found is not None
    return found.state


def test_an_empty_queue_says_what_will_stand_there(page: Page) -> None:
    """And offers nothing to decide."""
    reply = page.get("/")
    assert "Nothing waits for you" in text_of(reply)
    assert "<form" not in reply.body.decode()


def test_the_queue_names_each_draft_and_its_warnings(page: Page, proposing: Proposing) -> None:
    """Who proposes what, and what is to be known before it is looked at."""
    proposing.edit("harbour.md", NEW, note="The ferry is late.")
    proposing.delete("secret.md")
    said = text_of(page.get("/"))
    assert "2 drafts wait for you" in said
    assert "harbour.md" in said
    assert "The ferry is late." in said
    assert "by desk" in said
    assert "delete" in said
    assert "Before you decide" in said


def test_a_draft_whose_file_has_changed_is_marked(page: Page, proposing: Proposing, folder: Path) -> None:
    """In the queue and on its page, which offers to reject it alone."""
    draft = proposing.edit("harbour.md", NEW)
    (folder / "harbour.md").write_text("other\n")
    assert "outdated" in text_of(page.get("/"))
    reply = page.get(f"/review?draft={draft.id}")
    assert "It cannot be published as it is" in text_of(reply)
    assert 'value="publish"' not in reply.body.decode()
    assert 'value="reject"' in reply.body.decode()


def test_a_long_queue_is_shown_in_parts(page: Page, proposing: Proposing) -> None:
    """The oldest first, and every draft is found by following the links, there and back."""
    for number in range(42):
        proposing.create(f"new-{number:02}.md", "# New\n", principal=f"desk-{number % 3}")
    first, seen, address = text_of(page.get("/")), [], "/"
    assert "42 drafts wait for you" in first
    assert "Page 1 of 3" in first
    assert "Earlier drafts" not in first
    while address:
        reply = page.get(address)
        seen.append(re.findall(r"new-\d\d", text_of(reply)))
        ahead = re.search(r'href="/secret-path(/[^"]*)">Later drafts', reply.body.decode())
        address = html.unescape(ahead[1]) if ahead else ""
    assert [len(names) for names in seen] == [20, 20, 2]
    assert [name for names in seen for name in names] == [f"new-{number:02}" for number in range(42)]
    assert 'href="/secret-path/?page=2">Earlier drafts' in reply.body.decode()


@pytest.mark.parametrize(
    ("told", "shown"), [("0", "1"), ("1", "1"), ("2", "2"), ("3", "2"), ("999999999", "2")]
)
def test_a_part_of_the_queue_that_is_not_there(
    page: Page, proposing: Proposing, told: str, shown: str
) -> None:
    """The nearest is shown: what was decided meanwhile has made the queue shorter."""
    for number in range(21):
        proposing.create(f"new-{number:02}.md", "# New\n")
    assert f"Page {shown} of 2" in text_of(page.get(f"/?page={told}"))


@pytest.mark.parametrize("told", ["-1", "x", "1e3", "\u0661", "1" * 30])
def test_a_part_of_the_queue_that_is_no_number(page: Page, told: str) -> None:
    """Is refused."""
    assert page.get(f"/?{urlencode({'page': told})}").status == 400


def test_a_draft_is_shown_with_its_difference(page: Page, proposing: Proposing) -> None:
    """Before beside after, with the words that changed marked."""
    draft = proposing.edit("harbour.md", NEW)
    reply = page.get(f"/review?draft={draft.id}").body.decode()
    assert "The ferry leaves the harbour at <mark>noon</mark>." in reply
    assert "The ferry leaves the harbour at <mark>one</mark>." in reply
    assert f"/secret-path/preview/{draft.id}/1/after" in reply
    assert 'sandbox="allow-same-origin"' in reply


def test_publishing_writes_the_file(page: Page, proposing: Proposing, folder: Path, ledger: Ledger) -> None:
    """With the passphrase, and keeps the comment."""
    draft = proposing.edit("harbour.md", NEW)
    reply = decide(page, page.get(f"/review?draft={draft.id}"), "publish", ("comment", "Thank you."))
    assert reply.status == 200
    assert "Published" in text_of(reply)
    assert (folder / "harbour.md").read_text() == NEW
    assert state_of(ledger, draft) == "published"
    assert "Thank you." in text_of(page.get("/history"))


def test_rejecting_leaves_the_file(page: Page, proposing: Proposing, folder: Path, ledger: Ledger) -> None:
    """And tells the app why."""
    draft = proposing.edit("harbour.md", NEW)
    reply = decide(page, page.get(f"/review?draft={draft.id}"), "reject", ("comment", "Not so."))
    assert "Rejected" in text_of(reply)
    assert "noon" in (folder / "harbour.md").read_text()
    assert state_of(ledger, draft) == "rejected"
    again = text_of(page.get(f"/review?draft={draft.id}"))
    assert "It is rejected; there is nothing to decide." in again
    assert "Not so." in again


@pytest.mark.parametrize(
    "passphrase", ["", "wrong", "\ud800".encode("utf-8", "surrogatepass").decode("latin-1")]
)
def test_without_the_passphrase_nothing_is_decided(
    page: Page, proposing: Proposing, folder: Path, ledger: Ledger, passphrase: str
) -> None:
    """The page is shown again, with the comment and without what was typed."""
    draft = proposing.edit("harbour.md", NEW)
    shown = page.get(f"/review?draft={draft.id}")
    reply = decide(page, shown, "publish", ("comment", "Kept comment"), passphrase=passphrase)
    assert reply.status == 403
    assert "Kept comment" in text_of(reply)
    assert 'aria-invalid="true"' in reply.body.decode()
    assert passphrase == "" or passphrase not in reply.body.decode()
    assert state_of(ledger, draft) == "open"
    assert "noon" in (folder / "harbour.md").read_text()


def test_after_a_wrong_passphrase_the_next_one_waits(
    page: Page, proposing: Proposing, ledger: Ledger
) -> None:
    """The right one, too, so that nothing is gained by trying quickly."""
    draft = proposing.edit("harbour.md", NEW)
    shown = page.get(f"/review?draft={draft.id}")
    for _ in range(2):
        decide(page, shown, "publish", passphrase="wrong")
    reply = decide(page, shown, "publish")
    assert reply.status == 403
    assert "the next one is looked at" in text_of(reply)
    assert state_of(ledger, draft) == "open"


def test_a_draft_that_was_changed_meanwhile_is_not_decided(
    page: Page, proposing: Proposing, folder: Path, ledger: Ledger
) -> None:
    """The page says what changed, and the passphrase is not even looked at."""
    draft = proposing.edit("harbour.md", NEW)
    shown = page.get(f"/review?draft={draft.id}")
    proposing.change(draft, revision=2)
    reply = decide(page, shown, "publish")
    assert reply.status == 409
    assert "Nothing was done" in text_of(reply)
    assert "revision 1 was shown, it is 2 now" in text_of(reply)
    assert state_of(ledger, draft) == "open"
    assert "noon" in (folder / "harbour.md").read_text()


def test_another_text_under_the_same_revision_is_not_decided(
    page: Page, proposing: Proposing, ledger: Ledger
) -> None:
    """An approval names the very bytes, and what they were made against."""
    draft = proposing.edit("harbour.md", NEW)
    shown = page.get(f"/review?draft={draft.id}")
    other = proposing.create("other.md", "# Other\n")
    proposing.change(draft, content=b"# Other\n", digest=other.digest, base=None, base_content=None)
    reply = decide(page, shown, "publish")
    assert reply.status == 409
    assert "not the one that was shown" in text_of(reply)
    assert "another version of the file" in text_of(reply)
    assert state_of(ledger, draft) == "open"


def test_a_decision_stands_once(page: Page, proposing: Proposing) -> None:
    """A form that is sent again, or from another tab, does nothing."""
    draft = proposing.edit("harbour.md", NEW)
    shown = page.get(f"/review?draft={draft.id}")
    assert decide(page, shown, "publish").status == 200
    again = decide(page, shown, "reject")
    assert again.status == 409
    assert "The draft is published already." in text_of(again)


def test_a_file_that_changed_meanwhile_is_not_overwritten(
    page: Page, proposing: Proposing, folder: Path
) -> None:
    """What another program wrote after the page was shown stays."""
    draft = proposing.edit("harbour.md", NEW)
    shown = page.get(f"/review?draft={draft.id}")
    (folder / "harbour.md").write_text("written by hand\n")
    reply = decide(page, shown, "publish")
    assert reply.status == 409
    assert "has changed" in text_of(reply)
    assert (folder / "harbour.md").read_text() == "written by hand\n"


def test_warnings_ask_for_one_more_tick(page: Page, proposing: Proposing, folder: Path) -> None:
    """Only to publish; and the tick is kept when the passphrase was wrong."""
    draft = proposing.delete("harbour.md")
    shown = page.get(f"/review?draft={draft.id}")
    refused = decide(page, shown, "publish")
    assert refused.status == 422
    assert (folder / "harbour.md").exists()
    wrong = decide(page, shown, "publish", ("read", "yes"), passphrase="")
    assert 'id="read" checked' in wrong.body.decode()
    assert decide(page, shown, "publish", ("read", "yes")).status == 200
    assert not (folder / "harbour.md").exists()


def test_several_are_decided_with_one_passphrase(
    page: Page, proposing: Proposing, folder: Path, ledger: Ledger
) -> None:
    """Those that are ticked, after all were shown."""
    first, second, third = (proposing.create(f"new-{number}.md", f"# New {number}\n") for number in range(3))
    shown = page.get(f"/review?draft={first.id}&draft={second.id}&draft={third.id}")
    assert "3 drafts together" in text_of(shown)
    approvals = hidden_fields(shown, "approval")
    fields = [("approval", value) for value in approvals[:2]]
    reply = page.post(
        "/decide", *fields, ("decision", "publish"), ("passphrase", PASSPHRASE), ("read", "yes")
    )
    assert reply.status == 200
    assert [state_of(ledger, draft) for draft in (first, second, third)] == ["published", "published", "open"]
    assert (folder / "new-1.md").exists()
    assert not (folder / "new-2.md").exists()


def test_what_was_refused_of_several_is_said(page: Page, proposing: Proposing, folder: Path) -> None:
    """And the others are done."""
    first, second = proposing.create("new.md", "# New\n"), proposing.edit("harbour.md", NEW)
    shown = page.get(f"/review?draft={first.id}&draft={second.id}")
    (folder / "new.md").write_text("in the way\n")
    reply = decide(page, shown, "publish", ("read", "yes"))
    assert reply.status == 409
    assert "Not everything was done" in text_of(reply)
    assert (folder / "harbour.md").read_text() == NEW
    assert f"/review?draft={first.id}" in reply.body.decode()


@pytest.mark.parametrize(
    "fields",
    [
        [],
        [("approval", "d-1")],
        [("approval", "d-1 x sha256:a -")],
        [("approval", "d-1 1  -")],
        [("approval", "d-1 1 - -"), ("approval", "d-1 1 - -")],
        [("approval", f"d-{number} 1 - -") for number in range(51)],
        [("decision", "burn")],
        [("decision", "publish"), ("decision", "reject")],
        [("comment", "x" * 2001)],
    ],
)
def test_a_form_that_makes_no_sense_is_refused(
    page: Page, proposing: Proposing, ledger: Ledger, fields: list[tuple[str, str]]
) -> None:
    """With a sentence, and nothing done."""
    draft = proposing.create("new.md", "# New\n")
    names = {name for name, _ in fields}
    usual = [("passphrase", PASSPHRASE)]
    if "decision" not in names:
        usual.append(("decision", "publish"))
    if "approval" not in names and fields:
        usual.append(("approval", hidden_fields(page.get(f"/review?draft={draft.id}"), "approval")[0]))
    assert page.post("/decide", *usual, *fields).status == 400
    assert state_of(ledger, draft) == "open"


def test_a_draft_that_is_not_there_is_not_found(page: Page) -> None:
    """Neither to look at nor to decide."""
    assert page.get("/review?draft=d-none").status == 404
    assert page.get("/preview/d-none/1/after").status == 404
    fields = [("approval", "d-none 1 - -"), ("decision", "publish"), ("passphrase", PASSPHRASE)]
    assert page.post("/decide", *fields).status == 404


@pytest.mark.parametrize(
    "address", ["/review", "/review?" + "&".join(f"draft=d-{number}" for number in range(51))]
)
def test_too_few_or_too_many_are_not_reviewed(page: Page, address: str) -> None:
    """With a sentence."""
    assert page.get(address).status == 400


def test_deciding_is_never_a_matter_of_a_link(page: Page, proposing: Proposing) -> None:
    """No decision is made by a GET."""
    proposing.edit("harbour.md", NEW)
    for address in ("/decide", "/undo", "/accept"):
        assert page.get(address).status == 405


def test_without_a_passphrase_set_the_page_says_how(page: Page, proposing: Proposing, ledger: Ledger) -> None:
    """And decides nothing."""
    draft = proposing.create("new.md", "# New\n")
    shown = page.get(f"/review?draft={draft.id}")
    with ledger.writing() as writing:
        chain = writing.chain()
    assert chain is not None
    assert "Set on" in text_of(shown)


def test_a_fault_of_ours_is_told_by_an_id(
    page: Page, operator: Operator, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page says no more; the terminal says where, and not a word of what was being shown."""

    def broken() -> None:
        raise RuntimeError("text of a document")

    monkeypatch.setattr(operator, "queue", broken)
    with pytest.raises(RuntimeError):
        page.get("/")
    told = capsys.readouterr().err
    assert "RuntimeError" in told
    assert "text of a document" not in told


def test_a_change_that_is_not_shown_whole_asks_for_the_tick(page: Page, proposing: Proposing) -> None:
    """Nobody is to publish what the page did not show without knowing it."""
    draft = proposing.edit("harbour.md", "x" * 6000 + "\n")
    shown = page.get(f"/review?draft={draft.id}")
    assert "This is not all of the change: 1 long line is cut." in text_of(shown)
    assert decide(page, shown, "publish").status == 422
    assert decide(page, shown, "publish", ("read", "yes")).status == 200


def test_a_file_that_changes_no_line(page: Page, proposing: Proposing, folder: Path) -> None:
    """Its bytes are other ones, and no line is."""
    draft = proposing.edit("harbour.md", b"\xef\xbb\xbf" + (folder / "harbour.md").read_bytes())
    assert "No line changes." in text_of(page.get(f"/review?draft={draft.id}"))


@pytest.mark.parametrize("damage", ["bytes", "kind"])
def test_a_damaged_draft_harms_no_other(page: Page, proposing: Proposing, folder: Path, damage: str) -> None:
    """It is shown as damaged and can be rejected; the others are reviewed and published as ever."""
    draft, other = proposing.edit("harbour.md", NEW), proposing.create("new.md", "# New\n")
    with sqlite3.connect(next((folder.parent / "ledgers").rglob("ledger.db"))) as broken:
        broken.execute("DROP TRIGGER contents_stay")
        if damage == "bytes":
            broken.execute("UPDATE contents SET bytes = x'00' WHERE digest = ?", (draft.digest,))
        else:
            broken.execute("UPDATE drafts SET kind = 'merge' WHERE id = ?", (draft.id,))
    broken.close()
    queue = page.get("/")
    assert queue.status == 200
    assert "new.md" in text_of(queue)
    shown = page.get(f"/review?draft={draft.id}")
    assert "The draft is damaged" in text_of(shown)
    assert 'value="publish"' not in shown.body.decode()
    assert decide(page, page.get(f"/review?draft={other.id}"), "publish").status == 200
    assert (folder / "new.md").exists()
    assert decide(page, shown, "reject").status == 200
