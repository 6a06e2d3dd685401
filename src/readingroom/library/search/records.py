"""Records: what the index holds of a document, field by field.

A passage is one record: its headings (`tx`, `ts`) and its text (`bx`, `bs`), each as it stands and in stems; keywords to
filter by; what is shown of it. The first passage of a document also carries its stems marked with its language (`words`).
One record is no passage: it says what the index was made by. VERSION changes whenever any of this does.
"""

import unicodedata
from functools import cache
from typing import TYPE_CHECKING

import msgspec
import tantivy

from readingroom.library.model import Passage
from readingroom.library.search import analysis
from readingroom.library.search.languages import RUN_LANGUAGES, SAMPLE, document_language, primary

if TYPE_CHECKING:
    from hashlib import blake2b

VERSION = 3
TOKENIZER = "terms"
# The path of the record that is no passage; no relative path is spelled so.
MARKER = "/"

_encode = msgspec.msgpack.Encoder().encode


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


class Marker(msgspec.Struct, frozen=True):
    """What an index was made by."""

    schema: int
    analysis: int
    engine: str


def schema() -> tantivy.Schema:
    """The fields of a record."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("path", tokenizer_name="raw", index_option="basic", fast=True)
    for name in ("folder", "tag", "lang"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("words", tokenizer_name=TOKENIZER, index_option="basic")
    for name in ("tx", "bx"):
        builder.add_text_field(name, tokenizer_name=TOKENIZER, index_option="position")
    for name in ("ts", "bs"):
        builder.add_text_field(name, tokenizer_name=TOKENIZER, index_option="freq")
    builder.add_unsigned_field("document", fast=True)
    builder.add_unsigned_field("first", fast=True)
    builder.add_bytes_field("stored", stored=True)
    return builder.build()


def marker() -> Marker:
    """What an index would be made by now."""
    return Marker(VERSION, analysis.VERSION, str(vars(tantivy)["__version__"]))


def marker_record() -> tantivy.Document:
    """The record that is no passage."""
    record = tantivy.Document()
    record.add_text("path", MARKER)
    record.add_bytes("stored", msgspec.msgpack.encode(marker()))
    return record


def folded_tag(tag: str) -> str:
    """A tag as it is compared: without case and outer blanks."""
    return unicodedata.normalize("NFC", tag.strip().casefold())


def document_key(path: str) -> int:
    """A number that stands for a document's path where the engine keeps numbers."""
    return int.from_bytes(_hash()(path.encode("utf-8", "surrogateescape"), digest_size=8).digest(), "big")


@cache
def _hash() -> "type[blake2b]":
    from hashlib import blake2b  # costs milliseconds, and no search needs it

    return blake2b


def records(entry: Entry) -> list[tantivy.Document]:
    """The records of a document, one for each passage."""
    shown = [passage.shown or passage.text for passage in entry.passages]
    tokens = [analysis.tokens(text) for text in shown]
    language = primary(entry.language) or document_language(_sample(tokens))
    fixed, document = _fixed_fields(entry, language), document_key(entry.path)
    words: set[str] = set()
    made = []
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
        record = tantivy.Document()
        for name, value in (*fixed, ("bx", bx), ("bs", bs), ("tx", tx), ("ts", ts)):
            record.add_text(name, value)
        record.add_unsigned("document", document)
        record.add_unsigned("first", passage.first)
        record.add_bytes("stored", _encode(stored))
        made.append(record)
    if made:
        made[0].add_text("words", _marked(words, language))
    return made


def _marked(words: set[str], language: str) -> str:
    """The stems of a document, each marked with its language, and the bare mark, which counts documents."""
    mark = f"{language}:"
    if language in RUN_LANGUAGES:
        return mark
    words.discard("")
    return f" {mark}".join((mark, *(word for word in words if word[0] != analysis.BEGINNING_MARK)))


def _sample(tokens: list[list[str]]) -> list[str]:
    """Tokens from all over a document."""
    each = SAMPLE // max(1, len(tokens)) + 1
    return [token for found in tokens for token in found[:each]][:SAMPLE]


def _fixed_fields(entry: Entry, language: str) -> list[tuple[str, str]]:
    parts = entry.path.split("/")
    folders = ["/".join(parts[:depth]) for depth in range(1, len(parts))]
    return [
        ("path", entry.path),
        *(("folder", folder) for folder in folders),
        *(("tag", folded_tag(tag)) for tag in entry.tags),
        ("lang", language),
    ]
