"""Terms: what one token is found by, as it stands (not stemmed): the whole first, then its parts.

`snake_case`, `camelCase` and `http2` are found whole and by their parts; scripts without spaces by pairs of
characters. Knows no language.
"""

import re
from functools import cache, lru_cache
from operator import add

from readingroom.library.search.characters import clusters, folded, is_run, lowered, normal, pieces

# A longer word is no word; both sides cut it alike, so that it is still found.
_LONGEST = 120

Part = tuple[bool, tuple[str, ...]]


@cache
def _humps() -> "re.Pattern[str]":
    return re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


@cache
def _numbered() -> "re.Pattern[str]":
    return re.compile(r"([a-z]{2,}|v)([0-9]{1,4})")


@cache
def compound() -> "re.Pattern[str]":
    """Whether a token may have parts of its own: all that `forms` splits has this, and little else does."""
    return re.compile(r"_|ʼ|[a-z][A-Z0-9]|[A-Z]{2}[a-z]|[A-Z][0-9]")


@lru_cache(1024)
def parts(token: str) -> tuple[Part, ...]:
    """The parts of a token: for a run true and its characters (with their marks), for a word false and its forms.

    Remembers a passage's worth of tokens, since each is asked for twice.
    """
    found = (
        (True, clusters(piece)) if is_run(piece) else (False, forms(piece)) for piece in pieces(normal(token))
    )
    return tuple((run, tuple(units)) for run, units in found if units)


def pairs(units: tuple[str, ...]) -> list[str]:
    """Overlapping pairs of a run's characters, then its last character alone."""
    return [*map(add, units, units[1:]), units[-1]]


def forms(piece: str) -> list[str]:
    """The words in a piece that is no run, in lower case with their accents: the whole first, then its parts.

    Empty for a piece of bare marks or underscores.
    """
    word = piece.rstrip("+#")
    core = word.strip("_")[:_LONGEST]
    whole = lowered(core)
    if not folded(whole):
        return []
    if word != piece:
        return [whole + piece[len(word) :], whole]
    return [whole, *_split(core, whole)]


def _split(core: str, whole: str) -> list[str]:
    if "_" in core:
        return [part for part in whole.split("_") if folded(part)]
    if not core.isascii():
        return [part for part in whole.split("ʼ") if part] if "ʼ" in whole else []
    if numbered := _numbered().fullmatch(whole):
        return [part for part in numbered.groups() if part != "v"]
    if core[1:].islower() or core.isupper() or core.isdigit() or core.islower():
        return []
    humps: list[str] = _humps().findall(core)
    return [hump.lower() for hump in humps] if len(humps) > 1 else []


def plain_word(token: str) -> str:
    """The one form of a token that is a word of ASCII letters without humps, as `parts` gives it; "" for all others."""
    if token.isascii() and token.isalpha() and len(token) <= _LONGEST:
        if token.islower():
            return token
        if token[1:].islower() or token.isupper():
            return token.lower()
    return ""


def exact_terms(token: str) -> list[str]:
    """The terms of a token in the order of the text: words and pairs of characters, folded, not stemmed."""
    if word := plain_word(token):
        return [word]
    out: list[str] = []
    for run, units in parts(token):
        out += pairs(units) if run else map(folded, units)
    return out
