"""The stdio carrier of a server: bytes between two descriptors, and a `Connection` and a `Dispatcher` between them.

One daemon thread reads, and is never held up by a client that does not read. Quick handlers run on it, plain ones on
workers, coroutines on a loop of their own; cancellation and discovery are read while all of them are busy. The thread that
calls `serve` looks after the end: end of input, a signal, a client that no longer reads (docs/reference/exit-codes.md).
"""

import contextlib
import errno
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec

from ..limits import DEFAULT_LIMITS, Limits
from ..server import Action, Cancel, Connection, Context, Dispatcher, Flight, Older, Reply, Work
from ..wire import PARSE_ERROR, LineReader, encode_error
from .handles import Handles
from .outbox import Outbox
from .readiness import await_readable, has_hung_up
from .supervisor import Supervisor
from .workers import Workers

# What a pipe holds. A larger buffer would come from the system and go back to it at every read, which costs more than
# all of a small request.
_CHUNK = 64 * 1024
# Answers from this size on are not heaped up before they are sent.
_LARGE = 16 * 1024
_PAUSE_SECONDS = 0.01
_LOOK_SECONDS = 0.05
# How long the ends of subscriptions may take to be written once a signal has come.
_FAREWELL_SECONDS = 0.5
# What a pipe or a socket says whose other end has been closed; Windows says EINVAL of a pipe.
_CLOSED = (
    errno.EPIPE,
    errno.ECONNRESET,
    errno.ESHUTDOWN,
    *([errno.EINVAL] if sys.platform == "win32" else []),
)


class Job(msgspec.Struct, frozen=True, gc=False):
    """A flight with the work that answers it."""

    flight: Flight
    work: Work


class StdioServer:
    """Serves one connection. Made for one call of `serve`."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        handles: Handles,
        *,
        principal: str,
        limits: Limits = DEFAULT_LIMITS,
        older_era: bool = True,
    ) -> None:
        self._dispatcher = dispatcher
        self._handles = handles
        self._principal = principal
        self._limits = limits
        self._connection = Connection(dispatcher.capabilities, limits, older_era=older_era)
        self._older: Any = None  # what serves the older era, from its first message on
        self._supervisor = Supervisor(handles)
        self._outbox = Outbox(handles.writing, limits.bytes_waiting, self._end_broken)
        self._workers: Workers[Job] = Workers(limits.workers, self._run_plain)
        self._coroutines: Any = None
        self._listens: Any = None
        self._room = threading.Event()
        self._is_held = False
        self._has_read_all = False
        # One item for each answer that is no longer owed and not yet in the outbox.
        self._answering: list[None] = []

    def serve(self) -> int:
        """Serve until the client closes its side, no longer reads, or a signal comes; give the exit code."""
        self._supervisor.hear_signals()
        threading.Thread(target=self._read, name="readingroom-reader", daemon=True).start()
        reason = self._supervisor.wait()
        if reason == "end of input":
            self._finish_owed()
        elif reason != "broken" and self._listens is not None:
            self._end_listens()
            self._outbox.drain(time.monotonic() + min(_FAREWELL_SECONDS, self._limits.drain_seconds))
        return self._supervisor.exit_code

    def _finish_owed(self) -> None:
        """Let the answers still owed be finished and written, within the limits' time."""
        deadline = time.monotonic() + self._limits.drain_seconds
        while self._is_answer_owed() and time.monotonic() < deadline and not self._supervisor.is_hurried:
            self._supervisor.pause(_PAUSE_SECONDS)
        self._end_listens()
        self._outbox.drain(deadline)

    def _end_listens(self) -> None:
        """End the subscriptions, which are told of what the last answers changed; nobody waits for them otherwise."""
        if self._listens is not None:
            self._listens.end()

    def _is_answer_owed(self) -> bool:
        if self._older is not None and self._older.owed:
            return True
        return not self._has_read_all or bool(self._connection.owed) or bool(self._answering)

    def _end_broken(self, error: OSError) -> None:
        """End because nothing more can be written; a client that no longer reads is no failure, and says nothing."""
        if error.errno in _CLOSED:
            self._supervisor.end("broken")
            return
        with contextlib.suppress(OSError, ValueError, AttributeError):  # stderr is gone as well
            sys.stderr.write(f"{self._dispatcher.name}: stdout cannot be written: {error.strerror}\n")
        self._supervisor.end("failed")

    def _read(self) -> None:
        try:
            self._read_to_end()
        except BaseException:
            self._supervisor.end("failed")
            raise

    def _read_to_end(self) -> None:
        lines = LineReader(self._limits.line_bytes)
        receive, read, reading = self._connection.receive, os.read, self._handles.reading
        while data := self._chunk(read, reading):
            replies: list[bytes] = []
            for line in lines.feed(data):
                action = receive(line)
                if action.__class__ is Flight:
                    self._start(action, replies)
                elif action is not None:
                    self._act(action, replies)
            self._send_all(replies)
            if self._outbox.is_full:
                self._wait_for_room()
        if lines.rest():
            self._outbox.offer(
                encode_error(None, PARSE_ERROR, "Input ended inside a message: a line end is missing")
            )
        self._has_read_all = True
        self._supervisor.end("end of input")

    @staticmethod
    def _chunk(read: Callable[[int, int], bytes], descriptor: int) -> bytes:
        while True:
            try:
                return read(descriptor, _CHUNK)
            except BlockingIOError:
                await_readable(descriptor)
            except OSError:
                return b""  # a broken input has ended

    def _send_all(self, replies: list[bytes]) -> None:
        if replies:
            self._outbox.offer(b"\n".join(replies))
            replies.clear()

    def _act(self, action: Action, replies: list[bytes]) -> None:
        if isinstance(action, Reply):
            replies.append(action.frame)
        elif isinstance(action, Cancel) and action.flight.on_cancel is not None:
            action.flight.on_cancel()
        elif isinstance(action, Older):
            self._send_all(replies)
            self._take_older(action)

    def _take_older(self, older: Older) -> None:
        if self._older is None:
            from .stdio_older import OlderStdio

            self._older = OlderStdio(self._dispatcher, self._principal, self._limits, self._outbox)
        self._older.take(older)
        if self._older.is_full:
            self._wait_for_room()

    def _start(self, flight: Flight, replies: list[bytes]) -> None:
        """Run a request where its handler belongs; what is answered at once is added to `replies`."""
        request = flight.request
        try:
            work = self._dispatcher.route(request, self._principal)
        except Exception as error:  # noqa: BLE001  -- the one table answers whatever was raised
            self._reply(flight, self._dispatcher.refused(request, error), replies)
            return
        mode = work.step.mode
        if mode == "quick":
            frame = self._dispatcher.run(work, self._context(flight, work))
            self._reply(flight, frame or self._dispatcher.abandoned(work), replies)
            return
        if mode == "plain":
            self._workers.put(Job(flight, work))
        elif mode == "async":
            self._start_coroutine(flight, work)
        else:
            self._send_all(replies)
            self._listen(flight)
        if self._connection.is_full:
            self._send_all(replies)
            self._wait_for_room()

    def _context(self, flight: Flight, work: Work) -> Context | None:
        if not work.step.wants_context:
            return None
        return self._dispatcher.context(flight.request, flight, self._emit, self._principal)

    def _reply(self, flight: Flight, frame: bytes, replies: list[bytes]) -> None:
        """Answer a request that was handled while it was read."""
        self._connection.settle(flight)
        replies.append(frame)
        if len(frame) >= _LARGE:
            self._send_all(replies)
            if self._outbox.is_full:
                self._wait_for_room()

    def _run_plain(self, job: Job) -> None:
        """Run a plain handler on a worker and send its answer."""
        flight = job.flight
        if flight.cancelled:
            self._connection.settle(flight)
            return
        frame = self._dispatcher.run(job.work, self._context(flight, job.work))
        if frame and len(frame) >= _LARGE:
            while self._outbox.is_full:
                time.sleep(_PAUSE_SECONDS)
        self._answer(
            flight, job.work, frame, self._outbox.add if self._workers.are_behind else self._outbox.send
        )
        if self._is_held and self._has_room():
            self._room.set()

    def _answer(self, flight: Flight, work: Work, frame: bytes | None, send: Callable[[bytes], None]) -> None:
        """Send what a handler gave, unless its request has been cancelled.

        A frame that is missing though nobody cancelled it is made up for: the handler ended as if it had been cancelled.
        """
        self._answering.append(None)
        if self._connection.settle(flight):
            send(frame or self._dispatcher.abandoned(work))
        self._answering.pop()

    def _listen(self, flight: Flight) -> None:
        if self._listens is None:
            from .stdio_listens import Listens

            self._listens = Listens(self._dispatcher, self._connection, self._outbox, self._principal)
        self._listens.open(flight)

    def _start_coroutine(self, flight: Flight, work: Work) -> None:
        if self._coroutines is None:
            from .coroutines import Coroutines

            self._coroutines = Coroutines()
        running = self._run_coroutine(flight, work)
        flight.on_cancel = self._coroutines.start(running, lambda: self._end_coroutine(flight))

    async def _run_coroutine(self, flight: Flight, work: Work) -> None:
        from asyncio import sleep

        frame = await self._dispatcher.run_async(work, self._context(flight, work))
        while self._outbox.is_full:  # noqa: ASYNC110  -- what it waits for happens in another program
            await sleep(_PAUSE_SECONDS)
        self._answer(flight, work, frame, self._outbox.offer)

    def _end_coroutine(self, flight: Flight) -> None:
        """Settle one that was cancelled before it began; others have settled themselves."""
        self._connection.settle(flight)
        if self._is_held:
            self._room.set()

    def _emit(self, flight: Flight, frame: bytes) -> None:
        """Send a notification that belongs to a request, unless nobody waits for it (PROG-2) or nobody reads (PROG-3)."""
        if self._connection.awaits(flight) and not self._outbox.is_full:
            self._outbox.offer(frame)

    def _has_room(self) -> bool:
        has_room = self._older is None or self._older.has_room
        return has_room and self._connection.has_room and not self._outbox.is_full

    def _wait_for_room(self) -> None:
        """Stop reading until half of what may be in flight is free again: what is too much is held back, not lost.

        A client that goes meanwhile is seen, though its last requests have not been read.
        """
        self._is_held = True
        while not self._has_room():
            if has_hung_up(self._handles.reading):
                self._supervisor.end("end of input")
            self._room.wait(_LOOK_SECONDS)
            self._room.clear()
        self._is_held = False
