"""Makes a connection's file a ledger of this version, and sees that what it holds lies on the disk.

Knows the tables and nothing of what they hold.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import msgspec

from ..errors import LedgerUnusable
from . import connections, place
from .schema import APPLICATION, STEPS

_SETTLE_MS = 250


@contextmanager
def transaction(connection: Any) -> Iterator[None]:
    """Nobody else writes meanwhile; undone when it does not end well. Raises apsw.Error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # some faults of the disk have undone it already
            connection.execute("ROLLBACK")
        raise


def bring_up_to_date(connection: Any, path: Path, root: Path) -> None:
    """Make the tables, or change those of an older version. Raises apsw.Error; LedgerUnusable for what is not ours."""
    if version_of(connection, path) == len(STEPS):
        return
    place.sync_names(path)
    if connection.pragma("journal_mode") != "wal":
        connection.execute("PRAGMA journal_mode=WAL")
    upgrade(connection, path, root)


def upgrade(connection: Any, path: Path, root: Path | None = None) -> None:
    """Do the steps that are missing; a new ledger is one of `root`. Raises as `bring_up_to_date`."""
    with transaction(connection):
        version = version_of(connection, path)
        for step in STEPS[version:]:
            connection.execute(step)
        if version == 0 and root is not None:
            connection.execute(
                "INSERT INTO facts VALUES (1, ?, 0, 0, 0.0, lower(hex(randomblob(16))), 0)",
                (os.fsencode(root),),
            )
        if version < len(STEPS):
            connection.execute(f"PRAGMA application_id={APPLICATION}; PRAGMA user_version={len(STEPS)}")


def version_of(connection: Any, path: Path) -> int:
    """The version of a ledger, 0 for an empty file. Raises LedgerUnusable for any other file, or a newer version's."""
    version: int = connection.pragma("user_version")
    is_new = version == 0 and connection.pragma("schema_version") == 0
    if not is_new and connection.pragma("application_id") != APPLICATION:
        raise LedgerUnusable(f"{path} is no ledger, but a file of another program's.")
    if version > len(STEPS):
        raise LedgerUnusable(f"The ledger {path} was made by a newer version of Reading Room.")
    return version


class Written(msgspec.Struct, frozen=True):
    """How often a ledger has been written since it was made or a backup was put in its place, which `beginning` names."""

    beginning: str
    is_restored: bool
    commits: int


def written(connection: Any, path: Path) -> Written:
    """How often a ledger has been written. Raises apsw.Error; LedgerUnusable when it does not say."""
    row = connection.execute("SELECT beginning, restored, commits FROM facts").fetchone()
    beginning, restored, commits = row or ("", 0, None)
    if not isinstance(commits, int):
        raise LedgerUnusable(f"The ledger {path} is damaged: it does not say how often it was written.")
    return Written(beginning, bool(restored), commits)


def settle(connection: Any) -> None:
    """See that all that is committed lies in the file itself and on the disk, and begin the log anew.

    A log may hold what a process wrote whose sync then failed: the system takes it for written, and another sync does not
    write it. Copied into the file it is written again. Raises apsw.Error; BusyError when others use the log, whose process
    lives then.
    """
    connection.set_busy_timeout(_SETTLE_MS)
    try:
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    finally:
        connection.set_busy_timeout(int(connections.BUSY_S * 1000))
