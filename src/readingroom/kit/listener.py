"""One subscription of a client, whoever iterates over it: begun, kept going over interruptions, and ended.

`Subscription` and `AsyncSubscription` are thin layers over it. What blocks here is called by them in a thread that may.
"""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from ..client.listening import ACKNOWLEDGED, LISTS, UPDATED
from ..client.notices import Notice, ResourceUpdated, Resumed, notice_of
from ..client.operations import Operation
from ..errors import Closed, ConnectFailed, HttpRefused, ReadingRoomError, SubscriptionCancelled, UsageError
from ..transport.connection import Connection
from ..transport.pending import InFlight
from .engine import Engine
from .mailbox import Mailbox

OnLost = Callable[[ReadingRoomError], object]

# How many interruptions within how many seconds are a server that does not keep subscriptions.
_MOST_LOSSES, _LOSSES_SECONDS = 5, 60.0
_PAUSE = 0.1
# How often a server that cannot be reached is tried again: half a minute in all, ever more slowly.
_MOST_TRIES = 8
_LOOK_SECONDS = 0.1
_PASSING = (429, 502, 503, 504)
# A wait goes in steps, because an interrupt that another thread receives only takes effect between them.
_STEP = 1.0

OLDER_LISTS = {
    "toolsListChanged": "tools",
    "promptsListChanged": "prompts",
    "resourcesListChanged": "resources",
}
"""What can be listened to, and the capability by which an older server says that it tells of it."""


class Listener:
    """One subscription. `begin` and `renew` block; everything else returns at once."""

    def __init__(
        self, engine: Engine, operation: Operation, timeout: float | None, on_lost: OnLost | None
    ) -> None:
        self._engine = engine
        self._operation = operation
        self._timeout = engine.settings.timeout if timeout is None else timeout
        self._on_lost = on_lost
        self._pending: InFlight | None = None
        self._is_closed = False
        self._losses: list[float] = []
        self._older: Connection | None = None
        self._has_begun = False
        self.uris: tuple[str, ...] = ()
        self._news = threading.Event()
        self.box = Mailbox()
        self.granted: dict[str, Any] | None = None

    @property
    def wanted(self) -> dict[str, Any]:
        """The filter that is asked for."""
        found: dict[str, Any] = (self._operation.params or {})["notifications"]
        return found

    def begin(self) -> None:
        """Listen, and wait until the server has acknowledged it (SUB-2).

        Raises: RemoteError, TimedOut, Closed, PeerProtocolError; UsageError when it was begun before.
        """
        if self._has_begun:
            raise UsageError("a subscription is opened once")
        self._has_begun = True
        try:
            self._listen()
        except BaseException:
            self.close()
            raise

    def renew(self, error: ReadingRoomError) -> None:
        """Listen anew after an interruption, and leave a note of it (SUB-13). Raises: `error` where that is in vain."""
        is_final = (
            self._is_closed or isinstance(error, SubscriptionCancelled) or not isinstance(error, Closed)
        )
        now = time.monotonic()
        self._losses = [at for at in self._losses if now - at < _LOSSES_SECONDS] + [now]
        if is_final or len(self._losses) > _MOST_LOSSES or not self._engine.may_go_on:
            raise error
        if self._on_lost is not None:
            self._on_lost(error)
        if len(self._losses) > 1:
            time.sleep(_PAUSE * 2 ** len(self._losses))
        self._engine.cache.clear()
        self.box.begin_anew()
        self.box.put(Resumed())
        try:
            self._listen_again()
        except ReadingRoomError as failure:
            # Whoever asks again is told the same, and does not wait for what cannot come.
            self.box.end(failure)
            raise

    def _listen_again(self) -> None:
        """Listen, and go on trying for a while where the server cannot be reached, for it may be starting anew.

        Raises: as `begin`.
        """
        for tries in range(_MOST_TRIES):
            try:
                return self._listen()
            except (Closed, ConnectFailed, HttpRefused) as error:
                # A process that has ended is started again by the engine, or not at all: only an address may come back.
                connection = self._engine.connection
                is_reachable_again = connection is not None and connection.over is None
                is_final = isinstance(error, HttpRefused) and error.status not in _PASSING
                if self._is_closed or is_final or not is_reachable_again:
                    raise
            self._pause(_PAUSE * 2**tries)
        return self._listen()

    def _pause(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not self._is_closed and (left := until - time.monotonic()) > 0:
            time.sleep(min(left, _LOOK_SECONDS))

    def close(self) -> None:
        """End it on the server as well; may be called again and from any thread."""
        self._is_closed = True
        if self._pending is not None:
            self._pending.cancel()
        if self._older is not None:
            self._leave_older(self._older)
        self.box.tell()

    @property
    def is_closed(self) -> bool:
        """Whether it was ended on this side."""
        return self._is_closed

    @property
    def lost(self) -> Closed | None:
        """Why nothing more comes from an older server, which tells nobody of the end."""
        over = None if self._older is None else self._older.over
        return None if over is None else Closed(f"the subscription has ended: {over}")

    def _listen(self) -> None:
        self.granted = None
        connection = self._engine.running()
        if self._engine.is_older:
            self._listen_older(connection)
            return
        self._news.clear()
        pending = self._engine.send(self._operation, self._timeout, on_notice=self._hear)
        self._pending = pending
        if self._is_closed:
            # It was ended while it was being sent.
            pending.cancel()
        pending.add_done_callback(lambda: self._ended(pending))
        until = time.monotonic() + self._timeout
        while not self._news.is_set():
            left = until - time.monotonic()
            if left <= 0:
                pending.expire()
                break
            self._news.wait(min(left, _STEP))
        if self.granted is None:
            pending.result()

    def _listen_older(self, connection: Connection) -> None:
        """Hear what an older server tells of its own account, and subscribe to each resource (LEG-6)."""
        offered = self._engine.server.capabilities
        granted: dict[str, Any] = {}
        for name, kind in OLDER_LISTS.items():
            if self.wanted.get(name) and _says(offered, kind, "listChanged"):
                granted[name] = True
        uris = tuple(self.wanted.get("resourceSubscriptions", ()))
        if uris and _says(offered, "resources", "subscribe"):
            granted["resourceSubscriptions"] = list(uris)
            self.uris = uris
        self._older, self.granted = connection, granted
        self._engine.listeners.add(self)
        for uri in self.uris:
            self._engine.send(Operation("resources/subscribe", {"uri": uri}), self._timeout).result()

    def _leave_older(self, connection: Connection) -> None:
        """Hear nothing more, and unsubscribe from what nobody else listens to; the answers are of no interest."""
        self._engine.listeners.discard(self)
        others = {uri for listener in list(self._engine.listeners) for uri in listener.uris}
        for uri in self.uris:
            if uri not in others and connection.over is None and connection is self._engine.connection:
                self._engine.send(Operation("resources/unsubscribe", {"uri": uri}), self._timeout)

    def hear_unasked(self, method: str, params: Mapping[str, Any]) -> None:
        """Take what an older server tells everybody, if it was asked for here."""
        granted = self.granted or {}
        if method == UPDATED:
            uri = params.get("uri")
            if isinstance(uri, str) and any(uri.startswith(wanted) for wanted in self.uris):
                self.box.put(ResourceUpdated(uri))
        elif granted.get(LISTS.get(method, "")):
            self._hear(method, params)

    def _hear(self, method: str, params: Mapping[str, Any]) -> None:
        """Take a notification, in the reading thread."""
        if method == ACKNOWLEDGED:
            granted = params.get("notifications")
            self.granted = granted if isinstance(granted, dict) else {}
            self._news.set()
            return
        self._engine.cache.hear(method, params)
        notice = notice_of(method, params)
        if notice is not None:
            self.box.put(notice)

    def _ended(self, pending: InFlight) -> None:
        if pending is self._pending:
            self.box.end(pending.error)
            self._news.set()


def next_of(listener: Listener) -> Notice | ReadingRoomError | None:
    """Give what is next: a notice, or the error that it was interrupted by, or None when nothing has come yet.

    Raises: StopIteration when there is nothing more: it was ended here, or by the server's result (SUB-11).
    """
    if listener.is_closed:
        raise StopIteration
    notice = listener.box.take()
    if notice is not None:
        return notice
    is_over, error = listener.box.ended
    if is_over and error is None:
        raise StopIteration
    return error or listener.lost


def _says(capabilities: dict[str, Any], kind: str, member: str) -> bool:
    found = capabilities.get(kind)
    return isinstance(found, dict) and bool(found.get(member))
