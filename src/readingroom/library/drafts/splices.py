"""Edits as splices on the original bytes: every byte that no edit names stays as it is.

`old` is looked for in the decoded text, where it must occur exactly once. Line ends are one thing here, however they are
written: one in `old` meets any in the document, and one in `new` is written as the document writes it at that place. An edit
can thus neither miss for its line ends nor change them; a replace can. Pure.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import msgspec

from ..decode import NotText, decode
from ..errors import DraftRefused
from ..ledger.model import Edit
from .model import Candidate

CANDIDATES = 20
_COUNTED = 1_000
_SHOWN = 200  # characters of a line that is named
_AHEAD = 60  # of them stand ahead of the place
MARK = "\ufeff"
_MARKS = {"utf-8-sig": (3, "utf-8"), "utf-16": (2, "utf-16-{}"), "utf-32": (4, "utf-32-{}")}


class _Splice(msgspec.Struct, frozen=True):
    """An edit with its place: from `start` up to before `stop` in the flat text, and its number, from 1."""

    start: int
    stop: int
    new: str
    number: int


class _Base:
    """The text of a document, also flat: with LF for every line end, and the way back from there."""

    def __init__(self, data: bytes) -> None:
        decoded = decode(data)
        self.data = data
        self.text = decoded.text
        self.mark, self.codec = _codec(decoded.encoding, data)
        self.flat = flat(decoded.text)
        self._pairs = _pairs_of(decoded.text)

    def at(self, position: int) -> int:
        """Where in the text a position of the flat text is."""
        return position + bisect_left(self._pairs, position)

    def candidate(self, position: int, number: int) -> Candidate:
        """The line of a position of the flat text, for the edit of this number; of a long one, what is around the place."""
        line = bisect_right(self.starts, position)
        start = self.starts[line - 1]
        stop = self.starts[line] - 1 if line < len(self.starts) else len(self.flat)
        if stop - start > _SHOWN:
            start = max(start, min(position - _AHEAD, stop - _SHOWN))
        return Candidate(line, self.flat[start : min(stop, start + _SHOWN)], number)

    @cached_property
    def starts(self) -> "array[int]":
        """Where each line begins in the flat text."""
        from .nearest import line_starts

        return line_starts(self.flat)


def flat(text: str) -> str:
    """The text with LF for every line end."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def spliced(data: bytes, edits: Sequence[Edit]) -> bytes:
    """The bytes of a document with `edits` applied to it, all against the text as it is before.

    Raises NotText for bytes that are no text, and DraftRefused: bad_argument for an empty `old`, not_text, edit_not_found
    and edit_ambiguous with lines, edit_overlaps, and encoding for what the document's encoding cannot hold or where
    the result would not be read as what was meant.
    """
    base = _Base(data)
    splices = sorted((_placed(base, edit, number) for number, edit in enumerate(edits, 1)), key=_order)
    for one, other in pairwise(splices):
        if other.start < one.stop:
            places = tuple(base.candidate(splice.start, splice.number) for splice in (one, other))
            text = f"Edits {one.number} and {other.number} touch the same place."
            raise DraftRefused("edit_overlaps", text, places)
    return _joined(base, splices)


def check_text(text: str, what: str) -> None:
    """Raise DraftRefused (not_text) for a text that no document can hold: NUL, or half of a surrogate pair."""
    if "\0" in text:
        raise DraftRefused("not_text", f"{what} holds a NUL character, which no text has.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise DraftRefused(
            "not_text", f"{what} holds half of a surrogate pair, which is no character."
        ) from None


def _order(splice: _Splice) -> tuple[int, int]:
    return splice.start, splice.stop


def _codec(encoding: str, data: bytes) -> tuple[int, str]:
    """How many bytes the byte order mark has, and the codec of what follows it."""
    if encoding not in _MARKS:
        return 0, encoding
    length, codec = _MARKS[encoding]
    return length, codec.format("le" if data[0] == 0xFF else "be")


def _pairs_of(text: str) -> "array[int]":
    """Where in the flat text the line ends are that are CR LF."""
    found = array("q")
    at = text.find("\r\n")
    while at >= 0:
        found.append(at - len(found))
        at = text.find("\r\n", at + 2)
    return found


def _placed(base: _Base, edit: Edit, number: int) -> _Splice:
    check_text(edit.old, f"`old` of edit {number}")
    check_text(edit.new, f"`new` of edit {number}")
    if not edit.old:
        raise DraftRefused(
            "bad_argument",
            f"`old` of edit {number} is empty.",
            advice="To insert, take the text beside the place into both.",
        )
    old = flat(edit.old)
    start = base.flat.find(old)
    if start < 0:
        raise _not_found(base, old, number)
    if base.flat.find(old, start + 1) >= 0:
        raise _ambiguous(base, old, number)
    return _Splice(start, start + len(old), flat(edit.new), number)


def _not_found(base: _Base, old: str, number: int) -> DraftRefused:
    from .nearest import nearest

    line = _spelt_otherwise(base.flat, old)
    if line:
        place = base.candidate(base.starts[line - 1], number)
        return DraftRefused(
            "edit_not_found",
            f"`old` of edit {number} stands at line {line}, but for how accented characters are put together (Unicode NFC "
            "and NFD).",
            (place,),
            advice="Take them from library_read as they are, or let `old` be a part of the line without such characters.",
        )
    places = tuple(base.candidate(place, number) for place in nearest(base.flat, old))
    hint = "The nearest places are named." if places else "No line comes near it."
    return DraftRefused(
        "edit_not_found", f"`old` of edit {number} does not occur in the document. {hint}", places
    )


def _spelt_otherwise(text: str, old: str) -> int:
    """The line at which `old` begins if characters may be composed or not, or 0."""
    import unicodedata

    if text.isascii() or old.isascii():
        return 0
    composed = unicodedata.normalize("NFC", text)
    at = composed.find(unicodedata.normalize("NFC", old))
    return composed.count("\n", 0, at) + 1 if at >= 0 else 0


def _ambiguous(base: _Base, old: str, number: int) -> DraftRefused:
    found: list[int] = []
    at = base.flat.find(old)
    while at >= 0 and len(found) < _COUNTED:
        found.append(at)
        at = base.flat.find(old, at + 1)
    count = f"{len(found):,}" if at < 0 else f"more than {_COUNTED:,}"
    places = tuple(base.candidate(place, number) for place in found[:CANDIDATES])
    named = "named" if len(found) <= CANDIDATES else f"named, the first {CANDIDATES}"
    return DraftRefused(
        "edit_ambiguous",
        f"`old` of edit {number} occurs {count} times in the document; the places are {named}.",
        places,
    )


def _joined(base: _Base, splices: list[_Splice]) -> bytes:
    pieces, texts, flats = [base.data[: base.mark]], list[str](), list[str]()
    at, place, offset = 0, 0, base.mark
    for splice in splices:
        start, stop = base.at(splice.start), base.at(splice.stop)
        kept = _size(base, at, start)
        new = _with_ends(splice.new, base.text, start, stop)
        pieces += [base.data[offset : offset + kept], _encoded(base, new, splice.number)]
        texts += [base.text[at:start], new]
        flats += [base.flat[place : splice.start], splice.new]
        at, place, offset = stop, splice.stop, offset + kept + _size(base, start, stop)
    is_whole = offset + _size(base, at, len(base.text)) == len(base.data)
    result = b"".join((*pieces, base.data[offset:]))
    meant, meant_flat = "".join((*texts, base.text[at:])), "".join((*flats, base.flat[place:]))
    if meant.startswith(MARK) and not base.text.startswith(MARK):
        raise DraftRefused(
            "not_text",
            "After the edits the text would begin with a byte order mark (U+FEFF), which is no part of a text.",
            advice="Leave it out of `new`, or take it away together with what stands ahead of it.",
        )
    if not is_whole or flat(meant) != meant_flat or not _reads_as(result, meant):
        raise DraftRefused(
            "encoding",
            f"In this document, which is in the encoding {base.codec}, the edits cannot be written so that they are read "
            "as they are meant.",
            advice="Propose the whole document as a replace, which is written in UTF-8.",
        )
    return result


def _size(base: _Base, start: int, stop: int) -> int:
    """How many bytes a part of the text has; wrong where it has several spellings, which is noticed in the end."""
    return len(base.text[start:stop].encode(base.codec, "replace"))


def _encoded(base: _Base, new: str, number: int) -> bytes:
    try:
        return new.encode(base.codec)
    except UnicodeEncodeError as error:
        character = new[error.start]
        raise DraftRefused(
            "encoding",
            f"The document is in the encoding {base.codec}, which has no {character!r} (U+{ord(character):04X}), as "
            f"in `new` of edit {number}.",
        ) from None


def _reads_as(data: bytes, text: str) -> bool:
    try:
        found = decode(data).text
    except NotText:
        return False
    return found == text


def _with_ends(new: str, text: str, start: int, stop: int) -> str:
    """The new text with the line ends of what it takes the place of, one after the other; the last one goes on."""
    if "\n" not in new or "\r" not in text:
        return new
    ends = _ends(text[start:stop]) or [_end_near(text, start)]
    lines = new.split("\n")
    parts = [line + ends[min(number, len(ends) - 1)] for number, line in enumerate(lines[:-1])]
    return "".join(parts) + lines[-1]


def _ends(text: str) -> list[str]:
    import re

    found: list[Any] = re.findall("\r\n|\r|\n", text)
    return found


def _end_near(text: str, position: int) -> str:
    """The line end of the line at `position`, or the last one before it."""
    import re

    following = re.compile("\r\n|\r|\n").search(text, position)
    if following is not None:
        return following[0]
    last = max(text.rfind("\n", 0, position), text.rfind("\r", 0, position))
    return "\r\n" if text[last - 1 : last + 1] == "\r\n" else text[last]
