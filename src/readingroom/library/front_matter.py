"""Front matter: the block between ``---`` lines at a document's very beginning, and the fields in it that we know.

Whether a document is internal fails closed. A block that cannot be read, but names ``visibility`` in any case or quoting,
makes its document internal, and so does a visibility that is doubled or neither ``public`` nor ``internal``. Everything
else that is wrong is a warning, and the document is served.
"""

import re
from typing import TYPE_CHECKING

import msgspec

from readingroom.library.address import IDENTIFIER_CHARACTERS, is_identifier
from readingroom.library.lines import Lines
from readingroom.library.model import Visibility
from readingroom.library.structure import title_of

if TYPE_CHECKING:  # PyYAML is loaded for documents that have front matter
    from readingroom.library.yaml_block import Broken, Value

_LOOKED_AT = 64 * 1024  # characters of what is no block after all
_HEX = "[0-9a-fA-F]"
_ESCAPE = re.compile(rf"\\(?:x({_HEX}{{2}})|u({_HEX}{{4}})|U({_HEX}{{8}}))|\\\s*\n\s*")
_KEY = re.compile(r"visibility[\"']?\s*+[:=]", re.IGNORECASE)
# The first line of what was meant as front matter, comments aside: a key, or the brace of a mapping.
_MEANT = re.compile(r"(?:\s|#.*)*+(?:\{|[\w\"'][^:\n]{0,99}:(?:\s|\Z))")
DOUBTFUL = "the document is internal until that is repaired"
"""How every warning ends for which a document is kept internal."""


class FrontMatter(msgspec.Struct, frozen=True):
    """The fields, empty where they are not given, and where the rest of the document begins.

    `body` is the first line behind the block. When `shown`, the block is no front matter after all but could not be read,
    and its lines are text. `visibility` is None when nothing was said of it.
    """

    body: int = 1
    shown: bool = False
    title: str = ""
    language: str = ""
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    identifier: str = ""
    visibility: Visibility | None = None
    warnings: tuple[str, ...] = ()


def read(lines: Lines) -> FrontMatter:
    """The front matter of a document; all that is wrong with it is among the warnings."""
    first = next((line for line in range(1, len(lines) + 1) if not lines.is_blank(line)), 0)
    if not first or lines.contents[first - 1].lstrip("\ufeff").rstrip() != "---":
        return FrontMatter()
    last = _closing(lines, first)
    if last is None:
        start = lines.starts[first - 1]
        return _no_block(lines.text[start : start + _LOOKED_AT], "front matter is not closed")
    block = "\n".join(lines.contents[first : last - 1])
    if first > 1:
        return _no_block(block, "front matter does not begin on the first line")
    from readingroom.library.yaml_block import Broken, load

    try:
        value = load(block)
    except Broken as error:
        return _broken(block, error, last)
    if value is None:
        return FrontMatter(body=last + 1)
    if isinstance(value, dict):
        return _fields(value, last + 1)
    return _no_block(block, "the block at the beginning is no front matter")


def _closing(lines: Lines, first: int) -> int | None:
    for line in range(first + 1, len(lines) + 1):
        content = lines.contents[line - 1]
        if content[:3] in ("---", "...") and content.rstrip() in ("---", "..."):
            return line
    return None


def _no_block(block: str, reason: str) -> FrontMatter:
    """Text, unless something in it looks as if it were to say who may see the document."""
    if not _KEY.search(_unescaped(block)):
        return FrontMatter()
    return FrontMatter(visibility="internal", warnings=(f"{reason}, but names visibility: {DOUBTFUL}",))


def _broken(block: str, error: "Broken", last: int) -> FrontMatter:
    """Not readable: shown as it stands if it was meant as front matter, else text between two rules.

    Either way it makes the document internal by the mere word.
    """
    where = "" if error.line is None else f" (line {error.line + 2})"
    warning = f"front matter {error}{where}"
    meant = _MEANT.match(block) is not None
    body = last + 1 if meant else 1
    if "visibility" in _unescaped(block).casefold():
        warning = f"{warning} and names visibility: {DOUBTFUL}"
        return FrontMatter(body, shown=meant, visibility="internal", warnings=(warning,))
    return FrontMatter(body, shown=meant, warnings=(warning,)) if meant else FrontMatter()


def _unescaped(block: str) -> str:
    """The block with the escapes of double-quoted YAML resolved, wherever they stand."""

    def resolved(match: re.Match[str]) -> str:
        digits = match[1] or match[2] or match[3]
        code = int(digits, 16) if digits else 0
        return chr(code) if 0 < code <= 0x10FFFF else ""

    return _ESCAPE.sub(resolved, block) if "\\" in block else block


def _fields(block: "dict[str, Value]", body: int) -> FrontMatter:
    known: dict[str, list[Value]] = {}
    for key, value in block.items():
        known.setdefault(key.strip().casefold(), []).append(value)
    warnings: list[str] = []
    given = {name: values[0] for name, values in known.items()}
    return FrontMatter(
        body=body,
        title=title_of(_text(given, "title", warnings)),
        language=language_of(_text(given, "lang", warnings), warnings),
        tags=tags_of(given.get("tags", ""), warnings),
        aliases=_aliases(given.get("aliases", ""), warnings),
        identifier=_identifier(_text(given, "id", warnings), warnings),
        visibility=visibility_of(known.get("visibility", []), warnings),
        warnings=tuple(warnings),
    )


def visibility_of(values: "list[Value] | list[str]", warnings: list[str]) -> Visibility | None:
    """What was said of who may see the document: None if nothing, internal if it is not said once and clearly."""
    if not values:
        return None
    if len(values) > 1:
        warnings.append(f"visibility is given more than once: {DOUBTFUL}")
        return "internal"
    if values[0] == "public":
        return "public"
    if values[0] != "internal":
        warnings.append(f"visibility is neither public nor internal: {DOUBTFUL}")
    return "internal"


def language_of(text: str, warnings: list[str]) -> str:
    """The primary tag of a language tag (BCP 47), in lower case."""
    primary = text.strip().replace("_", "-").partition("-")[0].lower()
    if not primary or (primary.isascii() and primary.isalpha() and 2 <= len(primary) <= 3):
        return primary
    warnings.append("lang is not a language tag")
    return ""


def tags_of(value: "Value", warnings: list[str]) -> tuple[str, ...]:
    """Tags from a list, or from a text with commas or else blanks between them, without a leading ``#``."""
    texts = _texts(value, "tags", warnings)
    if isinstance(value, str):
        texts = value.split(",") if "," in value else value.split()
    return _distinct([text.strip().lstrip("#") for text in texts])


def _aliases(value: "Value", warnings: list[str]) -> tuple[str, ...]:
    return _distinct([value] if isinstance(value, str) else _texts(value, "aliases", warnings))


def _texts(value: "Value", name: str, warnings: list[str]) -> list[str]:
    if isinstance(value, str):
        return []
    texts = [text for text in value if isinstance(text, str)] if isinstance(value, list) else []
    if not isinstance(value, list) or len(texts) < len(value):
        warnings.append(f"{name} is not a list of texts")
    return texts


def _distinct(texts: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(title for text in texts if (title := title_of(text))))


def _text(given: "dict[str, Value]", name: str, warnings: list[str]) -> str:
    value = given.get(name, "")
    if isinstance(value, str):
        return value
    warnings.append(f"{name} is not a text")
    return ""


def _identifier(text: str, warnings: list[str]) -> str:
    import unicodedata

    identifier = unicodedata.normalize("NFC", text.strip())
    if not identifier or is_identifier(identifier):
        return identifier
    warnings.append(f"id is not one segment of a path, of at most {IDENTIFIER_CHARACTERS} characters")
    return ""
