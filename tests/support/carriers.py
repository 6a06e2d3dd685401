"""Processes of `readingroom serve` on stdin and stdout, and over HTTP, that are asked one request after the other, raw."""

import contextlib
import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .messages import message
from .processes import PATIENCE, until
from .serving import HOST, free_port

ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
SERVE = [sys.executable, "-m", "readingroom", "serve"]


class Stdio:
    """A process on stdin and stdout."""

    def __init__(self, *arguments: str, env: dict[str, str] | None = None) -> None:
        pipes: dict[str, Any] = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.DEVNULL,
        }
        self.process = subprocess.Popen([*SERVE, *arguments], env={**os.environ, **(env or {})}, **pipes)
        self._next = 0

    def ask(self, method: str, **members: Any) -> dict[str, Any]:
        """Send one request; its answer, or of a listen its acknowledgement."""
        self._next += 1
        self.send(message(self._next, method, members))
        told = self.hear()
        while told.get("id") != self._next and told.get("method") != ACKNOWLEDGED:
            told = self.hear()
        return told

    def send(self, value: dict[str, Any]) -> None:
        """Write one line."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(value).encode() + b"\n")
        self.process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        """The next message."""
        assert self.process.stdout is not None
        told: dict[str, Any] = json.loads(self.process.stdout.readline())
        return told

    def close(self, *, kill: bool = False) -> None:
        """End it, or kill it."""
        if kill:
            self.process.kill()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        self.process.wait(PATIENCE)
        self.process.stdout.close()


class Http:
    """One that speaks HTTP to a server, with a token or without."""

    def __init__(self, port: int, token: str = "") -> None:
        self.port = port
        self.token = token

    def ask(self, method: str, **members: Any) -> dict[str, Any]:
        """Send one request; its answer, of a listen its acknowledgement, and {"status": ...} where there is no message."""
        with self.sent(message(1, method, members)) as (status, lines):
            told = next(lines, None)
        return told if told is not None else {"status": status}

    @contextlib.contextmanager
    def sent(self, value: dict[str, Any]) -> Iterator[tuple[int, Iterator[dict[str, Any]]]]:
        """Send a message; the status, and the messages as they come."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=PATIENCE)
        try:
            connection.request("POST", "/mcp", json.dumps(value), self._headers(value))
            answer = connection.getresponse()
            yield answer.status, _messages(answer)
        finally:
            connection.close()

    def _headers(self, value: dict[str, Any]) -> dict[str, str]:
        named = value["params"].get("name") or value["params"].get("uri")
        return {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2026-07-28",
            "Mcp-Method": value["method"],
            **({"Mcp-Name": named} if named else {}),
            **({"Authorization": f"Bearer {self.token}"} if self.token else {}),
        }


def _messages(answer: http.client.HTTPResponse) -> Iterator[dict[str, Any]]:
    if answer.status >= 400 and "json" not in (answer.getheader("Content-Type") or ""):
        return
    if "event-stream" not in (answer.getheader("Content-Type") or ""):
        told = json.loads(answer.read() or b"{}")
        if "jsonrpc" in told:
            yield told
        return
    for line in answer:
        if line.startswith(b"data:") and line.strip() != b"data:":
            yield json.loads(line.removeprefix(b"data:"))


@contextlib.contextmanager
def over_http(*arguments: str, env: dict[str, str] | None = None) -> Iterator[int]:
    """Serve over HTTP; the port, once it answers."""
    port = free_port()
    process = subprocess.Popen(
        [*SERVE, *arguments, "--http", f"{HOST}:{port}"],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, **(env or {})},
    )
    assert process.stderr is not None
    try:
        assert b"serving" in process.stderr.readline()
        until(lambda: is_well(port))
        yield port
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


def is_well(port: int) -> bool:
    """Whether what listens there says that it is well."""
    connection = http.client.HTTPConnection(HOST, port, timeout=PATIENCE)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def token(tokens: Path, role: str, name: str) -> str:
    """Make a token for a role, under a name; its secret."""
    tokens.parent.mkdir(mode=0o700, exist_ok=True)
    command = [sys.executable, "-m", "readingroom", "token", "add", "--stdout", "--role", role]
    command += ["--tokens", str(tokens), "--principal", name]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    return done.stdout.split()[-1]
