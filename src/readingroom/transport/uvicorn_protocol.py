"""uvicorn's HTTP connection, guarded: deadlines, caps and a strict reading, none of which it has by itself.

Needs the extra `http`; imported by `uvicorn_server` alone. Leans on parts of uvicorn that are its own business, so that the
extra names the versions which these were tried with. One sweeper calls `look` of every connection about once a
second, so that deadlines cost a request nothing. What an application refuses for itself (bodies, hosts, media) is not
known here.
"""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import httptools
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from ..limits import Limits
from .connection_counts import ConnectionCounts
from .readiness import has_hung_up
from .request_heads import BadHead, check, forwarded_address, too_large, without_upgrade

_IDLE, _HEAD, _BODY = range(3)
_LINGER_S = 2.0
_DISCARDED_BYTES = 8 * 1024 * 1024
# Chunks of one byte cost five more; beyond that, extensions and trailers are a flood.
_FRAMING = 8
# What asyncio reads at once: a read may hold the end of one request and the beginning of another.
_LARGEST_READ = 256 * 1024


class GentleTransport:
    """The transport as uvicorn sees it: its `close` waits a little for what the client still sends.

    A socket that is closed with bytes unread resets the connection, and the client may never see its answer. `written`
    counts bytes: only so can be told whether a client takes any, for what waits grows again as it shrinks.
    """

    def __init__(
        self, transport: asyncio.Transport, close: Callable[[], None], is_closing: Callable[[], bool]
    ) -> None:
        self.written = 0
        self._write = transport.write
        self.get_extra_info = transport.get_extra_info
        self.pause_reading = transport.pause_reading
        self.resume_reading = transport.resume_reading
        self.close = close
        self.is_closing = is_closing

    def write(self, data: bytes) -> None:
        """Write, and count."""
        self.written += len(data)
        self._write(data)


class GuardedProtocol(HttpToolsProtocol):
    """One connection. `tell` takes a line for the log, without a word of what was sent."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        loop: asyncio.AbstractEventLoop | None = None,
        *,
        limits: Limits,
        counts: ConnectionCounts,
        tell: Callable[[str], None],
        has_proxy: bool = False,
    ) -> None:
        super().__init__(config, server_state, app_state, loop)
        self.logger = cast("Any", _Log(tell))  # what uvicorn asks of a logger, and no more
        self.access_log = False
        self._limits = limits
        self._counts = counts
        self._has_proxy = has_proxy
        self._idle_seconds = limits.proxied_idle_seconds if has_proxy else limits.idle_seconds
        self._raw: asyncio.Transport
        self._gentle: GentleTransport
        self._linger_seconds = _LINGER_S
        self._is_counted = False
        # The request that is being answered: `cycle` is the one that was read last, and may wait behind it.
        self._answering: RequestResponseCycle | None = None
        self._phase = _HEAD
        self._since = 0.0
        self._is_heard = False
        self._has_begun = False
        self._head_bytes = 0
        self._body_bytes = 0
        self._sent_bytes = 0
        self._bad_head: BadHead | None = None
        self._is_deaf = False
        self._is_closing = False
        self._discarded = 0
        self._waiting = 0
        self._taken = 0
        self._taken_at = 0.0

    # What the loop calls -----------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection, or refuse it."""
        self._raw = cast("asyncio.Transport", transport)
        self._gentle = GentleTransport(self._raw, self.close_gently, self._closes)
        super().connection_made(cast("Any", self._gentle))
        if self._has_proxy:
            self.scheme = "https"  # which it speaks; it is the scheme of the pages that may ask
        # Under TLS what waits to be sent cannot be seen from here, and may be the answer.
        self._linger_seconds = _LINGER_S if self._raw.can_write_eof() else self._limits.stalled_seconds
        self._since = self._taken_at = self.loop.time()
        refused = self._counts.enter(self.client[0] if self.client else None)
        if refused is None:
            self._is_counted = True
            return
        self._is_deaf = self._is_closing = True
        self._gentle.write(_answer(503, refused, b"retry-after: 5\r\n"))
        self._raw.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection no longer, and tell the request that is being answered; those behind it never begin."""
        if self._is_counted:
            self._is_counted = False
            self._counts.leave(self.client[0] if self.client else None)
        self._is_deaf = self._is_closing = True
        self.pipeline.clear()
        answering, self._answering = self._answering, None
        if answering is not None and not answering.response_complete:
            answering.disconnected = True
            answering.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; whatever is wrong with it ends the connection, and nothing after it is read."""
        if self._is_deaf:
            self._discard(len(data))
            return
        if self._phase == _IDLE:
            self._phase, self._since = _HEAD, self.loop.time()
        self._is_heard = True
        self._has_begun = False
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._pass_over_upgrade(data[upgrade.args[0] :])
        except httptools.HttpParserError:
            bad = self._bad_head or BadHead(400, "this is no request of HTTP/1.1")
            self.refuse(bad.status, str(bad))
        else:
            self._count(len(data))

    def eof_received(self) -> None:
        """Let the transport close itself: a client that has closed its side wants no answer (HTTP-20)."""

    # What the parser calls ---------------------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        """Begin a head."""
        super().on_message_begin()
        self._phase = _HEAD
        self._has_begun = True
        self._head_bytes = 0

    def on_headers_complete(self) -> None:
        """Check the head, then let the application have it."""
        try:
            self._check_head()
        except BadHead as bad:
            self._bad_head = bad
            raise
        if self.parser.should_upgrade():
            return
        # What follows is trailers, which nobody asked for, and which are no part of the head.
        self.scope["headers"], self.headers = self.headers, []
        if self._has_proxy:
            self._see_through_proxy()
        super().on_headers_complete()
        self._phase, self._since = _BODY, self.loop.time()
        self._body_bytes = self._sent_bytes = self._discarded = 0

    def on_body(self, body: bytes) -> None:
        """Count the body."""
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Expect nothing more of the client, until it begins again."""
        if self._phase == _BODY:
            self._phase = _IDLE
            self._since = self.loop.time()
            super().on_message_complete()

    def on_response_complete(self) -> None:
        """Go on with the next request. Like uvicorn's, but without a timer for each answer: `look` sees to idleness."""
        self.server_state.total_requests += 1
        if self._closes():
            return
        self._since = self.loop.time()
        self.flow.resume_reading()
        if self.pipeline:
            cycle, app = self.pipeline.pop()
            self._start_asgi_task(cycle, app)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        """Begin to answer a request: there is never more than one."""
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    # Clocks ------------------------------------------------------------------------------------------------------

    def look(self, now: float) -> None:
        """End what has taken too long by the loop's clock `now`."""
        if self._is_stalled(now):
            self._raw.abort()
        elif self._is_closing:
            if not self._waiting and now - self._since > self._linger_seconds:
                self._raw.abort()
        elif self.flow.read_paused:
            self._since = now  # it is we who do not read
            if self._has_left():
                self._raw.abort()
        elif not self._is_deaf:
            self._look_at_phase(now - self._since)

    def _has_left(self) -> bool:
        """Whether the client has closed its side, which reading would tell only after what waits to be read."""
        found = None if self._raw.is_closing() else self._raw.get_extra_info("socket")
        return found is not None and has_hung_up(found.fileno())

    def _look_at_phase(self, elapsed: float) -> None:
        if self._phase == _HEAD:
            if elapsed > self._limits.head_seconds:
                self._end_waiting()
        elif self.cycle.response_complete:
            if elapsed > (self._idle_seconds if self._phase == _IDLE else _LINGER_S):
                self.close_gently()
        elif self._phase == _BODY and self._is_slow(elapsed):
            self.refuse(408, "the body of the request came too slowly")

    def _end_waiting(self) -> None:
        """End the wait for a head: without a word where none had begun, since then nobody waits for one."""
        if self._is_heard:
            self.refuse(408, "the head of the request came too slowly")
        else:
            self.close_gently()

    def _is_slow(self, elapsed: float) -> bool:
        due = (elapsed - self._limits.head_seconds) * self._limits.body_rate
        return elapsed > self._limits.body_seconds or self._body_bytes < due

    def _is_stalled(self, now: float) -> bool:
        """Whether the client has taken nothing of what waits for it."""
        self._waiting = self._raw.get_write_buffer_size()
        taken = self._gentle.written - self._waiting
        if not self._waiting or taken > self._taken:
            self._taken, self._taken_at = taken, now
        return now - self._taken_at > self._limits.stalled_seconds

    # Ends --------------------------------------------------------------------------------------------------------

    def refuse(self, status: int, text: str) -> None:
        """Answer with an error, where one is still possible, and read nothing more.

        What was asked before is answered before; a request of which only a part has come is never handed on.
        """
        cycle = self.cycle
        if cycle is not None and not cycle.response_complete:
            if self._phase != _BODY:
                self._is_deaf = True
                cycle.keep_alive = False
                return
            if cycle.response_started or self.pipeline:
                self._raw.abort()
                return
            cycle.disconnected = True
            cycle.message_event.set()
        self._gentle.write(_answer(status, text))
        self.close_gently()

    def close_gently(self) -> None:
        """Close once everything is sent and, for a little while, what the client still sends is read and dropped."""
        if self._is_closing:
            return
        self._is_deaf = self._is_closing = True
        self._since = self.loop.time()
        is_sending = self._is_heard and self._phase != _IDLE
        if not is_sending or self._raw.is_closing() or not self._raw.can_write_eof():
            self._raw.close()
            return
        try:
            self._raw.write_eof()
        except OSError:  # reset by the client, which the loop has not heard of yet
            self._raw.abort()
        else:
            self.flow.resume_reading()

    def cut(self) -> None:
        """End the connection at once; what runs for it learns that its client has gone."""
        self._raw.abort()

    def _closes(self) -> bool:
        return self._is_closing or self._raw.is_closing()

    def _discard(self, size: int) -> None:
        self._discarded += size
        if self._discarded > _DISCARDED_BYTES:
            self._raw.abort()

    # Parts -------------------------------------------------------------------------------------------------------

    def _count(self, size: int) -> None:
        """Bound what the parser keeps or passes over: a head that does not end, extensions and trailers of chunks."""
        if self._phase == _HEAD and not self._has_begun:
            self._head_bytes += size
            if self._head_bytes > self._limits.head_bytes:
                bad = too_large(self._limits)
                self.refuse(bad.status, str(bad))
        elif self._phase == _BODY:
            self._sent_bytes += size
            if self.cycle.response_complete:
                self._discard_surplus(size)
            elif self._sent_bytes > _FRAMING * self._body_bytes + self._limits.head_bytes + _LARGEST_READ:
                self.refuse(400, "the chunks of the body hold more than a body")

    def _check_head(self) -> None:
        version = self.parser.get_http_version()
        check(self.parser.get_method(), self.url, version, self.headers, self._limits)
        if len(self.pipeline) >= self._limits.pipelined:
            raise BadHead(400, "too many requests without waiting for an answer")

    def _discard_surplus(self, size: int) -> None:
        """Take a little of a body that was answered before its end, since a new connection would cost more."""
        self._discarded += size
        if self._discarded > self._limits.head_bytes:
            self.close_gently()

    def _pass_over_upgrade(self, rest: bytes) -> None:
        version = self.parser.get_http_version()
        head = without_upgrade(self.parser.get_method(), self.url, version, self.headers)
        self.parser = httptools.HttpRequestParser(self)
        self.data_received(head + rest)

    def _see_through_proxy(self) -> None:
        address = forwarded_address(list(self.scope["headers"]))
        if address is not None:
            self.scope["client"] = (address, 0)


class _Log:
    """What uvicorn tells, without the texts of exceptions, which may hold what was sent."""

    level = 100

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell

    def error(self, message: str, *_: object, exc_info: BaseException | None = None) -> None:
        """Tell that an application failed; one that was cancelled at the end did not."""
        if isinstance(exc_info, asyncio.CancelledError):
            return
        what = f": {type(exc_info).__name__}" if exc_info is not None else ""
        self._tell(f"HTTP: {message.strip().partition(',')[0]}{what}")

    def warning(self, *_: object) -> None:
        """Tell nothing: clients are not to fill the log."""

    info = log = warning


def _answer(status: int, text: str, more: bytes = b"") -> bytes:
    body = f"{text}\n".encode()
    head = b"content-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\n" % len(body)
    return STATUS_LINE[status] + head + b"connection: close\r\n" + more + b"\r\n" + body
