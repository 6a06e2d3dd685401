"""Tests of the pages that look at the library as an app sees it."""

import pytest

from support.pages import Page, text_of


def test_a_search_as_an_editor_finds_internal_documents(page: Page) -> None:
    """And as a reader it does not."""
    as_editor = page.get("/search?q=ferryman")
    as_reader = page.get("/search?q=ferryman&as=reader")
    assert "secret.md" in text_of(as_editor)
    assert "secret.md" not in text_of(as_reader)


def test_the_words_that_were_found_are_marked(page: Page) -> None:
    """In the text of the hit, which leads to its lines."""
    reply = page.get("/search?q=harbour&as=reader").body.decode()
    assert "<mark>harbour</mark>" in reply
    assert "/secret-path/document?path=harbour.md&amp;as=reader#L1" in reply


def test_a_query_that_finds_nothing_says_so(page: Page) -> None:
    """With the hint of the library."""
    assert "Nothing found." in text_of(page.get("/search?q=zeppelin"))


def test_a_query_that_cannot_be_served_says_why(page: Page) -> None:
    """On the page itself, with the query still there."""
    reply = page.get(f"/search?q={'x' * 2001}")
    assert reply.status == 200
    assert "query must be from 1 to 2000 characters" in text_of(reply)


@pytest.mark.parametrize(
    "address", ["/search?as=operator", "/search?q=a&start=x", "/document?path=a&from=-1"]
)
def test_arguments_out_of_bounds_are_refused(page: Page, address: str) -> None:
    """With a sentence."""
    assert page.get(address).status == 400


def test_a_document_is_shown_line_by_line(page: Page) -> None:
    """Each line has its number and can be led to."""
    reply = page.get("/document?path=harbour.md").body.decode()
    assert '<li id="L3">' in reply
    assert "The ferry leaves the harbour at noon." in reply


def test_hidden_characters_of_a_document_are_shown(page: Page) -> None:
    """By their numbers, and counted."""
    reply = page.get("/document?path=hidden.txt")
    assert "left⟨U+202E⟩right and⟨U+200B⟩ nothing" in text_of(reply)
    assert "2 invisible or direction-changing characters" in text_of(reply)
    assert "\u202e" not in reply.body.decode()


def test_a_reader_is_shown_no_internal_document(page: Page) -> None:
    """It reads as one that is not there."""
    assert page.get("/document?path=secret.md&as=reader").status == 404
    assert page.get("/document?path=secret.md&as=editor").status == 200


def test_a_long_document_is_shown_in_parts(page: Page, settings: object) -> None:
    """The rest is a link away."""
    from pathlib import Path

    from readingroom.apps.settings import Settings

    assert isinstance(settings, Settings)
    (Path(settings.folder) / "long.txt").write_text("line\n" * 2001, "utf-8")
    reply = page.get("/document?path=long.txt")
    assert "From line 2001 on" in text_of(reply)
    rest = page.get("/document?path=long.txt&from=2001").body.decode()
    assert '<li id="L2001">' in rest
    assert "From line" not in rest
