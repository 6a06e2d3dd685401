"""A search for one role: ranked passages become hits, each checked against its file, all within one size."""

from typing import TYPE_CHECKING

import msgspec

from . import address
from .answers import share
from .errors import BadQuery
from .files import Files
from .model import Hit, Parsed, Passage, SearchAnswer
from .reading import place_of
from .shelf import OpenEdition

if TYPE_CHECKING:
    from .search import RankedHit
    from .search.wanted import Wanted

QUERY_CHARACTERS = 2_000
MOST_HITS = 50
LEAST_TEXT = (
    120  # below this, a hit's text tells nothing: fewer hits come instead, and the next page has the rest
)
MOST_ANSWER = 100_000
FURTHEST = 10_000
_ROUNDS = 4

INDEXING = "The library is still being indexed: more may be found in a moment."


class Asked(msgspec.Struct, frozen=True):
    """The arguments of a search, within their bounds."""

    query: str
    limit: int
    start: int
    path: str
    tags: tuple[str, ...]
    language: str
    per_document: int
    max_chars: int


def checked(asked: Asked) -> Asked:
    """The same; raises BadQuery for what is out of bounds."""
    bounds = (
        ("query", len(asked.query), 1, QUERY_CHARACTERS),
        ("limit", asked.limit, 1, MOST_HITS),
        ("start", asked.start, 0, FURTHEST),
        ("per_document", asked.per_document, 1, MOST_HITS),
        ("max_chars", asked.max_chars, LEAST_TEXT, MOST_ANSWER),
    )
    for name, value, least, most in bounds:
        if not least <= value <= most:
            unit = " characters" if name == "query" else ""
            raise BadQuery(f"{name} must be from {least} to {most}{unit}; it is {value}.")
    return asked


def search(edition: OpenEdition, files: Files, asked: Asked) -> SearchAnswer:
    """One page of hits. Raises IndexUnusable, and BadQuery for a path that is a malformed address."""
    asked = msgspec.structs.replace(asked, path=place_of(edition.catalog, asked.path))
    return Search(edition, files, asked).answer()


class Search:
    """One search against one edition; several are merged in `joint_searching`."""

    def __init__(self, edition: OpenEdition, files: Files, asked: Asked) -> None:
        self._edition = edition
        self._files = files
        self._asked = asked
        self._documents: dict[str, Parsed | bool] = {}
        self._taken: set[tuple[str, int]] = set()

    def answer(self) -> SearchAnswer:
        """One page of hits. Raises IndexUnusable."""
        from .search import Request
        from .search import search as rank

        asked = self._asked
        most = min(asked.limit, asked.max_chars // LEAST_TEXT)
        index = self._edition.index()
        facts = self._edition.catalog.facts()
        hits: list[RankedHit] = []
        at = asked.start
        for _ in range(_ROUNDS):
            left = most - len(hits)
            ranked = rank(
                index,
                Request(asked.query, at, left, asked.per_document, asked.path, asked.tags, asked.language),
            )
            hits += [now for hit in ranked.hits if (now := self.standing(hit, ranked.wanted)) is not None]
            at += len(ranked.hits)
            if not ranked.more or len(hits) >= most:
                break
        items, cut = shown([(hit, ranked.wanted) for hit in hits], asked.max_chars)
        hint = ranked.hint if facts.reconciled is not None else f"{INDEXING} {ranked.hint}".rstrip()
        following = at if ranked.more and at < FURTHEST else None
        return SearchAnswer(items, following, ranked.relaxed, hint, cut, facts.reconciled)

    def standing(self, hit: "RankedHit", wanted: "Wanted") -> "RankedHit | None":
        """The hit as it stands now, or the first of its copies that is still there, with the copies that are."""
        here = (self._now(one, wanted) for one in (hit, *hit.copies))
        standing = [one for one in here if one is not None]
        return msgspec.structs.replace(standing[0], copies=tuple(standing[1:])) if standing else None

    def _now(self, hit: "RankedHit", wanted: "Wanted") -> "RankedHit | None":
        """The hit as its file stands now, or None when it has not the words any more."""
        if hit.path not in self._documents:
            self._documents[hit.path] = self._look(hit)
        document = self._documents[hit.path]
        if isinstance(document, bool):
            return hit if document else None
        return self._again(hit, document, wanted)

    def _look(self, hit: "RankedHit") -> Parsed | bool:
        """True when the file is what was indexed, what it says now when it is not, False when it is no more."""
        row = self._edition.catalog.row(hit.path)
        if row is None:
            return False
        if row.revision == hit.revision and self._files.stands(row):
            return True
        opened = self._files.open(row)
        if opened is None:
            return False
        return opened.row.revision == hit.revision or self._files.parsed(opened)

    def _again(self, hit: "RankedHit", parsed: Parsed, wanted: "Wanted") -> "RankedHit | None":
        """The passage of the changed document that has the words, nearest to where they were."""
        from .search import excerpt

        near = sorted(
            parsed.passages,
            key=lambda passage: (passage.section != hit.section, abs(passage.first - hit.first)),
        )
        for passage in near:
            now = _hit_of(hit, parsed, passage)
            if (hit.path, passage.first) not in self._taken and (
                not wanted or excerpt(now, wanted, len(now.text)).highlights
            ):
                self._taken.add((hit.path, passage.first))
                return now
        return None


def _hit_of(hit: "RankedHit", parsed: Parsed, passage: Passage) -> "RankedHit":
    return msgspec.structs.replace(
        hit,
        title=parsed.title,
        section=passage.section,
        first=passage.first,
        last=passage.last,
        text=str(getattr(passage, "shown", "") or passage.text),
        revision=parsed.revision,
    )


def shown(found: "list[tuple[RankedHit, Wanted]]", budget: int) -> tuple[tuple[Hit, ...], bool]:
    """The hits with as much of their texts as fits, and whether any was cut."""
    from .search import excerpt

    hits = [hit for hit, _ in found]
    shares = share([len(hit.text) for hit in hits], budget)
    excerpts = [excerpt(hit, wanted, width) for (hit, wanted), width in zip(found, shares, strict=True)]
    items = tuple(
        Hit(
            uri=address.uri(hit.path),
            title=hit.title,
            path=hit.path,
            section=hit.section,
            lines=(hit.first, hit.last),
            text=part.text,
            highlights=part.highlights,
            revision=hit.revision,
            also=tuple(dict.fromkeys(address.uri(copy.path) for copy in hit.copies if copy.path != hit.path)),
        )
        for hit, part in zip(hits, excerpts, strict=True)
    )
    return items, any(part.cut for part in excerpts)
