"""The writing side of an edition's catalogue: one open transaction, committed after the index's own commit.

Used by the one process that holds the writer's lock. Knows nothing of the index; it is told what to count.
"""

import hashlib
import os
from collections.abc import Collection
from pathlib import Path
from typing import Any

import msgspec

from . import catalog, names
from .catalog import Connection, Facts
from .errors import IndexUnusable
from .model import FileState, Found, Link, Parsed

_TABLES = """
CREATE TABLE facts(value TEXT NOT NULL);
CREATE TABLE documents(
    path TEXT PRIMARY KEY, name BLOB NOT NULL, format TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
    changed INTEGER NOT NULL, inode TEXT NOT NULL, revision TEXT NOT NULL, title TEXT NOT NULL, language TEXT NOT NULL,
    tags TEXT NOT NULL, identifier TEXT NOT NULL, aliases TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE outlines(path TEXT PRIMARY KEY, headings TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE tags(tag TEXT, path TEXT, PRIMARY KEY(tag, path)) WITHOUT ROWID;
CREATE TABLE names(key TEXT, rank INTEGER, path TEXT, PRIMARY KEY(key, rank, path)) WITHOUT ROWID;
CREATE INDEX names_of ON names(path);
CREATE TABLE links(source TEXT, place INTEGER, line INTEGER, target TEXT, text TEXT, key TEXT, fragment TEXT,
    PRIMARY KEY(source, place)) WITHOUT ROWID;
CREATE INDEX links_to ON links(key);
"""
_DOCUMENT = "INSERT INTO documents VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)"
_OUTLINE = "INSERT INTO outlines VALUES (?,?)"
_TAG = "INSERT OR IGNORE INTO tags VALUES (?,?)"
_NAME = "INSERT INTO names VALUES (?,?,?)"
_LINK = "INSERT INTO links VALUES (?,?,?,?,?,?,?)"
_TOGETHER = 200  # documents are written so many together, which takes half the time
_OF_DOCUMENT = ("documents", "outlines", "names")
_encode = msgspec.json.Encoder().encode


class Known(msgspec.Struct, frozen=True):
    """What a scan compares a file with."""

    state: FileState
    revision: str


class Cataloguer:
    """Writes one catalogue. Every method raises IndexUnusable when SQLite cannot do it."""

    def __init__(self, connection: Connection, facts: Facts, known: dict[str, Known]) -> None:
        self._connection = connection
        self._content = int(facts.content, 16)
        self._listing = int(facts.listing, 16)
        self._documents = facts.documents
        self.facts = facts
        self.known = known
        self._rows: dict[str, list[tuple[Any, ...]]] = {
            sql: [] for sql in (_DOCUMENT, _OUTLINE, _TAG, _NAME, _LINK)
        }

    @classmethod
    def create(cls, file: Path, number: int = 0) -> "Cataloguer":
        """Begin an empty catalogue, readable by its owner alone; it belongs to the index's commit of this number."""
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        connection = catalog.connect(file)
        _run(connection, "PRAGMA journal_mode=WAL")
        _run(connection, f"BEGIN IMMEDIATE; PRAGMA user_version={catalog.SCHEMA}; {_TABLES}")
        _run(connection, "INSERT INTO facts VALUES (?)", (_text(Facts(number)),))
        _run(connection, "COMMIT; PRAGMA synchronous=NORMAL; BEGIN IMMEDIATE")
        return cls(connection, Facts(number), {})

    @classmethod
    def open(cls, file: Path, paths: Collection[str] | None = None) -> "Cataloguer":
        """Go on with a catalogue; with `paths`, only what is at and under them is known, and may be touched.

        Raises IndexUnusable when it is damaged or of another schema.
        """
        connection = catalog.connect(file)
        try:
            _check_version(connection)
            facts = catalog.facts_in(_run(connection, "SELECT value FROM facts"))
            known = {
                path: Known(FileState(size, modified, changed, int(inode)), revision)
                for path, size, modified, changed, inode, revision in catalog.select(
                    connection, "documents", "path, size, modified, changed, inode, revision", paths
                )
            }
            _run(connection, "PRAGMA synchronous=NORMAL; BEGIN IMMEDIATE")
        except BaseException:
            connection.close()
            raise
        return cls(connection, facts, known)

    def put(self, found: Found, parsed: Parsed) -> None:
        """Write a document in place of what stood at its path."""
        self.drop(found.path)
        path, state, rows = found.path, found.state, self._rows
        rows[_DOCUMENT].append(
            (
                path,
                found.name,
                parsed.format,
                state.size,
                state.modified_ns,
                state.changed_ns,
                str(state.inode),
                parsed.revision,
                parsed.title,
                parsed.language,
                _text(parsed.tags),
                parsed.identifier,
                _text(parsed.aliases),
            )
        )
        rows[_OUTLINE].append((path, _text(parsed.headings)))
        rows[_TAG] += [(names.tag_key(tag), path) for tag in parsed.tags]
        keys = names.keys_of(path, parsed.title, parsed.identifier, parsed.aliases)
        rows[_NAME] += [(key, rank, path) for key, rank in keys]
        rows[_LINK] += [_link_values(path, place, link) for place, link in enumerate(parsed.links)]
        if len(rows[_DOCUMENT]) >= _TOGETHER:
            self._write()
        self.known[path] = Known(state, parsed.revision)
        self._documents += 1
        self._content += _fingerprint(path, parsed.revision)
        self._listing += _fingerprint(path, parsed.title, parsed.format)

    def _write(self) -> None:
        """Write what `put` has gathered; whatever else looks at the tables or changes them comes after it."""
        if self._rows[_DOCUMENT]:
            for sql, rows in self._rows.items():
                self._many(sql, rows)
                rows.clear()

    def keep(self, found: Found) -> None:
        """Note another state of a file whose bytes are what they were."""
        self._write()
        state = found.state
        self._run(
            "UPDATE documents SET name=?, size=?, modified=?, changed=?, inode=? WHERE path=?",
            (found.name, state.size, state.modified_ns, state.changed_ns, str(state.inode), found.path),
        )
        self.known[found.path] = Known(state, self.known[found.path].revision)

    def drop(self, path: str) -> None:
        """Remove what is known of a path, if anything."""
        known = self.known.pop(path, None)
        if known is None:
            return
        self._write()
        for tags, title, kind in self._run("SELECT tags, title, format FROM documents WHERE path=?", (path,)):
            self._listing -= _fingerprint(path, title, kind)
            rows = [(names.tag_key(tag), path) for tag in msgspec.json.decode(tags)]
            self._many("DELETE FROM tags WHERE tag=? AND path=?", rows)
        for table in _OF_DOCUMENT:
            self._run(f"DELETE FROM {table} WHERE path=?", (path,))  # noqa: S608  -- our own names
        self._run("DELETE FROM links WHERE source=?", (path,))
        self._documents -= 1
        self._content -= _fingerprint(path, known.revision)

    @property
    def documents(self) -> int:
        """How many documents the catalogue will hold after the next commit."""
        return self._documents

    def commit(self, *, number: int, worn: int, reconciled: float | None) -> None:
        """Make everything since the last commit visible at once."""
        self._write()
        self.facts = Facts(
            commit=number,
            content=f"{self._content % (1 << 128):x}",
            listing=f"{self._listing % (1 << 128):x}",
            documents=self._documents,
            reconciled=reconciled,
            worn=worn,
        )
        self._run("UPDATE facts SET value=?", (_text(self.facts),))
        self._run("COMMIT; BEGIN IMMEDIATE")

    def close(self) -> None:
        """Give up what is not committed."""
        self._connection.close()

    def _run(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        return _run(self._connection, sql, values)

    def _many(self, sql: str, values: list[tuple[Any, ...]]) -> None:
        with catalog.faults():
            self._connection.executemany(sql, values)


def _check_version(connection: Connection) -> None:
    if _run(connection, "PRAGMA user_version") != [(catalog.SCHEMA,)]:
        raise IndexUnusable("The index's catalogue is of another version.")


def _run(connection: Connection, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    with catalog.faults():
        return list(connection.execute(sql, values))


def _text(value: Any) -> str:
    return _encode(value).decode() if value else "[]"


def _link_values(path: str, place: int, link: Link) -> tuple[Any, ...]:
    key, fragment = names.asked_by(path, link)
    return path, place, link.line, link.target, link.text, key, fragment


def _fingerprint(*texts: str) -> int:
    return int.from_bytes(hashlib.blake2b("\0".join(texts).encode(), digest_size=16).digest())
