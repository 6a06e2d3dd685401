"""The HTTP server as a process, `bare_http.py`, spoken to in bytes over raw sockets."""

import contextlib
import json
import select
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .processes import PATIENCE, ServerProcess

GET = b"GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
BODY = b"POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nab"
HOLD = GET.replace(b"/a", b"/hold")
QUICK = {"head_seconds": 1.0, "body_seconds": 3.0, "stalled_seconds": 1.0, "idle_seconds": 1.0}


TELLS_OF_LEAVING = pytest.mark.skipif(
    not hasattr(select, "POLLRDHUP"), reason="Linux alone tells of it before everything is read"
)


class Http:
    """A process that serves `bare_http.py`."""

    def __init__(self, limits: dict[str, Any] | None = None, **site: Any) -> None:
        self.process = ServerProcess("bare_http.py", json.dumps(limits or {}), json.dumps(site))
        self._clients: list[socket.socket] = []
        self.origin = self.event("origin")["origin"]
        self.port = int(self.origin.rpartition(":")[2])

    def event(self, name: str) -> Any:
        """Give the next event that has this name."""
        while name not in (found := self.process.take()):
            pass
        return found

    def connect(self, *, receives: int | None = None) -> socket.socket:
        """Give a connection."""
        client = socket.socket()
        self._clients.append(client)
        if receives is not None:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
        client.settimeout(PATIENCE)
        client.connect(("127.0.0.1", self.port))
        return client

    def ask(self, data: bytes = GET) -> bytes:
        """Send bytes on a connection of their own, and give all that comes until it ends."""
        with self.connect() as client, contextlib.suppress(BrokenPipeError, ConnectionResetError):
            client.sendall(data)
            return rest_of(client)
        return b""

    def close(self) -> None:
        """End the process, and every connection to it."""
        for client in self._clients:
            client.close()
        self.process.close()

    def descriptors(self) -> int:
        """Count the descriptors that the process has open."""
        return len(list(Path(f"/proc/{self.process.process.pid}/fd").iterdir()))

    def is_serving(self) -> bool:
        """Whether a request is answered."""
        with self.connect() as client:
            client.sendall(GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            return rest_of(client).startswith(b"HTTP/1.1 200 ")


def rest_of(client: socket.socket) -> bytes:
    """Read until the end of a connection, however it ends."""
    out = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := client.recv(65536):
            out += piece
    return out


@contextlib.contextmanager
def serving(limits: dict[str, Any] | None = None, **site: Any) -> Iterator[Http]:
    """Run a server for a while."""
    http = Http(limits, **site)
    try:
        yield http
    finally:
        http.close()


def refused(**site: Any) -> "subprocess.CompletedProcess[str]":
    """Run a server that is not to start, and give what it has told."""
    command = [sys.executable, str(ServerProcess.script("bare_http.py")), "{}", json.dumps(site)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
