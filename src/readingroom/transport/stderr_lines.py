"""What a server writes to stderr: passed on line by line, and its last lines kept for the texts of errors.

It is a log in free form (STDIO-2), never a sign of failure, and is read on whatever the receiver does, since a server
whose stderr is full stops.
"""

import threading
from collections import deque
from collections.abc import Callable
from typing import Protocol, TypeAlias

from .pipes import PipeReader

_LONGEST = 8_192
_KEPT_LINES = 10
_KEPT_CHARACTERS = 500


class WritesText(Protocol):
    """Anything with `write`, such as an open text file."""

    def write(self, text: str, /) -> object:
        """Take a line with its end."""


StderrSink: TypeAlias = Callable[[str], object] | WritesText


class StderrLines:
    """Reads one stderr in a thread of its own. A callable gets lines without their end, a file gets them with it."""

    def __init__(self, source: PipeReader, sink: StderrSink) -> None:
        self._source = source
        self._send: Callable[[str], object] | None = _sender(sink)
        self._kept: deque[str] = deque(maxlen=_KEPT_LINES)
        self._thread = threading.Thread(target=self._run, name="readingroom-stderr", daemon=True)
        self._thread.start()

    def last(self) -> list[str]:
        """Give the last lines, each cut to a readable length."""
        return list(self._kept)

    def join(self, timeout: float) -> bool:
        """Wait for the end of the stream; False when it has not come."""
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self) -> None:
        rest = b""
        try:
            while data := self._source.read():
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    self._take(line)
                if len(rest) > _LONGEST:
                    self._take(rest)
                    rest = b""
            if rest:
                self._take(rest)
        finally:
            self._source.close()

    def _take(self, line: bytes) -> None:
        """Keep a line and pass it on; a receiver that fails gets no more."""
        text = line.decode("utf-8", "replace").rstrip("\r")
        self._kept.append(text[:_KEPT_CHARACTERS])
        if self._send is None:
            return
        try:
            self._send(text)
        except Exception as error:  # noqa: BLE001  -- a receiver's failure must not stop the server
            self._send = None
            self._kept.append(f"(what receives these lines failed: {error!r:.200})")


def _sender(sink: StderrSink) -> Callable[[str], object]:
    if callable(sink):
        return sink
    write = sink.write
    return lambda text: write(text + "\n")
