"""What a query wants, in terms: its words, phrases and prefixes, analysed in the language of the query.

Both the question to the engine (`clauses`) and the highlights (`excerpt`) are made from it.
"""

import msgspec

from readingroom.library.search.analysis import tokens
from readingroom.library.search.characters import folded, is_run, lowered, normal, pieces
from readingroom.library.search.engine import Snapshot
from readingroom.library.search.function_words import CHARACTERS
from readingroom.library.search.languages import function_words
from readingroom.library.search.query import Clause
from readingroom.library.search.stems import stem
from readingroom.library.search.terms import exact_terms, forms, grams
from readingroom.library.search.words import with_prefix

_EXPANSIONS = 50


class Word(msgspec.Struct, frozen=True):
    """One word asked for. `exact` is the whole word, then its parts; `stems` their stems in the same order.

    A `light` word is only grammar: no answer is missed for want of it.
    """

    text: str
    exact: tuple[str, ...]
    stems: tuple[str, ...]
    light: bool = False


class Prefix(msgspec.Struct, frozen=True):
    """A beginning of words: its folded letters, the commonest live terms that have it, and whether there are more."""

    text: str
    terms: tuple[str, ...]
    more: bool


class Phrase(msgspec.Struct, frozen=True):
    """Words that must stand beside each other: the text as it was written and its exact terms in order."""

    text: str
    terms: tuple[str, ...]


class Wanted(msgspec.Struct, frozen=True):
    """All that is asked for, and the language it was taken to be asked in."""

    language: str
    words: tuple[Word, ...]
    prefixes: tuple[Prefix, ...]
    phrases: tuple[Phrase, ...]

    def __bool__(self) -> bool:
        return bool(self.words or self.prefixes or self.phrases)


def spoken(clauses: tuple[Clause, ...]) -> list[str]:
    """The words of the clauses in lower case with their accents: what tells the language of a query."""
    found: list[str] = []
    for clause in clauses:
        for token in tokens(clause.text):
            for piece in pieces(normal(token)):
                found += [lowered(piece)] if is_run(piece) else forms(piece)[:1]
    return found


def wanted(snapshot: Snapshot, clauses: tuple[Clause, ...], language: str) -> Wanted:
    """The clauses in terms. Equal words are asked for once."""
    words: dict[tuple[str, ...], Word] = {}
    prefixes: list[Prefix] = []
    phrases: list[Phrase] = []
    for clause in clauses:
        if clause.kind == "phrase":
            phrases.append(Phrase(clause.text, phrase_terms(clause.text)))
        elif clause.kind == "prefix":
            prefixes.append(_prefix(snapshot, clause.text))
        else:
            for word in words_of(clause.text, language):
                if len(word.exact) == 1 and is_run(word.text) and len(word.text) == 1:
                    prefixes.append(_prefix(snapshot, word.text))
                else:
                    words.setdefault(word.exact, word)
    return Wanted(language, tuple(words.values()), tuple(prefixes), tuple(phrases))


def words_of(text: str, language: str) -> list[Word]:
    """The words of a piece of query text, in order."""
    out: list[Word] = []
    for token in tokens(text):
        for piece in pieces(normal(token)):
            if is_run(piece):
                pairs = grams(piece)
                out += [
                    Word(pair, (pair,), (pair,), bool(CHARACTERS & set(pair))) for pair in pairs[:-1] or pairs
                ]
            elif found := forms(piece):
                exact = tuple(map(folded, found))
                stems = tuple(stem(form, language) for form in found)
                out.append(Word(found[0], exact, stems, found[0] in function_words()))
    return out


def phrase_terms(text: str) -> tuple[str, ...]:
    """The exact terms of a phrase as they stand in a text that has it; the end of a run may go on in the text."""
    found = tokens(text)
    terms = [term for token in found for term in exact_terms(token)]
    last = pieces(normal(found[-1]))[-1]
    if is_run(last) and len(grams(last)) > 1:
        terms.pop()
    return tuple(terms)


def _prefix(snapshot: Snapshot, text: str) -> Prefix:
    beginning = folded(lowered(normal(text).strip("_")))
    terms = with_prefix(snapshot, beginning, _EXPANSIONS + 1)
    return Prefix(beginning, tuple(terms[:_EXPANSIONS]), len(terms) > _EXPANSIONS)
