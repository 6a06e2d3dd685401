"""What `Client` and `AsyncClient` share: the connection, how requests are sent on it, and what is known of the server."""

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ..client import Answer, Cache, CallToolAnswer, Discovery, KnownTools, Operation, Violations
from ..client.shapes import Violation
from ..errors import Closed, ConnectFailed, InputRequired, UsageError
from ..transport.connection import Connection
from ..transport.pending import InFlight, OnNotice, OnProgress
from ..wire import RequestId, encode_value
from .contact import Contact, checked
from .older_questions import Questions
from .settings import Settings, seconds

# How many restarts within how many seconds are a server that does not run.
_MOST_RESTARTS, _RESTARTS_SECONDS = 5, 60.0


class UnaskedListener(Protocol):
    """Who hears what an older server tells of without being asked; `uris` are the resources that it subscribed to."""

    uris: tuple[str, ...]

    def hear_unasked(self, method: str, params: Mapping[str, Any]) -> None:
        """Take a notification, in the reading thread."""


class Engine:
    """One client's engine. Everything may be called from any thread."""

    def __init__(self, connect: Callable[["Engine"], Connection], settings: Settings) -> None:
        """`connect` opens a connection; it is given this engine for its `builder`, `violations` and `tools`."""
        self.settings = settings
        self._allowed = float(settings.timeout)
        self._ceiling = settings.ceiling_of(settings.timeout)
        self.builder = settings.builder()
        self._callbacks = settings.callbacks()
        self.violations = Violations()
        self.tools = KnownTools()
        self.cache = Cache(time.monotonic)
        self.questions = self._new_questions()
        self.listeners: set[UnaskedListener] = set()
        self._connect = connect
        self._lock = threading.Lock()
        self._restarting = threading.Lock()
        self._restarts: deque[float] = deque(maxlen=_MOST_RESTARTS)
        self.connection: Connection | None = None
        # The connection that a server has been met on; until then nothing but the meeting is sent.
        self._ready: Connection | None = None
        self._server: Discovery | None = None
        self._has_begun = False
        self._is_closing = False
        self._grace = settings.close_seconds

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
            loop, self.questions = self.questions.loop, self._new_questions()
            self.questions.loop = loop
            self._restarts.clear()
            self.builder = self.settings.builder()
            connection = self._connect(self)
            self._is_closing = False
            self._grace = self.settings.close_seconds
            self.connection = connection
            self._has_begun = True
        try:
            with self._restarting:
                self._begin(connection, self.settings.era)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the connection; may be called at any time, again, and from any thread."""
        connection = self.connection
        while connection is not None:
            self._is_closing = True
            connection.close(self._grace)
            with self._lock:
                if self.connection is connection:
                    self.connection = None
                connection = self.connection

    def abandon(self) -> None:
        """Close, and give a server that nobody has spoken with yet no time to end by itself."""
        self._grace = 0.0
        self.close()

    def send(
        self,
        operation: Operation,
        timeout: float | None = None,
        on_progress: OnProgress | None = None,
        relay: OnProgress | None = None,
        on_notice: OnNotice | None = None,
        ceiling: float | None = None,
    ) -> InFlight:
        """Send what `operations` made; `relay` gets progress at once, in the reading thread.

        `ceiling` is how long it may take in all, where that does not follow from `timeout`.

        A server that has ended is started again first, if that was not ruled out (STDIO-7).

        Raises: Closed, TimedOut; ConnectFailed when it cannot be started again; UsageError.
        """
        connection = self._ready
        if connection is None or connection is not self.connection or connection.over is not None:
            connection = self.running()
        self.questions.in_a_row = 0
        wants = on_progress is not None or relay is not None
        prepared = self.builder.prepare(operation.method, operation.params, progress=wants)
        if timeout is None:
            allowed, most = self._allowed, self._ceiling
        else:
            allowed = seconds(timeout)
            most = self.settings.ceiling_of(allowed)
        most = most if ceiling is None else ceiling
        return connection.send(prepared, allowed, on_progress, relay, ceiling=most, on_notice=on_notice)

    def fresh(self, operation: Operation) -> Answer | None:
        """Give an answer that is kept and fresh, if there is one."""
        key = self.cache.key(operation) if self.settings.cache else None
        return None if key is None else self.cache.find(key, self._opened().principal)

    def keeper(self, operation: Operation) -> Callable[[InFlight], None]:
        """Give what keeps the answer to a request that is about to be made; not what took rounds (MRTR-17)."""
        key = self.cache.key(operation) if self.settings.cache else None
        generation, principal = self.cache.generation, self._opened().principal

        def keep(pending: InFlight) -> None:
            answer = pending.value
            if key is not None and answer is not None and not self.is_older:
                self.cache.keep(key, answer, principal, generation, operation.params or {})

        return keep

    def check_of(self, tool: str) -> Callable[[Answer | None], None]:
        """Give what checks the answers of a tool by the output schema that it was listed with (TOOL-10).

        Raises: PeerProtocolError for a schema that cannot be used, and, later, for an answer that breaks it; both are
        only counted where the client is not strict.
        """
        try:
            check = self.tools.check_of(tool)
        except Violation as fault:
            self._broken(fault)
            return _pass
        if check is None:
            return _pass

        def checked(answer: Answer | None) -> None:
            try:
                if isinstance(answer, CallToolAnswer):
                    check(answer)
            except Violation as fault:
                self._broken(fault, answer)

        return checked

    def _broken(self, fault: Violation, answer: Answer | None = None) -> None:
        excerpt = b"" if answer is None else encode_value(answer.raw)
        error = self.violations.record(fault.rule, fault.detail, excerpt)
        if self.settings.strict:
            raise error from None

    @property
    def may_go_on(self) -> bool:
        """Whether a new request can be sent, after all that has happened."""
        connection = self.connection
        return connection is not None and (connection.over is None or self.settings.restart)

    @property
    def is_older(self) -> bool:
        """Whether the server is of the older era."""
        return self.builder.is_older

    def has_room(self) -> bool:
        """Say whether a request can be sent without waiting for anything."""
        connection = self._opened()
        return self._is_ready(connection) and connection.has_room()

    def calls_for(self, asks: dict[str, Any], asked: InputRequired) -> dict[str, Callable[[], Any]]:
        """Give what is to be called to answer each of `asks`. Raises: `asked` itself when there is nothing for one."""
        found = {key: self._callbacks.of(ask) for key, ask in asks.items()}
        calls = {key: call for key, call in found.items() if call is not None}
        if len(calls) < len(asks):
            raise asked
        return calls

    def checked(self, found: Discovery) -> Discovery:
        """Give what was discovered, if the server speaks our version. Raises: ConnectFailed."""
        return checked(found, self.settings)

    def _opened(self) -> Connection:
        connection = self.connection
        if connection is None:
            raise UsageError("the client is not open")
        return connection

    def running(self) -> Connection:
        """Give the connection, once one is there that requests may be sent on. Raises: ConnectFailed, UsageError."""
        connection = self._opened()
        return connection if self._is_ready(connection) else self._restarted()

    def _is_ready(self, connection: Connection) -> bool:
        return connection is self._ready and connection.over is None

    def _restarted(self) -> Connection:
        """Give a connection in place of one that has ended; of many who want it, the first makes it."""
        with self._restarting:
            connection = self._opened()
            if self._is_ready(connection) or not self.settings.restart:
                return connection
            now = time.monotonic()
            is_loop = len(self._restarts) == _MOST_RESTARTS and now - self._restarts[0] < _RESTARTS_SECONDS
            if is_loop:
                raise ConnectFailed(
                    f"{self.settings.target} has ended {_MOST_RESTARTS} times within a minute: {connection.over}"
                )
            self._restarts.append(now)
            return self._begin(self._replaced(connection), self.server.era)

    def _replaced(self, ended: Connection) -> Connection:
        """Connect anew in place of a connection that has ended. Raises: Closed when the client was closed meanwhile."""
        # A server that ended because of `close` must not be taken for one that has to be started another time.
        if self._is_closing:
            raise Closed("the client was closed")
        ended.close(self._grace)
        connection = self._connect(self)
        with self._lock:
            is_wanted = self.connection is ended and not self._is_closing
            if is_wanted:
                self.connection = connection
        if not is_wanted:
            connection.close(self._grace)
            raise Closed("the client was closed")
        return connection

    def _begin(self, connection: Connection, era: str) -> Connection:
        """Come to speak on a new connection, and give the one that it came to. Raises: ConnectFailed, PeerProtocolError."""
        self.cache.clear()
        current = connection

        def reconnect() -> Connection:
            nonlocal current
            current = self._replaced(current)
            return current

        def take(request_id: RequestId, method: str, params: Mapping[str, Any]) -> None:
            self.questions.take(current, request_id, method, params)

        contact = Contact(connection, self.settings, reconnect=reconnect, on_asked=take, on_notice=self._hear)
        try:
            self._server, self.builder = contact.make(era)
        except BaseException as error:
            # Whoever interrupts does not want to wait for the end, either.
            current.close(self._grace if isinstance(error, Exception) else 0.0)
            raise
        self._ready = current
        return current

    def _hear(self, method: str, params: Mapping[str, Any]) -> None:
        """Take a change that an older server tells of unasked, in the reading thread."""
        self.cache.hear(method, params)
        for listener in list(self.listeners):
            listener.hear_unasked(method, params)

    def _new_questions(self) -> Questions:
        most = self.settings.max_rounds
        return Questions(self._callbacks, self.builder.capabilities, self.violations, most)


def _pass(_: Answer | None) -> None:
    """Let an answer pass that there is nothing to check of."""
