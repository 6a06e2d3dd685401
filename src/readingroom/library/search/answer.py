"""A search from request to ranked hits, and what is said when words are missing. Scores never leave this package.

The language of the query and everything said come from the snapshot at hand alone.
"""

from math import log

import msgspec
from tantivy import Occur, Query

from readingroom.library.search.clauses import Clauses, normalized
from readingroom.library.search.engine import Index
from readingroom.library.search.hints import hint, not_as_written
from readingroom.library.search.languages import primary
from readingroom.library.search.query import Clause, Filters, parse
from readingroom.library.search.ranking import listing, page
from readingroom.library.search.records import Stored
from readingroom.library.search.snapshot import Snapshot
from readingroom.library.search.wanted import Wanted, spoken, wanted
from readingroom.library.search.words import query_language

_COPIES = 5
_NOWHERE = "\0"  # no path of a document


class Request(msgspec.Struct, frozen=True):
    """What is asked: the hits of ranks `start` to `start + limit`, counted from 0.

    `path` names a folder or one document, `tags` must all be there, `language` is the BCP 47 tag of the language the
    query is written in and filters nothing. Where this index is one collection of several, `collection` is its name and
    `others` are theirs: in the query, a path begins with the name of a collection, or is one in any of them.
    """

    query: str
    start: int = 0
    limit: int = 10
    per_document: int = 3
    path: str = ""
    tags: tuple[str, ...] = ()
    language: str = ""
    collection: str = ""
    others: tuple[str, ...] = ()


class RankedHit(msgspec.Struct, frozen=True):
    """One passage found, with its whole text and the language its document was indexed in.

    `copies` are the passages further down that say the same. `score` compares it with the hits of other indexes for the
    same query, and is never shown.
    """

    path: str
    title: str
    language: str
    section: tuple[str, ...]
    first: int
    last: int
    text: str
    revision: str
    copies: "tuple[RankedHit, ...]" = ()
    score: float = 0.0


class Ranked(msgspec.Struct, frozen=True):
    """One page of hits and whether more come after it; `relaxed` when no passage has all the words.

    `hint` is a sentence on what to try instead, or "". `wanted` is for `excerpt`.
    """

    hits: tuple[RankedHit, ...]
    more: bool
    relaxed: bool
    hint: str
    wanted: Wanted


def search(index: Index, request: Request) -> Ranked:
    """Answers a request from the commit that the index has loaded, whatever the query.

    A query of filters and exclusions alone lists what passes them, in order of path and line. One without words or
    filters has no hits and a hint. Raises IndexUnusable when the index proves damaged.
    """
    return _Search(index.snapshot, request).answer()


class _Search:
    """One request against one snapshot."""

    def __init__(self, snapshot: Snapshot, request: Request) -> None:
        self.snapshot = snapshot
        self.request = request
        self.query = parse(request.query)
        self.clauses = Clauses(snapshot.schema)
        language = query_language(snapshot, spoken(self.query.wanted), primary(request.language))
        self.wanted = wanted(snapshot, self.query.wanted, language)
        self.limits = self._limits()

    def _limits(self) -> list[tuple[Occur, Query]]:
        place = Filters((self.request.path,) if self.request.path else (), self.request.tags)
        unwanted = wanted(self.snapshot, self.query.unwanted, self.wanted.language)
        must = [*self.clauses.filters(self._here(self.query.filters)), *self.clauses.filters(place)]
        must_not = [
            *self.clauses.exclusions(self._here(self.query.excluded)),
            *self.clauses.shut_out(unwanted),
        ]
        return [
            *((Occur.Must, Query.const_score_query(query, 0.0)) for query in must),
            *((Occur.MustNot, query) for query in must_not),
        ]

    def _comparable(self, scores: list[float]) -> list[float]:
        """The scores as they compare with those of other indexes: a word is worth more, the more passages do not have it.

        Measured on judged questions split into two libraries (docs/explanation/collections.md).
        """
        most = log(1 + self.snapshot.searcher.num_docs)
        return [score / most for score in scores]

    def _here(self, filters: Filters) -> Filters:
        """The filters with the paths that they have in this collection."""
        if not self.request.collection:
            return filters
        return msgspec.structs.replace(filters, paths=tuple(map(self._path_here, filters.paths)))

    def _path_here(self, path: str) -> str:
        first, _, rest = normalized(path).partition("/")
        if first == self.request.collection:
            return rest
        return _NOWHERE if first in self.request.others else path

    def answer(self) -> Ranked:
        if not self.wanted:
            return self._listing()
        chosen = self.wanted
        relaxed = not self._any(self.clauses.all_words(chosen))
        said = ""
        if relaxed and chosen.phrases and not self._some(chosen):
            said = not_as_written(chosen)
            chosen = self._loosened()
        if relaxed and not self._some(chosen):
            said = hint(self.snapshot, chosen, empty=True)
            return Ranked((), more=False, relaxed=False, hint=said, wanted=chosen)
        if relaxed:
            said = hint(self.snapshot, chosen, empty=False) or said
        # What only moves passages up finds none by itself.
        nearness = self.clauses.nearness(chosen)
        ranking = self.clauses.ranking(chosen)
        found_by = [(Occur.Must, Query.boolean_query(ranking)), *nearness] if nearness else ranking
        query = self._limited(found_by)
        request = self.request
        found = page(self.snapshot, query, request.start, request.limit, request.per_document)
        hits = tuple(map(_hit, found.groups, self._comparable(found.scores)))
        return Ranked(hits, more=found.more, relaxed=relaxed, hint=said, wanted=chosen)

    def _listing(self) -> Ranked:
        if not self.limits:
            said = "The query has no word to search for."
            return Ranked((), more=False, relaxed=False, hint=said, wanted=self.wanted)
        everything = [(Occur.Must, Query.all_query()), (Occur.MustNot, self.clauses.marker())]
        query = Query.boolean_query([*everything, *self.limits])
        request = self.request
        found = listing(self.snapshot, query, request.start, request.limit, request.per_document)
        hits = tuple(map(_hit, found.groups, found.scores))
        said = "" if hits or request.start else "No document passes these filters."
        return Ranked(hits, more=found.more, relaxed=False, hint=said, wanted=self.wanted)

    def _loosened(self) -> Wanted:
        """The phrases of the query as mere words, since nothing has them as they stand."""
        loose = tuple(Clause("word" if c.kind == "phrase" else c.kind, c.text) for c in self.query.wanted)
        return wanted(self.snapshot, loose, self.wanted.language)

    def _limited(self, clauses: list[tuple[Occur, Query]]) -> Query:
        query = Query.boolean_query(clauses)
        return Query.boolean_query([(Occur.Must, query), *self.limits]) if self.limits else query

    def _some(self, asked: Wanted) -> bool:
        """Whether any passage has any of what is wanted; of phrases alone, all of them."""
        if not asked.words and not asked.prefixes:
            return self._any([(Occur.Must, query) for query in self.clauses.each(asked)])
        return any(self._any([(Occur.Must, query)]) for query in self.clauses.some(asked))

    def _any(self, clauses: list[tuple[Occur, Query]]) -> bool:
        return self.snapshot.any(self._limited(clauses))


def _hit(group: list[Stored], score: float) -> RankedHit:
    stored, *copies = group
    return RankedHit(
        stored.path, stored.title, stored.language, stored.section, stored.first, stored.last, stored.text,
        stored.revision, tuple(_hit([copy], score) for copy in copies[:_COPIES]), score,
    )  # fmt: skip
