"""The values of the library: what a document, a passage, a hit and a principal are.

Nothing here reads a file, knows the index or the protocol. Every value is frozen; times are seconds since the epoch,
lines are counted from 1 and inclusive, offsets count characters, revisions are ``sha256:`` and 64 hex digits.
"""

from typing import Literal, TypeAlias

import msgspec

Role: TypeAlias = Literal["reader", "editor"]
Visibility: TypeAlias = Literal["public", "internal"]
Format: TypeAlias = Literal[
    "markdown", "text", "rst", "html", "asciidoc", "org", "notebook", "docx", "epub", "pdf"
]

# Of what is served; a converted document is served as the text it is converted to.
MIME_TYPES: dict[str, str] = {
    "markdown": "text/markdown",
    "text": "text/plain",
    "rst": "text/x-rst",
    "html": "text/html",
    "asciidoc": "text/asciidoc",
    "org": "text/org",
    "notebook": "text/markdown",
    "docx": "text/markdown",
    "epub": "text/markdown",
    "pdf": "text/markdown",
}


class Principal(msgspec.Struct, frozen=True):
    """Who asks: a name, which owns drafts and cursors, and the role that decides what may be seen."""

    name: str = "local"
    role: Role = "reader"


class Passage(msgspec.Struct, frozen=True):
    """A section, or a part of a long one, exactly as it stands in the document.

    `text` is the document's decoded text from the start of line `first` to the end of line `last` (line ends as they
    are in the document, the last one left off). `section` is the trail of headings, outermost first; it includes the
    heading of the section itself and is empty before the first heading. `shown` is what is searched and shown in place
    of `text` where the source is not what people read (HTML), and of a document without text: there it is the names,
    and one without lines has them at line 0. Elsewhere it is "". Several passages of one line of HTML have that line
    as their `text`.
    """

    section: tuple[str, ...]
    first: int
    last: int
    text: str
    shown: str = ""


class Heading(msgspec.Struct, frozen=True):
    """A heading with the extent of its section: from its own line to the line before the next one of its level or above."""

    level: int
    title: str
    first: int
    last: int
    characters: int


class Link(msgspec.Struct, frozen=True):
    """A link as it is written: `target` is the raw destination, `text` what is shown, `line` where it starts."""

    kind: Literal["markdown", "wiki", "rst", "html", "asciidoc", "org"]
    target: str
    text: str
    line: int


class Parsed(msgspec.Struct, frozen=True):
    """What the bytes of one document say.

    `title` is never empty: front matter, else the first heading of level 1, else the file's name without its suffix.
    `language` is a lower-case primary language tag or "" when front matter does not name one (detection is the
    index's duty). `text` is the whole decoded text, front matter included, so that line numbers are those of the file.
    Of a converted document, it is what the bytes were converted to, and `encoding` is "".
    """

    format: Format
    text: str
    encoding: str
    revision: str
    title: str
    language: str
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    identifier: str
    visibility: Visibility
    headings: tuple[Heading, ...]
    passages: tuple[Passage, ...]
    links: tuple[Link, ...]
    warnings: tuple[str, ...]


class FileState(msgspec.Struct, frozen=True):
    """What the file system says of a file; two equal states are taken for the same bytes."""

    size: int
    modified_ns: int
    changed_ns: int
    inode: int


class Found(msgspec.Struct, frozen=True):
    """A file of a served format: its path relative to the root, in NFC with `/`, and the system's own name for it."""

    path: str
    name: bytes
    format: Format
    state: FileState


class LeftOut(msgspec.Struct, frozen=True):
    """A file or folder that is not served, with its reason in plain words."""

    path: str
    reason: str


class DocumentInfo(msgspec.Struct, frozen=True):
    """What a list says of a document."""

    uri: str
    path: str
    title: str
    format: Format
    language: str
    tags: tuple[str, ...]
    size: int
    modified: float
    revision: str
    identifier: str = ""
    aliases: tuple[str, ...] = ()


class Hit(msgspec.Struct, frozen=True, omit_defaults=True):
    """One passage found. `lines` are first and last; `highlights` are offsets of the query's words in `text`; `also` has
    the addresses of documents that say the same."""

    uri: str
    title: str
    path: str
    section: tuple[str, ...]
    lines: tuple[int, int]
    text: str
    highlights: tuple[tuple[int, int], ...]
    revision: str
    also: tuple[str, ...] = ()


class SearchAnswer(msgspec.Struct, frozen=True):
    """One page of hits. `next` is the rank to go on from, or None at the end; the desk seals it into a cursor.

    `relaxed` is true when no passage has all the words; `hint` says in a sentence what to try instead and is empty when
    there is nothing to say; `cut` is true when texts were cut to keep the answer within its size. `reconciled` is when
    the last full scan of the folder began, or None before the first has.
    """

    items: tuple[Hit, ...]
    next: int | None
    relaxed: bool
    hint: str
    cut: bool
    reconciled: float | None


class ReadAnswer(msgspec.Struct, frozen=True):
    """Part of a document: the text of `lines`, and the whole's length in lines; of an empty document, lines 0 to 0.

    `next` is the position to read on from, in characters of the document, or None at the end: a line longer than the
    answer may be is given in pieces, so a line would not do.
    """

    document: DocumentInfo
    text: str
    lines: tuple[int, int]
    total_lines: int
    section: tuple[str, ...]
    next: int | None


class ListAnswer(msgspec.Struct, frozen=True):
    """One page of documents in order of their path. `next` is the path to go on after, or None at the end."""

    items: tuple[DocumentInfo, ...]
    next: str | None
    reconciled: float | None


class OutlineAnswer(msgspec.Struct, frozen=True):
    """The headings of a document."""

    document: DocumentInfo
    headings: tuple[Heading, ...]
    total_lines: int


class ResolvedLink(msgspec.Struct, frozen=True):
    """A link out of or into a document. Out: `uri` is what it leads to, or "" when it is broken or leaves the library.

    `state` is "found", "broken" (nothing this principal may see stands there) or "external". In: `uri`, `path` and
    `title` name the document that links here and `line` is the line in that document.
    """

    uri: str
    path: str
    title: str
    target: str
    text: str
    line: int
    state: Literal["found", "broken", "external"]


class LinksAnswer(msgspec.Struct, frozen=True):
    """The links of a document, both ways, in order of line, respectively of path and line."""

    document: DocumentInfo
    outgoing: tuple[ResolvedLink, ...]
    incoming: tuple[ResolvedLink, ...]
