"""Analysis: a text becomes two streams of terms of the same length of thought: words as they stand, and their stems.

The streams are strings of terms between blanks, the same for index and query, and engine-independent. VERSION changes
whenever the same text would give other terms: an index made under another version is rebuilt.
"""

from functools import cache

from readingroom.library.search.characters import is_run, normal, pieces, token_pattern
from readingroom.library.search.stems import stem
from readingroom.library.search.terms import exact_terms, forms, grams

VERSION = 1
# Terms kept for tokens seen before; a full cache is emptied, which changes no result.
_CACHED = 60_000
_CACHED_LENGTH = 24


class _Cache(dict[str, str]):
    """Token → its terms joined. Bounded; long runs of scripts without spaces are not kept."""

    __slots__ = ()

    def keep(self, token: str, terms: str) -> str:
        if len(token) <= _CACHED_LENGTH:
            if len(self) >= _CACHED:
                self.clear()
            self[token] = terms
        return terms


class _Exact(_Cache):
    __slots__ = ()

    def __missing__(self, token: str) -> str:
        return self.keep(token, " ".join(exact_terms(token)))


class _Stemmed(_Cache):
    __slots__ = ("language",)

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language

    def __missing__(self, token: str) -> str:
        return self.keep(token, " ".join(stem_terms(token, self.language)))


def stem_terms(token: str, language: str) -> list[str]:
    """The stem of every term of `terms.exact_terms`, in the same order; pairs of characters stand for themselves."""
    out: list[str] = []
    for piece in pieces(normal(token)):
        out += grams(piece) if is_run(piece) else [stem(form, language) for form in forms(piece)]
    return out


_exact = _Exact()


@cache
def _stemmed(language: str) -> _Stemmed:
    return _Stemmed(language)


def tokens(text: str) -> list[str]:
    """The tokens of a text as they stand in it."""
    found: list[str] = token_pattern().findall(text)
    return found


def streams(found: list[str], language: str) -> tuple[str, str]:
    """The exact stream and the stem stream of a text's tokens, for a text of that language ("" when unknown)."""
    known = _stemmed(language)
    return " ".join([_exact[token] for token in found]), " ".join([known[token] for token in found])
