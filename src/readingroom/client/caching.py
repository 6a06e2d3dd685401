"""Answers that are kept for as long as their server says, and no longer (requirements §10.2).

The clock is handed in. May be used from many threads at once; whoever stores says when the request was made, so that what
was told meanwhile counts.
"""

import threading
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import msgspec

from ..wire import encode_value
from .listening import UPDATED
from .operations import Operation
from .shapes import CACHED
from .values import Answer, Object, Page, ReadAnswer

Key: TypeAlias = tuple[str, bytes]
"""A method, and the parameters as text."""

MOST = 256
"""Answers that are kept; the oldest go first."""

MOST_BYTES = 32 * 1024 * 1024
"""Roughly what they may hold together."""

_ITEM_BYTES = 1024

_STALE = {
    "notifications/tools/list_changed": ("tools/list",),
    "notifications/prompts/list_changed": ("prompts/list",),
    "notifications/resources/list_changed": ("resources/list", "resources/templates/list"),
}


class _Kept(msgspec.Struct, frozen=True):
    """An answer, until when it is fresh, for whom (None for all), what it holds, and the URI that was read."""

    answer: Answer
    until: float
    principal: str | None
    is_private: bool
    weight: int
    uri: str | None


class Cache:
    """The answers of one server to one client."""

    __slots__ = ("_clock", "_generation", "_kept", "_lock", "_weight")

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` gives seconds that only grow (CACHE-4)."""
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: dict[Key, _Kept] = {}
        self._weight = 0
        self._generation = 0

    def __len__(self) -> int:
        return len(self._kept)

    def key(self, operation: Operation) -> Key | None:
        """Give the key of an answer: the method and all parameters (CACHE-3); None for what is never kept (MRTR-17)."""
        params = operation.params or {}
        if operation.method not in CACHED or "inputResponses" in params or "requestState" in params:
            return None
        return operation.method, encode_value(dict(sorted(params.items())))

    @property
    def generation(self) -> int:
        """A number that changes with whatever makes answers stale: to be noted before a request is made."""
        return self._generation

    def find(self, key: Key, principal: str | None) -> Answer | None:
        """Give an answer that is fresh, if there is one for this principal (CACHE-4, CACHE-6)."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is None or (kept.is_private and kept.principal != principal):
                return None
            if self._clock() < kept.until:
                return kept.answer
            self._drop(key)
            return None

    def keep(
        self, key: Key, answer: Answer, principal: str | None, generation: int, params: Mapping[str, Any]
    ) -> None:
        """Keep an answer for as long as its hints say; not when something became stale since `generation`."""
        hints = _hints(answer.raw)
        if hints is None:
            return
        seconds, is_private = hints
        weight, uri = _weight(answer), params.get("uri")
        with self._lock:
            if generation != self._generation or weight > MOST_BYTES:
                return
            self._drop(key)
            self._kept[key] = _Kept(answer, self._clock() + seconds, principal, is_private, weight, uri)
            self._weight += weight
            while len(self._kept) > MOST or self._weight > MOST_BYTES:
                self._drop(next(iter(self._kept)))

    def hear(self, method: str, params: Mapping[str, Any]) -> None:
        """Take a notification of a change, which makes what it is about stale at once (CACHE-5)."""
        if method == UPDATED:
            changed = params.get("uri")
            self._forget(lambda key, kept: _covers(kept.uri, changed))
        elif method in _STALE:
            self.forget(*_STALE[method])

    def forget(self, *methods: str) -> None:
        """Drop the answers to these methods, all pages of them (CACHE-5)."""
        self._forget(lambda key, kept: key[0] in methods)

    def clear(self) -> None:
        """Drop everything."""
        self._forget(lambda key, kept: True)

    def _forget(self, is_stale: Callable[[Key, _Kept], bool]) -> None:
        with self._lock:
            self._generation += 1
            for key in [key for key, kept in self._kept.items() if is_stale(key, kept)]:
                self._drop(key)

    def _drop(self, key: Key) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            self._weight -= kept.weight


def _hints(result: Object) -> tuple[float, bool] | None:
    """Give for how many seconds a result is fresh, and whether it is private; None when it is stale at once (CACHE-4)."""
    ttl, scope = result.get("ttlMs"), result.get("cacheScope")
    if ttl.__class__ is not int or ttl <= 0:
        return None
    # Whatever does not say that it is for all is for one.
    return ttl / 1000, scope != "public"


def _weight(answer: Answer) -> int:
    if isinstance(answer, ReadAnswer):
        return sum(len(part.get("text") or part.get("blob") or "") for part in answer.contents) + _ITEM_BYTES
    return _ITEM_BYTES * (len(answer.items) + 1) if isinstance(answer, Page) else _ITEM_BYTES


def _covers(uri: str | None, changed: Any) -> bool:
    """Say whether what was read at `uri` may have changed with `changed`, which may lie below it (SUB-8)."""
    return uri is not None and isinstance(changed, str) and changed.startswith(uri)
