"""Files that seem to be in the middle of being written: each is doubted for a moment, and never for longer.

A file that is saved again and again would else never be believed, and no change of it be told.
"""

from collections.abc import Callable

from .hooks import MIDWAY_S

_MOST = 1000


class Doubts:
    """Knows since when each file has been doubted. `clock` gives seconds that never go back."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._since: dict[str, tuple[float, float]] = {}

    def hold(self, path: str) -> bool:
        """Whether a file that seems half written is to be doubted still; what has been for `MIDWAY_S` is believed."""
        now = self._clock()
        first, last = self._since.get(path, (now, now))
        if now - last > 2 * MIDWAY_S:
            first = now  # in between it was whole
        if now - first >= MIDWAY_S:
            del self._since[path]
            return False
        if len(self._since) >= _MOST:
            self._since.clear()
        self._since[path] = first, now
        return True
