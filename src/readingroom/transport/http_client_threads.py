"""Threads that wait for a server over HTTP: one for each request under way, kept for the next, and gone when idle long."""

import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue

_IDLE_SECONDS = 20.0


class Threads:
    """Runs jobs at once, up to `most` of them; more wait for their turn. Jobs must not raise."""

    def __init__(self, most: int, name: str) -> None:
        self._most = most
        self._name = name
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._threads: set[threading.Thread] = set()
        self._idle = 0
        self._queued = 0
        self._is_closed = False

    def has_room(self) -> bool:
        """Say whether a job would be run at once."""
        return self._idle > 0 or len(self._threads) < self._most

    def run(self, job: Callable[[], None]) -> bool:
        """Have a job run; False once this is closed."""
        with self._lock:
            if self._is_closed:
                return False
            if self._idle:
                self._idle -= 1
            elif len(self._threads) < self._most:
                self._start()
            else:
                self._queued += 1
            self._jobs.put(job)
            return True

    def close(self, seconds: float) -> bool:
        """Let the threads end when they have done what they have; wait that long for them, and say whether all have."""
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                for _ in self._threads:
                    self._jobs.put(None)
            threads = list(self._threads)
        ends = time.monotonic() + seconds
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join(max(0.0, ends - time.monotonic()))
        return not any(thread.is_alive() for thread in threads)

    def _start(self) -> None:
        thread = threading.Thread(target=self._work, name=self._name, daemon=True)
        self._threads.add(thread)
        try:
            thread.start()
        except RuntimeError:
            # The system has no more; those that there are have to do.
            self._threads.discard(thread)
            if not self._threads:
                raise
            self._queued += 1

    def _work(self) -> None:
        while (job := self._next()) is not None:
            job()
            with self._lock:
                if self._queued:
                    self._queued -= 1
                else:
                    self._idle += 1
        with self._lock:
            self._threads.discard(threading.current_thread())

    def _next(self) -> Callable[[], None] | None:
        """Wait for a job; None when there is none for long, or none to come."""
        while True:
            try:
                return self._jobs.get(timeout=_IDLE_SECONDS)
            except Empty:
                with self._lock:
                    # Where nobody counts as idle, a job has just been put in for this one.
                    if self._idle:
                        self._idle -= 1
                        self._threads.discard(threading.current_thread())
                        return None
