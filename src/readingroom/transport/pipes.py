"""The client's ends of a server's pipes: reading that can be stopped, and writing that never blocks the caller.

On POSIX both are done with poll, so that a pipe that some stray process keeps open holds no thread for ever. Windows
has no poll for pipes; there the threads block, and end with the processes that hold the other ends.
"""

import os
import select
import sys
import threading
from collections import deque
from collections.abc import Callable

_CHUNK = 65_536
# How many chunks are read after a stop: as much as a pipe and an answer can hold, for a stray writer may never end.
_REST_CHUNKS = 2048
# How often a writer that a full pipe holds up looks whether it is to stop, in milliseconds.
_LOOK_MS = 100


class Stop:
    """Tells every reader that shares it to take what is there and end. On Windows it does nothing."""

    __slots__ = ("_lock", "_writer", "reader")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.reader, self._writer = os.pipe()

    def set(self) -> None:
        """Tell them, once and for all."""
        with self._lock:
            if self._writer >= 0:
                os.close(self._writer)
                self._writer = -1

    def close(self) -> None:
        """Give the descriptors back, when no reader is left."""
        self.set()
        with self._lock:
            if self.reader >= 0:
                os.close(self.reader)
                self.reader = -1


class PipeReader:
    """Reads one pipe until its end, or until told to stop and nothing is left to read."""

    __slots__ = ("_fd", "_poll", "_rest")

    def __init__(self, fd: int, stop: Stop) -> None:
        self._fd = fd
        self._rest = _REST_CHUNKS
        self._poll: Callable[[], list[tuple[int, int]]] | None = None
        if sys.platform != "win32":
            poll = select.poll()
            poll.register(fd, select.POLLIN)
            poll.register(stop.reader, select.POLLIN)
            self._poll = poll.poll

    def read(self) -> bytes:
        """Wait for the next bytes and give them; empty at the end."""
        if self._poll is not None and self._is_over(self._poll()):
            return b""
        return os.read(self._fd, _CHUNK)

    def _is_over(self, ready: list[tuple[int, int]]) -> bool:
        """Say whether to stop: nothing is left, or what is left does not end."""
        if ready[0][0] == self._fd and len(ready) == 1:
            return False
        self._rest -= 1
        return len(ready) == 1 or self._rest < 0

    def close(self) -> None:
        """Close the pipe; only its reading thread may."""
        os.close(self._fd)


class PipeWriter:
    """Writes frames to one pipe in order. What the pipe does not take at once is written by a thread of its own.

    `on_broken` is called once, without any lock held, when the other side no longer reads.
    """

    def __init__(self, fd: int, room: int, on_broken: Callable[[], None]) -> None:
        self._fd = fd
        self._room = room
        self._on_broken = on_broken
        self._changed = threading.Condition(threading.Lock())
        self._backlog: deque[bytes | memoryview] = deque()
        self._held = 0
        self._thread: threading.Thread | None = None
        self._over = False
        if sys.platform != "win32":
            os.set_blocking(fd, False)

    def wait_for_room(self, timeout: float) -> bool:
        """Wait until less than `room` bytes are held back; False when that takes longer than `timeout` seconds."""
        if self._held < self._room:
            return True
        with self._changed:
            return self._changed.wait_for(lambda: self._over or self._held < self._room, timeout)

    def write(self, frame: bytes) -> bool:
        """Write a frame, or hold it back when the pipe is full; False when nobody reads any more."""
        with self._changed:
            if self._over:
                return False
            rest: bytes | memoryview = frame
            if sys.platform != "win32" and not self._backlog:
                try:
                    rest = self._write_some(frame)
                except OSError:
                    self._stop_now()
                    return False
            if rest:
                self._hold(rest)
        return True

    def close(self) -> None:
        """Give the other side its end of file. What is held back is dropped."""
        with self._changed:
            if not self._over:
                self._stop_now()

    def join(self, timeout: float) -> None:
        """Wait for the thread, if there is one."""
        if self._thread is not None:
            self._thread.join(timeout)

    def _write_some(self, frame: bytes | memoryview) -> bytes | memoryview:
        """Write what the pipe takes and give the rest."""
        try:
            written = os.write(self._fd, frame)
        except BlockingIOError:
            return frame
        return b"" if written == len(frame) else memoryview(frame)[written:]

    def _hold(self, rest: bytes | memoryview) -> None:
        """Leave the rest to the thread; the lock is held."""
        self._backlog.append(rest)
        self._held += len(rest)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="readingroom-writer", daemon=True)
            self._thread.start()
        self._changed.notify_all()

    def _stop_now(self) -> None:
        """End; the lock is held. The thread, where there is one, closes the pipe, for it may be writing."""
        self._over = True
        self._backlog.clear()
        self._changed.notify_all()
        if self._thread is None:
            os.close(self._fd)

    def _run(self) -> None:
        """Write what is held back, until told to end or nobody reads any more."""
        try:
            while (piece := self._next()) is not None:
                self._done(len(piece) - len(self._write_waiting(piece)))
        except OSError:
            self.close()
            self._on_broken()
        finally:
            os.close(self._fd)

    def _next(self) -> bytes | memoryview | None:
        """Wait for the next piece; it stays in the backlog, so that nothing overtakes it."""
        with self._changed:
            self._changed.wait_for(lambda: self._over or self._backlog)
            return None if self._over else self._backlog[0]

    def _write_waiting(self, piece: bytes | memoryview) -> bytes | memoryview:
        """Write as much as the pipe takes, waiting a little for it to take something."""
        if sys.platform != "win32":
            poll = select.poll()
            poll.register(self._fd, select.POLLOUT)
            if not poll.poll(_LOOK_MS):
                return piece
        return self._write_some(piece)

    def _done(self, written: int) -> None:
        """Take what has been written off the backlog."""
        with self._changed:
            if self._over:
                return
            piece = memoryview(self._backlog.popleft())[written:]
            if piece:
                self._backlog.appendleft(piece)
            self._held -= written
            if self._held < self._room:
                self._changed.notify_all()
