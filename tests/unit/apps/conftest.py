"""Operator's seats before a folder with drafts, with and without a passphrase, and repositories of git."""

from pathlib import Path

import pytest

from support.repositories import Repository, at_home, repository

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


@pytest.fixture
def git_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git has an operator of its own, and no variable is left of another."""
    at_home(tmp_path / "home", monkeypatch)


@pytest.fixture
def repo(git_home: None, tmp_path: Path) -> Repository:
    """A repository with `opening.md`."""
    return repository(tmp_path / "repo")
