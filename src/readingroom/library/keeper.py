"""The thread that keeps the index in step: one scan at once, then one whenever the last is old, by whichever process.

Several servers on one folder take turns: a scan that another process began late enough counts as one's own, so the cost
is per folder and not per server. A process that finds the writer's lock taken follows, and takes over when it is free.
"""

import threading
import time
from collections.abc import Callable
from contextlib import suppress

from .errors import IndexBusy, LibraryError
from .hooks import Hooks, ScanProgress, Stopped

SCAN_EVERY_S = 30.0
"""At 20 µs a file, 10,000 files cost a core 0.7 % of its time; what a request touches is checked anyway, so this bounds
only how long a new file stays unseen where the system reports no changes."""

_SHARE = 50  # a scan takes at most 1/50 of the time, whatever the size of the folder
_LONGEST_S = 600.0
_APART_S = 1.0  # between two scans, however often somebody nudges
_FOLLOW_S = 0.2
_AFTER_FAULT_S = 5.0
_WARM_DELAY_S = (
    0.25  # an index that is there answers already, and the first requests should have the processor
)

_SAID = {
    "FolderUnusable": "The folder, or the place of its index, cannot be used: it may have been moved, or lie on a disk or "
    "share that is not connected.",
    "IndexUnusable": "The index cannot be written: the disk may be full, or the cache folder not writable.",
}
_ADVICE = "It is tried again from time to time; `readingroom index` with this folder tells why."


class Keeper:
    """Runs `scan(hooks)` in a daemon thread.

    `since()` says when the last full scan of all roles began, or None; `told` hears of progress, for the operator.
    """

    def __init__(
        self,
        scan: Callable[[Hooks], None],
        since: Callable[[], float | None],
        *,
        give_way: Callable[[], None],
        clock: Callable[[], float],
        every: float,
        told: Callable[[ScanProgress], None],
    ) -> None:
        self._scan = scan
        self._since = since
        self._give_way = give_way
        self._clock = clock
        self._every = every
        self._told = told
        self._hooks = Hooks(pause=self._pause, tell=self._hear, clock=clock, again=self._doubt)
        self._doubtful = False
        self._wake = threading.Event()
        self._stopping = False
        self._wanted = clock()
        self._rested = 0.0
        self._period = every
        self._apart = _APART_S
        self._looking = 0.0
        self._faults = 0
        self.trouble = ""
        self._noted = ""
        self._thread = threading.Thread(target=self._run, name="readingroom-keeper", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def nudge(self) -> None:
        """Scan soon: something was seen that the index does not know."""
        self._wanted = self._clock()
        self._wake.set()

    def stop(self, timeout: float = 1.0) -> None:
        """End; a scan under way ends at the next file and keeps what it has read. Waits up to `timeout` seconds."""
        self._stopping = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(timeout)

    @property
    def is_running(self) -> bool:
        """Whether scans are made or will be."""
        return self._thread.is_alive() and not self._stopping

    def _pause(self) -> None:
        if self._stopping:
            raise Stopped
        self._give_way()

    def _run(self) -> None:
        rest = _WARM_DELAY_S
        with suppress(LibraryError, OSError):
            rest = 0.0 if self._since() is None else rest
        while not self._sleep(rest):
            rest = self._turn()

    def _sleep(self, seconds: float) -> bool:
        """Sleep until it is time or somebody nudges; true when it is time to end."""
        if not self._stopping and seconds > 0:
            self._wake.wait(seconds)
        self._wake.clear()
        return self._stopping

    def _turn(self) -> float:
        """Scan if it is due, and survive whatever comes of it; the seconds to rest after."""
        try:
            return self._scan_if_due()
        except Stopped:
            return 0.0
        except Exception as error:  # noqa: BLE001  -- nobody else would hear of it, and the next scan may succeed
            self._note(error)
            self._faults += 1
            return float(min(_AFTER_FAULT_S * 2 ** (self._faults - 1), _LONGEST_S))

    def _scan_if_due(self) -> float:
        now, since = self._clock(), self._since()
        if since is not None and self._wanted <= since <= now:
            rest = since + self._period - now
            if rest > 0:
                return rest
            self._wanted = since + self._period / 2  # another process may be about to begin: its scan will do
        rest = self._rested - time.monotonic()
        return rest if rest > 0 else self._attempt()

    def _attempt(self) -> float:
        self._looking = time.monotonic()
        self._doubtful = False
        try:
            self._scan(self._hooks)
        except IndexBusy:
            return _FOLLOW_S
        if self._noted:
            _log("The folder is scanned again.")
        self.trouble = self._noted = ""
        self._faults = 0
        self._rested = time.monotonic() + self._apart
        if self._doubtful:
            self.nudge()
        return 0.0

    def _doubt(self) -> None:
        """A file seemed to be half written: the next scan comes as soon as it may, and looks again."""
        self._doubtful = True

    def _hear(self, progress: ScanProgress) -> None:
        """Pass progress on; what looking at the files takes decides how often it is done."""
        if progress.phase != "looking" and self._looking:
            took, self._looking = time.monotonic() - self._looking, 0.0
            self._apart = max(_APART_S, 5 * took)
            self._period = max(self._every, min(_SHARE * took, _LONGEST_S))
        self._told(progress)

    def _note(self, error: Exception) -> None:
        """Keep the fault for the operator; the log, which apps may read, gets its kind alone, once until it changes."""
        self.trouble = f"{type(error).__name__}: {error}"
        kind = type(error).__name__
        if kind != self._noted:
            self._noted = kind
            _log(f"{_SAID.get(kind, f'The folder could not be scanned ({kind}).')} {_ADVICE}")


def _log(sentence: str) -> None:
    import logging

    logging.getLogger(__name__).warning(sentence)
