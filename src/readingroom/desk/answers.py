"""What the library's tools answer, as their output schemas say it. Values only; cursors are sealed text here."""

import msgspec

from ..library import Hit


class SearchResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """Passages, best first. `relaxed`: none has all the words. `cut`: texts were shortened."""

    items: tuple[Hit, ...]
    reconciled: str | None = msgspec.field()
    cursor: str | msgspec.UnsetType = msgspec.UNSET
    hint: str | msgspec.UnsetType = msgspec.UNSET
    relaxed: bool = False
    cut: bool = False


class ReadResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """Text of a document from line to line."""

    uri: str
    path: str
    title: str
    section: tuple[str, ...]
    lines: tuple[int, int]
    total_lines: int
    text: str
    revision: str
    cursor: str | msgspec.UnsetType = msgspec.UNSET


class Listed(msgspec.Struct, frozen=True):
    """A document in a list."""

    uri: str
    path: str
    title: str
    language: str
    tags: tuple[str, ...]
    size: int
    modified: str


class ListResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """Documents in order of path."""

    items: tuple[Listed, ...]
    reconciled: str | None = msgspec.field()
    cursor: str | msgspec.UnsetType = msgspec.UNSET


class OutlineEntry(msgspec.Struct, frozen=True):
    """A heading and the extent of its section."""

    level: int
    title: str
    lines: tuple[int, int]
    characters: int


class OutlineResult(msgspec.Struct, frozen=True):
    """The headings of a document."""

    uri: str
    title: str
    total_lines: int
    headings: tuple[OutlineEntry, ...]


class LinkOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """A link in the document. `state`: found, broken or external."""

    target: str
    text: str
    line: int
    state: str
    uri: str = ""


class LinkIn(msgspec.Struct, frozen=True):
    """A link in another document that leads here."""

    uri: str
    title: str
    line: int
    text: str


class LinksResult(msgspec.Struct, frozen=True):
    """The links out of and into a document."""

    uri: str
    title: str
    outgoing: tuple[LinkOut, ...]
    incoming: tuple[LinkIn, ...]
