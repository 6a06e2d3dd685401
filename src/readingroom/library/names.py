"""The names by which a document is found, as lookup keys, and what a written link asks for.

Pure: paths and texts in, keys out. A key begins with a mark of its kind: "=" an exact path, "#" an identifier, "@" an
alias, "^" a title, "~" any name as a wiki link writes it; but for the first two, case and Unicode form do not matter.
"""

import posixpath
import unicodedata
from typing import TypeAlias

from . import address
from .errors import BadQuery
from .model import Link

Key: TypeAlias = tuple[str, int]
"""A lookup key with the rank of its kind: of two documents with one key, the lower rank wins."""

EXACT, PATH, FILE, TITLE, ALIAS = range(5)

_NOWHERE = "=/"  # no relative path is spelled so


def path_key(path: str) -> str:
    """The key of the document at this path."""
    return "=" + path


def identifier_key(identifier: str) -> str:
    """The key of the document with this `id`."""
    return "#" + identifier


def wiki_key(name: str) -> str:
    """The key of whatever is called this."""
    return "~" + _folded(name)


def _folded(name: str) -> str:
    if name.isascii():
        return name.lower().strip()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", name).casefold()).strip()


def alias_key(name: str) -> str:
    """The key of the document that gives this among its aliases."""
    return "@" + _folded(name)


def title_key(title: str) -> str:
    """The key under which a title is completed."""
    return "^" + _folded(title)


def keys_of(path: str, title: str, identifier: str, aliases: tuple[str, ...]) -> list[Key]:
    """Every key that finds the document, without repetition."""
    file = posixpath.basename(path)
    named = [(path, PATH), (_stem(path), PATH), (file, FILE), (_stem(file), FILE), (title, TITLE)]
    named += [(alias, ALIAS) for alias in aliases]
    keys = [(path_key(path), EXACT), (title_key(title), EXACT)]
    keys += [(identifier_key(identifier), EXACT)] if identifier else []
    keys += [(alias_key(alias), EXACT) for alias in aliases]
    keys += [(wiki_key(name), rank) for name, rank in named]
    return list(dict.fromkeys(keys))


def _stem(path: str) -> str:
    return posixpath.splitext(path)[0]


def tag_key(tag: str) -> str:
    """A tag as it is compared: without case and outer blanks."""
    return tag.strip().casefold()


def asked_by(source: str, link: Link) -> tuple[str, str]:
    """The key that a link in the document at `source` asks for, and its fragment; the key is "" when it leads outside."""
    if link.kind == "wiki":
        name, _, fragment = link.target.partition("#")
        return (wiki_key(name) if name.strip() else path_key(source)), fragment.strip()
    location, _, fragment = link.target.strip().partition("#")
    if location[:8].lower() == "library:":
        return _asked_by_address(location), fragment
    if location.startswith("//") or _has_scheme(location):
        return "", ""
    return _asked_by_path(source, location), fragment


def _has_scheme(location: str) -> bool:
    scheme, colon, _ = location.partition(":")
    bare = scheme.replace("+", "").replace(".", "").replace("-", "")
    return bool(colon) and scheme.isascii() and scheme[:1].isalpha() and bare.isalnum()


def _asked_by_path(source: str, location: str) -> str:
    from urllib.parse import unquote

    path = unquote(location.partition("?")[0])
    if not path:
        return path_key(source)
    # a leading slash is from the top of the library, as web sites write it
    path = path.lstrip("/") if path.startswith("/") else posixpath.join(posixpath.dirname(source), path)
    return path_key(unicodedata.normalize("NFC", posixpath.normpath(path)))


def _asked_by_address(location: str) -> str:
    try:
        named = address.parse(location)
    except BadQuery:
        return _NOWHERE
    return path_key(named.path) if isinstance(named, address.Path) else identifier_key(named.identifier)
