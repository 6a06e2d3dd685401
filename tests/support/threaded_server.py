"""A server of HTTP in a thread of the test."""

import http.client
import threading
from typing import Any

from readingroom.errors import TransportError
from readingroom.limits import Limits
from readingroom.transport.uvicorn_server import Site, serve

from .processes import PATIENCE


class Serving:
    """A server in a thread, once it serves or has failed. `told` has the lines of its log."""

    def __init__(self, app: Any, limits: Limits | None = None, **more: Any) -> None:
        self.told: list[str] = []
        self.origin = ""
        self.stopping = threading.Event()
        self.codes: list[Any] = []
        self._is_started = threading.Event()
        self._thread = threading.Thread(target=self._serve, args=(app, limits or Limits(), more), daemon=True)
        self._thread.start()
        assert self._is_started.wait(PATIENCE)

    def _serve(self, app: Any, limits: Limits, more: dict[str, Any]) -> None:
        try:
            code: Any = serve(
                app,
                Site(port=0, **more),
                limits=limits,
                started=self._started,
                tell=self.told.append,
                stopping=self.stopping,
            )
        except TransportError as error:
            code = error
        self.codes.append(code)
        self._is_started.set()

    def _started(self, origin: str) -> None:
        self.origin = origin
        self._is_started.set()

    @property
    def address(self) -> tuple[str, int]:
        """The host and the port."""
        host, _, port = self.origin.removeprefix("http://").rpartition(":")
        return host, int(port)

    def connection(self) -> http.client.HTTPConnection:
        """Give a connection to it."""
        return http.client.HTTPConnection(self.origin.removeprefix("http://"), timeout=PATIENCE)

    def end(self) -> Any:
        """End it, and give its exit code, or what it has raised."""
        self.stopping.set()
        self._thread.join(PATIENCE)
        return self.codes[0]
