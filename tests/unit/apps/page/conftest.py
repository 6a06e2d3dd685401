"""The page over a little library of its own, with drafts that wait, and a browser in memory."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from readingroom.apps import compose
from readingroom.apps.page.counter import Counter
from readingroom.apps.page.gate import Site
from readingroom.apps.page.serving import page_of
from readingroom.apps.page.visitors import Visitors
from readingroom.apps.settings import Settings, settings_from
from readingroom.library import Rules
from readingroom.library.ledger import Ledger
from readingroom.library.operator import Operator, derivation, set_passphrase
from support.pages import PASSPHRASE, Page, Proposing, hidden_fields

DOCUMENTS = {
    "harbour.md": "# Harbour\n\nThe ferry leaves the harbour at noon.\n",
    "secret.md": "---\nvisibility: internal\n---\n# Vault\n\nThe ferryman keeps the vault key.\n",
    "hidden.txt": "left\u202eright and\u200b nothing\n",
}
NEW = "# Harbour\n\nThe ferry leaves the harbour at one.\n"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings of a folder with a public document, an internal one, and one with hidden characters."""
    folder = tmp_path / "documents"
    folder.mkdir()
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, "utf-8")
    places = {"cache": str(tmp_path / "cache"), "ledger": str(tmp_path / "ledgers")}
    return settings_from({"folder": str(folder), "no_watch": True, **places}, {})


@pytest.fixture
def folder(settings: Settings) -> Path:
    """The folder itself."""
    return Path(settings.folder)


@pytest.fixture
def ledger(settings: Settings) -> Iterator[Ledger]:
    """Its ledger."""
    assert settings.ledger is not None
    ledger = Ledger.open(Path(settings.folder), Path(settings.ledger))
    yield ledger
    ledger.close()


@pytest.fixture
def operator(folder: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> Operator:
    """The operator's door, behind a passphrase that is made quickly."""
    monkeypatch.setattr(derivation, "_N", 2**14)
    operator = Operator(folder, Rules(), ledger, operator="somebody")
    set_passphrase(ledger, "somebody", PASSPHRASE, manifest=operator.manifest()).forget()
    return operator


@pytest.fixture
def proposing(folder: Path, ledger: Ledger) -> Proposing:
    """An editor that drafts changes."""
    return Proposing(folder, ledger)


@pytest.fixture
def page(settings: Settings, ledger: Ledger, operator: Operator) -> Iterator[Page]:
    """The whole page of that folder."""
    opening = compose.Opening(settings, ("reader", "editor"))
    site, visitors = Site("/secret-path"), Visitors()
    gate = page_of(settings, opening, Counter(operator, ledger), site, visitors)
    page = Page(gate, site, visitors)
    yield page
    page.close()
    opening.close()


@pytest.fixture
def published(page: Page, proposing: Proposing) -> Page:
    """The page after one draft was published, which is decision 2."""
    draft = proposing.edit("harbour.md", NEW)
    approval = hidden_fields(page.get(f"/review?draft={draft.id}"), "approval")[0]
    fields = [
        ("approval", approval),
        ("decision", "publish"),
        ("passphrase", PASSPHRASE),
        ("comment", "Yes."),
    ]
    assert page.post("/decide", *fields).status == 200
    return page
