"""The index on disk: tantivy behind a narrow door, so that another engine can stand here later.

One directory, one generation, committed as one: entries go in whole and are found whole. An index belongs to one role;
it knows nothing of folders, roles or queries. Whatever is wrong with the files is `IndexUnusable`, and the cure is to
build anew. No writer is held longer than the `with` block of its caller.
"""

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Self

import msgspec
import tantivy

from readingroom.library.errors import IndexBusy, IndexUnusable
from readingroom.library.model import Passage
from readingroom.library.search import analysis
from readingroom.library.search.languages import RUN_LANGUAGES, SAMPLE, document_language, primary

SCHEMA_VERSION = 3
_TOKENIZER = "terms"
# The path of the one record that is no passage; no relative path is spelled so.
MARKER = "/"
_ENGINE = str(vars(tantivy)["__version__"])
# More languages than any library has.
_LANGUAGES = 500
_HEAP = 15_000_000
_BULK_HEAP = 100_000_000


class Entry(msgspec.Struct, frozen=True):
    """A document as the index takes it. `language` is a primary tag, or "" to have it told from the text."""

    path: str
    title: str
    language: str
    tags: tuple[str, ...]
    revision: str
    passages: tuple[Passage, ...]


class Stored(msgspec.Struct, frozen=True, array_like=True):
    """What is kept of a passage to show it without its file."""

    path: str
    title: str
    language: str
    section: tuple[str, ...]
    first: int
    last: int
    text: str
    revision: str


class _Meta(msgspec.Struct, frozen=True):
    """What is read of the engine's own list of files: the number of its last commit."""

    opstamp: int


class _Marker(msgspec.Struct, frozen=True):
    schema: int
    analysis: int
    engine: str


_decode_stored = msgspec.msgpack.Decoder(Stored).decode
_decode_marker = msgspec.msgpack.Decoder(_Marker).decode
_decode_meta = msgspec.json.Decoder(_Meta).decode


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("path", tokenizer_name="raw", index_option="basic", fast=True)
    for name in ("folder", "tag", "lang"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("words", tokenizer_name=_TOKENIZER, index_option="basic")
    for name in ("tx", "bx"):
        builder.add_text_field(name, tokenizer_name=_TOKENIZER, index_option="position")
    for name in ("ts", "bs"):
        builder.add_text_field(name, tokenizer_name=_TOKENIZER, index_option="freq")
    builder.add_unsigned_field("document", fast=True)
    builder.add_unsigned_field("first", fast=True)
    builder.add_bytes_field("stored", stored=True)
    return builder.build()


@contextmanager
def sound() -> Iterator[None]:
    """Turns whatever the engine says of damaged files, a panic included, into `IndexUnusable`."""
    try:
        yield
    except (ValueError, OSError, msgspec.MsgspecError) as error:
        raise IndexUnusable(f"the index cannot be read: {error}") from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise IndexUnusable("the index cannot be read: the engine gave up on it") from error


def folded_tag(tag: str) -> str:
    """A tag as it is compared: without case and outer blanks."""
    return unicodedata.normalize("NFC", tag.strip().casefold())


def document_key(path: str) -> int:
    """A number that stands for a document's path where the engine keeps numbers."""
    return int.from_bytes(blake2b(path.encode("utf-8", "surrogateescape"), digest_size=8).digest(), "big")


class Writer:
    """Takes entries in and out; nothing is seen by anyone before `commit`."""

    def __init__(self, writer: tantivy.IndexWriter, *, empty: bool) -> None:
        self._writer = writer
        self._fresh: set[str] | None = set() if empty else None

    def replace(self, entry: Entry) -> None:
        """Puts a document in the place of what stood at its path."""
        if self._fresh is None or entry.path in self._fresh:
            self.remove(entry.path)
        else:
            self._fresh.add(entry.path)
        documents = _documents(entry)
        with sound():
            for document in documents:
                self._writer.add_document(document)

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
            number = int(self._writer.commit())
        self._fresh = None
        return number

    def mark(self) -> None:
        """Writes the one record that is no passage: what the index was made by."""
        record = tantivy.Document()
        record.add_text("path", MARKER)
        marker = _Marker(SCHEMA_VERSION, analysis.VERSION, _ENGINE)
        record.add_bytes("stored", msgspec.msgpack.encode(marker))
        with sound():
            self._writer.add_document(record)


def _documents(entry: Entry) -> list[tantivy.Document]:
    shown = [passage.shown or passage.text for passage in entry.passages]
    tokens = [analysis.tokens(text) for text in shown]
    language = primary(entry.language) or document_language(_sample(tokens))
    fixed = _fixed_fields(entry, language)
    words: set[str] = set()
    documents = []
    for passage, text, found in zip(entry.passages, shown, tokens, strict=True):
        bx, bs = analysis.streams(found, language)
        trail = passage.section if passage.section[:1] == (entry.title,) else (entry.title, *passage.section)
        tx, ts = analysis.streams(analysis.tokens("\n".join(trail)), language)
        words.update(bs.split(" "))
        stored = Stored(
            entry.path,
            entry.title,
            language,
            passage.section,
            passage.first,
            passage.last,
            text,
            entry.revision,
        )
        fields = {**fixed, "bx": bx, "bs": bs, "tx": tx, "ts": ts, "first": passage.first}
        document = tantivy.Document()
        _add_fields(document, fields)
        document.add_bytes("stored", msgspec.msgpack.encode(stored))
        documents.append(document)
    if documents:
        documents[0].add_text("words", _marked(words, language))
    return documents


def _marked(words: set[str], language: str) -> str:
    """The stems of a document, each marked with its language, and the bare mark, which counts documents."""
    mark = f"{language}:"
    if language in RUN_LANGUAGES:
        return mark
    return f" {mark}".join((mark, *(word for word in words if word[:1] != analysis.BEGINNING_MARK)))


def _sample(tokens: list[list[str]]) -> list[str]:
    """Tokens from all over a document."""
    each = SAMPLE // max(1, len(tokens)) + 1
    return [token for found in tokens for token in found[:each]][:SAMPLE]


def _fixed_fields(entry: Entry, language: str) -> dict[str, str | int | list[str]]:
    parts = entry.path.split("/")
    folders = ["/".join(parts[:depth]) for depth in range(1, len(parts))]
    return {
        "path": entry.path,
        "folder": folders,
        "tag": [folded_tag(tag) for tag in entry.tags],
        "lang": language,
        "document": document_key(entry.path),
    }


def _add_fields(document: tantivy.Document, fields: dict[str, str | int | list[str]]) -> None:
    for name, value in fields.items():
        if isinstance(value, int):
            document.add_unsigned(name, value)
        elif isinstance(value, str):
            document.add_text(name, value)
        else:
            for item in value:
                document.add_text(name, item)


class Snapshot:
    """One commit of an index, whole and unchanging: what every step of one answer reads."""

    def __init__(self, searcher: tantivy.Searcher, schema: tantivy.Schema, generation: int) -> None:
        self.searcher = searcher
        self.schema = schema
        self.generation = generation

    def hits(self, query: tantivy.Query, limit: int) -> list[tuple[float, tantivy.DocAddress]]:
        """The best passages of a query with their scores, best first."""
        with sound():
            return self.searcher.search(query, limit, count=False).hits

    def by_path(self, query: tantivy.Query, limit: int) -> list[tuple[str, tantivy.DocAddress]]:
        """The passages that a query finds, in the order of their paths; those of one path in no order."""
        with sound():
            return self.searcher.search(
                query, limit, count=False, order_by_field="path", order=tantivy.Order.Asc
            ).hits

    def any(self, query: tantivy.Query) -> bool:
        """Whether a query finds any live passage."""
        return bool(self.hits(query, 1))

    def stored(self, address: tantivy.DocAddress) -> Stored:
        """What is kept of the passage at that address."""
        with sound():
            return _decode_stored(self.searcher.doc(address).get_first("stored") or b"")

    def column(self, name: str, addresses: list[tantivy.DocAddress]) -> list[int]:
        """A number of each of the passages: `document` (see `document_key`) or `first`, their first line."""
        with sound():
            return [int(value or 0) for value in self.searcher.fast_field_values(name, addresses)]

    def counted(self, field: str, term: str) -> int:
        """In how many passages a term is, deleted ones that the engine still counts included."""
        with sound():
            return self.searcher.doc_freq(field, term)

    def beginning(self, field: str, prefix: str, limit: int, *, live: bool) -> list[tuple[str, int]]:
        """The commonest terms with a prefix and in how many passages each is; `live` counts no deleted ones."""
        query = tantivy.Query.all_query() if live else None
        with sound():
            found = self.searcher.terms_with_prefix(field, prefix, query, limit)
        return [(term, count) for term, count in found if count]

    @cached_property
    def languages(self) -> dict[str, int]:
        """The languages of the library's documents, and of how many documents each."""
        tags = [tag for tag, _ in self.beginning("lang", "", _LANGUAGES, live=False)]
        counts = {tag: self.counted("words", f"{tag}:") for tag in tags}
        return {tag: count for tag, count in counts.items() if count}


class Index:
    """An open index. Reads see one commit until `reload`; `snapshot` is what a search holds on to."""

    def __init__(self, engine: tantivy.Index, directory: Path) -> None:
        self._engine = engine
        self._directory = directory
        self._state: tuple[int, int, int] = (0, 0, 0)
        engine.register_tokenizer(
            _TOKENIZER, tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
        )
        engine.config_reader("manual")

    @classmethod
    def create(cls, directory: Path) -> Self:
        """Makes an empty index in a directory that is made if need be.

        Raises IndexBusy when another process is writing there, IndexUnusable when the place cannot be written.
        """
        with sound():
            directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            index = cls(tantivy.Index(_schema(), path=str(directory), reuse=False), directory)
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
            state = None
            while state != (
                state := self._stat()
            ):  # a commit in between: its number would name another's passages
                self._engine.reload()
                number = _decode_meta((self._directory / "meta.json").read_bytes()).opstamp
            searcher = self._engine.searcher()
            _check_marker(searcher, self._engine.schema)
        self.snapshot = Snapshot(searcher, self._engine.schema, number)
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
                self._engine.reload()
                empty = self._engine.searcher().num_docs <= 1
            yield Writer(writer, empty=empty)
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
            left.unlink(missing_ok=True)


def _check_marker(searcher: tantivy.Searcher, schema: tantivy.Schema) -> None:
    found = searcher.search(tantivy.Query.term_query(schema, "path", MARKER, "basic"), 1, count=False).hits
    if not found:
        raise IndexUnusable("the index has no marker of its version")
    marker = _decode_marker(searcher.doc(found[0][1]).get_first("stored") or b"")
    if (marker.schema, marker.analysis, marker.engine) != (
        SCHEMA_VERSION,
        analysis.VERSION,
        _ENGINE,
    ):
        raise IndexUnusable("the index was made by another version")
