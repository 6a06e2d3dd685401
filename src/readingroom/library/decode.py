"""From bytes to text: a byte order mark, else strict UTF-8, else what a detector takes the encoding for.

The name of the encoding is kept, and decoding the same bytes with it gives the same text again. Encodings of seven bits
(ISO-2022, UTF-7) read as the ASCII they are written in.
"""

import codecs
from collections.abc import Iterator

import msgspec

from readingroom.library.errors import LibraryError

DETECTED_BYTES = 64 * 1024  # what the detector is shown: more costs time and does not change its mind

# Those of four bytes first: the mark of UTF-32 begins with that of UTF-16. The names take the mark off in decoding.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class NotText(LibraryError):
    """The bytes are no text: they hold NUL, or no encoding accounts for them."""


class Decoded(msgspec.Struct, frozen=True):
    """A text and the codec that gives it; `guessed` where nothing in the bytes tells it for certain."""

    text: str
    encoding: str
    guessed: bool = False


def decode(data: bytes) -> Decoded:
    """The text of `data`, without a byte order mark.

    Raises NotText for binary data: a NUL character, bytes that break the encoding their mark announces, and bytes that
    fit no encoding the detector knows.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _checked(_marked(data, encoding), encoding)
    try:
        return _checked(data.decode(), "utf-8")
    except UnicodeDecodeError:
        if b"\0" in data:
            raise NotText("binary data: it holds NUL bytes") from None
        return _detected(data)


def _marked(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        name = encoding.removesuffix("-sig").upper()
        raise NotText(f"binary data: it begins with the mark of {name}, which it is not") from None


def _checked(text: str, encoding: str) -> Decoded:
    if "\0" in text:
        raise NotText("binary data: it holds NUL bytes")
    return Decoded(text, encoding)


def _likely(data: bytes) -> Iterator[tuple[str, bool]]:
    """The encodings to try, each with whether it is a guess."""
    from charset_normalizer import from_bytes
    from charset_normalizer.utils import any_specified_encoding

    from .guess import guesses

    declared = any_specified_encoding(data)
    if declared is not None and not declared.startswith("utf"):
        yield declared, False
    yield from ((encoding, True) for encoding in guesses(data))
    shown = data[:DETECTED_BYTES]
    if len(data) > DETECTED_BYTES:
        shown = shown[: shown.rfind(b"\n") + 1] or shown  # not in the middle of a character
    for guess in from_bytes(shown):
        yield guess.encoding, True


def _detected(data: bytes) -> Decoded:
    """The first guess that decodes all of the data. A declaration within it, such as HTML's, is tried before others,
    and what makes sense in some language before what the detector takes it for."""
    for encoding, guessed in _likely(data):
        try:
            return Decoded(data.decode(encoding), encoding, guessed)
        except (UnicodeDecodeError, LookupError):
            continue
    raise NotText("binary data: it is in no encoding that is known")
