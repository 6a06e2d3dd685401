"""Where the words of a query are in a passage: places in the text as it stands, each with the word it answers.

A word is marked where it or its stem stands; where a passage has neither, words that begin alike are marked instead.
Words that are only grammar are left unmarked beside others.
"""

from collections.abc import Iterable
from sys import intern

from readingroom.library.search.analysis import beginning, terms_of
from readingroom.library.search.characters import (
    folded,
    goes_on,
    is_run,
    lowered,
    normal,
    normal_runs,
    pieces,
    tokens_of,
)
from readingroom.library.search.function_words import CHARACTERS
from readingroom.library.search.languages import RUN_LANGUAGES, function_words
from readingroom.library.search.stems import keeps_beginnings
from readingroom.library.search.terms import compound
from readingroom.library.search.wanted import Wanted

# Where a word begins and ends in a text, and the number of the word of the query that it is.
Place = tuple[int, int, int]

_HEAD = 2
# Tokens whose beginnings are remembered.
_REMEMBERED = 50_000


class Marks:
    """Finds the words of one query in texts."""

    def __init__(self, wanted: Wanted) -> None:
        self._exact: dict[str, int] = {}
        self._stems: dict[str, int] = {}
        self._starts: dict[str, int] = {}
        self._runs: dict[str, int] = {}
        self._prefixes = tuple(prefix.text for prefix in wanted.prefixes)
        self._number = 0
        self._take_words(wanted)
        self._take_phrases(wanted)
        self._heads = {"", *(term[:_HEAD] for term in (*self._exact, *self._stems))}
        self._known: dict[str, dict[str, tuple[int, bool]]] = {}

    def _take_words(self, wanted: Wanted) -> None:
        for word in wanted.words:
            if word.light:
                continue
            self._number += 1
            for form in word.forms:
                if word.run:
                    self._runs[form.exact or form.stem] = self._number
                    continue
                self._exact.setdefault(form.exact, self._number)
                self._stems.setdefault(form.stem, self._number)
                if start := beginning(form.stem):
                    self._starts.setdefault(start, self._number)

    def _take_phrases(self, wanted: Wanted) -> None:
        for phrase in wanted.phrases:
            heavy = [t for t in phrase.terms if t not in function_words() and CHARACTERS.isdisjoint(t)]
            for term in heavy or phrase.terms:
                self._number += 1
                (self._runs if is_run(term) else self._exact).setdefault(term, self._number)

    def places(self, text: str, language: str) -> list[Place]:
        """The places in a text of a document in that language, in order; they may overlap in runs."""
        tokens = set(tokens_of(text))
        if language in RUN_LANGUAGES:
            tokens = {piece for token in tokens for piece in pieces(token) if not is_run(piece)}
        answers = self._answers(tokens, language)
        runs = self._run_places(text) if self._runs else []
        met = {number for number, sure in answers.values() if sure}.union(number for _, _, number in runs)
        marked = {token: number for token, (number, sure) in answers.items() if sure or number not in met}
        return sorted(runs + _positions(text, marked))

    def _answers(self, tokens: set[str], language: str) -> dict[str, tuple[int, bool]]:
        """The tokens that answer a word, with its number, and whether for sure or only by how they begin."""
        known = self._known.setdefault(language, {})
        found: dict[str, tuple[int, bool]] = {}
        for token in self._candidates(tokens, language):
            answer = known.get(token)
            if answer is None:
                answer = known[token] = self._answer(token, language)
            if answer[0] >= 0:
                found[token] = answer
        return found

    def _candidates(self, tokens: set[str], language: str) -> Iterable[str]:
        """The tokens that are worth analysing: those that begin like a word of the query, and those with parts."""
        if self._prefixes or not keeps_beginnings(language):
            return tokens
        heads = self._heads
        return [token for token in tokens if _heads[token] in heads]

    def _answer(self, token: str, language: str) -> tuple[int, bool]:
        exact, stems = terms_of(token, language)
        likely = -1
        for term in exact.split(" "):
            if term in self._exact:
                return self._exact[term], True
            if self._prefixes and term.startswith(self._prefixes):
                return 0, True
        for term in stems.split(" "):
            if term in self._stems:
                return self._stems[term], True
            if likely < 0 and term in self._starts:
                likely = self._starts[term]
        return likely, False

    def _run_places(self, text: str) -> list[Place]:
        """Pairs of characters, found in the text's normal form and brought back to where they stand."""
        plain, back = normal_runs(text)
        out: list[Place] = []
        for pair, number in self._runs.items():
            at = plain.find(pair)
            while at >= 0:
                end = at + len(pair)
                out.append((back[at], back[end - 1] + 1, number) if back else (at, end, number))
                at = plain.find(pair, at + 1)
        return out


class _Heads(dict[str, str]):
    """A token → how it begins, folded; "" for one that may have parts. A memory of pure text, bounded."""

    def __missing__(self, token: str) -> str:
        if len(self) >= _REMEMBERED:
            self.clear()
        head = "" if compound().search(token) else intern(folded(lowered(normal(token)))[:_HEAD])
        self[token] = head
        return head


class _Borders(dict[str, bool]):
    """A character → whether a token ends beside it. "" stands for the ends of the text."""

    def __missing__(self, character: str) -> bool:
        found = self[character] = not goes_on(character)
        return found


_heads = _Heads()
_borders = _Borders()


def _positions(text: str, marked: dict[str, int]) -> list[Place]:
    """Where the marked tokens stand in a text, each by itself and not within another."""
    out: list[Place] = []
    for token, number in marked.items():
        at = text.find(token)
        while at >= 0:
            end = at + len(token)
            if _stands_alone(text, at, end):
                out.append((at, end, number))
            at = text.find(token, end)
    return out


def _stands_alone(text: str, first: int, last: int) -> bool:
    before, after = text[first - 1 : first] if first else "", text[last : last + 1]
    return (_borders[before] or is_run(before)) and (_borders[after] or is_run(after))
