"""Waits for the end of a stdio server, whatever brings it: end of input, a signal, a client that no longer reads.

Runs on the thread that serves, which is the main thread when signals are to be heard. A first signal ends the server, a
second one ends the process at once. Exit codes: 0 end of input, 0 after SIGINT or SIGTERM, 0 when the client no longer
reads (it has what it wanted), 70 when the server itself failed, or its output cannot be written.
"""

import os
import signal
import sys
import threading
from types import FrameType
from typing import Any

from .handles import Handles

EXIT_OK = 0
EXIT_FAILED = 70
_POLL_MILLISECONDS = 250


class Supervisor:
    """Waits for the first reason to end."""

    def __init__(self, handles: Handles) -> None:
        self._handles = handles
        self._reason = ""
        self._ended = threading.Event()
        self._waking: tuple[int, int] | None = None
        self._signals = 0
        self._has_failed = False

    @property
    def exit_code(self) -> int:
        """The code to exit with."""
        return EXIT_FAILED if self._has_failed else EXIT_OK

    @property
    def is_hurried(self) -> bool:
        """Whether a signal or a broken output came after the first reason: nothing is waited for any more."""
        return self._signals > 0

    def end(self, reason: str) -> None:
        """Give a reason to end; the first one counts, but a failure is never forgotten.

        May be called from any thread and from a signal handler.
        """
        if reason == "failed":
            self._has_failed = True
        if self._reason:
            if reason != "end of input":
                self._signals += 1
        else:
            self._reason = reason
        self._ended.set()
        if self._waking is not None:
            os.write(self._waking[1], b"\0")

    def wait(self) -> str:
        """Wait for a reason to end and give it."""
        if hasattr(__import__("select"), "poll"):
            self._wait_by_polling()
        while not self._reason:
            # On Windows a wait without a limit hears no signal.
            self._ended.wait(_POLL_MILLISECONDS / 1000)
        return self._reason

    def pause(self, seconds: float) -> None:
        """Wait a little, while signals are heard."""
        threading.Event().wait(seconds)

    def hear_signals(self) -> None:
        """Let signals be reasons to end, from here on; only the main thread may hear them."""
        if threading.current_thread() is not threading.main_thread():
            return
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
            number = getattr(signal, name, None)
            # Whoever starts a program with `nohup` wants it to outlive the terminal.
            if number is None or (name == "SIGHUP" and signal.getsignal(number) is signal.SIG_IGN):
                continue
            signal.signal(number, self._on_signal)

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if self._reason:
            os._exit(EXIT_OK)
        self.end(signal.Signals(number).name)

    def _wait_by_polling(self) -> None:
        """Wait on POSIX: for a reason, and for the client to close the end it reads, which only poll tells."""
        select: Any = __import__("select")
        self._waking = os.pipe()
        os.set_blocking(self._waking[1], False)
        poll = select.poll()
        poll.register(self._waking[0], select.POLLIN)
        poll.register(self._handles.writing, 0)
        while not self._reason:
            for descriptor, events in poll.poll(None if sys.platform == "linux" else _POLL_MILLISECONDS):
                if descriptor == self._handles.writing and events & (select.POLLERR | select.POLLHUP):
                    self.end("broken")
