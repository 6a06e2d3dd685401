"""The question put to the engine: terms, weights and filters, built from what is wanted. Nothing is searched here.

A word is looked for by its stem and as it stands, in the headings and in the text. No text of a user ever reaches the
engine's own query parser.
"""

import re
from collections.abc import Iterable, Iterator

from tantivy import Occur, Query, Schema

from readingroom.library.search.engine import MARKER, folded_tag
from readingroom.library.search.languages import primary
from readingroom.library.search.query import Filters
from readingroom.library.search.wanted import Phrase, Prefix, Wanted, Word

_STEM_FIELDS = (("ts", 3.0), ("bs", 1.0))
_EXACT_FIELDS = (("tx", 0.75), ("bx", 0.25))
_PHRASE_FIELDS = (("tx", 3.0), ("bx", 1.0))
_FAINT = 0.001
_LIGHT = 0.3

Clause = tuple[Occur, Query]


class Clauses:
    """Builds queries over one schema."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    def term(self, field: str, term: str) -> Query:
        """Passages that have a term in a field."""
        return Query.term_query(self._schema, field, term)

    def ranking(self, wanted: Wanted) -> list[Clause]:
        """The clauses that score: any word, any term of a prefix; every phrase must be there."""
        return [
            *self._should(_STEM_FIELDS, _weighed((stem, word.light) for word in wanted.words for stem in word.stems)),
            *self._should(_EXACT_FIELDS, _weighed((term, word.light) for word in wanted.words for term in word.exact)),
            *(clause for prefix in wanted.prefixes for clause in self._prefix(prefix)),
            *((Occur.Must, self.phrase(phrase)) for phrase in wanted.phrases),
        ]

    def all_words(self, wanted: Wanted) -> list[Clause]:
        """The clauses that only a passage with all the words meets; words that are only grammar count for nothing."""
        heavy = [word for word in wanted.words if not word.light] or wanted.words
        return [
            *((Occur.Must, self.word(word)) for word in heavy),
            *((Occur.Must, Query.boolean_query(list(self._prefix(prefix)))) for prefix in wanted.prefixes),
            *((Occur.Must, self.phrase(phrase)) for phrase in wanted.phrases),
        ]

    def word(self, word: Word) -> Query:
        """Passages that have a word: by its stem, as it stands, or by all of its parts."""
        whole = self._anywhere(word.stems[0], word.exact[0])
        if len(word.exact) == 1:
            return whole
        parts = zip(word.stems[1:], word.exact[1:], strict=True)
        every = Query.boolean_query([(Occur.Must, self._anywhere(stem, exact)) for stem, exact in parts])
        return Query.boolean_query([(Occur.Should, whole), (Occur.Should, every)])

    def phrase(self, phrase: Phrase) -> Query:
        """Passages that have these exact terms beside each other, in a heading or in the text."""
        terms = list(phrase.terms)
        if len(terms) == 1:
            return Query.boolean_query(list(self._should(_PHRASE_FIELDS, dict.fromkeys(terms, 1.0))))
        return Query.boolean_query(
            [
                (
                    Occur.Should,
                    Query.boost_query(Query.phrase_query(self._schema, field, list(terms)), weight),
                )
                for field, weight in _PHRASE_FIELDS
            ]
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
            yield self.term("tag", folded_tag(tag))
        if filters.languages:
            yield Query.boolean_query(
                [(Occur.Should, self.term("lang", primary(tag))) for tag in filters.languages]
            )

    def exclusions(self, filters: Filters) -> Iterator[Query]:
        """What an excluded filter shuts out: each path, tag and language by itself."""
        for path in filters.paths:
            yield from self._places(path)
        for tag in filters.tags:
            yield self.term("tag", folded_tag(tag))
        for tag in filters.languages:
            yield self.term("lang", primary(tag))

    def each(self, wanted: Wanted) -> Iterator[Query]:
        """Every word, prefix and phrase by itself."""
        yield from map(self.word, wanted.words)
        yield from map(self.prefix, wanted.prefixes)
        yield from map(self.phrase, wanted.phrases)

    def _places(self, path: str) -> tuple[Query, Query]:
        asked = path.removeprefix("./").strip("/")
        return self.term("path", asked), self.term("folder", asked)

    def marker(self) -> Query:
        """The record that is no passage."""
        return self.term("path", MARKER)

    def _anywhere(self, stem: str, exact: str) -> Query:
        wanted = [("ts", stem), ("bs", stem), ("tx", exact), ("bx", exact)]
        return Query.boolean_query([(Occur.Should, self.term(field, term)) for field, term in wanted])

    def _should(self, fields: Iterable[tuple[str, float]], terms: dict[str, float]) -> Iterator[Clause]:
        for field, weight in fields:
            for term, factor in terms.items():
                yield Occur.Should, Query.boost_query(self.term(field, term), weight * factor)

    def _prefix(self, prefix: Prefix) -> Iterator[Clause]:
        yield from self._should((("tx", 3.75), ("bx", 1.25)), dict.fromkeys(prefix.terms, 1.0))
        if prefix.more or not prefix.terms:
            pattern = re.escape(prefix.text) + ".*"
            for field in ("tx", "bx"):
                query = Query.regex_query(self._schema, field, pattern)
                yield Occur.Should, Query.const_score_query(query, _FAINT)


def _weighed(terms: Iterable[tuple[str, bool]]) -> dict[str, float]:
    return {term: _LIGHT if light else 1.0 for term, light in terms}
