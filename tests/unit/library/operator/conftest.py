"""A folder with its ledger, and the key of its first chain."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from readingroom.library.operator import DecisionKey
from support.publishing import Desk, seated

OLD, NEW, OTHER = b"# Old\n", b"# New\n", b"# Other\n"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A folder with a file and an open chain."""
    with seated(tmp_path, clock=lambda: 77.0) as desk:
        desk.write("a.md", OLD)
        desk.write("ä/b.md", OTHER)
        yield desk


@pytest.fixture
def key(desk: Desk) -> DecisionKey:
    """The key of the chain that begins here."""
    return desk.begin()
