"""What one principal may see of several collections: one list of results, and one tree whose first folders they are.

A collection in which this principal sees nothing is not there: neither its name nor anything else of it is told. One that
cannot be read does not keep the others from answering; it is named to those who know it already (`_seen`).
"""

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

import msgspec

from . import joint_searching, reading, searching
from .errors import BadQuery, FolderUnusable, IndexUnusable, LibraryError, NotFound
from .joint_places import apart, path_of, placed, placed_link
from .listing import COMPLETIONS, LIST_ITEMS, MOST_ITEMS
from .listing import check_limit as _check_limit
from .model import DocumentInfo, LinksAnswer, ListAnswer, OutlineAnswer, Principal, ReadAnswer, SearchAnswer
from .reading import READ_CHARACTERS
from .room import WAIT_S, Progress
from .view import SEARCH_CHARACTERS, View, check_text

Document = TypeVar("Document", ReadAnswer, OutlineAnswer)

_TRIES = 3
_NAMED = 5


class Part(msgspec.Struct, frozen=True):
    """A collection: its name, and what gives this principal's view of it, which may raise LibraryError."""

    name: str
    view: Callable[[], View]


class _Seen(msgspec.Struct, frozen=True):
    """The collections that can be seen now, in order of their paths; those that cannot be read, by name; and whether one
    is still being indexed."""

    views: dict[str, View]
    unread: tuple[str, ...]
    indexing: bool

    def whole(self) -> "_Seen":
        """The same. Raises FolderUnusable when there is nothing but what cannot be read."""
        if self.unread and not self.views:
            raise FolderUnusable(_UNREAD.format(", ".join(self.unread)))
        return self


_UNREAD = "These collections cannot be read now: {}."


class JointView(View):
    """A view over the views of single collections; the same promises hold."""

    def __init__(self, principal: Principal, parts: Sequence[Part]) -> None:
        self.principal = principal
        self._parts = sorted(parts, key=lambda part: part.name + "/")

    def _seen(self, wait: float, progress: Progress | None = None) -> _Seen:
        """The collections in which something can be seen. Raises FolderUnusable when none at all can be read.

        One that cannot be read is named to an editor, and to whoever could see something in it before.
        """
        deadline = time.monotonic() + wait
        views: dict[str, View] = {}
        unread, failed, indexing = [], 0, False
        for part in self._parts:
            view = None
            try:
                view = part.view()
                facts = view.facts(wait=max(0.0, deadline - time.monotonic()), progress=progress)
            except LibraryError:
                failed += 1
                if self.principal.role == "editor" or (view is not None and view.remembers()):
                    unread.append(part.name)
                continue
            indexing = indexing or facts is None or facts.reconciled is None
            if facts is not None and facts.documents:
                views[part.name] = view
        if failed == len(self._parts):
            raise FolderUnusable(
                "No folder of this library can be read now. Nothing can be said of its documents."
            )
        return _Seen(views, tuple(unread), indexing)

    @property
    def generation(self) -> str:
        """Names the set of documents this role sees, with their revisions; "" before any."""
        return " ".join(f"{name}={view.generation}" for name, view in self._seen(0).views.items())

    @property
    def reconciled(self) -> float | None:
        """When the oldest of the last full scans began, or None before there was one of each collection."""
        seen = self._seen(0)
        return _oldest(seen, [view.reconciled for view in seen.views.values()])

    def search(  # noqa: PLR0913  -- as View.search
        self,
        query: str,
        *,
        limit: int = 10,
        start: int = 0,
        path: str | None = None,
        tags: Sequence[str] = (),
        language: str | None = None,
        per_document: int = 3,
        max_chars: int = SEARCH_CHARACTERS,
        wait: float = WAIT_S,
        progress: Progress | None = None,
    ) -> SearchAnswer:
        """As `View.search`; a path begins with the name of a collection, or is one in any of them."""
        check_text(query, path or "", *tags, language or "")
        asked = searching.checked(
            searching.Asked(query, limit, start, "", tuple(tags), language or "", per_document, max_chars)
        )
        seen = self._seen(wait, progress).whole()
        for left in reversed(range(_TRIES)):
            places = [joint_searching.Within(*place) for place in self._under(seen, path or "")]
            try:
                answer = joint_searching.search(places, asked, tuple(seen.views))
                break
            except IndexUnusable:  # another edition has taken its place between ranking and looking
                if not left:
                    raise
        said = [searching.INDEXING] if seen.indexing else []
        said += [_UNREAD.format(", ".join(seen.unread))] if seen.unread else []
        hint = " ".join([*said, *([answer.hint] if answer.hint else [])])
        return msgspec.structs.replace(
            answer, hint=hint, reconciled=None if seen.indexing else answer.reconciled
        )

    def _under(self, seen: _Seen, path: str) -> list[tuple[str, View, str]]:
        """The collections that a path leads into, and where in each."""
        named = apart(path, seen.views)
        if named is not None:
            return [(named[0], seen.views[named[0]], named[1])]
        return [(name, view, path) for name, view in seen.views.items()]

    def _where(self, asked: str, wait: float) -> tuple[str, View, str]:
        """The collection that has a document, and what it is called there.

        What does not begin with the name of a collection is looked for in all, so that addresses from before there were
        several go on to lead there. Raises NotFound, and BadQuery when several have one.
        """
        check_text(asked)
        seen = self._seen(wait)
        found = []
        for name, view, within in self._under(seen, asked):
            try:
                found.append((name, view, within, view.find(within, wait=0)))
            except (NotFound, FolderUnusable):
                continue
        if len(found) > 1:
            named = ", ".join(placed(name, document).uri for name, _, _, document in found[:_NAMED])
            raise BadQuery(f"Several documents are called {asked!r}: {named}. Give the address of one.")
        if not found:
            seen.whole()
            refusal = reading.missing(asked)
            raise NotFound(f"{refusal} {searching.INDEXING}") if seen.indexing else refusal
        return found[0][:3]

    def read(
        self,
        asked: str,
        *,
        section: str | Sequence[str] | None = None,
        lines: tuple[int, int] | None = None,
        start: int | None = None,
        max_chars: int = READ_CHARACTERS,
        wait: float = WAIT_S,
    ) -> ReadAnswer:
        """As `View.read`."""
        reading.checked(reading.Wanted(section, lines, start, max_chars))

        def work(view: View, within: str) -> ReadAnswer:
            return view.read(within, section=section, lines=lines, start=start, max_chars=max_chars, wait=0)

        return self._placed(asked, work, wait)

    def whole(self, asked: str, *, wait: float = WAIT_S) -> tuple[DocumentInfo, str]:
        """As `View.whole`."""
        name, view, within = self._where(asked, wait)
        document, text = view.whole(within, wait=0)
        return placed(name, document), text

    def find(self, asked: str, *, wait: float = WAIT_S) -> DocumentInfo:
        """As `View.find`."""
        name, view, within = self._where(asked, wait)
        return placed(name, view.find(within, wait=0))

    def outline(self, asked: str, *, wait: float = WAIT_S) -> OutlineAnswer:
        """As `View.outline`."""
        return self._placed(asked, lambda view, within: view.outline(within, wait=0), wait)

    def links(self, asked: str, *, wait: float = WAIT_S) -> LinksAnswer:
        """As `View.links`: links lead from a document to others of its collection."""
        name, view, within = self._where(asked, wait)
        answer = view.links(within, wait=0)
        return LinksAnswer(
            placed(name, answer.document),
            tuple(placed_link(name, link) for link in answer.outgoing),
            tuple(placed_link(name, link) for link in answer.incoming),
        )

    def _placed(self, asked: str, work: Callable[[View, str], Document], wait: float) -> Document:
        name, view, within = self._where(asked, wait)
        answer = work(view, within)
        return msgspec.structs.replace(answer, document=placed(name, answer.document))

    def list(
        self,
        path: str | None = None,
        *,
        tags: Sequence[str] = (),
        after: str | None = None,
        limit: int = LIST_ITEMS,
        wait: float = WAIT_S,
    ) -> ListAnswer:
        """As `View.list`, one collection after the other in order of their paths."""
        check_text(path or "", *tags, after or "")
        _check_limit(limit, MOST_ITEMS)
        seen = self._seen(wait).whole()
        items: list[DocumentInfo] = []
        for name, view, under in self._under(seen, path or ""):
            behind = _behind(name, after or "")
            if behind is None:
                continue
            left = limit - len(items)
            page = view.list(under, tags=tags, after=behind, limit=left or 1, wait=0)
            items += [placed(name, item) for item in page.items[:left]]
            if page.next is not None or (not left and page.items):
                return ListAnswer(tuple(items), items[-1].path, self.reconciled)
        return ListAnswer(tuple(items), None, self.reconciled)

    def complete_path(self, prefix: str, limit: int = COMPLETIONS) -> tuple[str, ...]:
        """As `View.complete_path`; where no name of a collection is typed whole yet, names come first."""
        check_text(prefix)
        _check_limit(limit, MOST_ITEMS)
        return tuple(islice(self._paths(prefix, limit), limit))

    def _paths(self, prefix: str, limit: int) -> Iterator[str]:
        views = self._seen(0).views
        first, slash, rest = prefix.partition("/")
        begun = [name for name in views if name == first or (not slash and name.startswith(first))]
        if not slash and len(begun) > 1:
            yield from (f"{name}/" for name in begun)
        for name in begun:
            within = views[name].complete_path(rest, limit)
            yield from (path_of(name, path) for path in within)

    def complete_identifier(self, prefix: str, limit: int = COMPLETIONS) -> tuple[str, ...]:
        """As `View.complete_identifier`."""
        return self._every(lambda view: view.complete_identifier(prefix, limit), prefix, limit)

    def complete_title(self, prefix: str, limit: int = COMPLETIONS) -> tuple[str, ...]:
        """As `View.complete_title`."""
        return self._every(lambda view: view.complete_title(prefix, limit), prefix, limit)

    def _every(self, ask: Callable[[View], tuple[str, ...]], prefix: str, limit: int) -> tuple[str, ...]:
        check_text(prefix)
        _check_limit(limit, MOST_ITEMS)
        values = {value: None for view in self._seen(0).views.values() for value in ask(view)}
        return tuple(islice(values, limit))


def _behind(name: str, after: str) -> str | None:
    """Behind which of its own paths a collection goes on; None when all of it has been listed."""
    folder = name + "/"
    if after.startswith(folder):
        return after.removeprefix(folder)
    return "" if after < folder else None


def _oldest(seen: _Seen, times: Sequence[float | None]) -> float | None:
    known = [at for at in times if at is not None]
    return min(known) if known and len(known) == len(times) and not seen.indexing else None
