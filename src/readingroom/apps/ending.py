"""Makes the signals that end a program do what Ctrl-C does, so that a command that is ended leaves no server running.

Not for `serve`, which hears signals in ways of its own. Knows nothing of commands.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_NAMES = ("SIGTERM", "SIGHUP")


@contextmanager
def as_ctrl_c() -> Iterator[list[int]]:
    """Let SIGTERM and SIGHUP raise KeyboardInterrupt within, and give a list that will hold the one that came.

    Only the first does: `timeout` sends it twice, and what ends a server must not be ended itself. One that is ignored, as
    under `nohup`, or heard by somebody else, is left alone.
    """
    heard: list[int] = []

    def hear(number: int, _frame: FrameType | None) -> None:
        if not heard:
            heard.append(number)
            raise KeyboardInterrupt

    numbers = [number for number in _numbers() if signal.getsignal(number) is signal.SIG_DFL]
    for number in numbers:
        signal.signal(number, hear)
    try:
        yield heard
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)


def _numbers() -> list[signal.Signals]:
    """Give the signals of this system, where they can be heard: in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        return []
    return [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
