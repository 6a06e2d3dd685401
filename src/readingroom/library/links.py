"""The links of one document, both ways, as one role sees them.

A link is resolved against the role's own catalogue, so one that leads to a document the role may not see is broken like
one that leads nowhere. Whatever is named in the answer is checked against its file first.
"""

from urllib.parse import quote

from . import address, names
from .catalog import Catalog, LinkRow, Row
from .files import Files, Opened, info_of
from .model import Link, LinksAnswer, ResolvedLink
from .reading import opened
from .shelf import OpenEdition


def links(edition: OpenEdition, files: Files, asked: str) -> LinksAnswer:
    """The links out of and into a document. Raises NotFound, and BadQuery for a malformed address."""
    found = opened(edition, files, asked)
    lookup = _Lookup(edition.catalog, files)
    outgoing = tuple(_resolved(lookup, link) for link in _written(edition.catalog, found))
    incoming = tuple(_incoming(lookup, edition.catalog, found.row))
    return LinksAnswer(info_of(found.row), outgoing, incoming)


class _Lookup:
    """Documents by key and path, each checked once."""

    def __init__(self, catalog: Catalog, files: Files) -> None:
        self._catalog = catalog
        self._files = files
        self._rows: dict[str, Row | None] = {}
        self._opened: dict[str, Opened | None] = {}

    def by_key(self, key: str) -> Row | None:
        """The document that a link with this key leads to."""
        path = self._catalog.resolve(key)
        return self.at(path) if path is not None else None

    def at(self, path: str) -> Row | None:
        """The document at this path, as it stands now."""
        if path not in self._rows:
            row = self._catalog.row(path)
            self._rows[path] = self._files.confirmed(row) if row is not None else None
        return self._rows[path]

    def links_of(self, path: str) -> tuple[Link, ...] | None:
        """The links of a document that has changed since it was indexed; None when it has not, or is gone."""
        if path not in self._opened:
            row = self._catalog.row(path)
            changed = row is not None and not self._files.stands(row)
            self._opened[path] = self._files.open(row) if row is not None and changed else None
        found = self._opened[path]
        return found.parsed.links if found is not None and found.parsed is not None else None


def _written(catalog: Catalog, found: Opened) -> list[LinkRow]:
    """The links of the very bytes that were opened."""
    if found.parsed is None:
        return catalog.links_from(found.row.path)
    rows = [_row(found.row.path, link) for link in found.parsed.links]
    return sorted(rows, key=lambda row: row.line)


def _row(source: str, link: Link) -> LinkRow:
    key, fragment = names.asked_by(source, link)
    return LinkRow(source, link.line, link.target, link.text, key, fragment)


def _resolved(lookup: _Lookup, link: LinkRow) -> ResolvedLink:
    if not link.key:
        return ResolvedLink("", "", "", link.target, link.text, link.line, "external")
    row = lookup.by_key(link.key)
    if row is None:
        return ResolvedLink("", "", "", link.target, link.text, link.line, "broken")
    uri = address.uri(row.path)
    if link.fragment:
        uri += "#" + quote(link.fragment, safe="/?:@!$&'()*+,;=-._~%")
    return ResolvedLink(uri, row.path, row.title, link.target, link.text, link.line, "found")


def _incoming(lookup: _Lookup, catalog: Catalog, row: Row) -> list[ResolvedLink]:
    found: list[ResolvedLink] = []
    for link in catalog.links_to(row.path):
        source = lookup.at(link.source)
        if source is None or not _still_there(lookup, link):
            continue
        uri = address.uri(source.path)
        found.append(ResolvedLink(uri, source.path, source.title, link.target, link.text, link.line, "found"))
    return found


def _still_there(lookup: _Lookup, link: LinkRow) -> bool:
    """Whether the linking document, should it have changed, has this link on this line."""
    now = lookup.links_of(link.source)
    return now is None or any(new.line == link.line and new.target == link.target for new in now)
