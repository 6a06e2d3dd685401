"""One browser for all tests, and a page of its own for each."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from support.browsing import Browser, Shelf, origin_of, root_of

DOCUMENTS = {
    "harbour.md": "# Harbour\n\nThe ferry leaves the harbour at noon.\n\nBring a warm coat.\n",
    "boats.md": "# Boats\n\n- rowing boats\n- the ferry, see [the harbour](harbour.md)\n",
    "secret.md": "---\nvisibility: internal\n---\n# Vault\n\nThe ferryman keeps the key.\n",
}


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A browser."""
    with Browser() as browser:
        yield browser


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """A folder with three documents, and a passphrase."""
    return Shelf(tmp_path, DOCUMENTS)


@pytest.fixture
def enter(chromium: Browser, shelf: Shelf) -> Iterator[Callable[..., str]]:
    """Serve the page, let the browser in, and give the address under which the pages stand."""
    with ExitStack() as held:

        def enter(**options: Any) -> str:
            address = held.enter_context(shelf.served())
            chromium.open([origin_of(address)], **options)
            assert chromium.goto(address) == 200
            chromium.wait("nav")
            return root_of(address)

        yield enter
