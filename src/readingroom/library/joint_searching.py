"""One search over several collections: each ranks its own passages, and the scores are compared.

Ranks are counted in the merged order, so a page is found again as long as nothing changes. Near-duplicates are folded
within a collection and not across.
"""

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from .joint_places import placed_hit
from .model import Hit, SearchAnswer
from .reading import place_of
from .searching import FURTHEST, LEAST_TEXT, Asked, Search, shown
from .shelf import OpenEdition
from .view import View

if TYPE_CHECKING:
    from .search import Ranked, RankedHit

_SPARE = 10
"""How many passages more are ranked than a page needs, for those whose files have gone since."""


class Within(msgspec.Struct, frozen=True):
    """One collection that is searched: its name, what this principal sees of it, and the place in it to stay in."""

    name: str
    view: View
    path: str = ""


class _Found(msgspec.Struct, frozen=True):
    """What one collection says."""

    name: str
    search: Search
    ranked: "Ranked"
    reconciled: float | None


def search(places: Sequence[Within], asked: Asked, others: Sequence[str]) -> SearchAnswer:
    """One page of hits of all these collections; `others` are the names of all that can be seen.

    Raises IndexUnusable, FolderUnusable, and BadQuery for a path that is a malformed address.
    """
    found = [one for place in places if (one := _ranked(place, asked, others)) is not None]
    most = min(asked.limit, asked.max_chars // LEAST_TEXT)
    merged = sorted(
        ((one, hit) for one in found for hit in one.ranked.hits), key=lambda pair: -pair[1].score
    )  # which is stable: of equal ones, the first collection's come first
    standing: list[tuple[_Found, RankedHit]] = []
    at = asked.start
    for one, hit in islice(merged, asked.start, None):
        if len(standing) == most:
            break
        at += 1
        now = one.search.standing(hit, one.ranked.wanted)
        if now is not None:
            standing.append((one, now))
    items, cut = shown([(hit, one.ranked.wanted) for one, hit in standing], asked.max_chars)
    more = len(merged) > at or any(one.ranked.more for one in found)
    relaxed = [one.ranked.relaxed for one in found if one.ranked.hits]
    return SearchAnswer(
        items=tuple(_placed(one.name, item) for (one, _), item in zip(standing, items, strict=True)),
        next=at if more and asked.start < at < FURTHEST else None,
        relaxed=bool(relaxed) and all(relaxed),
        hint=_hint(found),
        cut=cut,
        reconciled=_oldest([one.reconciled for one in found]),
    )


def _ranked(place: Within, asked: Asked, others: Sequence[str]) -> _Found | None:
    from .search import Request
    from .search import search as rank

    room = place.view.room

    def work(edition: OpenEdition) -> _Found:
        path = place_of(edition.catalog, place.path)
        request = Request(
            asked.query, 0, asked.start + asked.limit + _SPARE, asked.per_document, path, asked.tags,
            asked.language, place.name, tuple(others),
        )  # fmt: skip
        ranked = rank(edition.index(), request)
        return _Found(
            place.name, Search(edition, room.files, asked), ranked, edition.catalog.facts().reconciled
        )

    return room.answer(work, lambda: None, wait=0)


def _placed(name: str, hit: Hit) -> Hit:
    return placed_hit(name, hit)


def _hint(found: Sequence[_Found]) -> str:
    """What there is to say of words that are missing: nothing when one collection has passages with all the words."""
    if any(one.ranked.hits and not one.ranked.relaxed for one in found):
        return ""
    said = {one.name: one.ranked.hint for one in found if one.ranked.hint}
    if len(set(said.values())) == 1 and len(said) == len(found):
        return next(iter(said.values()))
    return " ".join(f"In {name}: {hint}" for name, hint in islice(said.items(), 3))


def _oldest(times: Sequence[float | None]) -> float | None:
    known = [time for time in times if time is not None]
    return min(known) if known and len(known) == len(times) else None
