"""How often somebody may try a token that is not good before being told to wait (threats: guessing).

Good tokens are never held up: addresses may be shared, behind a proxy by everyone, and nobody is to lock out the others by
guessing. Pure: times are handed in. Memory is bounded, for nothing is noted of attempts beyond the bound of all.
"""

import math
from collections import deque

WINDOW_S = 60.0
PER_ADDRESS = 10
IN_ALL = 100


class Attempts:
    """The failed attempts of the last minute, of each address and of all."""

    __slots__ = ("_failures", "_in_all", "_per_address")

    def __init__(self, per_address: int = PER_ADDRESS, in_all: int = IN_ALL) -> None:
        self._per_address = per_address
        self._in_all = in_all
        self._failures: deque[tuple[float, str]] = deque()

    def failed(self, address: str, now: float) -> int | None:
        """Note a failed attempt at `now`, in seconds; give for how long to wait when there were too many, else None."""
        failures = self._failures
        if failures and failures[-1][0] > now:
            failures.clear()  # the clock was set back: when they were nobody knows
        while failures and failures[0][0] <= now - WINDOW_S:
            failures.popleft()
        if len(failures) >= self._in_all:
            return self._wait(failures[0][0], now)
        own = [when for when, who in failures if who == address]
        if len(own) >= self._per_address:
            return self._wait(own[0], now)
        failures.append((now, address))
        return None

    def _wait(self, first: float, now: float) -> int:
        return max(1, math.ceil(first + WINDOW_S - now))
