"""`backup` and `restore` as a person uses them."""

import stat
from pathlib import Path

import pytest

from readingroom.apps.faults import NothingFound, UsageFault
from readingroom.apps.running import run
from readingroom.library import BadQuery, FolderUnusable, LedgerUnusable
from support.ledgers import a_decision, a_draft, opened

from .streams import console, written


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a ledger of one draft and one decision."""
    with opened(tmp_path) as ledger, ledger.writing() as writing:
        writing.put_draft(a_draft())
        writing.append(a_decision())
    return tmp_path / "documents"


def ran(folder: Path, *arguments: str) -> str:
    """What a command says that went well."""
    where = console()
    assert run([*arguments, "--ledger", str(folder.parent / "ledgers")], where) == 0
    return written(where.out)


def test_there_and_back(folder: Path, tmp_path: Path) -> None:
    """What was written comes back, and each says what it holds."""
    file = tmp_path / "articles.ledger"
    told = ran(folder, "backup", str(folder), str(file))
    assert told.startswith(f"Wrote {file}, ")
    assert told.endswith(" KB: 1 draft, 1 of them open, 1 decision, 0 answers to apps.\n")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    told = ran(folder, "restore", str(file), str(folder))
    assert told == f"Restored {folder}: 1 draft, 1 of them open, 1 decision, 0 answers to apps.\n"
    assert list(folder.iterdir()) == []


def test_what_would_be_lost_is_kept_aside(folder: Path, tmp_path: Path) -> None:
    """When `--replace` is given; without it, nothing is changed."""
    file = tmp_path / "articles.ledger"
    ran(folder, "backup", str(folder), str(file))
    with opened(tmp_path) as ledger, ledger.writing() as writing:
        writing.append(a_decision(2))
    with pytest.raises(BadQuery, match=r"holds 1 decision that the backup does not\. Give --replace"):
        ran(folder, "restore", str(file), str(folder))
    _, told = ran(folder, "restore", "--replace", str(file), str(folder)).splitlines()
    aside = Path(told.removeprefix("The ledger that was there is kept as ").removesuffix("."))
    assert aside.parent == next((tmp_path / "ledgers").iterdir())
    assert aside.exists()


def test_a_ledger_follows_its_folder(folder: Path, tmp_path: Path) -> None:
    """To another path; it is said whose it was."""
    file = tmp_path / "articles.ledger"
    folder.rename(tmp_path / "moved")
    ran(folder, "backup", str(folder), str(file))
    told = ran(folder, "restore", str(file), str(tmp_path / "moved"))
    assert f"The backup was made of {folder}.\n" in told


def test_nothing_to_write(folder: Path, tmp_path: Path) -> None:
    """No ledger is made to be written."""
    with pytest.raises(NothingFound, match="no ledger is kept"):
        ran(folder, "backup", str(tmp_path / "other"), str(tmp_path / "file"))
    assert len(list((tmp_path / "ledgers").iterdir())) == 1


def test_a_lost_ledger_is_not_called_none(folder: Path, tmp_path: Path) -> None:
    """A backup made by a timer must not pass over it."""
    (file,) = (tmp_path / "ledgers").glob("*/ledger.db")
    file.rename(file.with_name("ledger.db-wal"))
    with pytest.raises(LedgerUnusable, match=r"is gone.*restore --replace"):
        ran(folder, "backup", str(folder), str(tmp_path / "file"))


def test_what_cannot_be(folder: Path, tmp_path: Path) -> None:
    """A file that is there, one that is none or no ledger, a folder that is missing, and no arguments."""
    (tmp_path / "there").write_text("no ledger" * 1000)
    for fault, command in (
        (BadQuery, ("backup", str(folder), str(tmp_path / "there"))),
        (BadQuery, ("restore", str(tmp_path / "none"), str(folder))),
        (LedgerUnusable, ("restore", str(tmp_path / "there"), str(folder))),
        (FolderUnusable, ("restore", str(tmp_path / "there"), str(tmp_path / "missing"))),
        (UsageFault, ("backup", str(folder))),
        (UsageFault, ("restore", str(tmp_path / "there"))),
    ):
        with pytest.raises(fault):
            ran(folder, *command)
