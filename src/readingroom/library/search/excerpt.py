"""The part of a passage that is shown, and where the words of the query are in it.

Offsets are into the text that is returned, in characters. Knows no index: a hit and what was wanted are enough.
"""

import msgspec

from readingroom.library.search.analysis import stem_terms
from readingroom.library.search.answer import RankedHit
from readingroom.library.search.characters import clusters, is_run, normal, pieces, token_pattern
from readingroom.library.search.terms import exact_terms
from readingroom.library.search.wanted import Wanted

# Characters of context kept before the first word shown, when the text is cut.
_BEFORE = 60

Place = tuple[int, int, str]


class Excerpt(msgspec.Struct, frozen=True):
    """A passage's text, cut or whole; the places of the query's words in it are in order and do not overlap."""

    text: str
    highlights: tuple[tuple[int, int], ...]
    cut: bool


def excerpt(hit: RankedHit, wanted: Wanted, width: int) -> Excerpt:
    """The passage if it has at most `width` characters, else the part of it with the most different words."""
    places = _places(hit.text, hit.language, wanted)
    begin, end = (0, len(hit.text)) if len(hit.text) <= width else _window(hit.text, places, width)
    inside = [(first - begin, last - begin) for first, last, _ in places if first >= begin and last <= end]
    return Excerpt(hit.text[begin:end], tuple(_joined(inside)), cut=end - begin < len(hit.text))


def _joined(places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for first, last in places:
        if out and first < out[-1][1]:
            out[-1] = (out[-1][0], max(last, out[-1][1]))
        else:
            out.append((first, last))
    return out


class _Matcher:
    """Which of the wanted terms a token has; remembers tokens for one passage."""

    def __init__(self, language: str, wanted: Wanted) -> None:
        self.language = language
        self.query_language = wanted.language
        self.exact = {form.exact for word in wanted.words for form in word.forms}
        self.exact.update(term for prefix in wanted.prefixes for term in prefix.terms)
        self.exact.update(term for phrase in wanted.phrases for term in phrase.terms)
        self.stems = {form.stem for word in wanted.words for form in word.forms}
        self.prefixes = tuple(prefix.text for prefix in wanted.prefixes)
        self.known: dict[str, str] = {}

    def match(self, token: str) -> str:
        """A wanted term the token has, or ""."""
        found = self.known.get(token)
        if found is None:
            found = self.known[token] = self._match(token)
        return found

    def _match(self, token: str) -> str:
        for term in exact_terms(token):
            if term in self.exact or (self.prefixes and term.startswith(self.prefixes)):
                return term
        for term in stem_terms(token, self.language):
            if term in self.stems:
                return term
        return ""


def _places(text: str, language: str, wanted: Wanted) -> list[Place]:
    matcher = _Matcher(language, wanted)
    out: list[Place] = []
    for found in token_pattern().finditer(text):
        token = found[0]
        if token.isascii() or not any(map(is_run, pieces(token))):
            if term := matcher.match(token):
                out.append((found.start(), found.end(), term))
        else:
            out += _run_places(token, found.start(), matcher)
    return out


def _run_places(token: str, at: int, matcher: _Matcher) -> list[Place]:
    out: list[Place] = []
    for piece in pieces(token):
        if not is_run(piece):
            if term := matcher.match(piece):
                out.append((at, at + len(piece), term))
        else:
            out += _gram_places(piece, at, matcher.exact)
        at += len(piece)
    return out


def _gram_places(run: str, at: int, exact: set[str]) -> list[Place]:
    units = clusters(run)
    out: list[Place] = []
    for unit, after in zip(units, [*units[1:], ""], strict=True):
        pair = normal(unit + after)
        if pair in exact:
            out.append((at, at + len(unit) + len(after), pair))
        at += len(unit)
    return out


def _window(text: str, places: list[Place], width: int) -> tuple[int, int]:
    """Where the window with the most different terms begins and ends, at borders of lines or words."""
    begin = _best(places, width)
    begin = max(0, min(begin - _BEFORE, len(text) - width))
    begin = _border_after(text, begin)
    end = min(len(text), begin + width)
    return begin, _border_before(text, begin, end)


def _best(places: list[Place], width: int) -> int:
    best, chosen = 0, 0
    for at, (first, _, _) in enumerate(places):
        seen = {term for _, last, term in places[at : at + 60] if last - first <= width - _BEFORE}
        if len(seen) > best:
            best, chosen = len(seen), first
    return chosen


def _border_after(text: str, begin: int) -> int:
    if begin == 0:
        return 0
    for at in range(begin, min(begin + _BEFORE, len(text))):
        if text[at - 1].isspace():
            return at
    return begin


def _border_before(text: str, begin: int, end: int) -> int:
    if end == len(text):
        return end
    for at in range(end, max(begin, end - _BEFORE), -1):
        if text[at].isspace():
            return at
    return end
