"""What is known of each document of one edition: one SQLite file, read by many at once.

Holds only what its role may see. Names (path, title, aliases, identifier) are kept as lookup keys, so that links and
addresses are answered from an index; a link is kept with the key that it asks for, never with the answer, since another
document may come or go. This file reads; cataloging.py writes. Raises IndexUnusable for whatever SQLite cannot read.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from .errors import IndexUnusable
from .model import FileState, Format, Heading

FILE = "catalog.db"
SCHEMA = 2
SQLITE_FAULT = "The index's catalogue cannot be read"

Connection: TypeAlias = Any
"""An apsw connection; apsw is imported where the first one is opened."""


class Row(msgspec.Struct, frozen=True):
    """A document as the last scan saw it."""

    path: str
    name: bytes
    format: Format
    state: FileState
    revision: str
    title: str
    language: str
    tags: tuple[str, ...]
    identifier: str
    aliases: tuple[str, ...]


class LinkRow(msgspec.Struct, frozen=True):
    """A link as it is written in `source`, with the key it asks for, "" when it leads out of the library."""

    source: str
    line: int
    target: str
    text: str
    key: str
    fragment: str


class Facts(msgspec.Struct, frozen=True):
    """What is true of the whole edition.

    `commit` is the number of the index's commit that belongs to this catalogue; `content` names the set of documents and
    their revisions, however it came about, and `listing` that of their paths, titles and formats; `reconciled` is when the
    last full scan began; `worn` counts documents that the index had to replace or remove since it was built.
    """

    commit: int = 0
    content: str = "0"
    listing: str = "0"
    documents: int = 0
    reconciled: float | None = None
    worn: int = 0


_COLUMNS = (
    "path, name, format, size, modified, changed, inode, revision, title, language, tags, identifier, aliases"
)
_ROW = f"SELECT {_COLUMNS} FROM documents WHERE path = ?"  # noqa: S608  -- a constant of ours
_BETWEEN = f"""
SELECT {_COLUMNS} FROM documents WHERE path > ? AND path < ? AND NOT EXISTS (
    SELECT 1 FROM json_each(?) AS asked WHERE NOT EXISTS (
        SELECT 1 FROM tags WHERE tag = asked.value AND tags.path = documents.path))
ORDER BY path LIMIT ?
"""  # noqa: S608  -- a constant of ours

_REVISIONS = """
SELECT asked.value, revision, changed, modified FROM json_each(?) AS asked JOIN documents
ON documents.path = (SELECT path FROM names WHERE key = asked.value ORDER BY rank, path LIMIT 1)
"""

_strings = msgspec.json.Decoder(tuple[str, ...])
_headings = msgspec.json.Decoder(tuple[Heading, ...])
_facts = msgspec.json.Decoder(Facts)


def connect(file: Path) -> Connection:
    """A connection to an existing file that waits up to five seconds for others. Raises IndexUnusable."""
    import apsw

    with faults():
        connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)
        connection.set_busy_timeout(5000)
    return connection


@contextmanager
def faults() -> Iterator[None]:
    """Turn SQLite's errors into IndexUnusable."""
    import apsw

    try:
        yield
    except apsw.Error as error:
        raise IndexUnusable(f"{SQLITE_FAULT}: {error}") from error


def facts_in(found: list[tuple[Any, ...]]) -> Facts:
    """The facts from their table's rows. Raises IndexUnusable when they are not there."""
    try:
        return _facts.decode(found[0][0])
    except (IndexError, msgspec.MsgspecError) as error:
        raise IndexUnusable(f"{SQLITE_FAULT}: it has no facts.") from error


def select(
    connection: Connection, table: str, columns: str, paths: Iterable[str] | None
) -> Iterator[tuple[Any, ...]]:
    """What a table holds at each of `paths` and under it, or everything when they are None or name the root, "".

    What is asked for twice may come twice. Raises IndexUnusable.
    """
    everything = f"SELECT {columns} FROM {table}"  # noqa: S608  -- constants of ours
    if paths is None or "" in paths:
        yield from _rows(connection, everything)
        return
    for path in paths:
        yield from _rows(connection, f"{everything} WHERE path = ?", path)
        # "0" follows "/"
        yield from _rows(connection, f"{everything} WHERE path > ? AND path < ?", f"{path}/", f"{path}0")


def _rows(connection: Connection, sql: str, *values: str) -> list[tuple[Any, ...]]:
    with faults():
        return list(connection.execute(sql, values))


def row_of(values: tuple[Any, ...]) -> Row:
    """A row from the columns in their order."""
    path, name, kind, size, modified, changed, inode, revision, title, language, tags, identifier, aliases = (
        values
    )
    return Row(
        path=path,
        name=name,
        format=kind,
        state=FileState(size, modified, changed, int(inode)),
        revision=revision,
        title=title,
        language=language,
        tags=_strings.decode(tags),
        identifier=identifier,
        aliases=_strings.decode(aliases),
    )


class Catalog:
    """The reading side, for any number of threads: connections are lent from a pool and never shared."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._idle: deque[Connection] = deque()
        self._closed = False

    @contextmanager
    def _lent(self) -> Iterator[Connection]:
        import apsw

        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._open()
        try:
            yield connection
        except apsw.Error as error:
            connection.close()
            raise IndexUnusable(f"{SQLITE_FAULT}: {error}") from error
        except BaseException:
            connection.close()
            raise
        self._idle.append(connection)
        if self._closed:
            self.close()

    def _open(self) -> Connection:
        connection = connect(self._file)
        # Read, not mapped: mapped pages count as this process's own memory as long as nobody else maps them.
        connection.execute("PRAGMA query_only=1; PRAGMA trusted_schema=0; PRAGMA mmap_size=0")
        return connection

    def close(self) -> None:
        """Close what is idle now, and what is lent when it comes back."""
        self._closed = True
        while self._idle:
            try:
                self._idle.pop().close()
            except IndexError:
                return

    def _all(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        with self._lent() as connection:
            return list(connection.execute(sql, values))

    def facts(self) -> Facts:
        """What is true of the edition now. Raises IndexUnusable when it does not say."""
        return facts_in(self._all("SELECT value FROM facts"))

    def row(self, path: str) -> Row | None:
        """The document at exactly this path."""
        found = self._all(_ROW, (path,))
        return row_of(found[0]) if found else None

    def resolve(self, key: str) -> str | None:
        """The path that a lookup key leads to: the strongest kind of name wins, then the first path."""
        found = self._all("SELECT path FROM names WHERE key=? ORDER BY rank, path LIMIT 1", (key,))
        return found[0][0] if found else None

    def revisions(self, keys: Collection[str]) -> dict[str, tuple[str, int]]:
        """For each of `keys` that leads to a document its revision, and when its file was changed, in nanoseconds."""
        asked = msgspec.json.encode(list(keys)).decode()
        return {
            key: (revision, changed or modified)
            for key, revision, changed, modified in self._all(_REVISIONS, (asked,))
        }

    def between(self, low: str, high: str, tags: tuple[str, ...], count: int) -> list[Row]:
        """Up to `count` documents with all `tags` and a path behind `low` and before `high`, in order of path."""
        found = self._all(_BETWEEN, (low, high, msgspec.json.encode(tags).decode(), count))
        return [row_of(values) for values in found]

    def keys_from(self, prefix: str, behind: tuple[str, str], count: int) -> list[tuple[str, str]]:
        """Up to `count` keys that begin with `prefix`, each with its path, in order, behind such a pair."""
        sql = """SELECT key, path FROM names WHERE key >= ? AND key < ? AND (key, path) > (?, ?)
                 ORDER BY key, path LIMIT ?"""
        found = self._all(sql, (prefix, prefix + "\U0010ffff", *behind, count))
        return [(key, path) for key, path in found]

    def headings(self, path: str) -> tuple[Heading, ...]:
        """The headings of a document."""
        found = self._all("SELECT headings FROM outlines WHERE path=?", (path,))
        return _headings.decode(found[0][0]) if found else ()

    def links_from(self, path: str) -> list[LinkRow]:
        """The links of a document in the order they stand in it."""
        sql = (
            "SELECT source, line, target, text, key, fragment FROM links WHERE source=? ORDER BY line, place"
        )
        return [LinkRow(*values) for values in self._all(sql, (path,))]

    def links_to(self, path: str) -> list[LinkRow]:
        """The links of other documents that ask for a name by which this document is found, and no stronger one."""
        sql = """SELECT source, line, target, text, links.key, fragment FROM names JOIN links ON links.key = names.key
                 WHERE names.path = ?1 AND source <> ?1
                   AND ?1 = (SELECT path FROM names AS best WHERE best.key = names.key ORDER BY rank, path LIMIT 1)
                 GROUP BY source, place ORDER BY source, line, place"""
        return [LinkRow(*values) for values in self._all(sql, (path,))]
