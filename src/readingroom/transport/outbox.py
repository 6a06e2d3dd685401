"""Frames on their way out: added by any thread, written whole and in order, many in one write when many wait.

A thread that adds a frame writes it itself when nobody else is writing: that is the shortest way to an answer. While
more work waits it may leave the writing to the flusher thread, which wakes when the interpreter lets it: so answers
under load go out in large writes, and none waits for a handler that takes long. A thread that must not be held up by a
client that does not read writes only what the pipe is sure to take.
"""

import os
import threading
import time
from collections import deque
from collections.abc import Callable

from .readiness import AT_ONCE, await_writable, watch_room

_LARGEST_WRITE = 256 * 1024
_PAUSE_SECONDS = 0.005


class Outbox:
    """The way out of one connection. `on_broken` is called once, with the reason, when nothing more can be written.

    It is full when more than `room` bytes wait for the other side to read; nothing is refused then, but whoever makes
    frames is to hold on.
    """

    def __init__(self, descriptor: int, room: int, on_broken: Callable[[OSError], None]) -> None:
        self._descriptor = descriptor
        self._room = room
        self._on_broken = on_broken
        self._frames: deque[bytes] = deque()
        self._writing = threading.Lock()
        self._wake = threading.Semaphore(0)
        self._woken = False
        self._broken = False
        self._has_room = watch_room(descriptor)
        threading.Thread(target=self._flush_when_woken, name="readingroom-flusher", daemon=True).start()

    def send(self, frame: bytes) -> None:
        """Add a frame, without its line end, and write what waits. May be held up by a client that does not read."""
        self._frames.append(frame)
        self.flush()

    def offer(self, frame: bytes) -> None:
        """Add a frame; write it if that holds nobody up, and leave it to the flusher otherwise."""
        frames = self._frames
        frames.append(frame)
        if (
            len(frame) < AT_ONCE
            and len(frames) == 1
            and self._has_room()
            and self._writing.acquire(blocking=False)
        ):
            self._write_one()
        if frames:
            self._wake_flusher()

    def _write_one(self) -> None:
        """Write the one small frame that waits, unless others have come meanwhile; the lock is held, and given back."""
        frames = self._frames
        try:
            if len(frames) == 1 and len(frames[0]) < AT_ONCE:
                self._write_whole(frames.popleft() + b"\n")
        finally:
            self._writing.release()

    def _write_whole(self, data: bytes) -> None:
        """Write what goes out in one call, as a rule."""
        try:
            written = os.write(self._descriptor, data)
        except OSError:
            written = 0
        if written < len(data):
            self._write(data[written:])

    def add(self, frame: bytes) -> None:
        """Add a frame and leave the writing to the flusher."""
        self._frames.append(frame)
        self._wake_flusher()

    def _wake_flusher(self) -> None:
        if not self._woken:
            self._woken = True
            self._wake.release()

    def flush(self) -> None:
        """Write what waits, unless another thread is at it: that one will write it all."""
        while self._frames and self._writing.acquire(blocking=False):
            try:
                self._write_waiting()
            finally:
                self._writing.release()

    @property
    def is_full(self) -> bool:
        """Whether more than enough waits to be read."""
        return self.holds_more_than(self._room)

    def holds_more_than(self, size: int) -> bool:
        """Say whether more bytes than `size` wait to be written."""
        return bool(self._frames) and sum(map(len, self._frames.copy())) > size

    def drain(self, deadline: float) -> bool:
        """Wait until all is written; says whether it was before `deadline`, on the monotonic clock.

        It is the flusher that writes, for whoever writes may be held up for ever.
        """
        self._wake.release()
        while self._frames or self._writing.locked():
            if time.monotonic() >= deadline:
                return False
            time.sleep(_PAUSE_SECONDS)
        return True

    def _flush_when_woken(self) -> None:
        while True:
            self._wake.acquire()
            self._woken = False
            self.flush()

    def _write_waiting(self) -> None:
        frames = self._frames
        while frames:
            taken: list[bytes] = []
            size = 0
            while frames and size < _LARGEST_WRITE:
                frame = frames.popleft()
                taken.append(frame)
                size += len(frame)
            if len(taken) == 1 and size >= _LARGEST_WRITE:
                # Not joined with its line end, for that would copy it.
                self._write(taken[0])
                self._write(b"\n")
            else:
                taken.append(b"")
                self._write_whole(b"\n".join(taken))

    def _write(self, data: bytes) -> None:
        if self._broken:
            return
        view = memoryview(data)
        try:
            while view:
                view = view[self._write_some(view) :]
        except OSError as error:
            # The client has gone, or the disk is full: nothing that is written from here on can be relied on.
            self._broken = True
            self._on_broken(error)

    def _write_some(self, view: memoryview) -> int:
        try:
            return os.write(self._descriptor, view)
        except BlockingIOError:
            await_writable(self._descriptor)
            return 0
