"""Timers by the thousand that hardly ever ring: started and dropped with every request, looked at twenty times a second.

A timer of the loop's own costs as much as a tenth of a small request; these cost an entry in a dictionary.
"""

import asyncio
from collections.abc import Callable

_PER_SECOND = 20


class Timers:
    """Calls back some time after it was asked to, up to a twentieth of a second late. For one loop, on its thread."""

    def __init__(self) -> None:
        self._slots: dict[int, dict[int, Callable[[], None]]] = {}
        self._last = 0
        self._is_ticking = False

    def start(self, seconds: float, call: Callable[[], None]) -> tuple[int, int]:
        """Have `call` made after `seconds`; gives what `drop` takes."""
        loop = asyncio.get_running_loop()
        slot = int((loop.time() + seconds) * _PER_SECOND) + 1
        self._last += 1
        self._slots.setdefault(slot, {})[self._last] = call
        if not self._is_ticking:
            self._is_ticking = True
            loop.call_later(1 / _PER_SECOND, self._tick, loop)
        return slot, self._last

    def drop(self, timer: tuple[int, int]) -> None:
        """Forget a timer, whether or not it has rung."""
        slot = self._slots.get(timer[0])
        if slot is not None:
            slot.pop(timer[1], None)
            if not slot:
                del self._slots[timer[0]]

    def _tick(self, loop: asyncio.AbstractEventLoop) -> None:
        now = int(loop.time() * _PER_SECOND)
        for slot in [slot for slot in self._slots if slot <= now]:
            for call in self._slots.pop(slot).values():
                call()
        self._is_ticking = bool(self._slots)
        if self._is_ticking:
            loop.call_later(1 / _PER_SECOND, self._tick, loop)
