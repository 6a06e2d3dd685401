"""Folders to scan, and what is read of them."""

from pathlib import Path

import pytest

from readingroom.library import comparison, walk
from support.shelves import Shelves


@pytest.fixture
def shelves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelves:
    """An empty folder whose files count as settled, however fast the test is."""
    monkeypatch.setattr(comparison, "_UNSETTLED_NS", -(10**15))
    return Shelves(tmp_path)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that are read from now on."""
    seen: list[str] = []
    read = walk.read

    def noted(root: Path, item: walk.Found, *rest: int) -> bytes:
        seen.append(item.path)
        return read(root, item, *rest)

    monkeypatch.setattr(comparison.walk, "read", noted)
    return seen


@pytest.fixture
def a_long_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What counts as just written: on a machine under load half a second may pass between a write and the scan."""
    monkeypatch.setattr(comparison, "MIDWAY_S", 600)
