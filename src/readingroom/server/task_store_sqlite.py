"""Tasks in a file of SQLite's, shared by the processes that serve the same tools on one machine.

Every write is on the disk before it counts, so that a task outlives the process that made it. The file is its own: what
else is kept elsewhere. Loads apsw when a store is made.
"""

import contextlib
import os
import tempfile
import threading
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any

import msgspec

from ..errors import UsageError
from .task_store import Task, TaskBounds

_APPLICATION = 0x52525441
_STEPS = (
    """
CREATE TABLE tasks(
    id TEXT PRIMARY KEY, principal TEXT NOT NULL, owner TEXT NOT NULL, expires REAL, version INTEGER NOT NULL,
    size INTEGER NOT NULL, record BLOB NOT NULL);
CREATE INDEX tasks_of_principal ON tasks(principal);
CREATE INDEX tasks_by_expiry ON tasks(expires);
CREATE TABLE owners(owner TEXT PRIMARY KEY, pulse INTEGER NOT NULL) WITHOUT ROWID;
""",
)
"""What makes each version of the file out of the one before it; the version is how many have been done."""
_BUSY_MS = 5000
_AGAIN_S = 0.01
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Task).decode


class SqliteTasks:
    """Keeps tasks in the file at `path`, which is made, readable by its owner alone, when it is not there.

    For any number of threads and processes on one machine; not for a file that is on another. Raises: UsageError when the
    file cannot be opened, is none of these, or was made by a newer version.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        _make(Path(path))
        # Who reads waits for nobody: not for the disk, nor for another process that writes.
        self._reading = _Channel(Path(path))
        self._writing = _Channel(Path(path))

    def add(self, task: Task, bounds: TaskBounds) -> bool:
        """Keep a new task, as `TaskStore` says."""
        with self._writing as connection, _Writing(connection):
            connection.execute("DELETE FROM tasks WHERE expires <= ?", (task.created,))
            connection.execute("DELETE FROM owners WHERE owner NOT IN (SELECT owner FROM tasks)")
            of_one = "(SELECT count(*) FROM tasks WHERE principal = ?)"
            counted = f"SELECT count(*), total(size), {of_one} FROM tasks"  # noqa: S608  -- constants of ours
            tasks, size, of_one_tasks = connection.execute(counted, (task.principal,)).fetchone()
            if tasks >= bounds.tasks or of_one_tasks >= bounds.tasks_of_one or size >= bounds.size:
                return False
            connection.execute(
                "INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?, ?)",
                (task.id, task.principal, task.owner, task.expires, 0, task.size, _encode(task)),
            )
        return True

    def get(self, task_id: str) -> Task | None:
        """Give the task, as `TaskStore` says."""
        with self._reading as connection:
            found = connection.execute("SELECT record, version FROM tasks WHERE id = ?", (task_id,))
            row = found.fetchone()
        return None if row is None else msgspec.structs.replace(_decode(row[0]), version=row[1])

    def replace(self, task: Task) -> bool:
        """Replace a task, as `TaskStore` says."""
        with self._writing as connection:
            connection.execute(
                "UPDATE tasks SET record = ?, size = ?, expires = ?, version = version + 1 WHERE id = ? AND version = ?",
                (_encode(task), task.size, task.expires, task.id, task.version),
            )
            return bool(connection.changes())

    def versions(self, task_ids: Collection[str]) -> dict[str, int]:
        """Give versions, as `TaskStore` says."""
        asked = msgspec.json.encode(list(task_ids)).decode()
        with self._reading as connection:
            found = connection.execute(
                "SELECT id, version FROM tasks WHERE id IN (SELECT value FROM json_each(?))", (asked,)
            )
            return dict(found.fetchall())

    def beat(self, owner: str) -> None:
        """Say that this process lives, as `TaskStore` says."""
        with self._writing as connection:
            connection.execute(
                "INSERT INTO owners VALUES (?, 1) ON CONFLICT(owner) DO UPDATE SET pulse = pulse + 1",
                (owner,),
            )

    def pulse(self, owner: str) -> int:
        """Give a process's pulse, as `TaskStore` says."""
        with self._reading as connection:
            row = connection.execute("SELECT pulse FROM owners WHERE owner = ?", (owner,)).fetchone()
        return 0 if row is None else int(row[0])

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        self._reading.close()
        self._writing.close()


class _Channel:
    """A connection that one thread at a time uses; each process opens its own, for none must be used across a fork."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection: Any = None
        self._process = 0

    def __enter__(self) -> Any:
        self._lock.acquire()
        try:
            if self._connection is None or self._process != os.getpid():
                self._connection, self._process = _connect(self._path), os.getpid()
        except BaseException:
            self._lock.release()
            raise
        return self._connection

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def close(self) -> None:
        """Close it, if this process has opened it; the next use opens it again."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None


class _Writing:
    """A transaction that nobody else writes beside; undone when it does not end well."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._connection.execute("COMMIT")
        elif self._connection.in_transaction:  # some faults of the disk have undone it already
            self._connection.execute("ROLLBACK")


def _connect(path: Path) -> Any:
    import apsw

    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.set_busy_timeout(_BUSY_MS)
    connection.execute("PRAGMA synchronous=FULL")
    return connection


def _bring_up_to_date(connection: Any, path: Path) -> None:
    connection.execute("PRAGMA journal_mode=WAL")
    with _Writing(connection):
        version: int = connection.pragma("user_version")
        is_new = version == 0 and connection.pragma("schema_version") == 0
        if not is_new and connection.pragma("application_id") != _APPLICATION:
            raise UsageError(f"{path} is a file of another program's")
        if version > len(_STEPS):
            raise UsageError(f"{path} was made by a newer version of Reading Room")
        for step in _STEPS[version:]:
            connection.execute(step)
        connection.execute(f"PRAGMA application_id={_APPLICATION}; PRAGMA user_version={len(_STEPS)}")


def _make(path: Path) -> None:
    """Make the file or bring it up to date, then close it: the server may fork before it serves."""
    import apsw

    try:
        _make_empty(path)
        until = time.monotonic() + _BUSY_MS / 1000
        while not _is_up_to_date(path):
            # To change the journal's mode SQLite does not always wait for others who do the same.
            if time.monotonic() > until:
                raise UsageError(f"tasks cannot be kept in {path}: another process holds it")
            time.sleep(_AGAIN_S)
    except (OSError, apsw.Error) as error:
        raise UsageError(f"tasks cannot be kept in {path}: {error}") from error


def _make_empty(path: Path) -> None:
    """Put an empty file there, its owner's alone, if there is none.

    Never opens one that is there: to close it again would drop the locks that SQLite holds on it in this process.
    """
    if path.exists():
        return
    descriptor, made = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)  # 0600, whatever the umask
    os.close(descriptor)
    try:
        os.link(made, path)
    except FileExistsError:
        pass
    finally:
        Path(made).unlink()


def _is_up_to_date(path: Path) -> bool:
    """Bring the file up to date; false when another was at it and it has to be tried again."""
    import apsw

    try:
        with contextlib.closing(_connect(path)) as connection:
            _bring_up_to_date(connection, path)
    except apsw.BusyError:
        return False
    return True
