"""What a server of the older era says on its own account, over HTTP: the stream that a client listens to with GET (LEG-4).

It is optional for the server, and is taken up again whenever it ends.
"""

import http.client

from ..client import Calls
from ..errors import ReadingRoomError
from ..wire import OverLong
from ..wire.events import EventReader
from .http_client_reading import STREAM, Terms, messages, resumption
from .http_client_sockets import Hold

_PAUSE_SECONDS = 1.0
_LONGEST_PAUSE = 30.0


class OlderListener:
    """Listens, in the thread that calls `run`, until `stop`."""

    def __init__(self, terms: Terms, calls: Calls) -> None:
        """`calls` has no request in flight: what comes is about none."""
        self._terms = terms
        self._calls = calls
        self._hold = Hold(lambda: float("inf"))

    def stop(self) -> None:
        """End the listening. May be called from any thread."""
        self._hold.take_away()

    def run(self) -> None:
        """Listen; returns when the server has no such stream, or when it is stopped."""
        reader = EventReader(self._terms.limits.answer_bytes)
        pause = _PAUSE_SECONDS
        while not self._hold.is_gone:
            session = self._terms.session.id
            last = reader.last_id
            try:
                if not self._listen(reader, session):
                    return
                pause = _PAUSE_SECONDS
            except (ReadingRoomError, OSError, http.client.HTTPException, ValueError):
                pause = min(2 * pause, _LONGEST_PAUSE)
            again = EventReader(self._terms.limits.answer_bytes)
            if self._terms.session.id == session:
                again.last_id, again.retry = reader.last_id, reader.retry
            if last != again.last_id:
                pause = _PAUSE_SECONDS
            reader = again
            try:
                self._hold.wait(pause if reader.retry is None else max(0.01, reader.retry / 1000))
            except ReadingRoomError:
                return

    def _listen(self, reader: EventReader, session: str | None) -> bool:
        """Listen to one stream to its end; say whether there may be another."""
        fields = resumption(self._terms, reader.last_id)
        with self._terms.poster.send(self._hold, "GET", fields, is_repeatable=True) as reply:
            if reply.status == http.client.NOT_FOUND and session is not None:
                # The session has ended. The next request finds that out as well, and begins another one.
                return True
            if reply.status != http.client.OK or reply.kind != STREAM:
                return False
            for found in messages(reply, reader):
                for message in found:
                    if isinstance(message, OverLong):
                        return True
                    for effect in self._calls.take(message):
                        self._terms.pass_on(effect)
        return True
