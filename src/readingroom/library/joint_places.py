"""Where a document of several collections stands: the name of its collection is the first segment of its path.

``library:///<collection>/<path in it>``, and ``library:///<collection>/.id/<id>``. Pure: what is written is taken apart and
put together; whether anything stands there is not known here.
"""

import unicodedata
from collections.abc import Collection
from urllib.parse import unquote

import msgspec

from . import address
from .model import DocumentInfo, Hit, ResolvedLink

NAME_CHARACTERS = 64
NAME_RULE = (
    f"1 to {NAME_CHARACTERS} printable characters, without / \\ and =, and with no dot at the beginning"
)


def is_name(text: str) -> bool:
    """Whether a collection can be called so: one segment of a path, printable, with no dot before it and no ``=``."""
    return (
        len(text) <= NAME_CHARACTERS
        and address.is_segment(text)
        and text.isprintable()
        and text == text.strip()
        and text[0] != "."
        and "=" not in text
        and unicodedata.is_normalized("NFC", text)
    )


def apart(asked: str, names: Collection[str]) -> tuple[str, str] | None:
    """The collection that an address or a path names, and the address or path within it; None when it is none of these."""
    if address.is_address(asked):
        head, rest = asked[: len(address.PREFIX)], asked[len(address.PREFIX) :]
        if head.lower() != address.PREFIX:
            return None
        ending = next((at for at, character in enumerate(rest) if character in "/#"), len(rest))
        name = unicodedata.normalize("NFC", unquote(rest[:ending]))
        within = head + rest[ending:].removeprefix("/")
    else:
        first, _, within = asked.removeprefix("./").lstrip("/").partition("/")
        name = unicodedata.normalize("NFC", first)
    return (name, within) if name in names else None


def path_of(name: str, path: str) -> str:
    """The path of a document among all collections; "" stays so."""
    return f"{name}/{path}" if path else ""


def uri_of(name: str, uri: str) -> str:
    """The address among all collections of what has this one in its own; "" stays so."""
    return address.uri(name) + "/" + uri.removeprefix(address.PREFIX) if uri else ""


def placed(name: str, document: DocumentInfo) -> DocumentInfo:
    """A document as it is among all collections."""
    return msgspec.structs.replace(
        document, uri=uri_of(name, document.uri), path=path_of(name, document.path)
    )


def placed_hit(name: str, hit: Hit) -> Hit:
    """A hit as it is among all collections."""
    return msgspec.structs.replace(
        hit,
        uri=uri_of(name, hit.uri),
        path=path_of(name, hit.path),
        also=tuple(uri_of(name, uri) for uri in hit.also),
    )


def placed_link(name: str, link: ResolvedLink) -> ResolvedLink:
    """A link as it is among all collections; what is written in the document stays as it is."""
    return msgspec.structs.replace(link, uri=uri_of(name, link.uri), path=path_of(name, link.path))
