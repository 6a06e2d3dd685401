"""Frames on their way out: added by any thread, written whole and in order, many in one write when many wait.

A thread that adds a frame writes it itself when nobody else is writing: that is the shortest way to an answer. While
more work waits it may leave the writing to the flusher thread, which wakes when the interpreter lets it: so answers
under load go out in large writes, and none waits for a handler that takes long.
"""

import os
import threading
from collections import deque
from collections.abc import Callable

_LARGEST_WRITE = 256 * 1024


class Outbox:
    """The way out of one connection. `on_broken` is called once when the other side no longer reads."""

    def __init__(self, descriptor: int, on_broken: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._on_broken = on_broken
        self._frames: deque[bytes] = deque()
        self._writing = threading.Lock()
        self._wake = threading.Semaphore(0)
        self._woken = False
        self._broken = False
        threading.Thread(target=self._flush_when_woken, name="readingroom-flusher", daemon=True).start()

    def send(self, frame: bytes) -> None:
        """Add a frame, without its line end, and write what waits."""
        self._frames.append(frame)
        self.flush()

    def add(self, frame: bytes) -> None:
        """Add a frame and leave the writing to the flusher."""
        self._frames.append(frame)
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

    def drain(self, seconds: float) -> bool:
        """Wait until all is written; says whether it was within `seconds`."""
        if not self._writing.acquire(timeout=seconds):
            return False
        try:
            self._write_waiting()
        finally:
            self._writing.release()
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
            taken.append(b"")
            self._write(b"\n".join(taken))

    def _write(self, data: bytes) -> None:
        if self._broken:
            return
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._descriptor, view) :]
        except OSError:
            # The client has gone: nothing that is written from here on can reach it.
            self._broken = True
            self._frames.clear()
            self._on_broken()
