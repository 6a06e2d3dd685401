"""Tests of the page that checks folder and journal, and of accepting the folder as it is."""

from pathlib import Path

import pytest

from support.pages import INTERNAL, PASSPHRASE, Page, Proposing, hidden_fields, published_of, text_of

NEW = "# Harbour\n\nThe ferry leaves the harbour at one.\n"


def test_a_check_says_that_all_holds(published: Page) -> None:
    """Only with the passphrase, for without it a forged decision cannot be told."""
    assert "With the passphrase" in text_of(published.get("/verify"))
    assert published.post("/verify", ("passphrase", "")).status == 403
    reply = published.post("/verify", ("passphrase", PASSPHRASE))
    assert reply.status == 200
    assert "Everything holds" in text_of(reply)
    assert "Accept the folder" not in text_of(reply)


def test_a_check_names_what_was_changed_past_reading_room(published: Page, folder: Path) -> None:
    """And the folder can be accepted as it is."""
    (folder / "harbour.md").write_text("by hand\n")
    (folder / "extra.md").write_text("# Extra\n")
    checked = published.post("/verify", ("passphrase", PASSPHRASE))
    reply, manifest = text_of(checked), ("manifest", hidden_fields(checked, "manifest")[0])
    assert "Something does not hold" in reply
    assert "harbour.md was changed past Reading Room" in reply
    assert "extra.md is there without a decision" in reply
    assert "Accept the folder as it is" in reply
    wrong = published.post("/accept", ("passphrase", ""), manifest)
    assert wrong.status == 403
    accepted = published.post("/accept", ("passphrase", PASSPHRASE), ("comment", "It was me."), manifest)
    assert "counts as it is now" in text_of(accepted)
    assert "Everything holds" in text_of(published.post("/verify", ("passphrase", PASSPHRASE)))
    assert "It was me." in text_of(published.get("/history"))


@pytest.mark.parametrize("change", ["alter", "add", "remove", "put back"])
def test_a_folder_that_has_changed_since_the_check_is_not_accepted(
    page: Page, folder: Path, change: str
) -> None:
    """Nothing is decided; what it is now is shown, and that can be accepted."""
    (folder / "harbour.md").write_text("by hand\n")
    shown = page.post("/verify", ("passphrase", PASSPHRASE))
    if change == "alter":
        (folder / "secret.md").write_text("by another\n")
    elif change == "add":
        (folder / "planted.md").write_text("# Planted\n")
    elif change == "remove":
        (folder / "secret.md").unlink()
    else:
        (folder / "harbour.md").write_text("by hand, and again\n")
    fields = [("passphrase", PASSPHRASE), ("comment", "It was me.")]
    reply = page.post("/accept", *fields, ("manifest", hidden_fields(shown, "manifest")[0]))
    assert reply.status == 409
    said = text_of(reply)
    assert "Nothing was accepted: the folder has changed since it was checked" in said
    assert "Something does not hold" in said
    assert "It was me." in said
    assert page.get("/decision/2").status == 404
    again = page.post("/accept", *fields, ("manifest", hidden_fields(reply, "manifest")[0]))
    assert "counts as it is now" not in text_of(reply)
    assert again.status == 200
    assert "Everything holds" in text_of(page.post("/verify", ("passphrase", PASSPHRASE)))


def test_what_changed_in_each_file_is_shown_before_it_is_accepted(
    published: Page, proposing: Proposing, folder: Path
) -> None:
    """Revisions, what to beware of, and the difference against what was decided; of many files the first."""
    page = published
    published_of(page, proposing.edit("secret.md", INTERNAL))
    (folder / "harbour.md").write_text(NEW.replace("one", "two"))
    (folder / "secret.md").write_text("# Vault\n")
    (folder / "hidden.txt").unlink()
    (folder / "extra.md").write_text("# Extra\u202e\n")
    reply = page.post("/verify", ("passphrase", PASSPHRASE))
    body, said = reply.body.decode(), text_of(reply)
    assert "at <mark>one</mark>." in body
    assert "at <mark>two</mark>." in body
    assert "The document becomes public" in said
    assert "Extra⟨U+202E⟩" in said
    assert body.count("sha256:") == 1 + 6
    assert "not shown" not in said
    for number in range(30):
        (folder / f"more-{number:02}.md").write_text("# More\n")
    many = text_of(page.post("/verify", ("passphrase", PASSPHRASE)))
    assert "What changed in 14 more of these files is not shown" in many


def test_nothing_is_accepted_without_a_check(page: Page, folder: Path) -> None:
    """A form that does not say what was found is no form of the page."""
    (folder / "planted.md").write_text("# Planted\n")
    assert page.post("/accept", ("passphrase", PASSPHRASE)).status == 400
    assert page.post("/accept", ("passphrase", PASSPHRASE), ("manifest", "sha256:0")).status == 409
    assert page.get("/decision/2").status == 404
