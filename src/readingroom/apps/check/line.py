"""A server's process at the level of bytes: lines that come, bytes that go, and an end that leaves nothing.

Judges nothing. Every wait has an end, and what is held of a server that never stops writing is bounded.
"""

import contextlib
import os
import queue
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence

from ...errors import ConnectFailed
from ...limits import MIB
from ...transport import groups
from ...transport.pipes import PipeReader, PipeWriter, Stop
from ...transport.stderr_lines import StderrLines
from ...wire import LineReader, OverLong
from . import leftovers

LONGEST = 64 * MIB
"""The longest line that is held: as much as our client takes."""

_HELD_LINES = 256
_KILL_SECONDS = 2.0
_TERMINATE_SECONDS = 1.0


class Ended(OverLong, frozen=True):
    """Stands for the end of stdout; `length` is how much of an unfinished line was there."""


class Line:
    """One process of a server. `end` may be called at any time and again."""

    def __init__(self, command: Sequence[str], cwd: str | None, environment: Mapping[str, str]) -> None:
        """Start it. Raises: ConnectFailed."""
        self._mark = secrets.token_hex(8)
        self._popen = _started(command, cwd, {**environment, leftovers.MARK: self._mark})
        self.started = time.monotonic()
        self._group = groups.Group(self._popen)
        self._stop = Stop()
        self._lines: queue.Queue[bytes | OverLong] = queue.Queue(_HELD_LINES)
        self._reader = LineReader(LONGEST)
        self._exited = threading.Event()
        self._is_over = False
        stdin, stdout, stderr = self._popen.stdin, self._popen.stdout, self._popen.stderr
        assert stdin and stdout and stderr  # noqa: S101, PT018  -- three pipes were asked for
        self._writer = PipeWriter(os.dup(stdin.fileno()), 64 * MIB, lambda: None)
        self._stderr = StderrLines(PipeReader(os.dup(stderr.fileno()), self._stop), lambda _: None)
        self._source = PipeReader(os.dup(stdout.fileno()), self._stop)
        for pipe in (stdin, stdout, stderr):
            pipe.close()
        self._reading = threading.Thread(target=self._read, name="readingroom-check", daemon=True)
        self._reading.start()
        threading.Thread(target=self._watch, name="readingroom-check-process", daemon=True).start()

    def write(self, data: bytes) -> bool:
        """Send bytes as they are; False when the server no longer reads."""
        return self._writer.write(data)

    def take(self, seconds: float) -> bytes | OverLong | None:
        """Give the next line, `Ended` at the end, or None when nothing comes in time."""
        try:
            line = self._lines.get(timeout=max(0.0, seconds))
        except queue.Empty:
            return None
        if isinstance(line, Ended):
            self._lines.put(line)
        return line

    def unfinished(self) -> int:
        """Give how many bytes have come of a line that has no end."""
        return self._reader.rest()

    def close_stdin(self) -> None:
        """Give the server its end of input."""
        self._writer.close()

    def signal(self, number: int) -> None:
        """Send a signal to the process alone."""
        if not self._exited.is_set():
            os.kill(self._popen.pid, number)

    def exits_within(self, seconds: float) -> bool:
        """Wait for the process to end by itself."""
        return self._exited.wait(seconds)

    def left_running(self, seconds: float) -> list[int]:
        """Give the processes that the server has started and that still run `seconds` later."""
        return leftovers.remaining(self._mark, self._popen.pid, seconds)

    def said(self) -> list[str]:
        """Give the last lines of its stderr."""
        return self._stderr.last()

    def end(self) -> None:
        """End the process and whatever it has started, and reap it."""
        if self._is_over:
            return
        self._is_over = True
        self.close_stdin()
        if not self._exited.wait(_TERMINATE_SECONDS / 2):
            self._group.terminate()
            if not self._exited.wait(_TERMINATE_SECONDS):
                self._group.kill()
                self._exited.wait(_KILL_SECONDS)
        # It is not reaped yet, so the number of its group is still its own.
        self._group.kill()
        leftovers.end(self._mark, self._popen.pid)
        self._popen.wait(_KILL_SECONDS)
        self._stop.set()
        has_said = self._stderr.join(_KILL_SECONDS)
        self._reading.join(_KILL_SECONDS)
        if has_said and not self._reading.is_alive():
            self._stop.close()

    def _watch(self) -> None:
        self._group.wait_leader()
        self._exited.set()

    def _read(self) -> None:
        try:
            while data := self._source.read():
                for line in self._reader.feed(data):
                    self._put(line)
        finally:
            self._put(Ended(self._reader.rest()))
            self._source.close()

    def _put(self, line: bytes | OverLong) -> None:
        """Hand a line on; whoever reads no more of it lets it fall."""
        while not self._is_over:
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=0.1)
                return


def _started(
    command: Sequence[str], cwd: str | None, environment: Mapping[str, str]
) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=dict(environment),
            **groups.STARTED_APART,
        )
    except (OSError, ValueError) as error:
        raise ConnectFailed(f"cannot start {command[0]}: {error}") from error


TERMINATE = signal.SIGTERM
"""What asks a server to end."""

INTERRUPT = signal.SIGINT
"""What a person at a terminal sends to all that run there."""


def heeds_interrupts() -> bool:
    """Whether this program does, and so those that it starts: who is started in the background may be told not to."""
    return signal.getsignal(INTERRUPT) is not signal.SIG_IGN


IS_POSIX = sys.platform != "win32"
"""Whether signals and groups of processes are what they are on POSIX."""
