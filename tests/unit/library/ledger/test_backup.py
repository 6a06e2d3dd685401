"""A backup holds all of a ledger at one moment, is looked at when it is made, and overwrites nothing."""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from readingroom.library import BadQuery, LedgerFull, LedgerUnusable
from readingroom.library.ledger import BackupInfo, Ledger, backup, soundness
from support.ledgers import a_decision, a_draft, an_operation, opened


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """A ledger with two drafts, a decision and an answer."""
    with opened(tmp_path) as found:
        with found.writing() as writing:
            writing.put_draft(a_draft())
            writing.put_draft(a_draft("d-2", state="rejected"))
            writing.add_operation(an_operation())
            writing.append(a_decision())
        yield found


def test_it_holds_all_of_the_ledger(ledger: Ledger, tmp_path: Path) -> None:
    """In one file, its owner's alone, and nothing else is left beside it."""
    target = tmp_path / "backups" / "ledger.db"
    target.parent.mkdir()
    before = os.umask(0)
    try:
        found = ledger.backup(target)
    finally:
        os.umask(before)
    assert found == BackupInfo(str(ledger.root), 2, 1, 1, 1, target.stat().st_size)
    assert [file.name for file in target.parent.iterdir()] == ["ledger.db"]
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    copied = apsw.Connection(str(target), flags=apsw.SQLITE_OPEN_READONLY)
    assert soundness.faults_of(copied) == ()
    copied.close()


def test_others_go_on_writing_meanwhile(ledger: Ledger, tmp_path: Path) -> None:
    """What is being written when it is made is not in it."""
    with ledger.writing() as writing:
        writing.put_draft(a_draft("d-3"))
        assert ledger.backup(tmp_path / "backup.db").drafts == 2
    assert ledger.backup(tmp_path / "later.db").drafts == 3


def test_nothing_is_overwritten(ledger: Ledger, tmp_path: Path) -> None:
    """Not even a link that leads nowhere; nor is a folder made."""
    there = tmp_path / "there"
    there.write_text("mine")
    with pytest.raises(BadQuery, match="is there already"):
        ledger.backup(there)
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(BadQuery, match="is there already"):
        ledger.backup(tmp_path / "link")
    with pytest.raises(BadQuery, match="no folder"):
        ledger.backup(tmp_path / "none" / "backup.db")
    assert there.read_text() == "mine"


def test_never_among_the_documents(ledger: Ledger) -> None:
    """It holds drafts, which no reader may see."""
    with pytest.raises(BadQuery, match="choose a place outside"):
        ledger.backup(ledger.root / "backup.db")


def test_a_name_that_was_taken_meanwhile_is_not_overwritten(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also on a disk that knows no second names."""
    target = tmp_path / "backup.db"

    def look_at(file: Path, name: Path) -> BackupInfo:
        target.write_text("mine")
        return original(file, name)

    original = backup.look_at
    monkeypatch.setattr(backup, "look_at", look_at)
    with pytest.raises(BadQuery, match="is there already"):
        ledger.backup(target)
    target.unlink()
    _without_links(monkeypatch)
    with pytest.raises(BadQuery, match="is there already"):
        ledger.backup(target)
    assert target.read_text() == "mine"


def test_on_a_disk_that_knows_no_second_names(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is made all the same."""
    _without_links(monkeypatch)
    assert ledger.backup(tmp_path / "backup.db").drafts == 2
    assert (tmp_path / "backup.db").exists()


def _without_links(monkeypatch: pytest.MonkeyPatch) -> None:
    def link(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", link)


def test_a_ledger_that_was_altered_is_not_backed_up_as_sound(ledger: Ledger, tmp_path: Path) -> None:
    """And no file is left."""
    with ledger.writing() as writing:
        writing._do("DROP TRIGGER decisions_stay")
    with pytest.raises(LedgerUnusable, match="trigger decisions_stay"):
        ledger.backup(tmp_path / "backup.db")
    assert not [file for file in tmp_path.iterdir() if "backup" in file.name]


def test_a_full_disk_is_told(ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And no file is left."""

    def look_at(_file: Path, _name: Path) -> BackupInfo:
        raise LedgerFull("There is no room.")

    monkeypatch.setattr(backup, "look_at", look_at)
    with pytest.raises(LedgerFull):
        ledger.backup(tmp_path / "backup.db")
    assert not [file for file in tmp_path.iterdir() if "backup" in file.name]
