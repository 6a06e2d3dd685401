"""From what an app asks to the bytes that would stand in the folder: the rules for each kind of draft.

Looks at the folder through `standing` alone, and writes nothing.
"""

import posixpath
from collections.abc import Sequence

import msgspec

from ..decode import decode
from ..digest import digest_of
from ..errors import DraftRefused
from ..ledger.model import Edit, Kind
from ..rules import CONVERTED, format_of
from . import bounds
from .paths import normal
from .splices import MARK, check_text, spliced
from .standing import Standing

TAKEN: dict[str, tuple[str, ...]] = {
    "create": ("content",),
    "replace": ("content", "base_revision"),
    "edit": ("edits", "base_revision"),
    "rename": ("to", "base_revision"),
    "delete": ("base_revision",),
}
"""What a draft of each kind takes besides its path and a note."""
_MARKED = {"utf-8-sig": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What an app asks for, as it was given: "", None and () are not given."""

    kind: Kind
    path: str
    to: str = ""
    base_revision: str | None = None
    content: str | None = None
    edits: tuple[Edit, ...] = ()


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """What would be done: paths in NFC, the base and the bytes that would stand there, None of a rename or delete."""

    path: str
    to: str
    base: str | None
    base_content: bytes | None
    content: bytes | None
    edits: tuple[Edit, ...]

    @property
    def digest(self) -> str:
        """The digest of what would stand there, or ""."""
        return digest_of(self.content) if self.content is not None else ""

    @property
    def size(self) -> int:
        """The bytes that are kept for it."""
        return len(self.content or b"") + len(self.base_content or b"")


def propose(standing: Standing, wish: Wish, most: int) -> Proposal:
    """What comes of a wish, by the folder as it is now; a document may have `most` bytes at most.

    Raises DraftRefused with the code that says why not, and FolderUnusable.
    """
    _check_arguments(wish)
    path = normal(wish.path)
    _check_format(path)
    if wish.kind == "create":
        standing.check_vacant(path)
        new = _encoded(wish.content or "", "utf-8")
        _check_size(new, most)
        return Proposal(path=path, to="", base=None, base_content=None, content=new, edits=())
    data = standing.document(path)
    base = digest_of(data)
    if base != wish.base_revision:
        raise DraftRefused("base_changed", "The document is not as you read it.")
    to = normal(wish.to) if wish.kind == "rename" else ""
    _check_format(to)
    content = _content(standing, wish, path, to, data)
    if content is not None:
        if content == data:
            raise _nothing_changes()
        _check_size(content, most)
    return Proposal(path=path, to=to, base=base, base_content=data, content=content, edits=wish.edits)


def _content(standing: Standing, wish: Wish, path: str, to: str, data: bytes) -> bytes | None:
    """The bytes that would stand there; None of a rename, whose target is looked at, and of a delete."""
    if wish.kind == "edit":
        return spliced(data, wish.edits)
    if wish.kind == "replace":
        return _replacing(wish.content or "", data)
    if wish.kind == "rename":
        if to == path:
            raise _nothing_changes()
        standing.check_vacant(to, leaving=path)
    return None


def _check_format(path: str) -> None:
    """A draft is text, and its bytes become the document's: that does where the document is its text."""
    if format_of(posixpath.basename(path)) in CONVERTED:
        raise DraftRefused(
            "not_text",
            f"{posixpath.basename(path)} is read as text, but is no text file: no draft can be made of it.",
            advice="Propose a document of a text format beside it, or ask a person to change it in its own program.",
        )


def _check_arguments(wish: Wish) -> None:
    """See that what was given is what the kind takes, that it is text, and not too much."""
    given = {
        "to": bool(wish.to),
        "base_revision": wish.base_revision is not None,
        "content": wish.content is not None,
        "edits": bool(wish.edits),
    }
    taken = TAKEN.get(wish.kind)
    if taken is None:
        raise DraftRefused("bad_argument", f"A draft is one of {', '.join(TAKEN)}.")
    if {name for name, is_given in given.items() if is_given} != set(taken):
        raise DraftRefused(
            "bad_argument", f"Besides path and note, a draft of kind {wish.kind} takes {' and '.join(taken)}."
        )
    if len(wish.edits) > bounds.EDITS:
        raise DraftRefused("too_large", f"A draft has at most {bounds.EDITS} edits.")
    check_text(wish.content or "", "The content")
    size = len((wish.content or "").encode()) + sum(
        len(text.encode("utf-8", "surrogatepass")) for edit in wish.edits for text in (edit.old, edit.new)
    )
    if size > bounds.DRAFT_BYTES:
        raise DraftRefused(
            "too_large",
            f"The text of a draft has at most {bounds.DRAFT_BYTES // 1024} KiB; this has {size:,} bytes.",
        )


def _check_size(content: bytes, most: int) -> None:
    if len(content) > most:
        raise DraftRefused(
            "too_large",
            f"The document would have {len(content):,} bytes, over the cap of {most:,} of this library.",
        )


def _replacing(text: str, data: bytes) -> bytes:
    """The new text in the document's encoding where its byte order mark tells it, else in UTF-8.

    A text with LF alone gets the document's line ends if those are all of one other kind, so that a person is shown what
    changed and not every line.
    """
    before = decode(data)
    if "\r" not in text:
        text = text.replace("\n", only_end(before.text))
    return _encoded(text, _MARKED.get(before.encoding, "utf-8"), data)


def only_end(text: str) -> str:
    """The line end of a text that has one kind of it, else LF."""
    pairs, returns, feeds = text.count("\r\n"), text.count("\r"), text.count("\n")
    if pairs and pairs == returns == feeds:
        return "\r\n"
    return "\r" if returns and not feeds else "\n"


def _encoded(text: str, encoding: str, before: bytes = b"") -> bytes:
    """The text with the byte order mark that `before` has. Raises DraftRefused (not_text) for a text with one of its own."""
    if text.startswith(MARK):
        raise DraftRefused(
            "not_text",
            "The content begins with a byte order mark (U+FEFF), which is no part of a text.",
            advice="Leave it out; a mark that the document has stays.",
        )
    if encoding != "utf-8":
        order = "le" if before[:1] == b"\xff" else "be"
        return (MARK + text).encode(f"{encoding}-{order}")
    mark = b"\xef\xbb\xbf" if before.startswith(b"\xef\xbb\xbf") else b""
    return mark + text.encode()


def _nothing_changes() -> DraftRefused:
    return DraftRefused("nothing_changes", "The document already is what the draft would make of it.")


def edits_of(edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """The edits as values of our own, whatever was handed in."""
    return tuple(Edit(edit.old, edit.new) for edit in edits)
