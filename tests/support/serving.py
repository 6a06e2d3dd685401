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
def served(
    *command: str, path: str = "/mcp", program: str = sys.executable, env: dict[str, str] | None = None
) -> Iterator[str]:
    """Run `program`, which is Python, with `command`, and give the server's address once it answers.

    In the command `{port}` stands for a free port.

    The process is told to end when the block ends, and must do so by itself.
    """
    port = free_port()
    words = [word.replace("{port}", str(port)) for word in command]
    with tempfile.TemporaryFile() as stderr:
        process = subprocess.Popen([program, *words], stdin=subprocess.DEVNULL, stderr=stderr, env=env)

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
