"""What a server of the older era says on its own account, over HTTP: the stream that a client listens to with GET (LEG-4).

It is optional for the server, and is taken up again whenever it ends.
"""

import http.client
from collections.abc import Callable
from typing import Any

from ..client import Calls
from ..client.frames import read_frame
from ..errors import Closed, ReadingRoomError
from ..wire import Notification, OverLong
from ..wire.events import EventReader
from .http_client_reading import STREAM, Terms, messages, resumption
from .http_client_sockets import Hold

_PROGRESS = b'"notifications/progress"'
_PAUSE_SECONDS = 1.0
_LONGEST_PAUSE = 30.0
# What a server says that has no such stream; who is busy, or wants to know who is asking, may have one later.
_NONE = (400, 404, 405, 406, 501)


class OlderListener:
    """Listens, in the thread that calls `run`, until `stop`."""

    def __init__(self, terms: Terms, calls: Calls, on_progress: Callable[[Any, bytes], None]) -> None:
        """`calls` has no request in flight: what comes is about none.

        Some servers tell progress here all the same; `on_progress` gets its token and the message.
        """
        self._terms = terms
        self._calls = calls
        self._on_progress = on_progress
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
            if reply.status in _NONE or (reply.status == http.client.OK and reply.kind != STREAM):
                return False
            if reply.status != http.client.OK:
                raise Closed(f"there is no stream now (status {reply.status})")
            for found in messages(reply, reader):
                for message in found:
                    if isinstance(message, OverLong):
                        return True
                    self._take(message)
        return True

    def _take(self, message: bytes) -> None:
        frame = read_frame(message, self._terms.limits.nesting) if _PROGRESS in message else None
        if isinstance(frame, Notification) and isinstance(frame.params, dict):
            self._on_progress(frame.params.get("progressToken"), message)
            return
        for effect in self._calls.take(message):
            self._terms.pass_on(effect)
