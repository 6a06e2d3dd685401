"""Addresses of documents: ``library:///<percent-encoded path>`` and ``library:///.id/<id>``, a fragment behind or none.

A path here is text in NFC, `/`-separated and relative to the root. This module knows the grammar alone: whether a
document stands at an address, and who may see it, is decided elsewhere. Grammar: RFC 3986; letters of any script may
also stand unencoded, as RFC 3987 has it, since that is how people and models write them.
"""

import unicodedata
from urllib.parse import quote, unquote, unquote_to_bytes

import msgspec

from readingroom.library.errors import BadQuery

SCHEME = "library"
PREFIX = "library:///"
IDENTIFIER_FOLDER = ".id"  # hidden, so no document of the folder can stand there
ADDRESS_CHARACTERS = 16_384  # more than any path of 4,096 bytes needs, percent-encoded
IDENTIFIER_CHARACTERS = 200

# Kept as they are: RFC 3986's unreserved (quote keeps them anyhow), the slash, and of pchar those which neither end a
# link in Markdown or prose nor mean a space or a parameter to some decoder.
_KEPT = "/@:,=$"
_PCHAR = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:@!$&'()*+,;=%")
_HEX = frozenset("0123456789abcdefABCDEF")


class Path(msgspec.Struct, frozen=True):
    """The address of the document at `path`."""

    path: str


class Identifier(msgspec.Struct, frozen=True):
    """The address of the document whose front matter gives `identifier`."""

    identifier: str


def uri(path: str) -> str:
    """The one canonical address of the document at `path`; `parse` of it gives back `path` in NFC."""
    return PREFIX + quote(unicodedata.normalize("NFC", path), safe=_KEPT)


def identifier_uri(identifier: str) -> str:
    """The one canonical address of the document with that `identifier`."""
    name = unicodedata.normalize("NFC", identifier)
    return f"{PREFIX}{IDENTIFIER_FOLDER}/{quote(name, safe=_KEPT.replace('/', ''))}"


def is_identifier(text: str) -> bool:
    """Whether `text` can be the identifier of a document: one path segment of 1 to 200 characters."""
    return len(text) <= IDENTIFIER_CHARACTERS and is_segment(text)


def is_segment(text: str) -> bool:
    """Whether `text` can be one segment of a path: not empty, no dots alone, no slash, backslash or control."""
    if text in ("", ".", "..") or "/" in text or "\\" in text:
        return False
    # isprintable answers for nearly all names; only what it refuses is looked at closely
    return text.isprintable() or not any(_is_control(character) for character in text)


def parse(address: str) -> Path | Identifier:
    """What `address` names, decoded once and in NFC; a fragment names a place in it, and is left aside (`fragment_of`).

    Raises BadQuery for an address of another scheme or with an authority or query, for one that is not
    well-formed or not UTF-8, and for a path with an empty segment, ``.`` or ``..``, an encoded slash, a backslash or
    a control character (NUL included).
    """
    segments = [_decoded(segment) for segment in _path_of(address).split("/")]
    if segments[0] != IDENTIFIER_FOLDER:
        return Path("/".join(segments))
    if len(segments) != 2 or len(segments[1]) > IDENTIFIER_CHARACTERS:
        raise BadQuery(f"An address by identifier reads {PREFIX}{IDENTIFIER_FOLDER}/ and one identifier.")
    return Identifier(segments[1])


def _path_of(address: str) -> str:
    if len(address) > ADDRESS_CHARACTERS:
        raise BadQuery(f"An address has at most {ADDRESS_CHARACTERS} characters.")
    if address[: len(PREFIX)].lower() != PREFIX:
        raise BadQuery(
            f"An address of this library begins with {PREFIX} and goes on with a percent-encoded path."
        )
    return address[len(PREFIX) :].partition("#")[0]


def fragment_of(address: str) -> str:
    """The decoded fragment of an address of this library, or "". A path's own ``#`` is percent-encoded and is none."""
    if not is_address(address):
        return ""
    return unicodedata.normalize("NFC", unquote(address.partition("#")[2]))


def is_address(asked: str) -> bool:
    """Whether what was asked for is meant as an address, and not as a path or an alias."""
    return asked[:8].lower() == "library:"


def _decoded(segment: str) -> str:
    for character in segment:
        if character not in _PCHAR and character.isascii():
            raise BadQuery(f"In an address, {character!r} must be percent-encoded.")
    parts = segment.split("%")
    if any(len(part) < 2 or not _HEX.issuperset(part[:2]) for part in parts[1:]):
        raise BadQuery("In an address, % must be followed by two hexadecimal digits.")
    try:
        name = unicodedata.normalize("NFC", unquote_to_bytes(segment).decode())
    except UnicodeError:
        raise BadQuery("An address, once decoded, must be UTF-8.") from None
    if not is_segment(name):
        raise BadQuery(
            "A path in an address has no empty segment, no '.' or '..', and no encoded slash, backslash or control "
            "character."
        )
    return name


def _is_control(character: str) -> bool:
    """Controls, separators of lines and paragraphs, and lone surrogates: none can be shown on one line as it is."""
    return unicodedata.category(character) in ("Cc", "Zl", "Zp", "Cs")
