"""A backup of a ledger: one file that holds all of it as it was at one moment, made while others go on writing.

Knows how one is made and looked at; putting one back is another duty.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw
import msgspec

from .. import places
from ..errors import BadQuery, FolderUnusable, LedgerUnusable
from . import faults, place, setup, soundness


class BackupInfo(msgspec.Struct, frozen=True):
    """What a backup holds: of which root, how many drafts, open drafts, decisions and answers, and its size in bytes."""

    root: str
    drafts: int
    open_drafts: int
    decisions: int
    operations: int
    bytes: int


def write_backup(connection: Any, path: Path, root: Path, target: Path) -> BackupInfo:
    """Write all of the ledger at `path` into the new file `target`, see it on the disk, and look at it.

    Raises BadQuery when `target` is there already, has no folder or would lie among the documents; LedgerFull,
    LedgerUnusable; OSError when it cannot be written.
    """
    check_target(root, target)
    with temporary_beside(target) as made:
        with faults.told(target, connection):
            connection.execute("VACUUM INTO ?", (str(made),))
        found = look_at(made, path)
        _sync(made)
        _name(made, target)
    place.sync_folder(target.parent)
    return found


def check_target(root: Path, target: Path) -> None:
    """Raise BadQuery unless a new file can be made there, outside the documents."""
    _check_free(target)
    if not target.parent.is_dir():
        raise BadQuery(f"There is no folder {target.parent}.")
    try:
        places.check_outside(root, target)
    except FolderUnusable:
        raise BadQuery(
            f"{target} lies inside the folder that is served; choose a place outside it."
        ) from None


def look_at(file: Path, name: Path) -> BackupInfo:
    """What a backup holds; it is brought up to date if an older version made it. Raises LedgerUnusable if it is not sound.

    `name` is what it is called in what is said.
    """
    with faults.told(name):
        connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOFOLLOW)
        try:
            connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
            connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
            if setup.version_of(connection, name) == 0:
                raise LedgerUnusable(f"{name} is no ledger: it is empty.")
            setup.upgrade(connection, name)
            found = soundness.faults_of(connection)
            if found:
                raise LedgerUnusable(f"{name} is damaged: {found[0]}.")
            return _info(connection, file)
        finally:
            connection.close()


@contextmanager
def temporary_beside(target: Path) -> Iterator[Path]:
    """An empty file beside another, its owner's alone, that is removed in the end. Raises OSError."""
    descriptor, made = tempfile.mkstemp(prefix=f".{target.name}-", suffix=".tmp", dir=target.parent)
    os.close(descriptor)
    try:
        yield Path(made)
    finally:
        for name in (made, f"{made}-journal", f"{made}-wal", f"{made}-shm"):
            with suppress(FileNotFoundError):
                Path(name).unlink()


def _info(connection: Any, file: Path) -> BackupInfo:
    asked = """SELECT root, (SELECT count(*) FROM drafts), (SELECT count(*) FROM drafts WHERE state = 'open'),
        (SELECT count(*) FROM decisions), (SELECT count(*) FROM operations) FROM facts"""
    root, drafts, open_drafts, decisions, operations = connection.execute(asked).fetchone()
    return BackupInfo(os.fsdecode(root), drafts, open_drafts, decisions, operations, file.stat().st_size)


def _sync(file: Path) -> None:
    descriptor = os.open(file, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _name(made: Path, target: Path) -> None:
    """Give it its name, unless another has it by now."""
    try:
        os.link(made, target)
    except FileExistsError:
        raise BadQuery(f"{target} is there already, and is not overwritten.") from None
    except OSError:  # some disks, such as those of cameras, know no second names
        _check_free(target)
        made.rename(target)


def _check_free(target: Path) -> None:
    if target.exists() or target.is_symlink():
        raise BadQuery(f"{target} is there already, and is not overwritten.")
