"""What a fault of SQLite's means for whoever uses the ledger."""

import errno
from pathlib import Path
from types import SimpleNamespace

import apsw
import pytest

from readingroom.library import LedgerBusy, LedgerFull, LedgerUnusable
from readingroom.library.ledger import Ledger, faults
from readingroom.library.ledger import ledger as ledger_module
from support.ledgers import a_draft, opened

FILE = Path("ledger.db")


def io_error(extended: int = apsw.SQLITE_IOERR_WRITE) -> apsw.IOError:
    """A fault of the disk."""
    error = apsw.IOError("disk I/O error")
    error.extendedresult = extended
    return error


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (apsw.BusyError("busy"), LedgerBusy, "another process"),
        (apsw.LockedError("locked"), LedgerBusy, "another process"),
        (apsw.FullError("full"), LedgerFull, "no room"),
        (apsw.ConstraintError("constraint"), ValueError, "does not take that"),
        (apsw.ReadOnlyError("readonly"), LedgerUnusable, "may not be written"),
        (apsw.CorruptError("malformed"), LedgerUnusable, "cannot be used"),
    ],
)
def test_each_has_its_own(error: apsw.Error, kind: type[Exception], said: str) -> None:
    """Which says what to do: try again, make room, or look at the file."""
    with pytest.raises(kind, match=said) as raised, faults.told(FILE):
        raise error
    assert raised.value.__cause__ is error


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_no_room_is_known_by_what_the_system_said(number: int) -> None:
    """SQLite takes a limit to the size of files for a fault of the disk; nothing is in doubt after it."""
    connection = SimpleNamespace(system_errno=number)
    assert isinstance(faults.of(io_error(), FILE, connection), LedgerFull)
    assert not faults.is_grave(io_error(), connection)


def test_a_failed_sync_is_grave_whatever_the_system_said() -> None:
    """What lies on the disk then is not known."""
    connection = SimpleNamespace(system_errno=errno.ENOSPC)
    assert faults.is_grave(io_error(apsw.SQLITE_IOERR_FSYNC), connection)
    assert isinstance(faults.of(io_error(apsw.SQLITE_IOERR_FSYNC), FILE, connection), LedgerUnusable)
    assert faults.is_grave(io_error(), SimpleNamespace(system_errno=errno.EIO))


def without_room(ledger: Ledger) -> None:
    """Write until there is no room."""
    with ledger.writing() as writing:
        writing.put_draft(a_draft())
        raise LedgerFull("no room")


def test_after_a_lack_of_room_the_log_is_copied_and_writing_goes_on(tmp_path: Path) -> None:
    """Nothing of what could not be written is kept."""
    with opened(tmp_path) as ledger:
        with pytest.raises(LedgerFull):
            without_room(ledger)
        with ledger.writing() as writing:
            assert writing.drafts() == ()
            writing.put_draft(a_draft("d-2"))


class Failing:
    """A connection whose log cannot be copied, nor its transaction undone."""

    in_transaction = True
    system_errno = errno.EIO

    def wal_checkpoint(self, **_: object) -> None:
        """Fail as a disk does."""
        raise io_error(apsw.SQLITE_IOERR_FSYNC)

    def execute(self, _statement: str) -> None:
        """Fail likewise."""
        raise io_error()


def test_a_copying_or_undoing_that_fails_makes_the_ledger_doubtful(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was committed is safe; before anything more is written, the file is looked at whole."""
    monkeypatch.setattr(ledger_module, "_PAGES", 0)
    with opened(tmp_path) as ledger:
        for fail in (Ledger._checkpoint, Ledger._undo):
            fail(ledger, Failing())
            assert ledger._standing.is_doubtful
            with ledger.writing() as writing:
                writing.put_draft(a_draft())
            assert not ledger._standing.is_doubtful
