"""The index on disk: tantivy behind a narrow door, so that another engine can stand here later.

One directory, one generation, committed as one: entries go in whole and are found whole. An index belongs to one role;
it knows nothing of folders, roles or queries. Whatever is wrong with the files is `IndexUnusable`, and the cure is to
build anew. No writer is held longer than the `with` block of its caller.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

import msgspec
import tantivy

from readingroom.library.errors import IndexBusy, IndexUnusable
from readingroom.library.search import analysis, records
from readingroom.library.search.records import Entry
from readingroom.library.search.snapshot import Snapshot, sound

__all__ = ["SCHEMA_VERSION", "Entry", "Index", "Writer"]

SCHEMA_VERSION = records.VERSION
# What the engine gathers in memory before it writes. A bulk build of 100,000 passages stays within a few segments, so
# that it ends without merging, which is what takes memory.
_HEAP = 15_000_000
_BULK_HEAP = 100_000_000


class _Meta(msgspec.Struct, frozen=True):
    """What is read of the engine's own list of files: the number of its last commit."""

    opstamp: int


_decode_meta = msgspec.json.Decoder(_Meta).decode


class Writer:
    """Takes entries in and out; nothing is seen by anyone before `commit`."""

    def __init__(self, writer: tantivy.IndexWriter) -> None:
        self._writer = writer

    def add(self, entry: Entry) -> None:
        """Takes in a document that is known not to be there. Far cheaper than `replace`, which looks for it everywhere."""
        made = records.records(entry)
        with sound():
            for record in made:
                self._writer.add_document(record)

    def replace(self, entry: Entry) -> None:
        """Puts a document in the place of what stood at its path."""
        self.remove(entry.path)
        self.add(entry)

    def remove(self, path: str) -> None:
        """Takes a document out; nothing happens if it is not there."""
        with sound():
            self._writer.delete_documents_by_term("path", path)

    def commit(self) -> int:
        """Makes everything so far visible at once; the number of this commit, which no other one of the index has.

        The number is the engine's own. It is not kept in a record that each commit replaces, since the engine goes on
        counting what was replaced: ranking would tell how often the index was committed.
        """
        with sound():
            return int(self._writer.commit())

    def mark(self) -> None:
        """Writes the one record that is no passage: what the index was made by."""
        with sound():
            self._writer.add_document(records.marker_record())


class Index:
    """An open index. Reads see one commit until `reload`; `snapshot` is what a search holds on to."""

    def __init__(self, engine: tantivy.Index, directory: Path) -> None:
        self._engine = engine
        self._directory = directory
        self._state: tuple[int, int, int] = (0, 0, 0)
        whitespace = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
        engine.register_tokenizer(records.TOKENIZER, whitespace)
        engine.config_reader("manual")

    @classmethod
    def create(cls, directory: Path) -> Self:
        """Makes an empty index in a directory that is made if need be.

        Raises IndexBusy when another process is writing there, IndexUnusable when the place cannot be written.
        """
        with sound():
            directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            index = cls(tantivy.Index(records.schema(), path=str(directory), reuse=False), directory)
        with index.writer(bulk=False) as writer:
            writer.mark()
            writer.commit()
        index._load()
        return index

    @classmethod
    def open(cls, directory: Path) -> Self:
        """Opens the index in a directory. Raises IndexUnusable for anything but a sound index of this version."""
        with sound():
            index = cls(tantivy.Index.open(str(directory)), directory)
        index._load()
        return index

    @property
    def generation(self) -> int:
        """The number of the commit that is read."""
        return self.snapshot.generation

    def reload(self) -> bool:
        """Reads the newest commit; true when it is another than before. Costs one `stat` when nothing changed.

        Raises IndexUnusable when what is there now cannot be used.
        """
        with sound():
            changed = self._stat() != self._state
        if changed:
            self._load()
        return changed

    def _stat(self) -> tuple[int, int, int]:
        found = (self._directory / "meta.json").stat()
        return found.st_mtime_ns, found.st_ino, found.st_size

    def _load(self) -> None:
        with sound():
            read, state = (-1, -1, -1), self._stat()
            while (
                read != state
            ):  # again, if a commit came in between: its number would be given to another's passages
                read = state
                self._engine.reload()
                number = _decode_meta((self._directory / "meta.json").read_bytes()).opstamp
                state = self._stat()
            snapshot = Snapshot(self._engine.searcher(), self._engine.schema, number)
        snapshot.check()
        self.snapshot = snapshot
        self._state = state

    @contextmanager
    def writer(self, *, bulk: bool) -> Iterator[Writer]:
        """The one writer of this index, for as short as can be. `bulk` is for many documents at once.

        What was not committed when the block ends is dropped. Raises IndexBusy when another process is writing and
        IndexUnusable when the index cannot be written.
        """
        writer = self._lock(bulk=bulk)
        try:
            with sound():
                self._sweep()
                writer.garbage_collect_files()
            yield Writer(writer)
        except BaseException:
            with suppress(ValueError, OSError):
                writer.rollback()
            raise
        finally:
            with sound():
                writer.wait_merging_threads()
            if bulk:
                analysis.forget()

    def _lock(self, *, bulk: bool) -> tantivy.IndexWriter:
        try:
            return self._engine.writer(_BULK_HEAP if bulk else _HEAP, 1)
        except ValueError as error:
            if "LockBusy" in str(error):
                raise IndexBusy("another process is writing the index") from error
            raise IndexUnusable(f"the index cannot be written: {error}") from error

    def _sweep(self) -> None:
        """Removes what a killed writer left. Only under the lock and before anything is written: merges write such too."""
        for left in self._directory.glob(".tmp*"):
            with suppress(OSError):
                left.unlink()
