"""What the last scan found of every file, internal and left-out ones included, so that nothing is read twice.

Lies beside the roles' folders and is opened by the scanning process and the operator only, never by a view.
"""

import hashlib
import os
from collections.abc import Collection
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

from . import catalog
from .errors import IndexUnusable
from .model import FileState, LeftOut

_SCHEMA = 2
_TABLES = """
CREATE TABLE files(
    path TEXT PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL,
    inode TEXT NOT NULL, revision TEXT NOT NULL, verdict TEXT NOT NULL, identifier TEXT NOT NULL, notes TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE left_out(path TEXT NOT NULL, reason TEXT NOT NULL);
CREATE TABLE scans(began REAL, ended REAL, left_out TEXT, noted TEXT);
INSERT INTO scans VALUES (NULL, NULL, '', '');
"""

_COLUMNS = "path, size, modified, changed, inode, revision, verdict, identifier, notes"

Verdict: TypeAlias = Literal["public", "internal", "refused"]
"""What became of a file of a served format; the notes of a refused one hold the reason."""


class Seen(msgspec.Struct, frozen=True):
    """A file with what was decided of it, on the bytes it had in that state."""

    state: FileState
    revision: str
    verdict: Verdict
    identifier: str = ""
    notes: tuple[str, ...] = ()


class Census:
    """Opened for one scan or one look. Every method raises IndexUnusable when SQLite cannot do it."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._connection = self._open()

    def _open(self) -> catalog.Connection:
        os.close(os.open(self._file, os.O_CREAT | os.O_WRONLY, 0o600))
        connection = catalog.connect(self._file)
        with catalog.faults():
            version = connection.execute("PRAGMA user_version").get
            if version == _SCHEMA:
                return connection
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(f"BEGIN IMMEDIATE; {_TABLES}; PRAGMA user_version={_SCHEMA}; COMMIT")
        return connection

    def files(self, paths: Collection[str] | None = None) -> dict[str, Seen]:
        """All files by path, or those at and under `paths`."""
        return {
            path: Seen(
                FileState(size, modified, changed, int(inode)), revision, verdict, identifier, _notes(notes)
            )
            for path, size, modified, changed, inode, revision, verdict, identifier, notes in catalog.select(
                self._connection, "files", _COLUMNS, paths
            )
        }

    def left_out(self) -> list[LeftOut]:
        """Everything that is not served, in order of path."""
        return [
            LeftOut(path, reason)
            for path, reason in self._run("SELECT path, reason FROM left_out ORDER BY path")
        ]

    def times(self) -> tuple[float | None, float | None]:
        """When the last finished scan began and ended."""
        ((began, ended),) = self._run("SELECT began, ended FROM scans")
        return began, ended

    def noted(self) -> str:
        """The digest (see unchanged.py) of a folder that is all in the editions, or "" when there is none."""
        ((noted,),) = self._run("SELECT noted FROM scans")
        return str(noted)

    def note(self, digest: str) -> None:
        """Note such a digest; the next `write` takes it away."""
        with catalog.faults(), self._connection:
            self._run("UPDATE scans SET noted=?", (digest,))

    def write(self, seen: dict[str, Seen], gone: list[str]) -> None:
        """Note files that were looked at and files that are no more."""
        with catalog.faults(), self._connection:
            self._connection.executemany(
                "INSERT OR REPLACE INTO files VALUES (?,?,?,?,?,?,?,?,?)",
                [_values(*item) for item in seen.items()],
            )
            self._connection.executemany("DELETE FROM files WHERE path=?", [(path,) for path in gone])
            self._run("UPDATE scans SET noted=''")

    def finish(self, left_out: list[LeftOut], began: float, ended: float) -> None:
        """Note the end of a full scan, with what it left out."""
        rows = sorted({(item.path, item.reason) for item in left_out})
        digest = hashlib.blake2b(repr(rows).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        with catalog.faults(), self._connection:
            if self._run("SELECT left_out FROM scans") != [(digest,)]:
                self._run("DELETE FROM left_out")
                self._connection.executemany("INSERT INTO left_out VALUES (?,?)", rows)
            self._run("UPDATE scans SET began=?, ended=?, left_out=?", (began, ended, digest))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _run(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        with catalog.faults():
            return list(self._connection.execute(sql, values))


def begin(file: Path, paths: Collection[str] | None = None) -> tuple[Census, dict[str, Seen]]:
    """The census and its files, or those at and under `paths`.

    A damaged one is begun anew, which costs reading every file once more.
    """
    try:
        return _opened(file, paths)
    except IndexUnusable:
        for name in (file.name, f"{file.name}-wal", f"{file.name}-shm"):
            file.with_name(name).unlink(missing_ok=True)
        return _opened(file, paths)


def _opened(file: Path, paths: Collection[str] | None) -> tuple[Census, dict[str, Seen]]:
    census = Census(file)
    try:
        return census, census.files(paths)
    except BaseException:
        census.close()
        raise


def _notes(text: str) -> tuple[str, ...]:
    return msgspec.json.decode(text, type=tuple[str, ...]) if text != "[]" else ()


def _values(path: str, seen: Seen) -> tuple[Any, ...]:
    state = seen.state
    where = (path, state.size, state.modified_ns, state.changed_ns, str(state.inode))
    return (*where, seen.revision, seen.verdict, seen.identifier, msgspec.json.encode(seen.notes).decode())
