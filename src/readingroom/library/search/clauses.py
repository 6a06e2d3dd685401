"""The question put to the engine: terms, weights and filters, built from what is wanted. Nothing is searched here.

A word is looked for by its stem and as it stands, in the headings and in the text. No text of a user ever reaches the
engine's own query parser.
"""

import re
import unicodedata
from collections.abc import Iterator

import msgspec
from tantivy import Occur, Query, Schema

from readingroom.library.search.analysis import beginning
from readingroom.library.search.function_words import CHARACTERS
from readingroom.library.search.languages import primary
from readingroom.library.search.query import Filters
from readingroom.library.search.records import MARKER, folded_tag
from readingroom.library.search.wanted import Form, Phrase, Prefix, Wanted, Word

# Measured over judged questions: what a heading is worth to the text under it, which has its own heading once more, ...
_HEADING = 1.0
# ... what a phrase is worth there, ...
_HEADING_PHRASE = 3.0
# ... and a word as it stands, a word of grammar, the beginning of a word, and a single character, to a word's stem.
_EXACT = 0.25
_LIGHT = 0.3
_BEGINNING = 0.3
_CHARACTER = 0.5
_LIGHT_RUN = 0.6
# ... and words in quotes, or written as one, to the words themselves.
_PHRASE = 2.0
# What a term that a long text says again and again is worth at most, to one that it says once: BM25's k3, and one.
_SAID_OFTEN = 8.0
# What only makes a passage an answer at all.
_FAINT = 0.001

Field = tuple[str, float]
_STEMS: tuple[Field, ...] = (("ts", _HEADING), ("bs", 1.0))
_EXACTLY: tuple[Field, ...] = (("tx", _HEADING), ("bx", 1.0))

Clause = tuple[Occur, Query]
Terms = dict[str, float]


def _forms(wanted: Wanted, *, light: bool) -> Iterator[Form]:
    """The forms of the words that stand between spaces, those of grammar or the others."""
    return (form for word in wanted.words if word.light == light and not word.run for form in word.forms)


def _said(wanted: Wanted, term: str) -> float:
    """What a term is worth for how often it is said: once is 1, and it counts only in a long text."""
    times = wanted.said.get(term, 1)
    return (_SAID_OFTEN + 1) * times / (_SAID_OFTEN + times)


class Clauses:
    """Builds queries over one schema."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    def term(self, field: str, term: str) -> Query:
        """Passages that have a term in a field."""
        return Query.term_query(self._schema, field, term, "freq")

    def ranking(self, wanted: Wanted) -> list[Clause]:
        """The clauses that score and find: any word, any word with a prefix; words of grammar only in the text.

        Phrases by themselves must be there; among other words, as people quote in a question, they weigh heavily.
        """
        must = Occur.Must if not wanted.words and not wanted.prefixes else Occur.Should
        return [
            *self._should(
                _STEMS, {form.stem: _said(wanted, form.stem) for form in _forms(wanted, light=False)}
            ),
            *self._should(_STEMS[1:], {form.stem: _LIGHT for form in _forms(wanted, light=True)}),
            *self._should(
                _EXACTLY,
                {form.exact: _EXACT * _said(wanted, form.exact) for form in _forms(wanted, light=False)},
            ),
            *self._should(_EXACTLY[1:], {form.exact: _EXACT * _LIGHT for form in _forms(wanted, light=True)}),
            *self._runs(wanted),
            *(clause for prefix in wanted.prefixes for clause in self._prefix(prefix)),
            *((must, Query.boost_query(self.phrase(phrase), _PHRASE)) for phrase in wanted.phrases),
        ]

    def _runs(self, wanted: Wanted) -> Iterator[Clause]:
        runs = [word for word in wanted.words if word.run]
        weights = {word.forms[0]: _LIGHT_RUN if word.light else 1.0 for word in runs}
        for fields, terms in (
            (_EXACTLY, {form.exact: weight for form, weight in weights.items()}),
            (_STEMS, {form.stem: weight for form, weight in weights.items()}),
        ):
            yield from self._should(
                fields, {term: weight * _said(wanted, term) for term, weight in terms.items()}
            )

    def nearness(self, wanted: Wanted) -> list[Clause]:
        """The clauses that only move passages up: beginnings of words, single characters, names as they are written."""
        starts = {beginning(form.stem): _BEGINNING for form in _forms(wanted, light=False)}
        characters = {
            character: _CHARACTER * (_LIGHT_RUN if character in CHARACTERS else 1.0)
            for character in wanted.characters
        }
        names = [
            (Occur.Should, Query.boost_query(self.phrase(name), _PHRASE))
            for name in wanted.names
            if len(name.terms) > 1
        ]
        return [*self._should(_STEMS, starts | characters), *names]

    def all_words(self, wanted: Wanted) -> list[Clause]:
        """The clauses that only a passage with all the words meets; words that are only grammar count for nothing."""
        heavy = tuple(word for word in wanted.words if not word.light)
        return [(Occur.Must, query) for query in self.each(msgspec.structs.replace(wanted, words=heavy))]

    def some(self, wanted: Wanted) -> Iterator[Query]:
        """What any answer must have one of: every form of a word, every prefix and phrase; words of matter first."""
        for word in sorted(wanted.words, key=lambda word: word.light):
            yield from (self._anywhere(form, light=word.light and not word.run) for form in word.forms)
        yield from map(self.prefix, wanted.prefixes)
        yield from map(self.phrase, wanted.phrases)

    def each(self, wanted: Wanted) -> Iterator[Query]:
        """Every word, prefix and phrase by itself."""
        yield from map(self.word, wanted.words)
        yield from map(self.prefix, wanted.prefixes)
        yield from map(self.phrase, wanted.phrases)

    def shut_out(self, unwanted: Wanted) -> Iterator[Query]:
        """Every word, prefix and phrase that must not be there; of a word with parts, only the whole."""
        for word in unwanted.words:
            yield self._anywhere(word.forms[0])
        yield from map(self.prefix, unwanted.prefixes)
        yield from map(self.phrase, unwanted.phrases)

    def word(self, word: Word) -> Query:
        """Passages that have a word: by its stem, as it stands, or by all of its parts."""
        whole = self._anywhere(word.forms[0])
        if len(word.forms) == 1:
            return whole
        every = Query.boolean_query([(Occur.Must, self._anywhere(form)) for form in word.forms[1:]])
        return Query.boolean_query([(Occur.Should, whole), (Occur.Should, every)])

    def phrase(self, phrase: Phrase) -> Query:
        """Passages that have these exact terms beside each other, in a heading or in the text."""
        terms = list(phrase.terms)
        if len(terms) == 1:
            return Query.boolean_query(list(self._should(_EXACTLY, {terms[0]: 1.0})))
        title = Query.phrase_query(self._schema, "tx", list(terms))
        body = Query.phrase_query(self._schema, "bx", list(terms))
        return Query.boolean_query(
            [(Occur.Should, Query.boost_query(title, _HEADING_PHRASE)), (Occur.Should, body)]
        )

    def prefix(self, prefix: Prefix) -> Query:
        """Passages that have any word with that beginning."""
        return Query.boolean_query(list(self._prefix(prefix)))

    def filters(self, filters: Filters) -> Iterator[Query]:
        """One condition for each kind of filter and for each tag; all must hold."""
        if filters.paths:
            places = [place for path in filters.paths for place in self._places(path)]
            yield Query.boolean_query([(Occur.Should, place) for place in places])
        for tag in filters.tags:
            yield self._keyword("tag", folded_tag(tag))
        if filters.languages:
            tags = [self._keyword("lang", primary(tag)) for tag in filters.languages]
            yield Query.boolean_query([(Occur.Should, tag) for tag in tags])

    def exclusions(self, filters: Filters) -> Iterator[Query]:
        """What an excluded filter shuts out: each path, tag and language by itself."""
        for path in filters.paths:
            yield from self._places(path)
        for tag in filters.tags:
            yield self._keyword("tag", folded_tag(tag))
        for tag in filters.languages:
            yield self._keyword("lang", primary(tag))

    def marker(self) -> Query:
        """The record that is no passage."""
        return self._keyword("path", MARKER)

    def _keyword(self, field: str, value: str) -> Query:
        return Query.term_query(self._schema, field, value, "basic")

    def _places(self, path: str) -> tuple[Query, ...]:
        asked = normalized(path)
        if not asked:
            return (Query.all_query(),)
        return self._keyword("path", asked), self._keyword("folder", asked)

    def _anywhere(self, form: Form, *, light: bool = False) -> Query:
        fields = (("bs", form.stem), ("bx", form.exact), ("ts", form.stem), ("tx", form.exact))[
            : 2 if light else 4
        ]
        return Query.boolean_query([(Occur.Should, self.term(field, term)) for field, term in fields if term])

    def _should(self, fields: tuple[Field, ...], terms: Terms) -> Iterator[Clause]:
        for field, weight in fields:
            for term, factor in terms.items():
                if term:
                    yield Occur.Should, Query.boost_query(self.term(field, term), weight * factor)

    def _prefix(self, prefix: Prefix) -> Iterator[Clause]:
        yield from self._should(_EXACTLY, dict.fromkeys(prefix.terms, 1.0))
        if prefix.more or not prefix.terms:
            pattern = re.escape(prefix.text) + ".*"
            for field in ("tx", "bx"):
                query = Query.regex_query(self._schema, field, pattern)
                yield Occur.Should, Query.const_score_query(query, _FAINT)


def normalized(path: str) -> str:
    """A path as it is asked for, in the form documents have: NFC, no `./` before it, no `/` around it; "" is the root."""
    asked = unicodedata.normalize("NFC", path.strip()).removeprefix("./").strip("/")
    return "" if asked == "." else asked
