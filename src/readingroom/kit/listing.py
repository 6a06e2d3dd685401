"""One listing of a client, page by page, some of which may be kept from earlier. Asks for nothing itself."""

import time
from typing import Any

from ..client import Answer, Operation, Pages
from ..errors import RemoteError, TimedOut
from ..wire import INVALID_PARAMS
from .engine import Engine
from .settings import seconds


class Listing:
    """Walks the pages of a list. A page that is kept may have a cursor that the server has forgotten (CACHE-7).

    All pages together have the time that one answer may take in all, the ceiling, and the bytes that one may have.
    """

    def __init__(self, engine: Engine, kind: str, timeout: float | None) -> None:
        """`kind` is a key of `operations.LISTS`, `timeout` how long each page may take. Raises: UsageError."""
        settings = engine.settings
        self._engine = engine
        self._kind = kind
        self._timeout = settings.timeout if timeout is None else seconds(timeout)
        self._until = time.monotonic() + settings.ceiling_of(self._timeout)
        self._pages = self._new_pages()
        self._has_kept = False
        self._is_anew = False

    def next(self) -> Operation | None:
        """Give the request of the next page; None after the last."""
        return self._pages.next()

    def times(self) -> tuple[float, float]:
        """Give how long the next page may be waited for: in silence, and in all. Raises: TimedOut."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimedOut(f"the list of {self._kind} did not end in time")
        return min(self._timeout, left), left

    def fresh(self, operation: Operation) -> Answer | None:
        """Give the page, if it is kept and fresh."""
        found = None if self._is_anew else self._engine.fresh(operation)
        self._has_kept = self._has_kept or found is not None
        return found

    def take(self, page: Answer | None) -> None:
        """Take the page that was asked for. Raises: PeerProtocolError for a list without an end (PAGE-4)."""
        self._pages.take(page)

    def mend(self, error: RemoteError, operation: Operation) -> None:
        """Begin anew, once, when a cursor of a page that was kept is refused. Raises: `error` in any other case."""
        has_cursor = "cursor" in (operation.params or {})
        if error.code != INVALID_PARAMS or not has_cursor or not self._has_kept or self._is_anew:
            raise error
        self._engine.cache.forget(operation.method)
        self._is_anew = True
        self._pages = self._new_pages()

    def items(self) -> list[Any]:
        """Give all of them, after the last page."""
        if self._pages.fault is not None and not self._engine.is_older:
            self._engine.violations.record("CACHE-7", self._pages.fault)
        if self._kind == "tools":
            self._engine.tools.learn(self._pages.items)
        return self._pages.items

    def _new_pages(self) -> Pages:
        return Pages(self._kind, most_bytes=self._engine.settings.limits.answer_bytes)
