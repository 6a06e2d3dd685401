"""Streams of the older era over HTTP: numbered events that a client may have again after it lost the connection (LEG-4).

A `Channel` is what one POST brings, or what belongs to none; a message is on one channel only. Connections come and go:
one at a time follows a channel, and whoever comes later goes on where it left off. On the loop's thread only.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any

from ..limits import Limits
from ..server.older_batches import in_place_of
from .http_exchange import Mailbox
from .http_older_keeping import Keeping
from .http_replies import KEEP_ALIVE, Pair, Receive, Send, is_gone, respond, send_raw, start_stream

_MOST_WAITING = 64
_RETRY_MILLISECONDS = 1000
_FORBIDDEN = 403
_LOST = "The answer was ready while the client was away, and was too long to be kept: ask again"


class Channel:
    """Messages to the client in one order. Those that were sent are kept for a while, within the limits.

    What waits is bounded in bytes as well: while the client is there by leaving out what may be left out, and once it has
    gone by keeping nothing but that its answer was lost.
    """

    __slots__ = (
        "_alone_since",
        "_bytes",
        "_events",
        "_has_answer",
        "_limits",
        "_reader",
        "_unsent",
        "is_abandoned",
        "is_over",
        "keeping",
        "kept_bytes",
        "last",
        "number",
        "sent",
        "woken",
    )

    def __init__(self, number: int, limits: Limits) -> None:
        self.number = number
        self.last = 0
        self.sent = 0
        self.is_over = False
        self.is_abandoned = False
        self.keeping: Keeping | None = None
        self.kept_bytes = 0
        self.woken = asyncio.Event()
        self._limits = limits
        self._events: deque[tuple[int, bytes]] = deque()
        self._bytes = 0
        self._unsent = 0
        self._has_answer = False
        self._alone_since: float | None = None
        self._reader = 0

    @property
    def size(self) -> int:
        """The bytes that it holds."""
        return self._bytes

    def add(self, frame: bytes, is_droppable: bool) -> None:
        """Add a message, unless it may be dropped and too many wait."""
        if self.is_over or (is_droppable and not self._has_room(len(frame))):
            return
        self.last += 1
        self._events.append((self.last, frame))
        self._bytes += len(frame)
        self._unsent += len(frame)
        self._forget_old()
        self.woken.set()

    def finish(self, frame: bytes | None) -> None:
        """Add the last message, or end without one."""
        if frame is not None:
            self._has_answer = self._has_answer or not self.is_over
            self.add(frame, False)
        self.is_over = True
        self.woken.set()
        self._bound()

    def shrink(self) -> None:
        """Let go of what was sent, and of what was not if nobody follows; in an answer's place stands that it was lost."""
        left: deque[tuple[int, bytes]] = deque()
        if self.is_followed:
            left.extend(event for event in self._events if event[0] > self.sent)
        elif self._unsent:
            self.is_abandoned = True
            if self._has_answer and self.is_over and self._events and self._events[-1][0] > self.sent:
                number, frame = self._events[-1]
                left.append((number, in_place_of(frame, _LOST)))
        self._events = left
        self._bytes = sum(len(frame) for _, frame in left)
        self._unsent = self._bytes
        self._tell_size()

    def look(self, now: float) -> None:
        """Note whether a client follows; one that has not for long is not waited for."""
        if self.is_followed:
            self._alone_since, self.is_abandoned = None, False
        elif self._alone_since is None:
            self._alone_since = now
        elif now - self._alone_since >= self._limits.older_absent_seconds:
            self.is_abandoned = True

    def _has_room(self, size: int) -> bool:
        """Say whether something more that may be dropped may wait."""
        return (
            self.last - self.sent < _MOST_WAITING and self._unsent + size <= self._limits.older_replay_bytes
        )

    def _forget_old(self) -> None:
        """Forget what was sent longest ago; what was not sent yet is kept as long as it is followed."""
        most = self._limits.older_replay_bytes
        while self._events and self._events[0][0] <= self.sent:
            if len(self._events) <= _MOST_WAITING and self._bytes <= most:
                break
            self._bytes -= len(self._events.popleft()[1])
        self._tell_size()

    def _bound(self) -> None:
        """Let go of more than may wait for a client that is not there."""
        if not self.is_followed and self._unsent > self._limits.older_unsent_bytes:
            self.shrink()

    def _tell_size(self) -> None:
        if self.keeping is not None:
            self.keeping.resize(self)

    def after(self, position: int) -> list[tuple[int, bytes]]:
        """Give the events that follow the one of that number, as far as they are still there."""
        return [event for event in self._events if event[0] > position]

    def mark_sent(self, position: int) -> None:
        """Note that events up to that one were sent; they may be forgotten from here on."""
        sent = sum(len(frame) for number, frame in self._events if self.sent < number <= position)
        self._unsent -= sent
        self.sent = max(self.sent, position)
        self._forget_old()

    @property
    def answer(self) -> bytes | None:
        """The only message there was, when it was also the last."""
        return self._events[0][1] if self.is_over and self.last == 1 and self._events else None

    @property
    def is_followed(self) -> bool:
        """Whether a connection is there for it."""
        return self._reader > 0

    def attach(self) -> int:
        """Begin to follow; whoever did so before ends. Gives what `is_mine` and `detach` want."""
        self._reader = abs(self._reader) + 1
        self._alone_since, self.is_abandoned = None, False
        self.woken.set()
        return self._reader

    def is_mine(self, reader: int) -> bool:
        """Say whether nobody else has begun to follow."""
        return self._reader == reader

    def detach(self, reader: int) -> None:
        """End following."""
        if self._reader == reader:
            self._reader = -reader
            self._bound()


class Following:
    """One connection that follows a channel, as JSON when there is nothing but an answer, else as a stream of events."""

    def __init__(
        self,
        channel: Channel,
        receive: Receive,
        send: Send,
        limits: Limits,
        holds: Callable[[], bool],
        *,
        interval: float,
    ) -> None:
        self._channel = channel
        self._send = send
        self._limits = limits
        self._holds = holds
        self._interval = interval
        self._reader = channel.attach()
        self._gone = asyncio.get_running_loop().create_task(is_gone(receive))
        self._gone.add_done_callback(lambda _: channel.woken.set())

    async def answer(
        self, take: Coroutine[Any, Any, None], *, streams: bool, primes: bool, begin: Callable[[], None]
    ) -> None:
        """Take a POST and answer it, with one message or with a stream. `begin` is called when it becomes one (HTTP-13).

        `primes` lets the stream begin with an event of nothing but a number, from which a client may come back.
        """
        channel = self._channel
        try:
            await take
            while not channel.is_over and (not streams or channel.last == 0) and not self._gone.done():
                if not await self._is_woken_soon() and (streams or not self._holds()):
                    break
            if self._gone.done() and not channel.is_over:
                begin()  # nobody hears it; a client may ask for it again
                return
            answer = channel.answer
            if not streams and not channel.is_over:
                begin()
                await respond(self._send, _FORBIDDEN)
                return
            if answer is not None or not streams:
                await respond(self._send, 200 if answer else 202, answer or b"")
                return
            begin()
            await start_stream(self._send)
            if primes:
                primer = b"id: %d-0\nretry: %d\ndata: \n\n" % (channel.number, _RETRY_MILLISECONDS)
                await send_raw(self._send, primer)
            await self._follow(0)
        finally:
            self._end()

    async def stream(self, position: int, more: tuple[Pair, ...] = ()) -> None:
        """Send what follows an event, until the channel is over, the client has gone or another one follows."""
        try:
            await start_stream(self._send, more)
            await send_raw(self._send, KEEP_ALIVE)
            await self._follow(position)
        finally:
            self._end()

    async def _follow(self, position: int) -> None:
        channel = self._channel
        while not self._gone.done():
            channel.woken.clear()
            events = channel.after(position)
            if events:
                text = b"".join(
                    b"id: %d-%d\ndata: %b\n\n" % (channel.number, number, frame) for number, frame in events
                )
                await send_raw(self._send, text)
                position = events[-1][0]
                channel.mark_sent(position)
                continue
            if channel.is_over or not channel.is_mine(self._reader) or not self._holds():
                await self._send({"type": "http.response.body", "body": b""})
                return
            if not await self._is_woken_soon():
                await send_raw(self._send, KEEP_ALIVE)

    async def _is_woken_soon(self) -> bool:
        try:
            async with asyncio.timeout(self._interval):
                await self._channel.woken.wait()
        except TimeoutError:
            return False
        self._channel.woken.clear()
        return True

    def _end(self) -> None:
        self._channel.detach(self._reader)
        self._gone.cancel()


class Posted:
    """The way of what one POST brings: to its channel, from any thread."""

    is_full = False

    def __init__(self, mailbox: Mailbox, channel: Channel, *, streams: bool) -> None:
        self._post = mailbox.post
        self._channel = channel
        self.can_ask = streams

    @property
    def is_absent(self) -> bool:
        """Whether the client has left its stream for long."""
        return self._channel.is_abandoned

    def tell(self, frame: bytes) -> None:
        """Send what comes before the answer, to a client that takes streams."""
        if self.can_ask:
            self._post(self._channel.add, frame, True)

    def ask(self, frame: bytes) -> None:
        """Send a request to the client."""
        self._post(self._channel.add, frame, False)

    def answer(self, frame: bytes) -> None:
        """Send the answer."""
        self._post(self._channel.finish, frame)

    def drop(self) -> None:
        """End without one."""
        self._post(self._channel.finish, None)
