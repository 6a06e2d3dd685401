"""The older era over HTTP: sessions, streams to get, messages to post, each with the status that era gives it.

The carrier asks this for every request that does not name today's version in its header, once `Host`, `Origin`,
authorization and size are checked; what is of today's era goes back to it untouched (ERA-12, ERA-13).
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from ..errors import Refused
from ..limits import DEFAULT_LIMITS, Limits
from ..protocol.authorization import Authenticator, Grant
from ..protocol.eras import OLDER, era_on_http, names_version
from ..protocol.headers import VERSION_HEADER, Fields
from ..server import Dispatcher
from ..server.older import Session
from ..server.older_batches import Gathering, is_array
from ..server.older_calls import Call
from ..server.older_shares import Shares
from ..wire import INVALID_REQUEST, Fault, Message, Notification, Request, classify, encode_error
from .http_exchange import Mailbox
from .http_media import accepted
from .http_older_sessions import Held, Sessions
from .http_older_streams import Following, Posted
from .http_replies import Receive, Scope, Send, refuse, respond
from .workers import Workers

SESSION_HEADER = b"mcp-session-id"
_EVENT_HEADER = b"last-event-id"
_PRIMED = "2025-11-25"
_LOOK_SECONDS = 5.0
_ARRAY = Fault(INVALID_REQUEST, "Batches are not supported")


class OlderHttp:
    """Serves the older era on one loop. `choose` gives the dispatcher that serves a grant, as for the carrier.

    `clock` gives seconds, `make_id` ids of visible ASCII that nobody can guess.
    """

    def __init__(
        self,
        choose: Callable[[Grant], Dispatcher | None],
        *,
        clock: Callable[[], float],
        make_id: Callable[[], str],
        auth: Authenticator | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self._choose = choose
        self._auth = auth
        self._limits = limits
        # Without authorization all clients are one principal, which is everybody.
        share = limits.requests_at_once if auth is None else limits.older_requests_of_one
        most = None if auth is None else limits.older_sessions_of_one
        self.sessions = Sessions(limits, clock, make_id, most_of_one=most)
        self._clock = clock
        self._requests = Shares(limits.requests_at_once, share)
        self._waiting = Shares(limits.requests_at_once, limits.older_waiting_of_one)
        self._workers: Workers[Call] = Workers(limits.workers, self._run_plain)
        self._tasks: set[asyncio.Task[None]] = set()
        self._mailbox: Mailbox | None = None
        self._is_looking = False
        seconds = limits.keep_alive_seconds
        self._interval = seconds if auth is None else min(seconds, limits.revoked_seconds)

    def stop(self) -> None:
        """End what would not end by itself: streams to get, and calls that wait for their client; others may finish."""
        for held in self.sessions:
            held.session.questions.give_up("The server is stopping")
            if held.main is not None:
                held.main.finish(None)

    async def handle(
        self, scope: Scope, fields: Fields, grant: Grant, receive: Receive, send: Send, frame: bytes
    ) -> bool:
        """Answer a request if it is of the older era; says whether it was. Raises: Denied."""
        header = _text(fields, VERSION_HEADER)
        session_id = _text(fields, SESSION_HEADER)
        if scope["method"] != "POST":
            return await self._handle_other(scope, fields, grant, receive, send)
        # What an array holds is looked at once it is known to be no more than a batch may hold.
        message = _ARRAY if is_array(frame) else classify(frame, self._limits.nesting)
        is_call = isinstance(message, Request | Notification)
        era = era_on_http(
            names_version=is_call and names_version(message.params),  # type: ignore[union-attr]  # these have them
            version_header=header,
            method=message.method if isinstance(message, Request) else None,
            has_session=session_id is not None,
        )
        if era != "older":
            return False
        if self._mailbox is None:
            self._mailbox = Mailbox(asyncio.get_running_loop())
        if isinstance(message, Request) and message.method == "initialize":
            await self._initialize(message, frame, grant, send)
            return True
        held = await self._found(fields, grant, send)
        if held is not None:
            await self._post(held, message, frame, fields, grant, receive, send)
        return True

    async def _initialize(self, message: Request, frame: bytes, grant: Grant, send: Send) -> None:
        """Begin a session, whatever sessions there are already (LEG-1, LEG-2)."""
        dispatcher = self._choose(grant)
        if dispatcher is None:
            await self._refuse_all(send)
            return
        held = self.sessions.new(dispatcher, grant.principal)
        held.session = Session(
            dispatcher,
            grant.principal,
            self._pusher(held),
            self._limits,
            pushes_at_once=False,
            waiting=self._waiting,
            clock=self._clock,
        )
        kept = _Kept()
        held.session.receive(message, frame, kept)
        if not held.session.is_agreed:
            await respond(send, 400, kept.frame)
            return
        self.sessions.add(held)
        if not self._is_looking:
            self._look()
        await respond(send, 200, kept.frame, ((SESSION_HEADER, held.id.encode("ascii")),))

    def _look(self) -> None:
        """Look after what has waited for too long, again and again while there are sessions."""
        self.sessions.look()
        self._is_looking = len(self.sessions) > 0
        if self._is_looking:
            limits = self._limits
            seconds = min(_LOOK_SECONDS, limits.older_absent_seconds / 2, limits.round_seconds / 2)
            asyncio.get_running_loop().call_later(seconds, self._look)

    def _pusher(self, held: Held) -> Callable[[bytes], None]:
        assert self._mailbox is not None  # noqa: S101  -- made before any session; for the type checker
        mailbox = self._mailbox

        def add(frame: bytes) -> None:
            if held.main is not None:
                held.main.add(frame, True)

        return lambda frame: mailbox.post(add, frame)

    async def _refuse_all(self, send: Send) -> None:
        if self._auth is not None:
            raise self._auth.insufficient(frozenset())
        await refuse(send, 403, "Nothing is served to you")

    async def _found(self, fields: Fields, grant: Grant, send: Send) -> Held | None:
        """Give the session that a request names, or say why there is none (LEG-2, LEG-3)."""
        session_id = _text(fields, SESSION_HEADER)
        if {SESSION_HEADER, VERSION_HEADER} & fields.doubled:
            await refuse(send, 400, "Mcp-Session-Id and MCP-Protocol-Version may come once")
        elif session_id is None:
            await refuse(send, 400, "Mcp-Session-Id is required; initialize gives one")
        else:
            held = self.sessions.find(session_id, self._choose(grant), grant.principal)
            if held is not None:
                return held
            await refuse(send, 404, "There is no such session; initialize begins a new one")
        return None

    async def _post(
        self,
        held: Held,
        message: Message,
        frame: bytes,
        fields: Fields,
        grant: Grant,
        receive: Receive,
        send: Send,
    ) -> None:
        """Take what was posted to a session (LEG-4)."""
        messages = [(message, frame)]
        if is_array(frame):
            try:
                messages = held.session.split(frame)
            except Refused as error:
                await refuse(send, 400, error.message)
                return
        elif isinstance(message, Fault):
            await respond(send, 400, encode_error(message.id, message.code, message.message))
            return
        owed = [one for one, _ in messages if isinstance(one, Request | Fault)]
        self._check_scopes(held.dispatcher, owed, grant)
        if not owed:
            await self._take_all(held, messages, _Kept())
            await respond(send, 202)
        elif self._requests.take(grant.principal, len(owed)):
            channel, streams = held.new_channel(), accepted(fields.values)[1]
            assert self._mailbox is not None  # noqa: S101  -- made before any session; for the type checker
            way: Any = Posted(self._mailbox, channel, streams=streams)
            if is_array(frame):
                way = Gathering(way, len(owed), self._limits.older_batch_bytes)
            following = Following(
                channel, receive, send, self._limits, partial(self._holds, grant), interval=self._interval
            )
            primes = held.session.version >= _PRIMED
            taking = self._take_owed(held, messages, way, len(owed))
            await following.answer(taking, streams=streams, primes=primes, begin=lambda: held.keep(channel))
        else:
            await refuse(send, 503, "Too many requests are under way", ((b"retry-after", b"1"),))

    async def _take_owed(
        self, held: Held, messages: list[tuple[Message, bytes]], way: Any, owed: int
    ) -> None:
        """Take messages that are answered. Their share is given back once each of those that run is counted by itself."""
        try:
            await self._take_all(held, messages, way)
        finally:
            self._requests.give(held.principal, owed)

    async def _take_all(self, held: Held, messages: list[tuple[Message, bytes]], way: Any) -> None:
        """Take messages, and let others have their turn between them; when their session has ended they are dropped."""
        for number, (message, frame) in enumerate(messages):
            if number:
                await asyncio.sleep(0)
            if not held.session.is_closed:
                self._start(held.session.receive(message, frame, way))
            elif isinstance(message, Request | Fault):
                way.drop()

    def _check_scopes(self, dispatcher: Dispatcher, messages: list[Any], grant: Grant) -> None:
        """Refuse calls that need scopes which the token does not have. Raises: Denied (RS-3, RS-4)."""
        if self._auth is None or not dispatcher.scopes:
            return
        for message in messages:
            if isinstance(message, Request) and message.method == "tools/call":
                needed = dispatcher.scopes.get(_name_in(message), frozenset())
                if not needed <= grant.scopes:
                    raise self._auth.insufficient(needed)

    async def _handle_other(
        self, scope: Scope, fields: Fields, grant: Grant, receive: Receive, send: Send
    ) -> bool:
        """Answer GET and DELETE of a session; others, and those of today's era, are not answered here."""
        header, method = _text(fields, VERSION_HEADER), scope["method"]
        is_older = SESSION_HEADER in fields.values or header in OLDER
        if method not in ("GET", "DELETE") or not is_older:
            return False
        if header is not None and header not in OLDER:
            await refuse(send, 400, "MCP-Protocol-Version names a version that has no sessions")
            return True
        held = await self._found(fields, grant, send)
        if held is None:
            return True
        if method == "DELETE":
            self.sessions.end(held)
            await respond(send, 200)
        elif not accepted(fields.values)[1]:
            await refuse(send, 406, "A stream of events is what there is to get: Accept must list it")
        else:
            await self._stream(held, _text(fields, _EVENT_HEADER), grant, receive, send)
        return True

    async def _stream(
        self, held: Held, event_id: str | None, grant: Grant, receive: Receive, send: Send
    ) -> None:
        """Give the stream that an event is of, from there on; without one that of messages that belong to no request."""
        resumed = held.resumed(event_id) if event_id is not None else None
        main = held.main_channel()
        channel, position = resumed or (main, main.sent)
        held.session.start_notices()

        holds = partial(self._holds, grant)
        following = Following(channel, receive, send, self._limits, holds, interval=self._interval)
        await following.stream(position)

    def _holds(self, grant: Grant) -> bool:
        return self._auth is None or self._auth.holds(grant)

    def _start(self, call: Call | None) -> None:
        """Run a round of a call where its handler belongs."""
        if call is None:
            return
        if call.mode == "quick":
            call.run()
            return
        self._requests.add(call.principal)
        if call.mode == "plain":
            self._workers.put(call)
            return
        task = asyncio.get_running_loop().create_task(call.run_async())
        self._tasks.add(task)
        task.add_done_callback(lambda ended: self._end_task(ended, call.principal))
        call.flight.on_cancel = lambda: _cancel(task)

    def _run_plain(self, call: Call) -> None:
        assert self._mailbox is not None  # noqa: S101  -- made before any session; for the type checker
        call.run()
        self._mailbox.post(self._requests.give, call.principal)

    def _end_task(self, task: asyncio.Task[None], principal: str) -> None:
        self._tasks.discard(task)
        self._requests.give(principal)


class _Kept:
    """The way of a handshake's answer, which is given at once, and of what has no answer."""

    can_ask = False
    is_absent = False
    is_full = False
    frame = b""

    def answer(self, frame: bytes) -> None:
        self.frame = frame

    def tell(self, frame: bytes) -> None:
        """Nothing comes before it."""

    ask = tell

    def drop(self) -> None:
        """Nobody can cancel it."""


def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()


def _text(fields: Fields, name: bytes) -> str | None:
    value = fields.values.get(name)
    return None if value is None else value.decode("latin-1").strip()


def _name_in(request: Request) -> str:
    """Give the name of the tool that is called, or "" when it cannot be read, and so not be called."""
    if request.params is msgspec.UNSET:
        return ""
    try:
        return msgspec.json.decode(request.params, type=_Named).name
    except (msgspec.DecodeError, RecursionError):
        return ""


class _Named(msgspec.Struct):
    name: str
