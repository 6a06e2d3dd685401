"""A command of ours at a pseudo-terminal, as a person or a program would sit at it. Not for Windows."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from typing import IO, Self

_PATIENCE_S = 60.0
_COLUMNS = 240
"""Wide enough that no sentence is folded."""


class PseudoTerminal:
    """A running `readingroom …` whose controlling terminal is ours; `streams` replaces some of its three streams."""

    def __init__(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str] | None = None,
        streams: Mapping[int, int | IO[bytes]] | None = None,
    ) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, _COLUMNS, 0, 0))
        given = {0: slave, 1: slave, 2: slave, **(streams or {})}
        name = os.ttyname(slave)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "readingroom", *arguments],
            stdin=given[0],
            stdout=given[1],
            stderr=given[2],
            env={**os.environ, "TERM": "dumb", **(environment or {})},
            start_new_session=True,
            preexec_fn=lambda: _control(name),  # noqa: PLW1509  # no thread of ours holds a lock that this needs
        )
        os.close(slave)
        self.seen = ""
        self._read = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self.hang_up()

    def hang_up(self) -> None:
        """Close the terminal, as a window is closed."""
        if self._master >= 0:
            os.close(self._master)
        self._master = -1

    def wait(self) -> int:
        """Wait for the end, and give the exit code."""
        return self._process.wait(_PATIENCE_S)

    def expect(self, text: str) -> str:
        """Wait until a text is shown, and give everything up to its end since the last one that was waited for."""
        until = time.monotonic() + _PATIENCE_S
        while text not in self.seen[self._read :]:
            if not self._more(until):
                raise AssertionError(f"{text!r} did not come; there was {self.seen[self._read :]!r}")
        end = self.seen.index(text, self._read) + len(text)
        found = self.seen[self._read : end]
        self._read = end
        return found

    def type(self, line: str) -> None:
        """Type a line, and Enter."""
        os.write(self._master, line.encode() + b"\n")

    def answer(self, question: str, line: str) -> str:
        """Type a line when a question is shown, and give what was shown before."""
        shown = self.expect(question)
        self.type(line)
        return shown

    def press(self, keys: bytes) -> None:
        """Send bytes as they are: Ctrl-C, Ctrl-D."""
        os.write(self._master, keys)

    @property
    def echoes(self) -> bool:
        """Whether what is typed now would be shown."""
        return bool(termios.tcgetattr(self._master)[3] & termios.ECHO)

    def end(self) -> tuple[int, str]:
        """Wait for the end, and give the exit code and everything that was shown."""
        until = time.monotonic() + _PATIENCE_S
        while self._more(until):
            pass
        return self.wait(), self.seen

    def _more(self, until: float) -> bool:
        """Read what is shown next; False at the end."""
        left = until - time.monotonic()
        if left <= 0:
            raise AssertionError(f"nothing more came; there was {self.seen[self._read :]!r}")
        ready = select.poll()  # unlike select, for descriptors of any number
        ready.register(self._master, select.POLLIN)
        if not ready.poll(left * 1000):
            return True
        try:
            data = os.read(self._master, 65536)
        except OSError:  # the last that held the terminal has closed it
            return False
        self.seen += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(data)


def _control(name: str) -> None:
    """Make the terminal the controlling one of this process, which leads a session of its own."""
    handle = os.open(name, os.O_RDWR)
    fcntl.ioctl(handle, termios.TIOCSCTTY, 0)
    os.close(handle)
