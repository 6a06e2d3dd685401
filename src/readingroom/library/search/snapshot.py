"""Reading an index: one commit of it, whole, and what the engine says of damage.

Every question to the engine goes through here, so that whatever is wrong with its files is `IndexUnusable`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

import msgspec
import tantivy

from readingroom.library.errors import IndexUnusable
from readingroom.library.search import records

# More languages than any library has.
_LANGUAGES = 500

_decode_stored = msgspec.msgpack.Decoder(records.Stored).decode
_decode_marker = msgspec.msgpack.Decoder(records.Marker).decode


@contextmanager
def sound() -> Iterator[None]:
    """Turns whatever the engine says of damaged files, a panic included, into `IndexUnusable`."""
    try:
        yield
    except (ValueError, OSError, msgspec.MsgspecError) as error:
        raise IndexUnusable(f"the index cannot be used: {error}") from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise IndexUnusable("the index cannot be used: the engine gave up on it") from error


class Snapshot:
    """One commit of an index, whole and unchanging: what every step of one answer reads."""

    def __init__(self, searcher: tantivy.Searcher, schema: tantivy.Schema, generation: int) -> None:
        self.searcher = searcher
        self.schema = schema
        self.generation = generation

    def check(self) -> None:
        """Raises IndexUnusable unless this very version made the index."""
        found = self.hits(tantivy.Query.term_query(self.schema, "path", records.MARKER, "basic"), 1)
        with sound():
            stored = self.searcher.doc(found[0][1]).get_first("stored") if found else None
            made_by = _decode_marker(stored or b"")
        if made_by != records.marker():
            raise IndexUnusable("the index was made by another version")

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

    def stored(self, address: tantivy.DocAddress) -> records.Stored:
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
