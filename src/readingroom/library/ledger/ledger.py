"""The ledger: drafts, operations and decisions of one folder, in a file of SQLite's that any number of processes share.

What `writing` has left without an error is on the disk. After a fault of the disk nothing is written before the file
has been opened and looked at anew. Loads apsw; whoever may do without a ledger imports this late.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import apsw
from msgspec.structs import replace

from ..errors import LedgerFull, LedgerUnusable
from . import faults, place, setup, soundness
from .backup import BackupInfo, write_backup
from .connections import Connections, connect, patiently
from .reading import LedgerReading
from .writing import LedgerWriting

_PAGES = 1000
"""When the log has grown so long, it is copied into the file."""


class _Standing:
    """What this process knows of a ledger: which file it is, and how often that had been written when it last was here."""

    def __init__(self) -> None:
        self.file: tuple[int, int] | None = None
        self.acknowledged: setup.Written | None = None
        self.is_doubtful = False

    def look(self, path: Path) -> bool:
        """Whether another file lies there than before; what it holds is doubtful then. Raises LedgerUnusable for none."""
        found = place.identity(path)
        is_other = self.file not in (None, found)
        self.is_doubtful |= is_other
        self.file = found
        return is_other


_standings: dict[str, _Standing] = {}
"""By path: a fault that one met concerns all who use the same file in this process."""


def forget_standing(path: Path) -> None:
    """Forget what this process knows of a ledger whose file has been set aside."""
    _standings.pop(str(path), None)


class Ledger:
    """Made by `Ledger.open`. May be used from any thread, and in a process that is forked while nobody uses it."""

    def __init__(self, root: Path, path: Path, clock: Callable[[], float], vfs: str) -> None:
        self.root = root
        self.path = path
        self._clock = clock
        self._vfs = vfs
        self._connections = Connections(path, self._connect)
        self._standing = _standings.setdefault(str(path), _Standing())
        self._is_settled = False
        self._pages = 0

    @classmethod
    def open(
        cls,
        root: Path,
        folder: Path | None = None,
        *,
        clock: Callable[[], float] = time.time,
        vfs: str = "",
    ) -> Self:
        """The ledger of the folder `root`, made if there is none; `folder` holds all ledgers, by default the platform's.

        It is looked at whole after a fault of the disk in this process, and when another file lies there than before.
        Raises LedgerUnusable, also for a file that is a link, another user's, another program's or of a newer version;
        LedgerBusy; LedgerFull.
        """
        real = root.resolve()
        ledger = cls(real, place.file_of(real, folder), clock, vfs)
        ledger._prepare()
        if ledger._standing.is_doubtful:
            ledger._look_again()
        return ledger

    @staticmethod
    def place(root: Path, folder: Path | None = None) -> Path:
        """The file of the ledger that `open` would open, whether there is one or not. Raises LedgerUnusable."""
        return place.file_of(root.resolve(), folder)

    @contextmanager
    def reading(self) -> Iterator[LedgerReading]:
        """Look at the ledger as it is now, whatever is written meanwhile. Waits for nobody. Raises LedgerUnusable."""
        self._look_at_file()
        with self._connections.reading() as connection:
            self._do(connection, "BEGIN")
            try:
                snapshot = LedgerReading(connection, self.path, self._clock())
                _ = snapshot.commits  # the snapshot begins with the first look
                yield snapshot
            finally:
                self._undo(connection)

    @contextmanager
    def writing(self) -> Iterator[LedgerWriting]:
        """Write what is then kept whole, or, when the block is left by an exception, not at all.

        One at a time, of all threads and processes; not to be nested. When the block has been left without an error, what
        it wrote survives a crash and a loss of power. Raises LedgerBusy after 5 s of waiting and LedgerFull: nothing was
        kept. Raises LedgerUnusable: whether the block's writing was kept is unknown until the next look.
        """
        self._make_sure()
        with self._connections.writing() as connection:
            try:
                self._do(connection, "BEGIN IMMEDIATE")
                before = connection.total_changes()
                yield LedgerWriting(connection, self.path, self._clock())
                self._commit(connection, before)
            except BaseException as error:
                self._standing.is_doubtful |= isinstance(error, LedgerUnusable)
                self._undo(connection)
                if isinstance(error, LedgerFull):
                    self._checkpoint(connection, least=1)  # the log then takes no more room than it has
                raise
            self._checkpoint(connection)

    def changes(self) -> int:
        """How often the ledger has been written, by any process: another value after any commit. Raises LedgerUnusable."""
        self._look_at_file()
        with self._connections.reading() as connection, faults.told(self.path, connection):
            return setup.written(connection, self.path).commits

    def check(self) -> tuple[str, ...]:
        """What is wrong with the ledger, in sentences; none when it is sound. Raises LedgerUnusable if it cannot be read."""
        self._look_at_file()
        with self._connections.reading() as connection, faults.told(self.path, connection):
            return soundness.faults_of(connection)

    def backup(self, target: Path) -> BackupInfo:
        """Write all of the ledger, as it is now, into a new file, its owner's alone, and look at that; what it holds.

        Others go on writing meanwhile. Raises BadQuery when `target` is there already, has no folder or would lie among
        the documents; LedgerFull, LedgerUnusable; OSError when it cannot be written.
        """
        self._look_at_file()
        with self._connections.reading() as connection:
            return write_backup(connection, self.path, self.root, target)

    def close(self) -> None:
        """Close the file; the ledger is not to be used any more."""
        self._connections.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _connect(self) -> Any:
        connection = connect(self.path, self._vfs)
        connection.set_wal_hook(self._note)
        return connection

    def _note(self, _connection: Any, _name: str, pages: int) -> int:
        self._pages = pages
        return apsw.SQLITE_OK

    def _look_at_file(self) -> None:
        if self._standing.look(self.path):
            self._connections.reset()

    def _prepare(self) -> None:
        place.make(self.path)
        self._look_at_file()

        def prepare() -> None:
            with self._connections.reading() as connection, faults.told(self.path, connection):
                setup.bring_up_to_date(connection, self.path, self.root)

        patiently(prepare)

    def _make_sure(self) -> None:
        """See that what is there lies on the disk, before anything is added: the process before may have failed."""
        self._look_at_file()
        if self._standing.is_doubtful:
            self._look_again()
        elif not self._is_settled:
            with self._connections.writing() as connection, faults.told(self.path, connection):
                self._settle(connection)
        self._is_settled = True

    def _settle(self, connection: Any) -> None:
        try:
            setup.settle(connection)
        except apsw.BusyError:
            return  # others use the log, so it is no dead process's

    def _look_again(self) -> None:
        """Open the file anew and look at it whole. Raises LedgerUnusable when it is not sound or lacks what was kept."""

        def look() -> None:
            with self._connections.writing(anew=True) as connection, faults.told(self.path, connection):
                if setup.version_of(connection, self.path) == 0:
                    raise LedgerUnusable(f"The ledger {self.path} is empty, and was not before.")
                setup.settle(connection)
                found = soundness.faults_of(connection)
                if found:
                    raise LedgerUnusable(f"The ledger {self.path} is damaged: {found[0]}.")
                self._check_last(setup.written(connection, self.path))

        patiently(look)
        self._standing.is_doubtful = False

    def _commit(self, connection: Any, before: int) -> None:
        with faults.told(self.path, connection):
            if connection.total_changes() == before:
                connection.execute("COMMIT")
                return
            found = setup.written(connection, self.path)
            self._check_last(found)
            now = replace(found, commits=found.commits + 1)
            connection.execute("UPDATE facts SET commits = ?", (now.commits,))
            connection.execute("COMMIT")
        self._standing.acknowledged = now

    def _check_last(self, found: setup.Written) -> None:
        """See that what this process has acknowledged is there still, unless a backup was put in its place since."""
        known = self._standing.acknowledged
        if known is None or (found.beginning != known.beginning and found.is_restored):
            return
        if found.beginning != known.beginning or found.commits < known.commits:
            raise LedgerUnusable(f"The ledger {self.path} lacks what was written into it last.")

    def _checkpoint(self, connection: Any, least: int = 0) -> None:
        """Copy the log into the file now and then. What was committed is safe whatever comes of it."""
        if self._pages < (least or _PAGES):
            return
        try:
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        except apsw.Error as error:
            self._standing.is_doubtful |= faults.is_grave(error, connection)

    def _do(self, connection: Any, statement: str) -> None:
        with faults.told(self.path, connection):
            connection.execute(statement)

    def _undo(self, connection: Any) -> None:
        if connection.in_transaction:  # some faults of the disk have undone it already
            try:
                connection.execute("ROLLBACK")
            except apsw.Error:
                self._standing.is_doubtful = True
