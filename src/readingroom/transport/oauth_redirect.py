"""The place on this machine to which the browser is sent back: one attempt, one answer, then it is gone (CL-9).

Whatever is not the answer to this attempt is refused, and waited past: a page of others may call this place, too.
"""

import contextlib
import os
import queue
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from types import TracebackType
from typing import Any, Self

from ..client.oauth_attempts import NotOurs
from ..errors import LoginFailed

HOST = "127.0.0.1"
PATH = "/callback"
_READ_S = 10.0
_SLICE_S = 0.5
_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>
<body style="font: 1.1em system-ui; max-width: 32em; margin: 4em auto"><h1>{title}</h1><p>{text}</p></body></html>
"""
_FIELDS = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Connection": "close",
}

Take = Callable[[str], Any]
"""Reads the query of an answer. Raises: NotOurs for one to another attempt, LoginFailed for one that says no."""


class RedirectListener:
    """Listens at a redirect URI on this machine; with none given, at a free port of 127.0.0.1.

    Raises: LoginFailed when the port of the URI that was given is in use.
    """

    def __init__(self, redirect_uri: str = "") -> None:
        port, path = _parted(redirect_uri) if redirect_uri else (0, PATH)
        self._answers: queue.SimpleQueue[tuple[Any, LoginFailed | None]] = queue.SimpleQueue()
        self._take: Take | None = None
        try:
            self._server = _Server((HOST, port), _handler(path, self._answered))
        except OSError as error:
            raise LoginFailed(
                f"nothing can listen at {redirect_uri or HOST}: {error.strerror or error}"
            ) from None
        self.redirect_uri = redirect_uri or f"http://{HOST}:{self._server.server_address[1]}{PATH}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, name="login", daemon=True
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def expect(self, take: Take) -> None:
        """From now on have what comes read by `take`; before that, nothing is an answer."""
        self._take = take

    def wait(self, seconds: float) -> Any:
        """Give what `take` made of the answer. Raises: LoginFailed, also when none comes within `seconds`."""
        value, problem = self._next(seconds)
        if problem is not None:
            raise problem
        return value

    def _next(self, seconds: float) -> tuple[Any, LoginFailed | None]:
        """Wait for an answer in slices, for on Windows Ctrl-C is heard between two waits alone."""
        ends = time.monotonic() + seconds
        while (left := ends - time.monotonic()) > 0:
            with contextlib.suppress(queue.Empty):
                return self._answers.get(timeout=min(left, _SLICE_S))
        raise LoginFailed(f"nobody came back from the browser within {seconds:g} s")

    def _answered(self, query: str) -> tuple[int, str, str]:
        """Take an answer, and give the status, the title and the text of the page for the person."""
        take = self._take or _nothing
        try:
            self._answers.put((take(query), None))
            self._take = None
        except NotOurs:
            return 400, "Not this login", "This answer belongs to another login. Begin again where you began."
        except LoginFailed as error:
            self._answers.put((None, error))
            self._take = None
            return 200, "Not logged in", "The program that you came from says why. You may close this page."
        return 200, "Logged in", "You may close this page and go back to the program that you came from."


def _nothing(_query: str) -> Any:
    raise NotOurs


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = os.name == "posix"  # on Windows it would let others take over the port

    def server_bind(self) -> None:
        """Bind, without asking the network what this machine is called."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, self.server_address[1]

    def handle_error(self, _request: Any, _client_address: Any) -> None:
        """A browser that goes away is no event."""


def _handler(path: str, answered: Callable[[str], tuple[int, str, str]]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Answers a browser; browsers also open connections on which they say nothing."""

        timeout = _READ_S
        server_version = "readingroom"
        sys_version = ""

        def do_GET(self) -> None:
            """Take the answer, or say that there is nothing here."""
            where, _, query = self.path.partition("?")
            if where == path:
                self._page(*answered(query))
            else:
                self._page(404, "Nothing here", "This is the place where a login ends.")

        def _page(self, status: int, title: str, text: str) -> None:
            body = _PAGE.format(title=title, text=text).encode()
            self.send_response(status)
            for name, value in {**_FIELDS, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_given: Any) -> None:
            """Say nothing: the request line holds a code."""

    return Handler


def _parted(redirect_uri: str) -> tuple[int, str]:
    """Cut a redirect URI into its port and its path."""
    authority, slash, path = redirect_uri.partition("://")[2].partition("/")
    port = authority.rpartition("]")[2].rpartition(":")[2]
    return (int(port) if port.isdigit() else 80), f"{slash}{path}"
