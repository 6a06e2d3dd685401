"""A stdio server in a process of its own, driven in bytes, with a deadline on every wait."""

import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

SERVERS = Path(__file__).resolve().parent.parent / "fault" / "servers"
PATIENCE = float(os.environ.get("PATIENCE", "20"))
"""Seconds after which a wait has failed; far more than anything takes."""


class ServerProcess:
    """One server process. A thread reads its stdout, unless `reads` is False; None stands for the end of it."""

    def __init__(
        self,
        script: str,
        *arguments: str,
        env: dict[str, str] | None = None,
        options: tuple[str, ...] = (),
        reads: bool = True,
        **popen: Any,
    ) -> None:
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115  -- closed by `close`
        command = [sys.executable, *options, str(self.script(script)), *arguments]
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self._stderr, **popen}
        self.process = subprocess.Popen(command, env={**os.environ, **(env or {})}, **streams)
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        if reads and self.process.stdout is not None:
            threading.Thread(target=self._read, daemon=True).start()

    @staticmethod
    def script(name: str) -> Path:
        """Give the path of a server's script."""
        return SERVERS / name

    def _read(self) -> None:
        stdout = self.process.stdout
        assert stdout is not None
        for line in stdout:
            self._lines.put(line)
        self._lines.put(None)

    def write(self, data: bytes) -> None:
        """Write bytes as they are."""
        stdin = self.process.stdin
        assert stdin is not None
        stdin.write(data)
        stdin.flush()

    def send(self, *frames: bytes) -> None:
        """Write frames, each with its line end."""
        self.write(b"".join(frame + b"\n" for frame in frames))

    def send_apart(self, *frames: bytes) -> None:
        """Write frames from a thread of their own, as a client does that reads at the same time."""
        threading.Thread(target=self.send, args=frames, daemon=True).start()

    def end_input(self) -> None:
        """Close the server's stdin."""
        stdin = self.process.stdin
        assert stdin is not None
        stdin.close()

    def take_line(self) -> bytes | None:
        """Give the next line as it came, or None at the end."""
        try:
            return self._lines.get(timeout=PATIENCE)
        except queue.Empty:
            raise AssertionError(f"nothing came in {PATIENCE} s; stderr: {self.stderr()[-600:]!r}") from None

    def take(self) -> Any:
        """Give the next message, decoded."""
        line = self.take_line()
        assert line is not None, f"stdout has ended; stderr: {self.stderr()[-600:]!r}"
        assert line.endswith(b"\n")
        return json.loads(line)

    def take_answer(self, request_id: Any) -> Any:
        """Give the next message with that id; what comes before it is lost."""
        while True:
            message = self.take()
            found = message.get("id")
            if found == request_id and type(found) is type(request_id):
                return message

    def lines_waiting(self) -> int:
        """Say how many lines have come and not been taken."""
        return self._lines.qsize()

    def rest(self) -> list[Any]:
        """Give all messages up to the end of stdout."""
        return list(self._rest())

    def _rest(self) -> Iterator[Any]:
        while (line := self.take_line()) is not None:
            assert line.endswith(b"\n")
            yield json.loads(line)

    def wait(self, seconds: float = PATIENCE) -> int:
        """Wait for the process to end and give its exit code."""
        return self.process.wait(seconds)

    def stderr(self) -> str:
        """Give what it has written to stderr so far."""
        self._stderr.seek(0)
        return self._stderr.read().decode(errors="replace")

    def until(self, true: Callable[[], bool]) -> None:
        """Wait until `true` gives True."""
        until(true)

    def close(self) -> None:
        """End the process, whatever it does."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self._stderr):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()


def until(true: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait until `true` gives True, looking every few milliseconds."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not come to pass in time"
        time.sleep(0.005)
