"""The subscriptions of one stdio connection. Loaded with the first of them.

One thread takes what is due and hands it to the outbox, so that whoever publishes is never held up. While much waits for
a client that does not read, nothing is taken: it stays in the subscriptions, where each change is kept once.
"""

import threading
import time
from collections import deque

from ..protocol.subscriptions import withdrawal
from ..server import Connection, Dispatcher, Flight, Subscription
from .outbox import Outbox

# As much as a pipe holds: beyond that the client is behind.
_ROOM = 64 * 1024
_PAUSE_SECONDS = 0.01


class Listen:
    """A flight that stays open, with its subscription once there is one."""

    __slots__ = ("flight", "subscription")

    def __init__(self, flight: Flight) -> None:
        self.flight = flight
        self.subscription: Subscription | None = None


class Listens:
    """Opens subscriptions, writes what they are due, and ends them. `open` and what cancels are called while reading."""

    def __init__(
        self, dispatcher: Dispatcher, connection: Connection, outbox: Outbox, principal: str
    ) -> None:
        self._dispatcher = dispatcher
        self._connection = connection
        self._outbox = outbox
        self._principal = principal
        self._open: dict[int, Listen] = {}
        # Held while frames of subscriptions are handed on: after a cancellation nothing comes that was taken before.
        self._handing = threading.Lock()
        self._due: deque[Listen] = deque()
        self._news = threading.Semaphore(0)
        threading.Thread(target=self._hand_on, name="readingroom-listens", daemon=True).start()

    def open(self, flight: Flight) -> None:
        """Open the subscription that a flight asks for, and acknowledge or refuse it at once."""
        listen = Listen(flight)
        request = flight.request
        try:
            subscription = self._dispatcher.listen(request, self._principal, lambda: self._wake(listen))
        except Exception as error:  # noqa: BLE001  -- the one table answers whatever was raised
            self._connection.settle(flight)
            self._outbox.offer(self._dispatcher.refused(request, error))
            return
        self._connection.keep_open(flight)
        flight.on_cancel = lambda: self._cancel(listen)
        with self._handing:
            self._outbox.offer(subscription.acknowledgement)
            self._open[id(flight)] = listen
            listen.subscription = subscription
        self._wake(listen)

    def end(self) -> None:
        """End all from the server's side: each gets its result, and then its cancellation (SUB-11, SUB-12)."""
        with self._handing:
            for listen in list(self._open.values()):
                subscription = listen.subscription
                if subscription is not None:
                    self._conclude(listen, [*subscription.take(), subscription.end()])

    def _wake(self, listen: Listen) -> None:
        """Have the frames of a subscription handed on; called from any thread."""
        self._due.append(listen)
        self._news.release()

    def _hand_on(self) -> None:
        while True:
            self._news.acquire()
            while self._outbox.holds_more_than(_ROOM):
                time.sleep(_PAUSE_SECONDS)
            with self._handing:
                self._hand_one()

    def _hand_one(self) -> None:
        listen = self._due.popleft()
        subscription = listen.subscription
        # Woken before it was acknowledged, it is woken once more afterwards.
        frames = [] if subscription is None else subscription.take()
        if subscription is not None and subscription.ended and frames:
            self._conclude(listen, frames)
        elif frames:
            self._outbox.offer(b"\n".join(frames))

    def _conclude(self, listen: Listen, frames: list[bytes]) -> None:
        """Write the last frames, result and all, and the cancellation after them."""
        if self._open.pop(id(listen.flight), None) and self._connection.settle(listen.flight) and frames[-1]:
            self._outbox.offer(b"\n".join((*frames, withdrawal(listen.flight.request.id))))

    def _cancel(self, listen: Listen) -> None:
        with self._handing:
            self._open.pop(id(listen.flight), None)
            if listen.subscription is not None:
                listen.subscription.close()
        self._connection.settle(listen.flight)
