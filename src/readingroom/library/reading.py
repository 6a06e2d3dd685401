"""Finding one document by what it is called, and reading it within a size, for one role.

A document that the role may not see and one that does not exist take the same way and end in the same sentence.
"""

from collections.abc import Sequence

import msgspec

from . import address, names
from .answers import portion, start_of
from .catalog import Catalog, Row
from .errors import BadQuery, NotFound
from .files import Files, Opened, info_of
from .lines import Lines
from .model import DocumentInfo, Heading, OutlineAnswer, ReadAnswer
from .shelf import OpenEdition

READ_CHARACTERS = 12_000
LEAST_READ = 100
MOST_READ = 64 * 1024 * 1024


class Wanted(msgspec.Struct, frozen=True):
    """What is to be read of a document: a section or lines, or all, from a place in it on, within a size."""

    section: str | Sequence[str] | None
    lines: tuple[int, int] | None
    start: int | None
    max_chars: int


def checked(wanted: Wanted) -> Wanted:
    """The same; raises BadQuery for what is out of bounds."""
    if not LEAST_READ <= wanted.max_chars <= MOST_READ:
        raise BadQuery(f"max_chars must be from {LEAST_READ} to {MOST_READ}; it is {wanted.max_chars}.")
    if wanted.section is not None and wanted.lines is not None:
        raise BadQuery("Give a section or lines, not both.")
    if wanted.lines is not None and not 1 <= wanted.lines[0] <= wanted.lines[1]:
        raise BadQuery("lines must be a first and a last line, counted from 1.")
    if wanted.start is not None and wanted.start < 0:
        raise BadQuery("start must be what an earlier answer gave as next.")
    return wanted


def missing(asked: str) -> NotFound:
    """The one refusal, whatever the reason."""
    return NotFound(f"There is no document {asked!r} in this library.")


def key_of(asked: str) -> str | None:
    """The lookup key of an address; None for a path or an alias. Raises BadQuery for an address that is malformed."""
    if not address.is_address(asked):
        return None
    named = address.parse(asked)
    if isinstance(named, address.Path):
        return names.path_key(named.path)
    return names.identifier_key(named.identifier)


def place_of(catalog: Catalog, asked: str) -> str:
    """The path of a folder or document, of which an address may have been given. Raises BadQuery like `key_of`.

    The address of a folder is that of its path, with a slash behind it or none; that of the root has no path.
    """
    if not address.is_address(asked):
        return asked
    bare = asked.partition("#")[0].rstrip("/")
    if bare.lower() == address.SCHEME + ":":
        return ""
    named = address.parse(bare)
    if isinstance(named, address.Path):
        return named.path
    found = catalog.resolve(names.identifier_key(named.identifier))
    return found if found is not None else f"{address.IDENTIFIER_FOLDER}/{named.identifier}"


def _keys(asked: str) -> tuple[str, ...]:
    """What an address, a path or an alias is looked up by, in turn. Raises BadQuery like `key_of`."""
    key = key_of(asked)
    return (key,) if key is not None else (names.path_key(_path(asked)), names.alias_key(asked))


def row_for(catalog: Catalog, asked: str) -> Row | None:
    """The document that an address, a path or an alias names, as it was indexed. Raises BadQuery like `key_of`."""
    path = next(filter(None, map(catalog.resolve, _keys(asked))), None)
    return catalog.row(path) if path is not None else None


def _is_called(row: Row, asked: str) -> bool:
    """Whether a document is called so by its bytes as they are now: a file that has changed may be another document."""
    known = dict(names.keys_of(row.path, row.title, row.identifier, row.aliases))
    return any(key in known for key in _keys(asked))


def _path(asked: str) -> str:
    import unicodedata

    return unicodedata.normalize("NFC", asked.removeprefix("./"))


def opened(edition: OpenEdition, files: Files, asked: str) -> Opened:
    """The document as it stands now. Raises NotFound, and BadQuery for a malformed address."""
    row = row_for(edition.catalog, asked)
    found = files.open(row) if row is not None else None
    if found is None or (found.parsed is not None and not _is_called(found.row, asked)):
        raise missing(asked)
    return found


def find(edition: OpenEdition, files: Files, asked: str) -> DocumentInfo:
    """What a list would say of the document. Raises NotFound, and BadQuery for a malformed address."""
    row = row_for(edition.catalog, asked)
    now = files.confirmed(row) if row is not None else None
    if now is None or (now is not row and not _is_called(now, asked)):
        raise missing(asked)
    return info_of(now)


def headings_of(edition: OpenEdition, found: Opened) -> tuple[Heading, ...]:
    """The headings of the very bytes that were opened."""
    if found.parsed is not None:
        return found.parsed.headings
    return edition.catalog.headings(found.row.path)


def outline(edition: OpenEdition, files: Files, asked: str) -> OutlineAnswer:
    """The headings of a document. Raises NotFound, and BadQuery for a malformed address."""
    found = opened(edition, files, asked)
    lines = Lines(files.text(found))
    return OutlineAnswer(info_of(found.row), headings_of(edition, found), len(lines))


def read(edition: OpenEdition, files: Files, asked: str, wanted: Wanted) -> ReadAnswer:
    """A part of a document. Raises NotFound for a document, a section or lines that are not there.

    Where neither section nor lines are asked for, the address's fragment names the section, if there is such a one.
    """
    found = opened(edition, files, asked)
    lines = Lines(files.text(found))
    headings = headings_of(edition, found)
    first, last = _extent(wanted, headings, len(lines), address.fragment_of(asked))
    begin, end = start_of(lines, first), start_of(lines, last + 1)
    if wanted.start is not None:
        if not begin <= wanted.start < end:
            raise NotFound("There is nothing to read on from there: the document may have changed.")
        begin = wanted.start
    part = portion(lines, begin, end, wanted.max_chars)
    return ReadAnswer(
        document=info_of(found.row),
        text=part.text,
        lines=(part.first, part.last),
        total_lines=len(lines),
        section=_trail(headings, part.first),
        next=part.next,
    )


def whole(edition: OpenEdition, files: Files, asked: str) -> tuple[DocumentInfo, str]:
    """A document with its whole text, to the last line end. Raises NotFound, and BadQuery for a malformed address."""
    found = opened(edition, files, asked)
    return info_of(found.row), files.text(found)


def _extent(wanted: Wanted, headings: tuple[Heading, ...], total: int, fragment: str) -> tuple[int, int]:
    if wanted.section is not None:
        heading = _section(headings, wanted.section)
        return heading.first, heading.last
    if wanted.lines is None:
        named = _at_fragment(headings, fragment) if fragment else None
        return (named.first, named.last) if named is not None else (1, total)
    if not total:
        raise NotFound("The document is empty: it has no lines.")
    if wanted.lines[0] > total:
        raise NotFound(f"The document has no line {wanted.lines[0]}: it ends with line {total}.")
    return wanted.lines[0], min(wanted.lines[1], total)


def _section(headings: tuple[Heading, ...], asked: str | Sequence[str]) -> Heading:
    """The first heading with that title, or at the end of that trail ("A > B", or its titles one by one)."""
    trails = [_trail(headings, heading.first) for heading in headings]
    for way in _ways(asked):
        for heading, trail in zip(headings, trails, strict=True):
            if tuple(map(_folded, trail))[-len(way) :] == way:
                return heading
    shown = " > ".join([asked] if isinstance(asked, str) else asked)
    raise NotFound(f"The document has no section {shown!r}; its outline names those it has.")


def _at_fragment(headings: tuple[Heading, ...], fragment: str) -> Heading | None:
    """The heading that a fragment names, by its title or by the name that renderers of Markdown make of it.

    Those write letters, digits, ``-`` and ``_`` of the title in lower case, ``-`` for a space, and number a name that
    comes again. In a wiki link a trail is written with ``#`` between its titles.
    """
    asked = _folded(fragment.rpartition("#")[2])
    times: dict[str, int] = {}
    named: Heading | None = None
    for heading in headings:
        if _folded(heading.title) == asked:
            return heading
        name = _slug(heading.title)
        again = times[name] = times.get(name, -1) + 1
        if named is None and asked in (f"{name}-{again}" if again else name, f"{name}-{again}"):
            named = heading
    return named


def _slug(title: str) -> str:
    kept = (character for character in title.casefold() if character.isalnum() or character in " -_")
    return "".join(kept).strip().replace(" ", "-")


def _ways(asked: str | Sequence[str]) -> list[tuple[str, ...]]:
    if not isinstance(asked, str):
        return [tuple(map(_folded, asked))] if asked else []
    return [(_folded(asked.lstrip("#")),), tuple(map(_folded, asked.split(" > ")))]


def _folded(title: str) -> str:
    return " ".join(title.split()).casefold()


def _trail(headings: tuple[Heading, ...], line: int) -> tuple[str, ...]:
    """The headings that a line stands under, outermost first."""
    return tuple(heading.title for heading in headings if heading.first <= line <= heading.last)
