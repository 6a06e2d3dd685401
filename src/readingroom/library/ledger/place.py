"""Where a ledger lies: one private folder for each root, outside the documents, with one file that is its owner's alone.

Never opens a file that was there: to close it again would drop the locks that SQLite holds on it in this process.
"""

import os
import stat
import threading
from pathlib import Path

from .. import places
from ..errors import FolderUnusable, LedgerUnusable

_FILE = "ledger.db"
_NEW_FOLDERS = 3
"""Its own, the one that holds all ledgers, and the one that this lies in."""
_making = threading.Lock()
"""Held while a new file is open here, for SQLite must not open it in this process before it is closed again."""


def default_folder() -> Path:
    """The platform's data folder for Reading Room."""
    import platformdirs

    return Path(platformdirs.user_data_dir("readingroom", appauthor=False))


def file_of(root: Path, folder: Path | None = None) -> Path:
    """The ledger's file for the real path `root`; `folder` holds all ledgers, by default the platform's data folder.

    Raises LedgerUnusable when it would lie among the documents.
    """
    holder = (default_folder() if folder is None else folder).resolve()
    try:
        places.check_outside(root, holder)
    except FolderUnusable:
        raise LedgerUnusable(
            f"The ledger {holder} lies inside the folder that is served; choose a place outside it."
        ) from None
    return holder / places.root_name(root) / _FILE


def make(path: Path) -> None:
    """See that the file is there, empty if it was not, its owner's alone and in a folder that is. Raises LedgerUnusable."""
    try:
        make_folder(path.parent)
        with _making:
            _make_empty(path)
        check(path)
    except OSError as error:
        raise LedgerUnusable(
            f"The ledger cannot be kept in {path.parent}: {error.strerror or error}."
        ) from error


def check(path: Path) -> None:
    """Raise LedgerUnusable unless the file is a plain one of ours; take everybody else's access away."""
    found = path.lstat()
    if not stat.S_ISREG(found.st_mode):
        raise LedgerUnusable(f"The ledger {path} is no plain file; a link to one is not followed.")
    if os.name == "nt":
        return  # a user's profile is private by its access list
    if found.st_uid != os.geteuid():
        raise LedgerUnusable(f"The ledger {path} belongs to another user.")
    if found.st_nlink > 1:
        raise LedgerUnusable(f"The ledger {path} has another name, too; SQLite would damage it under two.")
    if stat.S_IMODE(found.st_mode) & 0o077:
        path.chmod(0o600)


def identity(path: Path) -> tuple[int, int]:
    """What tells this file from any other that may come in its place. Raises LedgerUnusable when there is none."""
    try:
        found = path.lstat()
    except OSError as error:
        raise LedgerUnusable(f"The ledger {path} is gone: {error.strerror or error}.") from error
    return found.st_dev, found.st_ino


def sync_names(path: Path) -> None:
    """See that the name of a new file is on the disk, and those of the folders that may be new. Raises LedgerUnusable."""
    try:
        for folder in list(path.parents)[:_NEW_FOLDERS]:
            sync_folder(folder)
    except OSError as error:
        raise LedgerUnusable(f"The ledger {path} cannot be kept: {error.strerror or error}.") from error


def make_folder(folder: Path) -> None:
    """See that the folder is there, its owner's alone. Raises LedgerUnusable, OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or (os.name != "nt" and found.st_uid != os.geteuid()):
        raise LedgerUnusable(
            f"The ledger cannot be kept in {folder}: it belongs to another user or is no folder."
        )
    if os.name != "nt" and stat.S_IMODE(found.st_mode) & 0o077:
        folder.chmod(0o700)


def _make_empty(path: Path) -> None:
    if not path.exists() and path.with_name(f"{path.name}-wal").exists():
        raise LedgerUnusable(
            f"The ledger {path} is gone, and its log lies there; put it back, or restore a backup."
        )
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """See that the names in a folder are on the disk. Raises OSError."""
    if os.name == "nt":
        return  # a folder cannot be opened there
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def loss_of(path: Path) -> str:
    """Say so if the ledger at `path` is gone while its log, which is nothing without it, lies there; else ""."""
    log = path.with_name(f"{path.name}-wal")
    return f"The ledger {path} is gone, and its log lies there." if log.exists() and not path.exists() else ""
