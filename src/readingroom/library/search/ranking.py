"""Order: by score, then path, then line; at most so many passages of a document, and near-duplicates once; then the page.

The engine breaks ties by where a passage happens to lie, and cuts where it is told to. So more is fetched until the
last score is strictly below what the page needs, ties are put in order here, and equal means equal but for rounding.
"""

from collections.abc import Iterator
from itertools import groupby
from math import floor, log10

from tantivy import DocAddress, Query

from readingroom.library.search.copies import folded
from readingroom.library.search.records import Stored
from readingroom.library.search.snapshot import Snapshot

# A tie of more passages than this is ordered by the engine's own column of paths.
_MANY = 200
_DIGITS = 4


class Page:
    """The passages on one page, in order, each with its near-duplicates behind it, and whether there are more after it;
    and the score of each, where they are in order of scores."""

    __slots__ = ("groups", "more", "scores")

    def __init__(self, groups: list[list[Stored]], scores: list[float], *, more: bool) -> None:
        self.groups = groups
        self.scores = scores
        self.more = more


def page(snapshot: Snapshot, query: Query, start: int, limit: int, cap: int) -> Page:
    """The passages of ranks `start` to `start + limit` of a query, at most `cap` of a document in the whole ranking.

    Of near-duplicates the first has the rank."""
    needed = start + limit + 1
    ask = 2 * needed + 8
    while True:
        found = snapshot.hits(query, ask)
        complete = len(found) < ask
        scored = [(_rounded(score), address) for score, address in found]
        if not complete:
            last = scored[-1][0]
            scored = [pair for pair in scored if pair[0] > last]
        kept = _capped(snapshot, _in_order(snapshot, query, scored), cap)
        if complete or len(kept) >= needed:
            fetched: list[Stored] = []
            groups = folded(_fetched(snapshot, kept, fetched), needed)
            if complete or len(groups) >= needed:
                shown = groups[start : start + limit]
                scores = _scores(shown, fetched, kept, scored)
                return Page(shown, scores, more=len(groups) >= needed)
        ask *= 4


def listing(snapshot: Snapshot, query: Query, start: int, limit: int, cap: int) -> Page:
    """The passages a query passes, in order of path and line, paged like `page`."""
    needed = start + limit + 1
    ask = 2 * needed + 8
    while True:
        found = snapshot.by_path(query, ask)
        complete = len(found) < ask
        last = found[-1][0] if found else ""
        whole = [address for path, address in found if complete or path < last]
        numbers = snapshot.column("first", whole)
        order = sorted(zip([path for path, _ in found], numbers, range(len(whole)), strict=False))
        kept = _capped(snapshot, [whole[at] for _, _, at in order], cap)
        if complete or len(kept) >= needed:
            shown = kept[start : start + limit]
            groups = [[snapshot.stored(address)] for address in shown]
            return Page(groups, [0.0] * len(groups), more=len(kept) >= needed)
        ask *= 4


def _fetched(snapshot: Snapshot, addresses: list[DocAddress], fetched: list[Stored]) -> Iterator[Stored]:
    """What is kept of the passages, one by one, each put behind those that were fetched."""
    for address in addresses:
        fetched.append(snapshot.stored(address))
        yield fetched[-1]


def _scores(
    groups: list[list[Stored]],
    fetched: list[Stored],
    kept: list[DocAddress],
    scored: list[tuple[float, DocAddress]],
) -> list[float]:
    """The score of the first passage of each group; the groups are in the order in which they were fetched."""
    known = {(address.segment_ord, address.doc): score for score, address in scored}
    rest = zip(fetched, kept, strict=False)
    found = [next(at for stored, at in rest if stored is group[0]) for group in groups]
    return [known[address.segment_ord, address.doc] for address in found]


def _rounded(score: float) -> float:
    """A score without the noise of the order in which its parts were added."""
    return round(score, _DIGITS - floor(log10(score))) if score > 0 else score


def _in_order(snapshot: Snapshot, query: Query, scored: list[tuple[float, DocAddress]]) -> list[DocAddress]:
    out: list[DocAddress] = []
    for _, group in groupby(sorted(scored, key=lambda pair: -pair[0]), key=lambda pair: pair[0]):
        tied = [address for _, address in group]
        out += tied if len(tied) == 1 else _by_place(snapshot, query, tied)
    return out


def _by_place(snapshot: Snapshot, query: Query, tied: list[DocAddress]) -> list[DocAddress]:
    many = len(tied) > _MANY
    paths = _paths(snapshot, query, tied) if many else [snapshot.stored(address).path for address in tied]
    order = sorted(zip(paths, snapshot.column("first", tied), range(len(tied)), strict=True))
    return [tied[at] for _, _, at in order]


def _paths(snapshot: Snapshot, query: Query, addresses: list[DocAddress]) -> list[str]:
    """The paths of many passages of a query's answer, without fetching their texts."""
    every = snapshot.by_path(query, snapshot.searcher.num_docs)
    known = {(address.segment_ord, address.doc): path for path, address in every}
    return [known[address.segment_ord, address.doc] for address in addresses]


def _capped(snapshot: Snapshot, addresses: list[DocAddress], cap: int) -> list[DocAddress]:
    counts: dict[int, int] = {}
    kept = []
    for address, document in zip(addresses, snapshot.column("document", addresses), strict=True):
        counts[document] = counts.get(document, 0) + 1
        if counts[document] <= cap:
            kept.append(address)
    return kept
