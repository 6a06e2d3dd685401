"""Shows how far a scan is: a bar on a terminal, a line now and then elsewhere. Always on stderr."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from .terminal import Terminal

if TYPE_CHECKING:
    from ..library import ScanProgress

_REDRAW_S = 0.1
_LINE_S = 5.0
_QUIET_S = 0.5
_BAR = 24


class ScanBar:
    """Hears of a scan. `eager` shows it from the beginning; else a terminal waits half a second, a log five."""

    def __init__(
        self, err: Terminal, *, eager: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._err = err
        self._clock = clock
        self._began = clock()
        self._due = self._began + (0.0 if eager else _QUIET_S if err.is_terminal else _LINE_S)
        self._shown = False
        self._reading_since = 0.0

    def __call__(self, progress: "ScanProgress") -> None:
        """Show it, if it is time."""
        now = self._clock()
        if progress.phase == "reading" and not self._reading_since:
            self._reading_since = now
        if now < self._due:
            return
        if self._err.is_terminal:
            self._due = now + _REDRAW_S
            self._err.rewrite(self._bar(progress, now))
        else:
            self._due = now + _LINE_S
            self._err.line(_counted(progress))
            self._err.flush()
        self._shown = True

    def end(self) -> None:
        """Take the bar away."""
        if self._shown and self._err.is_terminal:
            self._err.rewrite("")

    def _bar(self, progress: "ScanProgress", now: float) -> str:
        if not progress.total:
            return _counted(progress)
        share = min(1.0, progress.done / progress.total)
        full = round(share * _BAR)
        text = f"{'█' * full}{'░' * (_BAR - full)} {share:4.0%}  {_counted(progress)}"
        left = self._left(share, now)
        return f"{text}, {left}" if left else text

    def _left(self, share: float, now: float) -> str:
        """How long the rest will take, once that can be told."""
        taken = now - self._reading_since
        if share in (0.0, 1.0) or taken < 2 * _QUIET_S:
            return ""
        seconds = taken / share - taken
        return f"{seconds:.0f} s left" if seconds < 90 else f"{seconds / 60:.0f} min left"


def _counted(progress: "ScanProgress") -> str:
    if progress.phase == "looking":
        return f"Looking through the folder: {progress.done:,} files"
    if progress.phase == "finishing":
        return "Finishing the index"
    return f"Reading documents: {progress.done:,} of {progress.total or 0:,}"
