"""A server as a child process behind two pipes, driven so cheaply that the driver does not set the limit.

Knows bytes and lines alone: no JSON, no protocol.
"""

import os
import signal
import subprocess
import tempfile
import threading
import time
from types import TracebackType
from typing import Self

READ = 1 << 20
WRITE = 1 << 16


class Broken(Exception):
    """The server ended, or took longer than it may, before it had answered. Holds the tail of its standard error."""


class Child:
    """One started server. As a context manager it is ended, with all its children, on leaving."""

    def __init__(self, command: list[str], env: dict[str, str] | None = None, allowed: float = 60.0) -> None:
        """Start `command`; each exchange may take `allowed` seconds. `began` is the moment before the start."""
        self.allowed = allowed
        self._noise = tempfile.TemporaryFile()  # noqa: SIM115  closed by end()
        self.began = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._noise, bufsize=0, env=env,
            start_new_session=True,
        )  # fmt: skip
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._in, self._out = self.process.stdin.fileno(), self.process.stdout.fileno()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def exchange(self, request: bytes) -> tuple[float, bytes]:
        """Send one line and wait for one. Returns the moment of the answer and the answer. Raises Broken."""
        with Watchdog(self):
            os.write(self._in, request)
            answer = os.read(self._out, READ)
            while not answer.endswith(b"\n"):
                answer += self._more()
            return time.perf_counter(), answer

    def one_by_one(self, requests: list[bytes]) -> tuple[list[float], list[bytes]]:
        """Send each request when the one before is answered. Returns seconds and answers. Raises Broken."""
        clock, write, read, to, of = time.perf_counter, os.write, os.read, self._in, self._out
        seconds, answers = [], []
        with Watchdog(self):
            for request in requests:
                began = clock()
                write(to, request)
                answer = read(of, READ)
                while not answer.endswith(b"\n"):
                    answer += self._more()
                seconds.append(clock() - began)
                answers.append(answer)
        return seconds, answers

    def pipelined(self, requests: list[bytes]) -> tuple[float, list[bytes]]:
        """Write all requests without waiting. Returns the seconds from first byte to last answer. Raises Broken."""
        block = memoryview(b"".join(requests))
        writer = threading.Thread(target=self._write, args=(block,), daemon=True)
        chunks, owed = [], len(requests)
        with Watchdog(self):
            began = time.perf_counter()
            writer.start()
            while owed > 0:
                chunk = self._more()
                owed -= chunk.count(b"\n")
                chunks.append(chunk)
            seconds = time.perf_counter() - began
        writer.join()
        return seconds, b"".join(chunks).splitlines()

    def end(self) -> None:
        """Close its input, give it 2 seconds, then kill whatever is left of its session."""
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.kill()
            self.process.wait()
        self._noise.close()

    def kill(self) -> None:
        """End it at once, with its children."""
        if hasattr(os, "killpg"):
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                return
        else:
            self.process.kill()

    def _write(self, block: memoryview) -> None:
        sent = 0
        try:
            while sent < len(block):
                sent += os.write(self._in, block[sent : sent + WRITE])
        except OSError:
            return  # the reader finds the stream closed and says so

    def _more(self) -> bytes:
        chunk = os.read(self._out, READ)
        if not chunk:
            raise Broken(f"the server ended early or was stopped after {self.allowed} s: {self._tail()}")
        return chunk

    def _tail(self) -> str:
        self._noise.seek(0)
        return self._noise.read()[-2000:].decode(errors="replace")


class Watchdog:
    """Kills a child that takes too long, from a thread, so that the measured reads need no time limit of their own."""

    def __init__(self, child: Child) -> None:
        self._timer = threading.Timer(child.allowed, child.kill)
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
