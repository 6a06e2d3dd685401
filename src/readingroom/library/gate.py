"""Requests go before the scan: whoever answers passes through the gate, and a scan asks at it before each file."""

import threading
import time
from types import TracebackType

_WAIT_S = 0.05
_WORK_S = 0.01


class Gate:
    """Counts the requests that are being answered in this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._next = 0.0
        self._empty = threading.Event()
        self._empty.set()

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            self._empty.clear()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._empty.set()

    def give_way(self) -> None:
        """Wait while requests are being answered; on a server that always answers, one sixth of the time is left."""
        if not self._empty.is_set() and time.monotonic() >= self._next:
            self._empty.wait(_WAIT_S)
            self._next = time.monotonic() + _WORK_S
