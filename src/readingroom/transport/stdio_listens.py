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


class Listens:
    """Opens subscriptions, writes what they are due, and ends them. `open` and what cancels are called while reading."""

    def __init__(
        self, dispatcher: Dispatcher, connection: Connection, outbox: Outbox, principal: str
    ) -> None:
        self._dispatcher = dispatcher
        self._connection = connection
        self._outbox = outbox
        self._principal = principal
        # By `id(flight)`: those that have been acknowledged and are not over.
        self._open: dict[int, tuple[Flight, Subscription]] = {}
        # Held while frames of subscriptions are handed on: after a cancellation nothing comes that was taken before.
        self._handing = threading.Lock()
        self._due: deque[Flight] = deque()
        self._news = threading.Semaphore(0)
        threading.Thread(target=self._hand_on, name="readingroom-listens", daemon=True).start()

    def open(self, flight: Flight) -> None:
        """Open the subscription that a flight asks for, and acknowledge or refuse it at once."""
        request = flight.request
        try:
            subscription = self._dispatcher.listen(request, self._principal, lambda: self._wake(flight))
        except Exception as error:  # noqa: BLE001  -- the one table answers whatever was raised
            self._connection.settle(flight)
            self._outbox.offer(self._dispatcher.refused(request, error))
            return
        self._connection.keep_open(flight)
        flight.on_cancel = lambda: self._cancel(flight, subscription)
        with self._handing:
            self._outbox.offer(subscription.acknowledgement)
            self._open[id(flight)] = flight, subscription
        # Woken before it was acknowledged, it was passed over.
        self._wake(flight)

    def end(self) -> None:
        """End all from the server's side: each hears what it is due, gets its result and then its cancellation (SUB-12)."""
        with self._handing:
            for flight, subscription in list(self._open.values()):
                frames = subscription.take()
                self._conclude(flight, frames if subscription.ended else [*frames, subscription.end()])

    def _wake(self, flight: Flight) -> None:
        """Have the frames of a subscription handed on; called from any thread."""
        self._due.append(flight)
        self._news.release()

    def _hand_on(self) -> None:
        while True:
            self._news.acquire()
            while self._outbox.holds_more_than(_ROOM):
                time.sleep(_PAUSE_SECONDS)
            with self._handing:
                self._hand_one(self._due.popleft())

    def _hand_one(self, flight: Flight) -> None:
        found = self._open.get(id(flight))
        if found is None:
            return
        frames = found[1].take()
        if found[1].ended:
            self._conclude(flight, frames)
        elif frames:
            self._outbox.offer(b"\n".join(frames))

    def _conclude(self, flight: Flight, frames: list[bytes]) -> None:
        """Write the last frames, result and all, and the cancellation after them; nothing if the client was first."""
        del self._open[id(flight)]
        if self._connection.settle(flight):
            self._outbox.offer(b"\n".join((*frames, withdrawal(flight.request.id))))

    def _cancel(self, flight: Flight, subscription: Subscription) -> None:
        with self._handing:
            self._open.pop(id(flight), None)
            subscription.close()
        self._connection.settle(flight)
