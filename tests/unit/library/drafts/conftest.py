"""A house of drafts for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.draft_houses import House


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A house of its own."""
    made = House(tmp_path)
    yield made
    made.library.close()
