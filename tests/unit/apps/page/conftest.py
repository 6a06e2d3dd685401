"""The page over a little library of its own, with a browser in memory."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from readingroom.apps import compose
from readingroom.apps.page.gate import Site
from readingroom.apps.page.serving import page_of
from readingroom.apps.page.visitors import Visitors
from readingroom.apps.settings import Settings, settings_from
from support.pages import Page

DOCUMENTS = {
    "harbour.md": "# Harbour\n\nThe ferry leaves the harbour at noon.\n",
    "secret.md": "---\nvisibility: internal\n---\n# Vault\n\nThe ferryman keeps the vault key.\n",
    "hidden.txt": "left\u202eright and\u200b nothing\n",
}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings of a folder with a public document, an internal one, and one with hidden characters."""
    folder = tmp_path / "documents"
    folder.mkdir()
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, "utf-8")
    values = {
        "folder": str(folder),
        "cache": str(tmp_path / "cache"),
        "ledger": str(tmp_path / "ledgers"),
        "no_watch": True,
    }
    return settings_from(values, {})


@pytest.fixture
def page(settings: Settings) -> Iterator[Page]:
    """The whole page of that folder."""
    opening = compose.Opening(settings, ("reader", "editor"))
    site, visitors = Site("/secret-path"), Visitors()
    page = Page(page_of(settings, opening, site, visitors), site, visitors)
    yield page
    page.close()
    opening.close()
