"""What a query wants, in terms: its words, phrases and prefixes, analysed in the language of the query.

Both the question to the engine (`clauses`) and the highlights (`excerpt`) are made from it.
"""

import re
from functools import cache

import msgspec

from readingroom.library.search.analysis import tokens
from readingroom.library.search.characters import folded
from readingroom.library.search.function_words import CHARACTERS
from readingroom.library.search.languages import function_words
from readingroom.library.search.query import Clause
from readingroom.library.search.snapshot import Snapshot
from readingroom.library.search.stems import stem
from readingroom.library.search.terms import exact_terms, pairs, parts
from readingroom.library.search.words import with_prefix, word_language

_EXPANSIONS = 50
# A query of so many words is a text, such as an abstract, that says the more often what it is about. In a question a word
# that stands twice says little.
_TEXT_WORDS = 60
# Prefixes beyond these are taken for words: each asks for a walk through the words of the library.
_PREFIXES = 8


class Form(msgspec.Struct, frozen=True):
    """One way a word is looked for: its exact term and its stem; either may be "" when there is none."""

    exact: str
    stem: str


class Word(msgspec.Struct, frozen=True):
    """One word asked for: the whole word first, then its parts. A pair of characters of a run is a word.

    A `light` word is only grammar beside others: no answer is missed for want of it.
    """

    text: str
    forms: tuple[Form, ...]
    light: bool
    run: bool


class Prefix(msgspec.Struct, frozen=True):
    """A beginning of words: its folded letters, the commonest live terms that have it, and whether there are more."""

    text: str
    terms: tuple[str, ...]
    more: bool


class Phrase(msgspec.Struct, frozen=True):
    """Words that stand beside each other: the text as it was written and its exact terms in order."""

    text: str
    terms: tuple[str, ...]


class Wanted(msgspec.Struct, frozen=True):
    """All that is asked for, and the language it was taken to be asked in.

    `phrases` were put in quotes. `names` are written as one (`POL-358`, `node.js`) and better found as one. `characters` are
    those of the runs. `said` counts how often each term stands in a query that is a long text, and is empty for others.
    `memory` is what `excerpt` keeps from one hit of the same answer to the next.
    """

    language: str
    words: tuple[Word, ...]
    prefixes: tuple[Prefix, ...]
    phrases: tuple[Phrase, ...]
    names: tuple[Phrase, ...]
    characters: tuple[str, ...]
    said: dict[str, int] = msgspec.field(default_factory=dict)
    memory: dict[str, object] = msgspec.field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.words or self.prefixes or self.phrases)


def spoken(clauses: tuple[Clause, ...]) -> list[str]:
    """The words of the clauses in lower case with their accents: what tells the language of a query."""
    found: list[str] = []
    for clause in clauses:
        for token in tokens(clause.text):
            found += ["".join(units) if run else units[0] for run, units in parts(token)]
    return found


def wanted(snapshot: Snapshot, clauses: tuple[Clause, ...], language: str) -> Wanted:
    """The clauses in terms. What is written twice is asked for once."""
    prefixes: dict[str, Prefix] = {}
    phrases: dict[str, Phrase] = {}
    names: dict[str, Phrase] = {}
    characters: dict[str, None] = {}
    uttered: list[Word] = []
    for clause in clauses:
        if clause.kind == "phrase":
            phrases[clause.text] = Phrase(clause.text, phrase_terms(clause.text))
        elif clause.kind == "prefix" and len(prefixes) < _PREFIXES:
            prefixes[clause.text] = _prefix(snapshot, clause.text)
        else:
            uttered += words_of(snapshot, clause.text, language)
            characters.update(dict.fromkeys(_characters(clause.text)))
            if _joined().search(clause.text) and max(clause.text) < "\u0e00":
                names[clause.text] = Phrase(clause.text, phrase_terms(clause.text))
    words = {word.forms: word for word in uttered}
    return Wanted(
        language=language,
        words=_weighed(tuple(words.values()), alone=not prefixes and not phrases),
        prefixes=tuple(prefixes.values()),
        phrases=tuple(phrases.values()),
        names=tuple(names.values()),
        characters=tuple(characters),
        said=_said(uttered),
    )


def _said(words: list[Word]) -> dict[str, int]:
    """How often each term stands in the query, words of one stem taken together; nothing for what is no long text."""
    if len(words) < _TEXT_WORDS:
        return {}
    said: dict[str, int] = {}
    for word in words:
        for term in {term for form in word.forms for term in (form.exact, form.stem)}:
            said[term] = said.get(term, 0) + 1
    return said


def _weighed(words: tuple[Word, ...], *, alone: bool) -> tuple[Word, ...]:
    """The words; where nothing but grammar is asked for, it is what is asked for."""
    if alone and all(word.light for word in words):
        return tuple(msgspec.structs.replace(word, light=False) for word in words)
    return words


def words_of(snapshot: Snapshot, text: str, language: str) -> list[Word]:
    """The words of a piece of query text, in order."""
    out: list[Word] = []
    for token in tokens(text):
        for run, units in parts(token):
            out += _run_words(units) if run else [_spaced_word(snapshot, units, language)]
    return out


def _run_words(units: tuple[str, ...]) -> list[Word]:
    if len(units) == 1:
        return [Word(units[0], (Form("", units[0]),), light=units[0] in CHARACTERS, run=True)]
    return [
        Word(pair, (Form(pair, ""),), light=not CHARACTERS.isdisjoint(pair), run=True)
        for pair in pairs(units)[:-1]
    ]


def _spaced_word(snapshot: Snapshot, forms: tuple[str, ...], language: str) -> Word:
    language = word_language(snapshot, forms[0], language)
    found = tuple(Form(folded(form), stem(form, language)) for form in forms)
    return Word(forms[0], found, light=forms[0] in function_words(), run=False)


def _characters(text: str) -> list[str]:
    runs = [units for token in tokens(text) for run, units in parts(token) if run]
    return [character for units in runs if len(units) > 1 for character in units]


@cache
def _joined() -> "re.Pattern[str]":
    return re.compile(r"\w[-/.\\@:=&+~]+\w")


def phrase_terms(text: str) -> tuple[str, ...]:
    """The exact terms of a phrase as they stand in a text that has it; a run at its end may go on in the text."""
    terms = [term for token in tokens(text) for term in exact_terms(token)]
    *_, (run, units) = (part for token in tokens(text) for part in parts(token))
    if run and len(units) > 1:
        terms.pop()
    return tuple(terms)


def _prefix(snapshot: Snapshot, text: str) -> Prefix:
    start = exact_terms(tokens(text)[0])[0]
    terms = with_prefix(snapshot, start, _EXPANSIONS + 1)
    return Prefix(start, tuple(terms[:_EXPANSIONS]), len(terms) > _EXPANSIONS)
