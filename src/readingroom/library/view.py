"""What one principal may see of a library: the front door for everything that answers an app.

A view can name only what its role's own index holds. Every method raises nothing but LibraryError, and a document that
must not be seen is refused in the words for one that does not exist. An answer that finds nothing is given only while
the folder can be read; else FolderUnusable says that it cannot.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from . import links, listing, names, reading, searching
from .catalog import Facts, Row
from .errors import BadQuery, LibraryError, NotFound
from .listing import COMPLETIONS, LIST_ITEMS
from .model import DocumentInfo, LinksAnswer, ListAnswer, OutlineAnswer, Principal, ReadAnswer, SearchAnswer
from .reading import READ_CHARACTERS
from .room import WAIT_S, Progress, Room
from .shelf import OpenEdition

Answer = TypeVar("Answer")

SEARCH_CHARACTERS = 6_000


class View:
    """Made by `Library.view`; cheap, and safe to use from many threads at once.

    While the index is being built for the first time, a method waits up to `wait` seconds for what it needs, telling
    `progress`, and then answers from what there is.
    """

    def __init__(self, principal: Principal, room: Room) -> None:
        self.principal = principal
        self._room = room

    @property
    def generation(self) -> str:
        """Names the set of documents this role sees, with their revisions: another set, another name; "" before any."""
        return self._room.answer(lambda edition: edition.catalog.facts().content, lambda: "", wait=0)

    @property
    def reconciled(self) -> float | None:
        """When the last full scan of the folder began, or None before the first has ended."""
        return self._room.answer(lambda edition: edition.catalog.facts().reconciled, lambda: None, wait=0)

    @property
    def room(self) -> Room:
        """What the answers are taken from; for the views that are made of several."""
        return self._room

    def facts(self, *, wait: float = WAIT_S, progress: Progress | None = None) -> Facts | None:
        """What is true of all that this role sees; None while there is no index. Raises FolderUnusable, IndexUnusable."""
        self._room.files.check_root()
        return self._room.answer(
            lambda edition: edition.catalog.facts(), lambda: None, wait=wait, progress=progress, whole=True
        )

    def remembers(self) -> bool:
        """Whether the index has documents for this role, even if the folder cannot be read now."""
        try:
            edition = self._room.shelf().edition()
            return edition is not None and edition.catalog.facts().documents > 0
        except LibraryError:
            return False

    def search(  # noqa: PLR0913  -- what one search may ask for, by name
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
        """The passages that answer a query, best first, from rank `start` on.

        `path` is a folder or a document to stay in, by path or address, `tags` must all be there, `language` is what the
        query is written in. Texts share `max_chars`. Raises BadQuery for an argument out of its bounds, never for what a
        query says.
        """
        check_text(query, path or "", *tags, language or "")
        asked = searching.checked(
            searching.Asked(
                query, limit, start, path or "", tuple(tags), language or "", per_document, max_chars
            )
        )

        nothing = SearchAnswer((), None, relaxed=False, hint=searching.INDEXING, cut=False, reconciled=None)
        answer = self._room.answer(
            lambda edition: searching.search(edition, self._room.files, asked),
            lambda: nothing,
            wait=wait,
            progress=progress,
            whole=True,  # a part of an index is a chance selection: it answers only when the time is up
        )
        return self._sure(answer, answer.items)

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
        """A document, by its address, path or alias: all of it, a section, or lines.

        `section` is a heading's title, or its trail as a sequence or joined by " > ". What does not fit in `max_chars`
        is cut at the border of a line, and `next`, handed back as `start` with the same arguments, goes on from there.
        An address's fragment names a section, too; one that names none is left aside.
        Raises NotFound for a document, a section or lines that are not there, and BadQuery for an argument out of its
        bounds.
        """
        wanted = reading.checked(reading.Wanted(section, lines, start, max_chars))
        return self._one(
            asked, lambda edition: reading.read(edition, self._room.files, asked, wanted), wait=wait
        )

    def whole(self, asked: str, *, wait: float = WAIT_S) -> tuple[DocumentInfo, str]:
        """A document with its whole decoded text. Raises NotFound, and BadQuery for a malformed address."""
        return self._one(asked, lambda edition: reading.whole(edition, self._room.files, asked), wait=wait)

    def find(self, asked: str, *, wait: float = WAIT_S) -> DocumentInfo:
        """The document with this address, path or alias. Raises NotFound, and BadQuery for a malformed address."""
        return self._one(asked, lambda edition: reading.find(edition, self._room.files, asked), wait=wait)

    def outline(self, asked: str, *, wait: float = WAIT_S) -> OutlineAnswer:
        """The headings of a document. Raises NotFound, and BadQuery for a malformed address."""
        return self._one(asked, lambda edition: reading.outline(edition, self._room.files, asked), wait=wait)

    def links(self, asked: str, *, wait: float = WAIT_S) -> LinksAnswer:
        """The links out of and into a document. Raises NotFound, and BadQuery for a malformed address."""
        return self._one(asked, lambda edition: links.links(edition, self._room.files, asked), wait=wait)

    def list(
        self,
        path: str | None = None,
        *,
        tags: Sequence[str] = (),
        after: str | None = None,
        limit: int = LIST_ITEMS,
        wait: float = WAIT_S,
    ) -> ListAnswer:
        """Documents in order of their path, behind `after`: those in the folder `path` and with all `tags`.

        `path` may be an address, too. Raises BadQuery for a limit out of its bounds, and for a malformed address.
        """
        check_text(path or "", *tags, after or "")
        answer = self._room.answer(
            lambda edition: listing.documents(
                edition, self._room.files, path or "", tuple(tags), after or "", limit
            ),
            lambda: ListAnswer((), None, None),
            wait=wait,
            whole=True,
        )
        return self._sure(answer, answer.items)

    def documents(self, *, after: str | None = None, limit: int = LIST_ITEMS) -> ListAnswer:
        """All documents in order of their path, page by page. Raises BadQuery for a limit out of its bounds."""
        return self.list(after=after, limit=limit)

    def complete_path(self, prefix: str, limit: int = COMPLETIONS) -> tuple[str, ...]:
        """Paths that begin with `prefix`. Raises BadQuery for a limit out of its bounds."""
        return self._complete(names.path_key, prefix, lambda row: row.path, limit)

    def complete_identifier(self, prefix: str, limit: int = COMPLETIONS) -> tuple[str, ...]:
        """Identifiers that begin with `prefix`. Raises BadQuery for a limit out of its bounds."""
        return self._complete(names.identifier_key, prefix, lambda row: row.identifier, limit)

    def complete_title(self, prefix: str, limit: int = COMPLETIONS) -> tuple[str, ...]:
        """Titles that begin with `prefix`, whatever its case. Raises BadQuery for a limit out of its bounds."""
        return self._complete(names.title_key, prefix, lambda row: row.title, limit)

    def _complete(
        self, key: Callable[[str], str], prefix: str, shown: Callable[[Row], str], limit: int
    ) -> tuple[str, ...]:
        check_text(prefix)
        values = self._room.answer(
            lambda edition: listing.complete(edition, self._room.files, key, prefix, shown, limit),
            tuple[str, ...],
            wait=0,
        )
        return self._sure(values, values)

    def _sure(self, answer: Answer, found: Sequence[object]) -> Answer:
        """The answer; one that found nothing only if the folder could be looked at. Raises FolderUnusable."""
        if not found:
            self._room.files.check_root()
        return answer

    def _one(self, asked: str, work: Callable[[OpenEdition], Answer], *, wait: float) -> Answer:
        """What `work` says of one document; while the first index is being built, it may yet come."""
        check_text(asked)

        def attempt(edition: OpenEdition) -> Answer | NotFound:
            try:
                return work(edition)
            except NotFound as error:
                return error

        found = self._room.answer(
            attempt,
            lambda: reading.missing(asked),
            wait=wait,
            until=lambda answer: not isinstance(answer, NotFound),
        )
        if not isinstance(found, NotFound):
            return found
        self._room.files.check_root()
        if self.reconciled is None:
            raise NotFound(f"{found} {searching.INDEXING}")
        raise found


def check_text(*texts: str) -> None:
    """Raise BadQuery for half a character."""
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError:
            raise BadQuery(
                "An argument holds half of a character (a lone surrogate); send whole ones."
            ) from None
