"""What every command of the operator begins with."""

from pathlib import Path

import pytest

from readingroom.apps import operating
from readingroom.apps.settings import settings_from
from readingroom.apps.terminal import Terminal
from readingroom.library import FolderUnusable

from .streams import console, written


def _opened(folder: Path, ledgers: Path, err: Terminal) -> str:
    settings = settings_from({"folder": str(folder), "ledger": str(ledgers)}, {})
    with operating.operating(settings, err) as opened:
        return opened.name


def test_a_folder(tmp_path: Path) -> None:
    """Its ledger is made, and the login name is the system's."""
    (tmp_path / "folder").mkdir()
    assert _opened(tmp_path / "folder", tmp_path / "ledgers", console().err) == operating.login_name()
    assert list((tmp_path / "ledgers").rglob("ledger.db"))


def test_no_folder(tmp_path: Path) -> None:
    """It is named, and nothing is made."""
    with pytest.raises(FolderUnusable, match="nowhere"):
        _opened(tmp_path / "nowhere", tmp_path / "ledgers", console().err)
    assert not (tmp_path / "ledgers").exists()


def test_what_was_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is ended first, and told, with nothing in it that a terminal would obey."""
    (tmp_path / "folder").mkdir()
    monkeypatch.setattr(
        "readingroom.library.operator.door.Operator.recover",
        lambda _: ("A publication at \x1b.md was taken back.",),
    )
    where = console()
    _opened(tmp_path / "folder", tmp_path / "ledgers", where.err)
    assert written(where.err) == "A publication at ⟨U+001B⟩.md was taken back.\n"


def test_the_login_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not come from the environment; an account without one has none."""
    for name in ("USER", "LOGNAME", "USERNAME"):
        monkeypatch.setenv(name, "somebody else")
    assert operating.login_name() != "somebody else"
    monkeypatch.setattr("os.getuid", lambda: 2**31 - 5)
    assert operating.login_name() == ""


def test_git_is_asked_for(tmp_path: Path) -> None:
    """A folder that is in no repository has no hook to git, and needs none unless it is asked for."""
    from readingroom.apps.git_publications import GitUnusable

    (tmp_path / "folder").mkdir()
    settings = settings_from({"folder": str(tmp_path / "folder"), "ledger": str(tmp_path / "ledgers")}, {})
    with operating.operating(settings, console().err) as opened:
        assert operating.git_of(settings, opened, wanted=False) is None
        with pytest.raises(GitUnusable):
            operating.git_of(settings, opened, wanted=True)
