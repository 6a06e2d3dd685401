"""The HTTP carrier of a server: an ASGI application that answers one POST at a time, each on its own (Streamable HTTP).

The order of its checks is that of requirements §16.1: path, `Host` and `Origin`, method, authorization, media types, size,
then the ladder of the protocol. Every refusal that has a status is sent before a stream could begin (HTTP-19). What an
application cannot see, slow headers and smuggled requests, is for the server below it (uvicorn_protocol.py).
"""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ..errors import Refused
from ..limits import DEFAULT_LIMITS, Limits
from ..protocol import LATEST as LATEST_TEXT
from ..protocol import Admitted, admit_mirrored
from ..protocol.authorization import Authenticator, Denied, Grant, has_token_in_query
from ..protocol.headers import VERSION_HEADER, Fields, Mirrored, read_fields
from ..server import Dispatcher, status_of
from ..wire import Fault, Notification, Request, classify, encode_error
from .http_front import Front, Fronts
from .http_guard import Guard
from .http_listen import Listen
from .http_pages import for_page, is_preflight, preflight
from .http_replies import Pair, Receive, Scope, Send, refuse, respond
from .http_running import Call, Running, run_quick
from .http_timers import Timers

LATEST = LATEST_TEXT.encode()
HEALTH = "/healthz"
WELL_KNOWN = "/.well-known/"
ANONYMOUS = Grant("anonymous")
_ALLOW: tuple[Pair, ...] = ((b"allow", b"POST"),)
_ALLOW_OLDER: tuple[Pair, ...] = ((b"allow", b"DELETE, GET, POST"),)
_ONCE = frozenset((b"host", b"origin", b"content-type", b"content-length", b"content-encoding"))
_RETRY: tuple[Pair, ...] = ((b"retry-after", b"1"),)
_METADATA: tuple[Pair, ...] = (
    (b"access-control-allow-origin", b"*"),
    (b"access-control-allow-methods", b"GET, HEAD, OPTIONS"),
    (b"access-control-allow-headers", b"*"),
)


class Refusing(Exception):
    """A request is refused before the protocol has seen it: the status, a sentence, header fields besides."""

    def __init__(self, status: int, told: str, more: tuple[Pair, ...] = ()) -> None:
        super().__init__(told)
        self.status = status
        self.told = told
        self.more = more


class Gone(Exception):
    """The client left before its request had been read."""


class HttpServer:
    """An ASGI 3 application. `choose` gives the dispatcher that serves a grant, or None when nothing is for it.

    May be run by any ASGI server, on one loop. `stop` ends its subscriptions, takes no more requests and calls `on_stop`.
    """

    def __init__(
        self,
        choose: Callable[[Grant], Dispatcher | None],
        *,
        path: str = "/mcp",
        guard: Guard,
        auth: Authenticator | None = None,
        older_era: bool = True,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self._choose = choose
        self._paths = frozenset((path.rstrip("/"), "/") if path == "/" else (path,))
        self._fronts = Fronts(guard)
        self._auth = auth
        self._older: Any = _older_of(choose, auth, limits) if older_era else None
        self._limits = limits
        self._timers = Timers()
        self._running = Running(limits, self._timers, shares=auth is not None)
        self._listens: set[Listen] = set()
        self._is_stopping = False
        self.on_stop: Callable[[], None] = _nothing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one ASGI scope."""
        if scope["type"] == "http":
            await self._serve(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._live(receive, send)
        else:
            await send({"type": "websocket.close", "code": 1002})

    def stop(self) -> None:
        """End every subscription with its result, and refuse what still comes; on the loop's thread (SUB-11)."""
        self._is_stopping = True
        for listen in self._listens:
            listen.stop()
        if self._older is not None:
            self._older.stop()
        self.on_stop()

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                self.stop()
            await send({"type": message["type"] + ".complete"})
            if message["type"] == "lifespan.shutdown":
                return

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        fields = read_fields(scope["headers"])
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        try:
            if path not in self._paths:
                await self._serve_beside(path, scope, fields, send)
                return
            front = self._fronts.judge(scope, fields.values)
            self._check_names(front, fields)
            origin = fields.values.get(b"origin")
            if origin is not None:
                send = for_page(send, origin)
                if is_preflight(scope["method"], fields.values):
                    await respond(send, 204, more=preflight(fields.values))
                    return
            is_post = self._is_post(scope)
            grant = ANONYMOUS if self._auth is None else await self._authenticated(self._auth, scope)
            if is_post:
                await self._post(scope, fields, grant, front, receive, send)
            else:
                await self._other_method(scope, fields, grant, receive, send)
        except Refusing as refusal:
            await refuse(send, refusal.status, refusal.told, refusal.more)
        except Denied as denied:
            await self._deny(denied, send)
        except Gone:
            return

    async def _serve_beside(self, path: str, scope: Scope, fields: Fields, send: Send) -> None:
        """Answer at a path that is not the endpoint: health, and the metadata of a protected resource."""
        is_read = scope["method"] in ("GET", "HEAD")
        if path == HEALTH and is_read:
            status, told = (503, b'{"status":"stopping"}') if self._is_stopping else (200, b'{"status":"ok"}')
            await respond(send, status, told)
            return
        document = (
            self._auth.document(path) if self._auth is not None and path.startswith(WELL_KNOWN) else None
        )
        if document is None:
            raise Refusing(404, "There is nothing here; the server has one address, and this is another")
        # Pages of anywhere may read it, so only the Host counts.
        values = {name: value for name, value in fields.values.items() if name != b"origin"}
        self._check_names(self._fronts.judge(scope, values), fields)
        if scope["method"] == "OPTIONS":
            await respond(send, 204, more=_METADATA)
        elif is_read:
            await respond(send, 200, document, _METADATA)
        else:
            raise Refusing(405, "Read it with GET", ((b"allow", b"GET, HEAD, OPTIONS"),))

    @staticmethod
    def _check_names(front: Front, fields: Fields) -> None:
        """Refuse a `Host` or an `Origin` that is not ours, or that came twice (HTTP-2, HTTP-3)."""
        if fields.doubled and not fields.doubled.isdisjoint(_ONCE):
            raise Refusing(400, "A header came twice that may come once")
        if front.names is not None:
            raise Refusing(*front.names)

    def _is_post(self, scope: Scope) -> bool:
        """Say whether a message is posted. Raises: Refusing for what is sent by no other method (HTTP-5)."""
        is_post: bool = scope["method"] == "POST"
        if not is_post and self._older is None:
            raise Refusing(405, "Send messages with POST", _ALLOW)
        return is_post

    @staticmethod
    async def _authenticated(auth: Authenticator, scope: Scope) -> Grant:
        """Say for whom a request speaks. Raises: Denied, Refusing (RS-3, RS-5)."""
        if has_token_in_query(scope.get("query_string", b"")):
            raise Refusing(400, "A token in the address is not accepted; send it in the header Authorization")
        given = [value.decode("latin-1") for name, value in scope["headers"] if name == b"authorization"]
        peer = scope.get("client")
        return await auth.authenticate(given, str(peer[0]) if peer else "")

    @staticmethod
    async def _deny(denied: Denied, send: Send) -> None:
        more: list[Pair] = []
        if denied.challenge:
            more.append((b"www-authenticate", denied.challenge.encode("ascii")))
        if denied.retry_after is not None:
            more.append((b"retry-after", b"%d" % denied.retry_after))
        await respond(send, denied.status, b"{}", more)

    async def _other_method(
        self, scope: Scope, fields: Fields, grant: Grant, receive: Receive, send: Send
    ) -> None:
        """Answer what is no POST: only the older era has streams to get and sessions to delete (HTTP-5)."""
        if not await self._older.handle(scope, fields, grant, receive, send, b""):
            # Streams are there to get, and sessions to delete, but not for who asks like this.
            allowed = _ALLOW if scope["method"] in ("GET", "DELETE") else _ALLOW_OLDER
            raise Refusing(405, "Send messages with POST", allowed)

    async def _post(
        self, scope: Scope, fields: Fields, grant: Grant, front: Front, receive: Receive, send: Send
    ) -> None:
        if front.media is not None:
            raise Refusing(*front.media)
        if self._is_stopping:
            raise Refusing(503, "The server is stopping", _RETRY)
        values = fields.values
        frame = await self._body(values, receive)
        is_modern = self._older is None or values.get(VERSION_HEADER) == LATEST
        if not is_modern and await self._older.handle(scope, fields, grant, receive, send, frame):
            return
        message = classify(frame, self._limits.nesting)
        if isinstance(message, Request):
            await self._request(message, fields, grant, front.streams, receive, send)
        elif isinstance(message, Fault):
            await respond(send, 400, encode_error(message.id, message.code, message.message))
        elif isinstance(message, Notification):
            # A posted cancellation names an id of who knows whom, and cancels nothing (HTTP-15).
            await respond(send, 202)
        else:
            await refuse(send, 400, "A server takes no responses")

    async def _body(self, values: Mapping[bytes, bytes], receive: Receive) -> bytes:
        """Read the body, within the limits of size and time. Raises: Refusing, Gone."""
        most = self._limits.line_bytes
        length = values.get(b"content-length", b"0")
        if length.isdigit() and len(length) < 20 and int(length) > most:
            raise Refusing(413, f"The message is longer than {most} bytes")
        late = _Late()
        timer = self._timers.start(self._limits.body_seconds, late)
        try:
            return await _read_body(receive, most)
        except asyncio.CancelledError:
            if not late.has_come:
                raise
            raise Refusing(408, "The body did not come in time", ((b"connection", b"close"),)) from None
        finally:
            self._timers.drop(timer)

    async def _request(
        self, message: Request, fields: Fields, grant: Grant, streams: bool, receive: Receive, send: Send
    ) -> None:
        dispatcher = self._choose(grant)
        if dispatcher is None:
            raise (
                self._auth.insufficient(frozenset())
                if self._auth
                else Refusing(403, "Nothing is served to you")
            )
        verdict = admit_mirrored(message, dispatcher.capabilities, Mirrored(fields, dispatcher.mirrors))
        if not isinstance(verdict, Admitted):
            await respond(send, verdict.status, verdict.encode())
            return
        self._check_scopes(dispatcher, verdict, grant)
        holds = None if self._auth is None else partial(self._auth.holds, grant)
        call = Call(dispatcher, verdict, grant.principal, streams, receive, send, holds)
        try:
            work = dispatcher.route(verdict, grant.principal)
        except Exception as error:  # noqa: BLE001  -- the one table answers whatever was raised
            await respond(send, status_of(error), dispatcher.refused(verdict, error))
            return
        mode = work.step.mode
        if mode == "quick":
            await run_quick(call, work)
        elif mode == "listen":
            await self._listen(call, grant)
        elif not await self._running.run(call, work):
            raise Refusing(503, "Too many requests are under way", _RETRY)

    def _check_scopes(self, dispatcher: Dispatcher, request: Admitted, grant: Grant) -> None:
        """Refuse a call that needs scopes which the token does not have. Raises: Denied (RS-3, RS-4)."""
        if self._auth is None or not dispatcher.scopes or request.method != "tools/call":
            return
        needed = dispatcher.scopes.get(request.params.name, frozenset())  # type: ignore[attr-defined]  # those of a call
        if not needed <= grant.scopes:
            raise self._auth.insufficient(needed)

    async def _listen(self, call: Call, grant: Grant) -> None:
        if not call.streams:
            raise Refusing(406, "A subscription is a stream: Accept must list text/event-stream")
        listen = Listen(self._limits, is_authorized=self._auth is not None)
        try:
            subscription = call.dispatcher.listen(call.request, call.principal, listen.wake)
        except Refused as error:
            await respond(call.send, status_of(error), call.dispatcher.refused(call.request, error))
            return
        self._listens.add(listen)
        try:
            await listen.deliver(subscription, call.receive, call.send, lambda: self._holds(grant))
        finally:
            self._listens.discard(listen)

    def _holds(self, grant: Grant) -> bool:
        return self._auth is None or self._auth.holds(grant)


class _Late:
    """Cancels the task that made it when its time has come."""

    __slots__ = ("_task", "has_come")

    def __init__(self) -> None:
        self._task = asyncio.current_task()
        self.has_come = False

    def __call__(self) -> None:
        self.has_come = True
        if self._task is not None:
            self._task.cancel()


async def _read_body(receive: Receive, most: int) -> bytes:
    """Read a body of up to `most` bytes. Raises: Refusing, Gone."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        part = message.get("body", b"")
        size += len(part)
        if size > most:
            raise Refusing(413, f"The message is longer than {most} bytes")
        if not message.get("more_body"):
            return b"".join((*parts, part)) if parts else part
        parts.append(part)


def _older_of(
    choose: Callable[[Grant], Dispatcher | None], auth: Authenticator | None, limits: Limits
) -> Any:
    """Give what serves the older era; its sessions have ids that nobody can guess (LEG-2)."""
    import secrets
    import time

    from .http_older import OlderHttp

    def make_id() -> str:
        return secrets.token_urlsafe(32)

    return OlderHttp(choose, clock=time.monotonic, make_id=make_id, auth=auth, limits=limits)


def _nothing() -> None:
    return None
