"""Puts a backup in the place of a ledger: as one transaction of it, so that a server that runs meanwhile goes on.

Nothing that the ledger holds and the backup does not is lost unasked, nor then: it is set aside. What was under way when
the backup was made is left out, so that nothing is done to the folder because of what a file says.
"""

import shutil
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import apsw
import msgspec

from ..errors import BadQuery, LedgerBusy, LedgerUnusable
from . import backup, faults, place, setup
from .connections import connect
from .ledger import Ledger, forget_standing

_LOST = {
    "drafts": ("draft", "drafts"),
    "operations": ("answer to an app", "answers to apps"),
    "decisions": ("decision", "decisions"),
    "chains": ("passphrase", "passphrases"),
}
_LEFT_S = 24 * 3600
_COPIED = ("contents", "manifests", "drafts", "kept", "operations", "chains", "decisions")
_OF_BOTH = """
SELECT * FROM backup.chains WHERE number = (SELECT max(number) FROM backup.chains) INTERSECT SELECT * FROM main.chains
"""
"""The chain that the backup goes on with, if the ledger has had it, too."""
_BEGINS_ANEW = """
DELETE FROM main.publications;
UPDATE main.facts SET
    commits = 1 + max(commits, (SELECT commits FROM backup.facts)),
    beginning = lower(hex(randomblob(16))),
    restored = 1,
    failed = max(failed, (SELECT failed FROM backup.facts)),
    last_failed = max(last_failed, (SELECT last_failed FROM backup.facts));
"""
"""Readers see a commit; servers that run know the ledger for one that was restored, and go on; and whoever restores an old
ledger does not get new attempts at the passphrase by it."""


class Restored(msgspec.Struct, frozen=True):
    """What the ledger holds now, and where what it held before was set aside, if it held more."""

    info: backup.BackupInfo
    aside: Path | None


def restore(
    file: Path,
    root: Path,
    folder: Path | None = None,
    *,
    replace: bool = False,
    clock: Callable[[], float] = time.time,
) -> Restored:
    """Make the ledger of the folder `root` hold what the backup holds; `folder` as for `Ledger.open`.

    Raises BadQuery when the ledger holds anything that the backup does not, unless it may `replace` it: then all of it is
    kept under another name beside it; and when the ledger has a passphrase and the backup's is none that it has had.
    Raises LedgerBusy while something is being published; LedgerUnusable when the backup is damaged or no ledger, and when
    the ledger is damaged, unless it may `replace` that; LedgerFull; OSError.
    """
    real = root.resolve()
    path = place.file_of(real, folder)
    _check_source(file, path)
    place.make_folder(path.parent)
    _sweep(path, clock())
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(clock()))
    with backup.temporary_beside(path) as copy:
        shutil.copyfile(file, copy)
        info = backup.look_at(copy, file)
        damaged = _set_damaged_aside(real, folder, path, replace=replace, stamp=stamp)
        Ledger.open(real, folder).close()
        aside = _put(real, path, copy, replace=replace, aside=_free(path, stamp))
    return Restored(info, damaged or aside)


def _sweep(path: Path, now: float) -> None:
    """Remove the copies that a restoring left which was killed; a younger one may be in use."""
    for left in path.parent.glob(f".{path.name}-*.tmp*"):
        with suppress(FileNotFoundError):
            if left.lstat().st_mtime < now - _LEFT_S:
                left.unlink()


def _check_source(file: Path, path: Path) -> None:
    if not file.is_file():
        raise BadQuery(f"There is no file {file}.")
    if path.exists() and file.samefile(path):
        raise BadQuery(f"{file} is the ledger itself, and no backup of it.")
    if file.with_name(f"{file.name}-wal").exists():
        raise BadQuery(
            f"{file} is a ledger with a log beside it, and no backup; readingroom backup makes one."
        )


def _set_damaged_aside(
    root: Path, folder: Path | None, path: Path, *, replace: bool, stamp: str
) -> Path | None:
    """Rename a ledger that cannot be gone on with, if that is allowed. Raises LedgerUnusable if it is not."""
    fault = _damage(root, folder, path)
    if fault is None:
        return None
    if not replace:
        raise LedgerUnusable(f"{fault} Give --replace to replace it.")
    aside = _free(path, f"damaged-{stamp}")
    kept = [end for end in ("", "-wal") if path.with_name(path.name + end).exists()]
    for end in kept:
        path.with_name(path.name + end).rename(aside.with_name(aside.name + end))
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
    forget_standing(path)
    return aside.with_name(aside.name + kept[0])


def _damage(root: Path, folder: Path | None, path: Path) -> str | None:
    """What is wrong with the ledger that lies there. Raises LedgerUnusable for what is none, or a newer version's."""
    if not path.exists():
        return place.loss_of(path) or None
    try:
        with Ledger.open(root, folder) as ledger:
            found = ledger.check()
    except LedgerUnusable as error:
        if isinstance(error.__cause__, apsw.CorruptError | apsw.NotADBError):
            return str(error)
        raise
    return f"The ledger {path} is damaged: {found[0]}." if found else None


def _free(path: Path, stamp: str) -> Path:
    """A name beside the ledger that nothing has."""
    names = (
        path.with_name(f"{path.stem}-{stamp}{more}.db") for more in ("", *(f"-{n}" for n in range(2, 1000)))
    )
    return next(name for name in names if not name.exists())


def _put(root: Path, path: Path, copy: Path, *, replace: bool, aside: Path) -> Path | None:
    connection = connect(path)
    with closing(connection), faults.told(path, connection):
        connection.execute("ATTACH ? AS backup", (str(copy),))
        with setup.transaction(connection):
            if connection.execute("SELECT 1 FROM main.publications").fetchone():
                raise LedgerBusy(
                    "Something is being published. Let it end; what was interrupted is ended by any command of the operator."
                )
            _check_passphrase(connection, path)
            lost = _lost(connection)
            if lost and not replace:
                raise BadQuery(
                    f"The ledger holds {lost} that the backup does not. Give --replace to replace it."
                )
            if lost:
                _set_aside(root, path, aside)
            _copy(connection)
    return aside if lost else None


def _check_passphrase(connection: Any, path: Path) -> None:
    """Else whoever makes a ledger with a passphrase of their own could have it put in the place of the operator's."""
    has_one = connection.execute("SELECT 1 FROM main.chains").fetchone()
    if has_one and not connection.execute(_OF_BOTH).fetchone():
        raise BadQuery(
            f"The backup is not under a passphrase that this ledger has had. If you want it all the same, move the ledger "
            f"{path} and what lies beside it away first."
        )


def _lost(connection: Any) -> str:
    """What the ledger holds and the backup does not, in words."""
    told = []
    for table, names in _LOST.items():
        differing = f"SELECT * FROM main.{table} EXCEPT SELECT * FROM backup.{table}"  # noqa: S608  -- constants of ours
        count = len(connection.execute(differing).fetchall())
        if count:
            told.append(f"{count} {names[count != 1]}")
    return " and ".join([", ".join(told[:-1]), told[-1]]) if len(told) > 1 else "".join(told)


def _set_aside(root: Path, path: Path, aside: Path) -> None:
    """Nobody else writes meanwhile, and nothing has been written yet."""
    connection = connect(path)
    with closing(connection):
        backup.write_backup(connection, path, root, aside)


def _copy(connection: Any) -> None:
    triggers = connection.execute(
        "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'"
    ).fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER main.{name}")
    for table in _COPIED:
        connection.execute(f"DELETE FROM main.{table}")  # noqa: S608  -- constants of ours
        connection.execute(f"INSERT INTO main.{table} SELECT * FROM backup.{table}")  # noqa: S608  -- the same
    connection.execute(_BEGINS_ANEW)
    for _, made in triggers:
        connection.execute(made)
