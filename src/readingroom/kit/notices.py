"""The change notices of a server: what a program tells of, and who is to hear of it. Loaded by servers that have some."""

import threading
import weakref
from collections.abc import Callable
from typing import Any

from ..errors import UsageError
from ..limits import Limits
from ..protocol.subscriptions import NOTICES, ListNotice, list_event, update_event
from ..server import Dispatcher, Hub, Watcher


class Notices:
    """The notices that a server declares, with its hub and the dispatchers that follow what is registered.

    Raises: UsageError for kinds that there are not, or that are named twice.
    """

    def __init__(self, kinds: Any, limits: Limits, report: Callable[[BaseException, str], object]) -> None:
        self._kinds = _checked(kinds)
        self.hub = Hub(self._kinds, limits, report)
        self._dispatchers: weakref.WeakSet[Dispatcher] = weakref.WeakSet()
        self._refreshing = threading.Lock()

    def follow(self, dispatcher: Dispatcher) -> None:
        """Let a dispatcher take up what is registered: now, and whenever a list is said to have changed."""
        with self._refreshing:
            self._dispatchers.add(dispatcher)
            dispatcher.refresh()

    def list_changed(self, kind: ListNotice) -> None:
        """Let dispatchers take up what is registered by now, then tell those who listen. Raises: UsageError."""
        self._declared(kind)
        with self._refreshing:
            for dispatcher in tuple(self._dispatchers):
                dispatcher.refresh()
        self.hub.publish(list_event(kind))

    def resource_updated(self, uri: str, principal: str | None = None) -> None:
        """Tell those who listen to the resource, or of them one principal alone. Raises: UsageError."""
        self._declared("updates")
        if not isinstance(uri, str):
            raise UsageError(f"a resource is named by its URI, a text, not by a {type(uri).__name__}")
        if self.hub.is_watched(uri):
            self.hub.publish(update_event(uri), principal)

    def on_watch(self, watcher: Watcher) -> None:
        """Let a hook be told which resources are listened to. Raises: UsageError."""
        self._declared("updates")
        self.hub.on_watch(watcher)

    def _declared(self, kind: str) -> None:
        if kind not in self._kinds:
            raise UsageError(f"declare it first: Server(..., notices=({kind!r},))")


def _checked(kinds: Any) -> tuple[str, ...]:
    if not isinstance(kinds, tuple):
        raise UsageError(f"notices is a tuple of some of {', '.join(NOTICES)}")
    for kind in kinds:
        if kind not in NOTICES:
            raise UsageError(f"{kind!r} is no kind of notice; there are {', '.join(NOTICES)}")
    if len(set(kinds)) < len(kinds):
        raise UsageError("a kind of notice is named twice")
    return kinds
