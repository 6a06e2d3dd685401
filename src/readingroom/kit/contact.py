"""How a client and a server come to speak: which era the server is of, and what it says of itself (requirements §6).

Sends on a connection that is there, and says when another one is needed; opens and closes none.
"""

import threading
import time
from collections.abc import Callable

from ..client import Discovery, Greeting, RequestBuilder, eras
from ..client.operations import Operation, discover
from ..errors import Closed, ConnectFailed, ReadingRoomError, RemoteError, TimedOut
from ..protocol import SUPPORTED
from ..protocol.eras import OLDER
from ..transport.connection import Connection, OnAsked
from ..transport.pending import InFlight, OnNotice
from ..wire import UNSUPPORTED_VERSION
from .settings import Settings

# A wait goes in steps, because an interrupt that another thread receives only takes effect between them.
_STEP = 1.0


class Contact:
    """One first contact. `reconnect` gives another connection in place of one that the server has ended."""

    def __init__(
        self,
        connection: Connection,
        settings: Settings,
        *,
        reconnect: Callable[[], Connection],
        on_asked: OnAsked,
        on_notice: OnNotice,
    ) -> None:
        self._connection = connection
        self._settings = settings
        self._reconnect = reconnect
        self._on_asked = on_asked
        self._on_notice = on_notice
        self._probe: InFlight | None = None

    def make(self, era: str) -> tuple[Discovery, RequestBuilder]:
        """Come to speak, and give what the server is and what builds the requests for it.

        Raises: ConnectFailed, PeerProtocolError.
        """
        if era == "older":
            return self._greeted(None)
        try:
            return self._discovered()
        except ConnectFailed:
            raise
        except ReadingRoomError as error:
            if era == "modern" or not self._is_older(error):
                raise self._failure(error) from error
            return self._greeted(error)

    def _discovered(self) -> tuple[Discovery, RequestBuilder]:
        """Discover; once more when a server that refused our version says that it speaks it (VER-3). Raises: as `_asked`."""
        try:
            return self._asked()
        except RemoteError as error:
            if not set(SUPPORTED) & set(eras.supported_by(error) or ()):
                raise
        return self._asked()

    def _asked(self) -> tuple[Discovery, RequestBuilder]:
        """Ask as today's era does (ERA-1). Raises: the error that this ended with; TimedOut when nothing has come."""
        builder = self._settings.builder()
        self._probe = self._send(builder, discover())
        patience = self._settings.timeout
        if self._settings.era == "auto":
            patience = min(patience, self._settings.probe_seconds)
        if patience < self._settings.timeout and not _has_ended(self._probe, patience):
            raise TimedOut(f"server/discover got no answer in {patience:g} s")
        found = self._probe.answer()
        assert isinstance(found, Discovery)  # noqa: S101  -- the method has one reader; for the type checker
        if eras.only_older(found.supported_versions):
            raise RemoteError(
                UNSUPPORTED_VERSION, "no version of ours", {"supported": found.supported_versions}
            )
        return checked(found, self._settings), builder

    def _is_older(self, error: ReadingRoomError) -> bool:
        """Say whether a failed discovery speaks for an older server (ERA-2 to ERA-4, VER-3)."""
        if isinstance(error, RemoteError) and eras.only_older(eras.supported_by(error)):
            return True
        return not eras.is_modern(error) and self._connection.suggests_older(error)

    def _greeted(self, cause: ReadingRoomError | None) -> tuple[Discovery, RequestBuilder]:
        """Shake hands as the older era does, after `cause` spoke for it (LEG-1). Raises: ConnectFailed."""
        if isinstance(cause, Closed):
            self._connection = self._reconnect()
        # A discovery that is still open would be read by the wrong rules.
        is_open = isinstance(cause, TimedOut)
        if not is_open:
            self._connection.turn_older(self._on_asked, self._on_notice)
        builder = self._settings.builder(eras.NEWEST)
        try:
            operation = eras.initialize(builder.identity, builder.capabilities)
            found = self._send(builder, operation).answer()
        except ReadingRoomError as error:
            late = self._late()
            if late is not None:
                return late
            if is_open and isinstance(error, Closed):
                # Some servers break at a request before the handshake, and show it only at the next one.
                return self._greeted(error)
            raise self._failure(cause or error, error) from error
        # A server that was slow to start is of today's era all the same, if it says so.
        late = self._late() if is_open else None
        if late is not None:
            return late
        assert isinstance(found, Greeting)  # noqa: S101  -- the method has one reader; for the type checker
        if found.version not in OLDER:
            raise ConnectFailed(
                f"{self._settings.target} answered initialize with the version {found.version!r:.40}"
            )
        if is_open:
            self._connection.turn_older(self._on_asked, self._on_notice)
        self._connection.notify("notifications/initialized")
        return found, self._settings.builder(found.version)

    def _late(self) -> tuple[Discovery, RequestBuilder] | None:
        """Give the answer to the discovery, if it has come meanwhile; else nobody waits for it any more."""
        probe = self._probe
        if probe is None:
            return None
        probe.cancel()
        found = probe.value if probe.error is None else None
        if isinstance(found, Discovery) and set(SUPPORTED) & set(found.supported_versions):
            return found, self._settings.builder()
        return None

    def _send(self, builder: RequestBuilder, operation: Operation) -> InFlight:
        return self._connection.send(
            builder.prepare(operation.method, operation.params), self._settings.timeout
        )

    def _failure(self, error: ReadingRoomError, second: ReadingRoomError | None = None) -> ReadingRoomError:
        """Say of what failed that the server could not be connected to, and of both tries why (ERA-5)."""
        target = self._settings.target
        also = f"; and initialize ended with: {second}" if second is not None and second is not error else ""
        if isinstance(error, RemoteError):
            return ConnectFailed(f"{target} does not speak MCP {SUPPORTED[0]}: {_refusal(error)}{also}")
        if isinstance(error, Closed | TimedOut):
            return ConnectFailed(f"{target} did not answer: {error}{also}")
        return error


def checked(found: Discovery, settings: Settings) -> Discovery:
    """Give what was discovered, if the server speaks our version. Raises: ConnectFailed."""
    if not set(SUPPORTED) & set(found.supported_versions):
        raise ConnectFailed(f"{settings.target} speaks {found.supported_versions}, not {SUPPORTED[0]}")
    return found


def _refusal(error: RemoteError) -> str:
    supported = eras.supported_by(error)
    return f"it speaks {supported}" if supported else f"it answered with {error}"


def _has_ended(pending: InFlight, seconds: float) -> bool:
    """Wait until a request has ended, and say whether it has; it goes on if not."""
    ended = threading.Event()
    pending.add_done_callback(ended.set)
    until = time.monotonic() + seconds
    while not ended.is_set() and (left := until - time.monotonic()) > 0:
        ended.wait(min(left, _STEP))
    return ended.is_set()
