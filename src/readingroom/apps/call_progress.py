"""Shows how far a call is, as its server tells it: in one line on a terminal. On stderr, harmlessly; nothing elsewhere."""

from typing import TYPE_CHECKING

from .characters import one_line
from .terminal import Terminal

if TYPE_CHECKING:
    from ..client import Progress


class CallProgress:
    """Hears of a call. With `quiet`, and where nobody looks, it shows nothing."""

    def __init__(self, err: Terminal, *, quiet: bool = False) -> None:
        self._err = err
        self._shows = err.is_terminal and not quiet

    def __call__(self, progress: "Progress") -> None:
        """Show it."""
        if self._shows:
            self._err.rewrite(progress_text(progress))

    def end(self) -> None:
        """Take the line away."""
        if self._shows:
            self._err.rewrite("")


def progress_text(progress: "Progress") -> str:
    """Say how far it is: what is said of it, and how much of how much."""
    done = (
        f"{progress.progress:g}" if progress.total is None else f"{progress.progress:g} of {progress.total:g}"
    )
    return f"{one_line(progress.message)}: {done}" if progress.message else f"working: {done}"
