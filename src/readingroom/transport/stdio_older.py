"""The older era on stdio: its session, and the threads that its handlers run on, which are not those of today's requests.

Loaded with the first message of that era. Of what today's requests have it shares only the way out.
"""

import time
from typing import Any

from ..errors import Refused
from ..limits import Limits
from ..server import Dispatcher, Older
from ..server.older import Session
from ..server.older_batches import Gathering, is_array
from ..server.older_calls import Call
from ..wire import Fault, Request
from .outbox import Outbox
from .workers import Workers

_PAUSE_SECONDS = 0.01


class Line:
    """The way out that all messages of the one session have."""

    can_ask = True
    is_absent = False
    is_full = False

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self.ask = self.answer = outbox.offer

    def tell(self, frame: bytes) -> None:
        """Send what may be dropped when nobody reads."""
        if not self._outbox.is_full:
            self._outbox.offer(frame)

    def drop(self) -> None:
        """Send nothing."""


class OlderStdio:
    """Serves the older era on one stdio connection. `take` is called from the thread that reads, and never held up."""

    def __init__(self, dispatcher: Dispatcher, principal: str, limits: Limits, outbox: Outbox) -> None:
        self._limits = limits
        self._outbox = outbox
        self._line = Line(outbox)
        self._session = Session(dispatcher, principal, self._line.tell, limits)
        self._workers: Workers[Call] = Workers(limits.workers, self._run_plain)
        self._coroutines: Any = None

    @property
    def owed(self) -> int:
        """How many answers are owed; for those that wait for the client's own answers nothing can be done at the end."""
        return self._session.owed

    @property
    def is_full(self) -> bool:
        """Whether as much runs as is allowed."""
        return self._session.running >= self._limits.requests_in_flight

    @property
    def has_room(self) -> bool:
        """Whether half of what is allowed is free again."""
        return self._session.running <= self._limits.requests_in_flight // 2

    def take(self, older: Older) -> None:
        """Take one message of the older era, or one batch of them."""
        if is_array(older.frame):
            self._take_batch(older)
        else:
            self._start(self._session.receive(older.message, older.frame, self._line))

    def _take_batch(self, older: Older) -> None:
        try:
            messages = self._session.split(older.frame)
        except Refused as error:
            self._session.receive(Fault(error.code, error.message), older.frame, self._line)
            return
        owed = sum(isinstance(message, Request | Fault) for message, _ in messages)
        way = Gathering(self._line, owed, self._limits.older_batch_bytes)
        for message, frame in messages:
            self._start(self._session.receive(message, frame, way))

    def _start(self, call: Call | None) -> None:
        if call is None:
            return
        if call.mode == "quick":
            call.run()
        elif call.mode == "plain":
            self._workers.put(call)
        else:
            self._start_coroutine(call)

    def _run_plain(self, call: Call) -> None:
        call.run()
        while self._outbox.is_full:
            time.sleep(_PAUSE_SECONDS)

    def _start_coroutine(self, call: Call) -> None:
        if self._coroutines is None:
            from .coroutines import Coroutines

            self._coroutines = Coroutines()
        call.flight.on_cancel = self._coroutines.start(call.run_async(), _nothing)


def _nothing() -> None:
    """Nothing is to be done when a coroutine has ended: it has answered, or it was cancelled."""
