"""Which processes that run tasks are still alive: those whose pulse another process has seen change lately.

Judged by this process's own monotonic clock, so that a machine that slept, or a clock that was set, buries nobody.
"""

import threading
import time
from collections.abc import Callable

_KNOWN = 1000


class Lives:
    """What this process has seen of the others: `pulse` gives a process's pulse, `patience` is in seconds."""

    def __init__(
        self, pulse: Callable[[str], int], patience: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._pulse = pulse
        self._patience = patience
        self._clock = clock
        self._lock = threading.Lock()
        self._seen: dict[str, tuple[int, float]] = {}

    def is_lost(self, owner: str) -> bool:
        """Say whether a process has shown no pulse for as long as it is given; never at the first look."""
        pulse, now = self._pulse(owner), self._clock()
        with self._lock:
            seen = self._seen.get(owner)
            if seen is not None and seen[0] == pulse:
                return now - seen[1] > self._patience
            if len(self._seen) >= _KNOWN:
                del self._seen[next(iter(self._seen))]
            self._seen[owner] = (pulse, now)
        return False
