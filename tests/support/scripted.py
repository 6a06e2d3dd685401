"""An HTTP server of a few lines that says whatever a test wants it to, right or wrong, and remembers what it was asked.

Each request is answered by a function: with bytes, which are sent as they are; with several pieces, sent one by one, after
which the connection is closed; or with None, which closes it without a word.
"""

import contextlib
import json
import select
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Self

import pytest

VERSION = "2026-07-28"
OLDER = "2025-11-25"
TOOLS = [{"name": "add", "inputSchema": {"type": "object"}}]


def forget_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the proxies not count that the environment of the tests names."""
    for name in ("http_proxy", "https_proxy", "no_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


class Heard:
    """One request as it came."""

    def __init__(
        self, verb: str, target: str, pairs: list[tuple[str, str]], body: bytes, gone: threading.Event
    ) -> None:
        self.verb = verb
        self.target = target
        self.pairs = pairs
        self.fields = dict(pairs)
        self.body = body
        self.gone = gone
        self.message: dict[str, Any] = json.loads(body) if body.startswith(b"{") else {}

    @property
    def method(self) -> str:
        """The method of the message, or the verb where there is none."""
        return str(self.message.get("method", self.verb if not self.message else "answer"))

    @property
    def id(self) -> Any:
        """The id of the message."""
        return self.message.get("id")

    @property
    def params(self) -> dict[str, Any]:
        """The parameters of the message."""
        found: dict[str, Any] = self.message.get("params", {})
        return found


Said = bytes | Iterable[bytes] | socket.socket | None


class Scripted:
    """The server. `heard` are the requests, in the order in which they came; `connections` counts those that were made."""

    def __init__(
        self, answer: Callable[[Heard], Said], port: int = 0, tls: ssl.SSLContext | None = None
    ) -> None:
        self._answer = answer
        self._tls = tls
        self._socket = socket.create_server(("127.0.0.1", port))
        self.port = self._socket.getsockname()[1]
        self._open: set[socket.socket] = set()
        self.heard: list[Heard] = []
        self.connections = 0
        self.url = f"http{'s' if tls else ''}://127.0.0.1:{self.port}/mcp"
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    @property
    def open(self) -> bool:
        """Whether there is a connection now."""
        return bool(self._open)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End it, and whatever it is about to say."""
        # An accept that waits is woken by this and not by closing.
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for connection in list(self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(10)

    def methods(self) -> list[str]:
        """Give the methods that were asked, in order."""
        return [heard.method for heard in self.heard]

    def of(self, method: str) -> list[Heard]:
        """Give the requests of one method, in order."""
        return [heard for heard in self.heard if heard.method == method]

    def _start(self, target: Callable[..., None], *arguments: Any) -> None:
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(target=target, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            self._open.add(connection)
            self._start(self._serve, connection)

    def _serve(self, plain: socket.socket) -> None:
        with contextlib.suppress(OSError), plain:
            connection = self._tls.wrap_socket(plain, server_side=True) if self._tls else plain
            try:
                self._take(connection)
            finally:
                connection.close()
        self._open.discard(plain)

    def _take(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection.makefile("rb") as stream:
            while (heard := _read(stream)) is not None:
                self.heard.append(heard)
                said = self._answer(heard)
                if isinstance(said, bytes):
                    connection.sendall(said)
                    continue
                if isinstance(said, socket.socket):
                    _join(connection, said)
                elif said is not None:
                    self._say(connection, said, heard)
                break

    def _say(self, connection: socket.socket, said: Iterable[bytes], heard: Heard) -> None:
        try:
            for piece in said:
                connection.sendall(piece)
                if _is_gone(connection):
                    break
        finally:
            if _is_gone(connection):
                heard.gone.set()


def _join(near: socket.socket, far: socket.socket) -> None:
    """Be a tunnel, as a proxy is."""
    near.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    with far:
        while True:
            for source in select.select([near, far], [], [])[0]:
                data = source.recv(65536)
                if not data:
                    return
                (far if source is near else near).sendall(data)


def _is_gone(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        connection.setblocking(True)


def _read(stream: Any) -> Heard | None:
    line = stream.readline()
    if not line.strip():
        return None
    words = line.decode("latin-1").split(" ", 2)
    if len(words) < 3:
        return None
    verb, target, _ = words
    pairs = []
    while (field := stream.readline()).strip():
        name, _, value = field.decode("latin-1").partition(":")
        pairs.append((name.lower(), value.strip()))
    body = stream.read(int(dict(pairs).get("content-length", "0")))
    return Heard(verb, target, pairs, body, threading.Event())


def reply(
    body: bytes | dict[str, Any] | list[Any], status: int = 200, kind: str = "application/json", **fields: str
) -> bytes:
    """Give a whole answer of HTTP; underscores in the names of fields stand for hyphens."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items())
    typed = f"Content-Type: {kind}\r\n" if kind else ""
    return f"HTTP/1.1 {status} X\r\n{typed}{named}Content-Length: {len(content)}\r\n\r\n".encode() + content


def result(heard: Heard, value: dict[str, Any], **fields: str) -> bytes:
    """Give a result as one message."""
    return reply({"jsonrpc": "2.0", "id": heard.id, "result": value}, **fields)


def error(heard: Heard, code: int, status: int = 200, **data: Any) -> bytes:
    """Give an error as one message."""
    inner = {"code": code, "message": "no", **({"data": data} if data else {})}
    return reply({"jsonrpc": "2.0", "id": heard.id, "error": inner}, status)


STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"


def event(message: dict[str, Any], **fields: str) -> bytes:
    """Give a message as an event."""
    named = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return f"{named}data: {json.dumps(message)}\n\n".encode()


def stream(*messages: dict[str, Any]) -> Iterator[bytes]:
    """Give a stream of events that ends by itself."""
    yield STREAM
    for message in messages:
        yield event(message)


CALLED = {"resultType": "complete", "content": [{"type": "text", "text": "3"}]}
HINTS = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


def good(heard: Heard) -> Said:
    """Answer as a server does that keeps the rules, with one tool."""
    if heard.method == "server/discover":
        capabilities = {"tools": {"listChanged": True}}
        return result(heard, {**HINTS, "supportedVersions": [VERSION], "capabilities": capabilities})
    if heard.method == "tools/list":
        return result(heard, {**HINTS, "tools": TOOLS})
    if heard.method == "tools/call":
        return result(heard, CALLED)
    return error(heard, -32601, 404)


def older(heard: Heard) -> Said:
    """Answer as a server of the older era does, with a session."""
    if heard.method == "initialize":
        found = {
            "protocolVersion": OLDER,
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "o", "version": "1"},
        }
        return result(heard, found, Mcp_Session_Id="s1")
    if heard.method == "DELETE":
        return reply(b"", 200, "")
    if heard.method == "GET":
        return reply(b"", 405, "")
    if heard.fields.get("mcp-session-id") is None:
        return reply(
            {"jsonrpc": "2.0", "id": "server-error", "error": {"code": -32600, "message": "no session"}}, 400
        )
    if heard.method == "tools/list":
        return result(heard, {"tools": TOOLS})
    if heard.method == "tools/call":
        return result(heard, {"content": [{"type": "text", "text": "3"}]})
    return reply(b"", 202, "")


def but(base: Callable[[Heard], Said], **methods: Callable[[Heard], Said]) -> Callable[[Heard], Said]:
    """Answer as `base` does, but for some methods; `tools_call` stands for `tools/call`."""

    def answer(heard: Heard) -> Said:
        name = heard.method.replace("/", "_")
        return methods[name](heard) if name in methods else base(heard)

    return answer
