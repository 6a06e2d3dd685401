"""One request under way over HTTP: its answer as JSON, or as a stream once something is to be said before it.

Handlers run elsewhere and speak from any thread; what they say comes to the loop through a `Mailbox`. A client that has
gone is noticed soon, and its request cancelled (HTTP-20, CAN-2); a handler that is silent for long gets a stream that is
kept alive (§16.2), so that no proxy on the way gives up. A request outlives its token for a few seconds at most.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from ..limits import Limits
from ..server import Flight
from ..wire import INTERNAL_ERROR, encode_error
from .http_replies import KEEP_ALIVE, Receive, Send, is_gone, respond, send_frames, send_raw, start_stream
from .http_timers import Timers

# Most requests are answered before it pays to look whether the client still waits.
_LOOK_SECONDS = 0.05
# Progress and log lines that a client does not fetch are dropped beyond this: a server may send none at all (PROG-3).
_MOST_WAITING = 256
_MOST_BYTES = 1024 * 1024
_FORBIDDEN = 403


class Mailbox:
    """Hands calls from any thread to the loop: many calls that come together cost one waking."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._calls: deque[tuple[Callable[..., None], tuple[Any, ...]]] = deque()
        self._is_woken = False

    def post(self, call: Callable[..., None], *arguments: Any) -> None:
        """Have `call` made on the loop, soon; after the loop has ended, never."""
        self._calls.append((call, arguments))
        if not self._is_woken:
            self._is_woken = True
            try:
                self._loop.call_soon_threadsafe(self._make_calls)
            except RuntimeError:
                self._calls.clear()  # the loop is closed: nobody waits for anything

    def _make_calls(self) -> None:
        self._is_woken = False
        while self._calls:
            call, arguments = self._calls.popleft()
            call(*arguments)


class Exchange:
    """Carries what a handler says to the client. `emit` and `answer` may be called from any thread.

    `holds` says whether the client may still hear of it; None when that does not change.
    """

    __slots__ = (
        "_answered", "_flight", "_frames", "_gone", "_holds", "_is_due", "_is_revoked", "_is_streaming", "_limits",
        "_loop", "_mailbox", "_receive", "_send", "_silent", "_streams", "_timer", "_timers", "_waiter",
    )  # fmt: skip

    def __init__(
        self,
        mailbox: Mailbox,
        timers: Timers,
        receive: Receive,
        send: Send,
        flight: Flight,
        limits: Limits,
        *,
        streams: bool,
        holds: Callable[[], bool] | None = None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._mailbox = mailbox
        self._timers = timers
        self._receive = receive
        self._send = send
        self._flight = flight
        self._limits = limits
        self._streams = streams
        self._holds = holds
        self._is_revoked = False
        self._silent = 0.0
        self._frames: deque[bytes] = deque()
        self._answered: tuple[bytes, int] | None = None
        self._is_streaming = False
        self._is_due = False
        self._waiter: asyncio.Future[None] | None = None
        self._gone: asyncio.Task[None] | None = None
        self._timer = (0, 0)

    def emit(self, flight: Flight, frame: bytes) -> None:
        """Send a notification that belongs to the request, unless nobody waits for it or the client takes no streams."""
        if self._streams and not flight.cancelled and self._answered is None and self._has_room():
            self._frames.append(frame)
            self._mailbox.post(self._rouse)

    def _has_room(self) -> bool:
        """Say whether few enough notifications wait to be fetched, and few enough bytes of them."""
        waiting = len(self._frames)
        return waiting == 0 or (waiting < _MOST_WAITING and sum(map(len, self._frames.copy())) < _MOST_BYTES)

    def answer(self, frame: bytes, status: int) -> None:
        """Give the answer, once; a later one is dropped."""
        self._mailbox.post(self._take_answer, frame, status)

    def _take_answer(self, frame: bytes, status: int) -> None:
        if self._answered is None:
            self._answered = frame, status
            self._rouse()

    def _rouse(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def deliver(self) -> None:
        """Send what the handler says until it has answered, or the client has gone."""
        self._timer = self._timers.start(_LOOK_SECONDS, self._look)
        try:
            while self._answered is None and not self._flight.cancelled:
                self._waiter = self._loop.create_future()
                await self._waiter
                if self._frames or (self._is_due and self._answered is None):
                    await self._stream()
            if not self._flight.cancelled or self._is_revoked:
                await self._finish()
        finally:
            self._timers.drop(self._timer)
            if self._gone is not None:
                self._gone.cancel()
            if self._answered is None:
                self._cancel()

    def _look(self) -> None:
        """Look out for the client's leaving, and then, from time to time, for its token, and keep a silent stream alive."""
        every = interval = self._limits.keep_alive_seconds
        if self._holds is not None:
            interval = min(every, self._limits.revoked_seconds)
        if self._gone is None:
            self._gone = self._loop.create_task(is_gone(self._receive))
            self._gone.add_done_callback(self._lose)
        else:
            if self._holds is not None and not self._holds():
                self._revoke()
                return
            self._silent += interval
            if self._silent >= every:
                self._silent = 0.0
                self._is_due = self._streams
                self._rouse()
        self._timer = self._timers.start(interval, self._look)

    def _revoke(self) -> None:
        """Who asked may not hear of it any more: say so, instead of what the handler has said and has not been sent."""
        if self._answered is None and not self._flight.cancelled:
            told = "The authorization of this request has ended"
            self._answered = encode_error(self._flight.request.id, INTERNAL_ERROR, told), _FORBIDDEN
            self._is_revoked = True
            self._frames.clear()
            self._cancel()
            self._rouse()

    def _lose(self, gone: asyncio.Task[None]) -> None:
        if not gone.cancelled():
            gone.exception()  # a server that fails to tell of the leaving has lost the client as well
            self._cancel()
            self._rouse()

    def _cancel(self) -> None:
        """Nobody waits for the answer any more: the handler may stop (CAN-3)."""
        if not self._flight.cancelled:
            self._flight.cancelled = True
            if self._flight.on_cancel is not None:
                self._flight.on_cancel()

    async def _stream(self) -> None:
        if not self._is_streaming:
            self._is_streaming = True
            await start_stream(self._send)
        if self._frames:
            await send_frames(self._send, self._drained())
        elif self._is_due:
            await send_raw(self._send, KEEP_ALIVE)
        self._is_due = False

    def _drained(self) -> list[bytes]:
        frames = []
        while self._frames:
            frames.append(self._frames.popleft())
        return frames

    async def _finish(self) -> None:
        assert self._answered is not None  # noqa: S101  -- the loop above has ended by it; for the type checker
        frame, status = self._answered
        if self._frames and not self._is_streaming:
            self._is_streaming = True
            await start_stream(self._send)
        if self._is_streaming:
            await send_frames(self._send, [*self._drained(), frame], is_last=True)
        else:
            await respond(self._send, status, frame)
