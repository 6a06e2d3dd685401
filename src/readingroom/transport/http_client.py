"""The client's side of Streamable HTTP, in both eras: a `Connection` on which each message is a request of HTTP.

Each request has a thread while it is under way, and connections are used again. In the older era one more thread
listens to what the server says on its own account.
"""

import hashlib
import itertools
import threading
import time
from collections.abc import Mapping
from typing import Any

import msgspec

from ..client import Asked, Calls, KnownTools, Noticed, Prepared, RequestBuilder, Violations
from ..client.authorization import Authorization
from ..client.effects import Effect
from ..client.http_eras import suggests_older
from ..client.http_fields import POSTED, own_fields
from ..errors import Closed, ReadingRoomError, TransportError, UsageError
from ..limits import Limits
from ..wire import RequestId, encode, encode_notification
from .connection import OnAsked
from .http_client_exchange import Exchange
from .http_client_older import OlderListener
from .http_client_reading import Terms
from .http_client_replies import Poster
from .http_client_session import OlderSession
from .http_client_sockets import Hold, Sockets, place_of
from .http_client_threads import Threads
from .pending import InFlight, OnNotice, OnProgress

_THREADS = 256
_MESSENGERS = 8
_MESSAGE_SECONDS = 30.0
_GOODBYE_SECONDS = 2.0
_JOIN_SECONDS = 2.0
_LISTEN = "subscriptions/listen"
_PLAIN = b"Accept-Encoding: identity\r\n"


class Reach(msgspec.Struct, frozen=True):
    """How a server is reached: its address, the caller's own fields, what authorizes, and whose certificates are trusted."""

    url: str
    headers: Mapping[str, str] = {}
    auth: Authorization | None = None
    verify: bool | str = True

    def check(self) -> None:
        """Check it as far as can be seen without a network. Raises: UsageError."""
        Sockets(place_of(self.url), self.verify)
        own_fields(self.headers)
        if self.auth is not None and _named(self.headers) is not None:
            raise UsageError("a request has one Authorization: give auth, or the header")


class HttpConnection:
    """A server at an address. Nothing is sent before the first request; `close` leaves no thread and no connection."""

    def __init__(
        self,
        reach: Reach,
        builder: RequestBuilder,
        *,
        limits: Limits,
        strict: bool,
        violations: Violations,
        tools: KnownTools,
    ) -> None:
        """Raises: UsageError."""
        place = place_of(reach.url)
        self._sockets = Sockets(place, reach.verify)
        poster = Poster(place, self._sockets)
        self._terms = Terms(
            url=reach.url,
            poster=poster,
            session=OlderSession(poster),
            builder=builder,
            tools=tools,
            violations=violations,
            limits=limits,
            strict=strict,
            fields=_PLAIN + own_fields(reach.headers, builder.identity),
            auth=reach.auth,
            next_id=itertools.count(1).__next__,
            pass_on=self._pass_on,
            tell_cancelled=self._tell_cancelled,
            unusable={},
        )
        self._principal = _named(reach.headers)
        self._threads = Threads(_THREADS, "readingroom-http")
        self._messengers = Threads(_MESSENGERS, "readingroom-http-message")
        self._listeners: set[threading.Thread] = set()
        self._open: set[Exchange] = set()
        self._lock = threading.Lock()
        self._over: str | None = None
        self._older: OlderListener | None = None
        self._on_asked: OnAsked = _ignore
        self._on_notice: OnNotice = _ignore

    @property
    def over(self) -> str | None:
        """Why no more requests are taken; None while they are."""
        return self._over

    @property
    def principal(self) -> str | None:
        """Whose answers come, as the authorization or the header Authorization has it."""
        return self._principal if self._terms.auth is None else self._terms.auth.principal

    def send(
        self,
        prepared: Prepared,
        timeout: float,
        on_progress: OnProgress | None = None,
        relay: OnProgress | None = None,
        *,
        ceiling: float | None = None,
        on_notice: OnNotice | None = None,
    ) -> InFlight:
        """Send a request whose answer may take `timeout` seconds; does not wait for it.

        Raises: Closed; UsageError for a tool that cannot be called over HTTP (XH-4).
        """
        self._check_usable(prepared)
        exchange: Exchange

        def withdraw(_: Any, error: TransportError) -> bool:
            return exchange.withdraw(error)

        pending = InFlight(
            prepared.method, timeout, withdraw, on_progress, relay, ceiling=ceiling, on_notice=on_notice
        )
        exchange = Exchange(self._terms, prepared, pending)
        with self._lock:
            if self._over is not None:
                raise Closed(f"{prepared.method} was not sent: {self._over}")
            self._open.add(exchange)

        def run() -> None:
            try:
                exchange.run()
            finally:
                self._open.discard(exchange)

        if prepared.method == _LISTEN:
            self._start_listener(run)
        else:
            self._threads.run(run)
        return pending

    def has_room(self) -> bool:
        """Say whether a request would be sent at once."""
        return self._threads.has_room()

    def suggests_older(self, error: ReadingRoomError) -> bool:
        """Say whether this failure of `server/discover` speaks for a server of the older era (ERA-6 to ERA-10)."""
        return suggests_older(error)

    def turn_older(self, on_asked: OnAsked, on_notice: OnNotice) -> None:
        """Speak as the older era does from now on: with a session, and without mirrored headers."""
        self._on_asked, self._on_notice = on_asked, on_notice
        self._terms.session.is_older = True

    def reply(self, request_id: RequestId, answer: Mapping[str, Any]) -> None:
        """Answer a request of an older server, with a message of its own (LEG-5)."""
        self._post_later(encode({"jsonrpc": "2.0", "id": request_id, **answer}))

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send a notification. That of the end of the handshake has arrived when this returns (LEG-1)."""
        message = encode_notification(method, None if params is None else dict(params))
        if method == "notifications/initialized":
            self._post(message)
            self._hear_older()
        else:
            self._post_later(message)

    def close(self, grace: float) -> None:
        """Fail what is in flight with Closed, tell an older server that its session is over, and close every connection.

        Takes at most some seconds, whatever the server does.
        """
        with self._lock:
            is_first, self._over = self._over is None, self._over or "the client was closed"
            exchanges, listeners = list(self._open), list(self._listeners)
        for exchange in exchanges:
            exchange.withdraw(Closed(f"{exchange.pending.method} got no answer: {self._over}"))
        if self._older is not None:
            self._older.stop()
        if is_first and self._terms.session.id is not None:
            self._say_goodbye(min(max(grace, 0.1), _GOODBYE_SECONDS))
        ends = time.monotonic() + _JOIN_SECONDS
        self._messengers.close(_JOIN_SECONDS)
        self._threads.close(_JOIN_SECONDS)
        for thread in listeners:
            if thread is not threading.current_thread():
                thread.join(max(0.0, ends - time.monotonic()))
        self._sockets.close()

    def _check_usable(self, prepared: Prepared) -> None:
        if self._terms.unusable and prepared.method == "tools/call":
            name = (prepared.params or {}).get("name")
            detail = self._terms.unusable.get(name) if isinstance(name, str) else None
            if detail is not None:
                raise UsageError(f"the tool {name} cannot be called over HTTP: {detail}")

    def _start_listener(self, run: Any) -> None:
        """Run what lasts, in a thread of its own, so that none is missing for requests."""

        def last() -> None:
            try:
                run()
            finally:
                self._listeners.discard(threading.current_thread())

        thread = threading.Thread(target=last, name="readingroom-http-listen", daemon=True)
        self._listeners.add(thread)
        thread.start()

    def _pass_on(self, effect: Effect) -> None:
        """Do what a message says that is about no request of ours."""
        if isinstance(effect, Noticed):
            self._on_notice(effect.method, effect.params)
        elif isinstance(effect, Asked) and effect.method == "ping":
            self.reply(effect.id, {"result": {}})
        elif isinstance(effect, Asked):
            self._on_asked(effect.id, effect.method, effect.params)

    def _tell_cancelled(self, request_id: int, reason: str) -> None:
        self._post_later(RequestBuilder.cancelled(request_id, reason).strip())

    def _post_later(self, message: bytes) -> None:
        self._messengers.run(lambda: self._post(message))

    def _post(self, message: bytes) -> None:
        """Post what has no answer; where it cannot be, nobody is told, for the request that it is about will fail."""
        ends = time.monotonic() + _MESSAGE_SECONDS
        hold = Hold(lambda: ends - time.monotonic())
        try:
            fields = POSTED + self._terms.authorized()[0] + self._terms.session.fields()
            with self._terms.poster.send(hold, "POST", fields, message) as reply:
                reply.whole(1 << 16)
        except (ReadingRoomError, OSError, ValueError):
            return

    def _hear_older(self) -> None:
        """Listen to what an older server says on its own account, if it does (LEG-4)."""
        if self._older is None:
            calls = Calls(
                self._terms.builder.capabilities,
                self._terms.limits.nesting,
                strict=False,
                violations=self._terms.violations,
            )
            calls.turn_older(self._terms.session.version)
            self._older = OlderListener(self._terms, calls, self._tell_progress)
            self._start_listener(self._older.run)

    def _tell_progress(self, token: Any, message: bytes) -> None:
        """Hand progress that came on the stream of nobody's requests to the request that it is about."""
        for exchange in list(self._open):
            if isinstance(token, int) and exchange.pending.id == token:
                exchange.overhear(message)

    def _say_goodbye(self, seconds: float) -> None:
        ends = time.monotonic() + seconds
        try:
            self._terms.session.end(Hold(lambda: ends - time.monotonic()), self._terms.authorized()[0])
        except (ReadingRoomError, OSError, ValueError):
            return


def _ignore(*_: object) -> None:
    """Take what nobody has asked for."""


def _named(headers: Mapping[str, str]) -> str | None:
    """Name whoever a header of the caller's speaks for, without telling it."""
    for name, value in headers.items():
        if name.lower() == "authorization":
            return hashlib.sha256(value.encode()).hexdigest()[:16]
    return None
