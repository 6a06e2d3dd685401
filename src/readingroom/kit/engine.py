"""What `Client` and `AsyncClient` share: the connection, how requests are sent on it, and what is known of the server."""

import threading
from collections.abc import Callable
from typing import Any

from ..client import Discovery, KnownTools, Operation, Violations
from ..errors import Closed, ConnectFailed, InputRequired, RemoteError, TimedOut, UsageError
from ..protocol import SUPPORTED
from ..transport.connection import Connection
from ..transport.pending import InFlight, OnNotice, OnProgress
from .settings import Settings, seconds


class Engine:
    """One client's engine. Everything may be called from any thread."""

    def __init__(
        self,
        connect: Callable[["Engine"], Connection],
        settings: Settings,
    ) -> None:
        """`connect` opens a connection; it is given this engine for its `builder`, `violations` and `tools`."""
        self.settings = settings
        self.builder = settings.builder()
        self._callbacks = settings.callbacks()
        self.violations = Violations()
        self.tools = KnownTools()
        self._connect = connect
        self._lock = threading.Lock()
        self.connection: Connection | None = None
        self._server: Discovery | None = None
        self._has_begun = False

    @property
    def server(self) -> Discovery:
        """What the server said of itself. Raises: UsageError before it was asked."""
        if self._server is None:
            raise UsageError("the client has not been opened")
        return self._server

    @property
    def has_begun(self) -> bool:
        """Whether it has ever been opened."""
        return self._has_begun

    def open(self) -> None:
        """Connect and ask the server what it is. Raises: ConnectFailed, PeerProtocolError, UsageError."""
        with self._lock:
            if self.connection is not None:
                raise UsageError("the client is open")
            self.violations, self.tools = Violations(), KnownTools()
            self.connection = self._connect(self)
            self._has_begun = True
        try:
            self._server = self._first_discovery()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the connection; may be called at any time, again, and from any thread."""
        connection = self.connection
        if connection is not None:
            connection.close(self.settings.close_seconds)
            with self._lock:
                if self.connection is connection:
                    self.connection = None

    def send(
        self,
        operation: Operation,
        timeout: float | None = None,
        on_progress: OnProgress | None = None,
        relay: OnProgress | None = None,
        on_notice: OnNotice | None = None,
    ) -> InFlight:
        """Send what `operations` made; `relay` gets progress at once, in the reading thread."""
        wants = on_progress is not None or relay is not None
        prepared = self.builder.prepare(operation.method, operation.params, progress=wants)
        allowed = self.settings.timeout if timeout is None else seconds(timeout)
        return self._opened().send(prepared, allowed, on_progress, relay, on_notice=on_notice)

    @property
    def may_go_on(self) -> bool:
        """Whether a new request can be sent, after all that has happened."""
        connection = self.connection
        return connection is not None and connection.over is None

    def has_room(self) -> bool:
        """Say whether a request can be sent without waiting for anything."""
        return self._opened().has_room()

    def calls_for(self, asks: dict[str, Any], asked: InputRequired) -> dict[str, Callable[[], Any]]:
        """Give what is to be called to answer each of `asks`. Raises: `asked` itself when there is nothing for one."""
        found = {key: self._callbacks.of(ask) for key, ask in asks.items()}
        calls = {key: call for key, call in found.items() if call is not None}
        if len(calls) < len(asks):
            raise asked
        return calls

    def checked(self, found: Discovery) -> Discovery:
        """Give what was discovered, if the server speaks our version. Raises: ConnectFailed."""
        if not set(SUPPORTED) & set(found.supported_versions):
            raise ConnectFailed(
                f"{self.settings.target} speaks {found.supported_versions}, not {SUPPORTED[0]}"
            )
        return found

    def _opened(self) -> Connection:
        connection = self.connection
        if connection is None:
            raise UsageError("the client is not open")
        return connection

    def _first_discovery(self) -> Discovery:
        """Discover, and say of whatever fails that the server could not be connected to."""
        try:
            found = self.send(Operation("server/discover")).answer()
            assert isinstance(found, Discovery)  # noqa: S101  -- the method has one reader; for the type checker
            return self.checked(found)
        except RemoteError as error:
            raise ConnectFailed(
                f"{self.settings.target} does not speak MCP {SUPPORTED[0]}: {_refusal(error)}"
            ) from error
        except (Closed, TimedOut) as error:
            raise ConnectFailed(f"{self.settings.target} did not answer: {error}") from error


def _refusal(error: RemoteError) -> str:
    supported = error.data.get("supported") if isinstance(error.data, dict) else None
    return f"it speaks {supported}" if supported else f"it answered server/discover with {error}"
