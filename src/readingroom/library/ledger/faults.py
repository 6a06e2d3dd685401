"""What a fault of SQLite's or of the disk means for whoever uses the ledger: busy, full or unusable.

Loaded with apsw, so only where a ledger is opened.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from ..errors import LedgerBusy, LedgerFull, LedgerUnusable, LibraryError

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_SYNCS = (apsw.SQLITE_IOERR_FSYNC, apsw.SQLITE_IOERR_DIR_FSYNC)


@contextmanager
def told(path: Path, connection: Any = None) -> Iterator[None]:
    """Turn what apsw raises inside into LedgerBusy, LedgerFull or LedgerUnusable; a broken constraint is a ValueError."""
    try:
        yield
    except apsw.Error as error:
        raise of(error, path, connection) from error


def of(error: apsw.Error, path: Path, connection: Any = None) -> LibraryError | ValueError:
    """Give our own error for one of apsw's; `connection` tells what the system said."""
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return LedgerBusy(f"The ledger {path} is being written by another process; try again.")
    if is_full(error, connection):
        return LedgerFull(f"There is no room to write the ledger {path}; nothing was kept.")
    if isinstance(error, apsw.ConstraintError):
        return ValueError(f"the ledger does not take that: {error}")
    if isinstance(error, apsw.ReadOnlyError):
        return LedgerUnusable(f"The ledger {path} may not be written: {error}.")
    return LedgerUnusable(f"The ledger {path} cannot be used: {error}.")


def is_full(error: apsw.Error, connection: Any = None) -> bool:
    """Whether there was no room: also under a limit to the size of files, which SQLite takes for a fault of the disk."""
    if isinstance(error, apsw.FullError):
        return True
    if (
        not isinstance(error, apsw.IOError)
        or getattr(error, "extendedresult", 0) in _SYNCS
        or connection is None
    ):
        return False
    return bool(connection.system_errno in _NO_ROOM)


def is_grave(error: apsw.Error, connection: Any = None) -> bool:
    """Whether it is unknown, after this, what is on the disk: nothing is written before it has been looked at."""
    grave = (apsw.IOError, apsw.CorruptError, apsw.NotADBError)
    return isinstance(error, grave) and not is_full(error, connection)
