"""Operator's seats before a folder with drafts, with and without a passphrase."""

from pathlib import Path

import pytest

from .operator_seat import Seat


@pytest.fixture
def seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Seat:
    """Give a seat whose passphrase is set."""
    made = Seat(tmp_path, monkeypatch)
    made.set_passphrase()
    return made


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Seat:
    """Give a seat without one."""
    return Seat(tmp_path, monkeypatch)
