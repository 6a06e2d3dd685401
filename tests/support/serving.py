"""A server on HTTP in a process of its own, on a free port."""

import contextlib
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from .processes import PATIENCE, until

HOST = "127.0.0.1"


@contextlib.contextmanager
def served(*command: str, path: str = "/mcp") -> Iterator[str]:
    """Run Python with `command`, in which `{port}` stands for a free port, and give the server's address once it answers.

    The process is told to end when the block ends, and must do so by itself.
    """
    port = free_port()
    words = [word.replace("{port}", str(port)) for word in command]
    with tempfile.TemporaryFile() as stderr:
        process = subprocess.Popen([sys.executable, *words], stdin=subprocess.DEVNULL, stderr=stderr)

        def told() -> str:
            stderr.seek(0)
            return stderr.read().decode(errors="replace")[-3000:]

        def answers() -> bool:
            assert process.poll() is None, f"the server has ended: {told()}"
            with socket.socket() as tried:
                return tried.connect_ex((HOST, port)) == 0

        try:
            until(answers)
            yield f"http://{HOST}:{port}{path}"
        finally:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                raise AssertionError(f"the server does not end: {told()}") from None


def free_port() -> int:
    """Give a port that nobody listens at."""
    with socket.socket() as held:
        held.bind((HOST, 0))
        return int(held.getsockname()[1])
