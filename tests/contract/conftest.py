"""An editor's desk over documents and a ledger, and an environment without proxies."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from readingroom.library import Library
from support.desks import Desk, desk_over, editors_library
from support.drafted import FEES
from support.scripted import forget_proxies
from support.shelves import Shelves


@pytest.fixture
def no_proxies(monkeypatch):
    """What the environment of the tests names does not count."""
    forget_proxies(monkeypatch)


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    """A public and an internal document."""
    made = Shelves(tmp_path)
    made.write("fees.md", FEES)
    made.document("staff/pay.md", "# Pay\n\nEverybody earns the same.\n", visibility="internal")
    return made


@pytest.fixture
def library(shelves: Shelves) -> Iterator[Library]:
    """The library over them."""
    with editors_library(shelves) as made:
        yield made


@pytest.fixture
def desk(library: Library) -> Desk:
    """An editor's desk."""
    return desk_over(library, "editor")
