"""Analysis: a text becomes two streams of terms: what stands there, and what it is about.

The exact stream holds words as they stand and, for scripts written without spaces, pairs of characters; phrases are
found in it. The stem stream holds the stems of words, the beginnings of long stems, and single characters. Streams are
strings of terms between blanks, the same for index and query, and independent of any engine. VERSION changes whenever
the same text would give other terms: an index made under another version is rebuilt.
"""

from readingroom.library.search.characters import token_pattern
from readingroom.library.search.stems import stem, stemming
from readingroom.library.search.terms import exact_terms, parts

VERSION = 2
# The letters of a beginning, which lets a long word meet its compounds and derivations; its mark is no word character.
BEGINNING = 5
BEGINNING_MARK = "^"
# Tokens whose terms are remembered; a full memory is emptied, which changes no result.
_REMEMBERED = 70_000
_REMEMBERED_LENGTH = 24


class _Memory(dict[str, str]):
    """Token → its terms, joined. Long tokens, most of them runs of scripts without spaces, are not kept."""

    __slots__ = ()

    def limit(self) -> int:
        """How many tokens are kept."""
        return _REMEMBERED

    def keep(self, token: str, terms: str) -> str:
        if len(token) <= _REMEMBERED_LENGTH:
            if len(self) >= self.limit():
                self.clear()
            self[token] = terms
        return terms


class _Exact(_Memory):
    __slots__ = ()

    def __missing__(self, token: str) -> str:
        return self.keep(token, " ".join(exact_terms(token)))


class _Stems(_Memory):
    __slots__ = ("language",)

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language

    def limit(self) -> int:
        return 2 * _REMEMBERED // max(1, len(_stems))

    def __missing__(self, token: str) -> str:
        return self.keep(token, " ".join(stem_terms(token, self.language)))


def stem_terms(token: str, language: str) -> list[str]:
    """The terms of a token in the stem stream of a text of that language."""
    out: list[str] = []
    for run, units in parts(token):
        if run:
            out += units
            continue
        for form in units:
            found = stem(form, language)
            out.append(found)
            if long := beginning(found):
                out.append(long)
    return out


def beginning(found: str) -> str:
    """The marked beginning of a stem longer than that, or ""."""
    if len(found) > BEGINNING and found.isalpha():
        return BEGINNING_MARK + found[:BEGINNING]
    return ""


_exact = _Exact()
_stems: dict[str, _Stems] = {}


def tokens(text: str) -> list[str]:
    """The tokens of a text as they stand in it."""
    found: list[str] = token_pattern().findall(text)
    return found


def _known(language: str) -> _Stems:
    name = stemming(language)
    found = _stems.get(name)
    return _stems.setdefault(name, _Stems(name)) if found is None else found


def forget() -> None:
    """Empties the memories, which a bulk build has filled; changes no result."""
    _exact.clear()
    _stems.clear()


def terms_of(token: str, language: str) -> tuple[str, str]:
    """The terms of one token in both streams, each joined by blanks."""
    return _exact[token], _known(language)[token]


def streams(found: list[str], language: str) -> tuple[str, str]:
    """The exact stream and the stem stream of a text's tokens, for a text of that language ("" when unknown)."""
    known = _known(language)
    return " ".join([_exact[token] for token in found]), " ".join([known[token] for token in found])
