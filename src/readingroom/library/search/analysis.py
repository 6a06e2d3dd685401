"""Analysis: a text becomes two streams of terms: what stands there, and what it is about.

The exact stream holds words as they stand and, for scripts written without spaces, pairs of characters; phrases are
found in it. The stem stream holds the stems of words, the beginnings of long stems, and single characters. Streams are
strings of terms between blanks, the same for index and query, and independent of any engine. VERSION changes whenever
the same text would give other terms: an index made under another version is rebuilt.
"""

from readingroom.library.search.characters import tokens_of
from readingroom.library.search.stems import script_of, stem, stemming
from readingroom.library.search.terms import exact_terms, parts, plain_word

VERSION = 3
# The letters of a beginning, which lets a long word meet its compounds and derivations; its mark is no word character.
BEGINNING = 5
BEGINNING_MARK = "^"
# Tokens whose terms are remembered; a full memory is emptied, which changes no result.
_REMEMBERED = 70_000
_REMEMBERED_STEMS = 100_000  # of all languages together, which are counted now and then
_COUNTED_EVERY = 256
_REMEMBERED_LENGTH = 24


class _Exact(dict[str, str]):
    """Token → its exact terms, joined. Long tokens, most of them runs of scripts without spaces, are not kept."""

    __slots__ = ()

    def __missing__(self, token: str) -> str:
        terms = " ".join(exact_terms(token))
        if len(token) <= _REMEMBERED_LENGTH:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[token] = terms
        return terms


class _Stems(dict[str, str]):
    """Token → the terms of its stems in one language, joined. Where a plain word of ASCII takes the stemmer of its own
    script, that of English, it is kept with those of English, which most libraries have beside their own."""

    __slots__ = ("borrows", "language")

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language
        self.borrows = script_of(language) != "latin"

    def __missing__(self, token: str) -> str:
        if self.borrows and token.isascii():
            return _known("en")[token]
        terms = " ".join(stem_terms(token, self.language))
        if len(token) <= _REMEMBERED_LENGTH:
            if not len(self) % _COUNTED_EVERY and sum(map(len, _stems.values())) >= _REMEMBERED_STEMS:
                for known in _stems.values():
                    known.clear()
            self[token] = terms
        return terms


def stem_terms(token: str, language: str) -> list[str]:
    """The terms of a token in the stem stream of a text of that language."""
    word = plain_word(token)
    if word:
        found = stem(word, language)
        long = beginning(found)
        return [found, long] if long else [found]
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
    return tokens_of(text)


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
