"""Tests of what the page shows of a draft: one side of it, both its names, and no markup of its own."""

from pathlib import Path

import pytest

from support.attacks import ATTACKS, HIDDEN
from support.pages import Page, Proposing, elements_of, text_of

NEW = "# Harbour\n\nThe ferry leaves the harbour at one.\n"


@pytest.mark.parametrize("side", ["before", "after"])
def test_a_preview_shows_one_side(page: Page, proposing: Proposing, side: str) -> None:
    """Rendered, in a page of its own that can do nothing."""
    draft = proposing.edit("harbour.md", NEW)
    reply = page.get(f"/preview/{draft.id}/1/{side}")
    assert reply.status == 200
    assert "<h1>Harbour</h1>" in reply.body.decode()
    assert ("noon" in reply.body.decode()) is (side == "before")
    assert "sandbox" in reply.fields["content-security-policy"]


def test_a_preview_of_another_revision_is_refused(page: Page, proposing: Proposing) -> None:
    """The frame would show something else than the page around it."""
    draft = proposing.edit("harbour.md", NEW)
    proposing.change(draft, revision=2)
    assert page.get(f"/preview/{draft.id}/1/after").status == 409
    assert page.get(f"/preview/{draft.id}/2/between").status == 404
    for number in ("x", "-1", "9" * 23, "9" * 5000):
        assert page.get(f"/preview/{draft.id}/{number}/after").status == 404


def test_a_preview_of_nothing_says_so(page: Page, proposing: Proposing) -> None:
    """A new file has no text before."""
    draft = proposing.create("new.md", "# New\n")
    assert "There is no text to show." in text_of(page.get(f"/preview/{draft.id}/1/before"))


def test_a_rename_shows_both_names(page: Page, proposing: Proposing, folder: Path) -> None:
    """And that no byte changes."""
    draft = proposing.rename("harbour.md", "port.md")
    said = text_of(page.get(f"/review?draft={draft.id}"))
    assert "harbour.md →becomes port.md" in said.replace("→ ", "→")
    assert "not a byte of it changes" in said


def test_what_is_no_text_says_so(page: Page, proposing: Proposing, folder: Path) -> None:
    """There are no lines to show."""
    (folder / "odd.md").write_bytes(b"\0\1")
    draft = proposing.edit("odd.md", b"\0\2")
    assert "no text" in text_of(page.get(f"/review?draft={draft.id}"))


def test_what_a_draft_says_is_text(page: Page, proposing: Proposing) -> None:
    """In its note, its name and its difference: a page has the same tags and attributes whatever a draft says."""
    plain = proposing.create("plain.md", "plain\n" * len(ATTACKS), note="plain")
    hostile = proposing.create(
        "new.md", "\n".join(ATTACKS), note=" ".join(ATTACKS), principal="<b onclick=x>"
    )
    for address in ("/", f"/review?draft={hostile.id}", f"/review?draft={plain.id}&draft={hostile.id}"):
        reply = page.get(address)
        found = elements_of(reply)
        assert found.tags.isdisjoint(
            {"script", "img", "svg", "style", "base", "object", "embed", "b", "math"}
        )
        assert not any(name.startswith(("on", "style", "srcdoc", "formaction")) for name in found.attributes)
        assert all(target.startswith(("/secret-path/", "#main")) for target in found.targets)


def test_hidden_characters_of_a_draft_are_shown_and_warned_of(page: Page, proposing: Proposing) -> None:
    """In the note, the path and the difference; publishing asks for the tick."""
    draft = proposing.create("na\u200bme.md", "\n".join(HIDDEN), note="no\u202ete")
    reply = page.get(f"/review?draft={draft.id}")
    body = reply.body.decode()
    for character in "\u202e\u200b\u2066\ufeff\U000e0041\x1b\u00ad":
        assert character not in body
        assert f"⟨U+{ord(character):04X}⟩" in body
    assert "Before you decide" in text_of(reply)
    assert 'name="read"' in body
