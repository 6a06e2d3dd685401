"""One subscription of a client, whoever iterates over it: begun, kept going over interruptions, and ended.

`Subscription` and `AsyncSubscription` are thin layers over it. What blocks here is called by them in a thread that may.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any

from ..client.listening import ACKNOWLEDGED
from ..client.notices import Notice, Resumed, notice_of
from ..client.operations import Operation
from ..errors import Closed, ReadingRoomError, SubscriptionCancelled, UsageError
from ..transport.pending import InFlight
from .engine import Engine
from .mailbox import Mailbox

OnLost = Callable[[ReadingRoomError], object]

# How many interruptions within how many seconds are a server that does not keep subscriptions.
_MOST_LOSSES, _LOSSES_SECONDS = 5, 60.0
_PAUSE = 0.1


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
        if self._pending is not None:
            raise UsageError("a subscription is opened once")
        self._listen()

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
        self.box.begin_anew()
        self._listen()
        self.box.put(Resumed())

    def close(self) -> None:
        """End it on the server as well; may be called again and from any thread."""
        self._is_closed = True
        pending = self._pending
        if pending is not None:
            pending.cancel()
        self.box.tell()

    @property
    def is_closed(self) -> bool:
        """Whether it was ended on this side."""
        return self._is_closed

    def _listen(self) -> None:
        self.granted = None
        pending = self._engine.send(self._operation, self._timeout, on_notice=self._hear)
        self._pending = pending
        pending.add_done_callback(lambda: self._ended(pending))
        until = time.monotonic() + self._timeout
        while self.granted is None and not pending.done():
            left = until - time.monotonic()
            if left <= 0:
                pending.expire()
                break
            self.box.wait(left)
        if self.granted is None:
            pending.result()

    def _hear(self, method: str, params: Mapping[str, Any]) -> None:
        """Take a notification, in the reading thread."""
        if method == ACKNOWLEDGED:
            granted = params.get("notifications")
            self.granted = granted if isinstance(granted, dict) else {}
            self.box.tell()
            return
        notice = notice_of(method, params)
        if notice is not None:
            self.box.put(notice)

    def _ended(self, pending: InFlight) -> None:
        if pending is self._pending:
            self.box.end(pending.error)


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
    return error
