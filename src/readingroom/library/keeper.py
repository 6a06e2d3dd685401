"""The thread that keeps the index in step: one scan at once, then one whenever the last is old, by whichever process;
in between, looks at the places that are hinted at.

Several servers on one folder take turns: a scan that another process began late enough counts as one's own, so the cost
is per folder and not per server. A process that finds the writer's lock taken follows, and takes over when it is free.
"""

import math
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

from .doubts import Doubts
from .errors import IndexBusy, LibraryError
from .hooks import MIDWAY_S, Hooks, ScanProgress, Stopped

SCAN_EVERY_S = 30.0
"""At 30 µs a file, 10,000 files cost a core 1 % of its time; what a request touches is checked anyway, so this bounds only
how long a new file stays unseen where the system reports no changes."""

_SHARE = 50  # a scan takes at most 1/50 of the time, whatever the size of the folder
_LONGEST_S = 600.0
_APART_S = 1.0  # between two scans, however often somebody nudges
_HINTS_APART_S = (
    0.1  # between two looks at what is hinted at, or longer, so that they take a fifth of the time; however
)
_HINTS_WAIT_S = (
    0.3  # long a look takes where others want the processor, what is hinted at next does not wait for longer
)
_HINTS_MOST = 200  # more places than these, and all of the folder is looked at
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
    """Runs `scan(hooks, paths)` in a daemon thread: of all the folder with None, else of what is at and under `paths`.

    `since()` says when the last full scan of all roles began, or None; `told` hears of progress, for the operator.
    """

    def __init__(
        self,
        scan: Callable[[Hooks, frozenset[str] | None], None],
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
        self._doubts = Doubts(time.monotonic)
        self._hooks = Hooks(pause=self._pause, tell=self._hear, clock=clock, again=self._doubt)
        self._hints: dict[str, float] = {}
        self._hinting = threading.Lock()
        self._wake = threading.Event()
        self._stopping = False
        self._wanted = clock()
        self._rested = 0.0
        self._hints_rested = 0.0
        self._period = every
        self._apart = _APART_S
        self._looking = self._looked = 0.0
        self._looks_at_all = True
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

    def hint(self, paths: Iterable[str], delay: float = 0.0) -> None:
        """Look at these paths, and what is under them, in `delay` seconds or soon after; "" is the root."""
        due = time.monotonic() + delay
        with self._hinting:
            for path in paths:
                self._hints.setdefault(path, due)
            if len(self._hints) > _HINTS_MOST:
                self._hints = {"": min(self._hints.values())}
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
                return min(rest, self._follow_hints())
            self._wanted = since + self._period / 2  # another process may be about to begin: its scan will do
        rest = self._rested - time.monotonic()
        return min(rest, self._follow_hints()) if rest > 0 else self._attempt(None)

    def _follow_hints(self) -> float:
        """Look at what is hinted at, if it is time to; the seconds to rest after."""
        now = time.monotonic()
        if now >= self._hints_rested:
            due = self._take_hints(now)
            if due:
                return self._attempt(frozenset(due))
        with self._hinting:
            rest = min(self._hints.values(), default=math.inf) - now
        return max(rest, self._hints_rested - now)

    def _take_hints(self, now: float) -> dict[str, float]:
        """Those that are due; the others are for later, as what they name may be half written now."""
        with self._hinting:
            due = {path: at for path, at in self._hints.items() if at <= now}
            for path in due:
                del self._hints[path]
        return due

    def _attempt(self, paths: frozenset[str] | None) -> float:
        """Scan the whole folder, or these paths; what was hinted at is kept if that fails."""
        began = self._looking = time.monotonic()
        hinted = self._take_hints(began) if paths is None else dict.fromkeys(paths, began)
        self._looks_at_all = paths is None
        try:
            self._scan(self._hooks, paths)
        except BaseException as error:
            with self._hinting:
                self._hints = hinted | self._hints
            if isinstance(error, IndexBusy):
                return _FOLLOW_S
            raise
        if self._noted:
            _log("The folder is scanned again.")
        self.trouble = self._noted = ""
        self._faults = 0
        now = time.monotonic()
        if paths is None:
            self._rested = now + self._apart
        else:
            self._hints_rested = now + max(
                _HINTS_APART_S, 5 * self._looked, min(4 * (now - began), _HINTS_WAIT_S)
            )
        return 0.0

    def _doubt(self, path: str) -> bool:
        """Say whether a file that seems half written is doubted; then it is looked at again when it cannot be any more."""
        is_doubted = self._doubts.hold(path)
        if is_doubted:
            self.hint([path], MIDWAY_S)
        return is_doubted

    def _hear(self, progress: ScanProgress) -> None:
        """Pass progress on; what looking at the files takes decides how often it is done."""
        if progress.phase != "looking" and self._looking:
            took, self._looking = time.monotonic() - self._looking, 0.0
            self._looked = took
            if self._looks_at_all:
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
