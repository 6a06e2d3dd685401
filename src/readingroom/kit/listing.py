"""One listing of a client, page by page, some of which may be kept from earlier. Asks for nothing itself."""

from typing import Any

from ..client import Answer, Operation, Pages
from ..errors import RemoteError
from ..wire import INVALID_PARAMS
from .engine import Engine


class Listing:
    """Walks the pages of a list. A page that is kept may have a cursor that the server has forgotten (CACHE-7)."""

    def __init__(self, engine: Engine, kind: str) -> None:
        """`kind` is a key of `operations.LISTS`."""
        self._engine = engine
        self._kind = kind
        self._pages = Pages(kind)
        self._has_kept = False
        self._is_anew = False

    def next(self) -> Operation | None:
        """Give the request of the next page; None after the last."""
        return self._pages.next()

    def fresh(self, operation: Operation) -> Answer | None:
        """Give the page, if it is kept and fresh."""
        found = None if self._is_anew else self._engine.fresh(operation)
        self._has_kept = self._has_kept or found is not None
        return found

    def take(self, page: Answer | None) -> None:
        """Take the page that was asked for. Raises: PeerProtocolError for a list without an end."""
        self._pages.take(page)

    def mend(self, error: RemoteError, operation: Operation) -> None:
        """Begin anew, once, when a cursor of a page that was kept is refused. Raises: `error` in any other case."""
        has_cursor = "cursor" in (operation.params or {})
        if error.code != INVALID_PARAMS or not has_cursor or not self._has_kept or self._is_anew:
            raise error
        self._engine.cache.forget(operation.method)
        self._is_anew = True
        self._pages = Pages(self._kind)

    def items(self) -> list[Any]:
        """Give all of them, after the last page."""
        if self._pages.fault is not None and not self._engine.is_older:
            self._engine.violations.record("CACHE-7", self._pages.fault)
        if self._kind == "tools":
            self._engine.tools.learn(self._pages.items)
        return self._pages.items
