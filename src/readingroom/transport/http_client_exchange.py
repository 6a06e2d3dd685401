"""One request of a client over HTTP: sent, sent anew where that helps, and its answer read, in a thread of its own.

What the answer means is for `client.OneCall` to say. A request ends exactly once, whoever ends it.
"""

import http.client
import sys
import threading
from collections.abc import Callable
from typing import Any

import msgspec

from ..client import Noticed, Operation, Page, Pages, Prepared, Reported, Settled
from ..client.authorization import REFUSALS, TRIES, Refusal
from ..client.effects import Effect
from ..client.http_calls import OneCall
from ..client.http_fields import NAMED, POSTED, mirrored, usable
from ..errors import Closed, ReadingRoomError, RemoteError, TimedOut, TransportError, Unauthorized
from ..wire import HEADER_MISMATCH, METHOD_NOT_FOUND, OverLong
from ..wire.events import EventReader
from .http_client_reading import (
    REFUSAL_BYTES,
    STREAM,
    Terms,
    excerpt_of,
    messages,
    messages_in,
    refused_by,
    resumption,
)
from .http_client_replies import Reply
from .http_client_sockets import Hold
from .pending import InFlight

_EXCERPT_BYTES = 200
_RESUME_SECONDS = 1.0
_RESUMPTIONS = 5
# What may be done twice, where a connection that was kept turns out to be closed (HTTP-21).
_REPEATABLE = frozenset(
    (
        *("server/discover", "initialize", "ping", "tools/list", "prompts/list", "prompts/get"),
        *("resources/list", "resources/templates/list", "resources/read", "completion/complete"),
        *("subscriptions/listen", "tasks/get"),
    )
)


class Exchange:
    """A request on its way. `run` is for the thread that makes it; the rest is for any."""

    def __init__(self, terms: Terms, prepared: Prepared, pending: InFlight, hold: Hold | None = None) -> None:
        self._terms = terms
        self._prepared = prepared
        self._hold = hold or Hold(pending.left)
        self._lock = threading.Lock()
        self._tries = 0
        self._has_relisted = False
        self._has_renewed = False
        self._sent: str | None = None
        self.pending = pending
        self._take_id()

    def _take_id(self) -> None:
        """Put the request in flight under an id of its own."""
        terms = self._terms
        request_id = terms.next_id()
        self._call = OneCall(
            terms.builder.capabilities,
            terms.limits.nesting,
            strict=terms.strict,
            violations=terms.violations,
            request_id=request_id,
        )
        if terms.session.is_older:
            self._call.turn_older(terms.session.version)
        prepared = self._prepared
        if prepared.method == "subscriptions/listen":
            self._call.add_listen(self.pending, (prepared.params or {}).get("notifications", {}))
        else:
            self._call.add(
                self.pending, prepared.method, has_token=prepared.has_token, wants_log=prepared.wants_log
            )
        self.pending.id = request_id

    def withdraw(self, error: ReadingRoomError) -> bool:
        """End the request with an error before its answer has come; False when it has ended already (CAN-2)."""
        with self._lock:
            request_id = self._call.request_id
            if not self._call.drop(request_id):
                return False
        self._hold.take_away()
        # An older server does not take the end of the connection for a cancellation (LEG-4).
        if self._terms.session.is_older and self._prepared.method != "initialize":
            self._terms.tell_cancelled(request_id, str(error))
        self.pending.end(error=error)
        return True

    def overhear(self, message: bytes) -> None:
        """Take progress of this request that an older server tells on another stream; for any thread (LEG-4)."""
        self._apply(self._call.take(message), None)
        if not len(self._call):
            self._hold.take_away()

    def run(self) -> None:
        """Make the request, and end it whatever happens."""
        try:
            self._run()
        except TimedOut:
            self.pending.expire()
        except ReadingRoomError as error:
            self._fail(error)
        except http.client.HTTPException as error:
            detail = f"what came is no answer of HTTP ({type(error).__name__})"
            self._fail(self._call.record("HTTP-13", detail, str(error).encode()))
        except Exception as error:  # noqa: BLE001  -- whoever waits must be told, whatever it is
            sys.excepthook(*sys.exc_info())
            self._fail(Closed(f"the request failed: {type(error).__name__}"))

    def _fail(self, error: ReadingRoomError) -> None:
        if isinstance(error, Closed):
            error = Closed(f"{self._prepared.method} got no answer: {error}")
        with self._lock:
            is_ours = self._call.drop(self._call.request_id)
        if is_ours:
            self.pending.end(error=error)

    def _run(self) -> None:
        prepared, terms = self._prepared, self._terms
        is_repeatable = prepared.method in _REPEATABLE
        while True:
            fields, self._sent = terms.authorized()
            self._session = terms.session.id
            body = prepared.framed(self._call.request_id)
            if prepared.method == "initialize":
                terms.session.begin(prepared, self._call.request_id)
            with terms.poster.send(
                self._hold, "POST", POSTED + fields + self._fields(), body, is_repeatable=is_repeatable
            ) as reply:
                step = self._taken(reply)
            # What is to be done before the next try needs the connection, so it is done when that has been given back.
            if step is None or not step():
                return

    def _fields(self) -> bytes:
        """Give what the head says of the message: much in the modern era, the session in the older one (LEG-3)."""
        prepared = self._prepared
        if self._terms.session.is_older:
            return self._terms.session.fields()
        known = None
        if prepared.method == "tools/call":
            known = self._terms.tools.get((prepared.params or {}).get("name", ""))
        return mirrored(prepared, known.mirrors if known else ())

    def _taken(self, reply: Reply) -> Callable[[], bool] | None:
        """Take what came back; what is given says, when called, whether to send the request once more."""
        if reply.status in REFUSALS:
            return self._challenged(reply)
        if 200 <= reply.status < 300:
            self._read(reply)
            return None
        return self._refused(reply)

    def _read(self, reply: Reply) -> None:
        """Read the answer, which is one message or a stream of them, as the server chose (HTTP-13)."""
        limit = self._terms.limits.answer_bytes
        encoding = reply.field("Content-Encoding").strip().lower()
        if encoding not in ("", "identity"):
            raise self._call.record(
                "HTTP-13", f"an answer was encoded as {encoding:.40}, which was not asked for"
            )
        if reply.kind == STREAM:
            self._read_events(reply)
            return
        body = reply.whole(limit)
        if isinstance(body, OverLong):
            self._apply(self._call.take_overlong(body.length, limit, body.head), reply)
            return
        if body and reply.kind not in ("application/json", ""):
            detail = f"an answer is JSON or a stream of events, not {reply.kind:.60}"
            raise self._call.record("HTTP-13", detail, body[:_EXCERPT_BYTES])
        if body:
            self._apply(self._call.take(body.strip()), reply)
        self._apply(self._call.unanswered(body), reply)

    def _read_events(self, reply: Reply) -> None:
        """Read a stream of events up to the answer; one of the older era that breaks is taken up again (LEG-4)."""
        reader = EventReader(self._terms.limits.answer_bytes)
        broken: TransportError = Closed("the stream of events ended before the answer")
        try:
            self._take_events(reply, reader)
        except Closed as error:
            broken = error
        resumed = 0
        while len(self._call):
            if not self._terms.session.is_older or not reader.last_id or resumed >= _RESUMPTIONS:
                self._apply(self._call.unanswered_after_fault(), reply)
                if not len(self._call):
                    return
                raise broken
            resumed += 1
            last = reader.last_id
            reader = self._resumed(reader)
            resumed = 0 if reader.last_id != last else resumed

    def _resumed(self, reader: EventReader) -> EventReader:
        """Take a stream up where it broke, after the time that the server asked for."""
        again = EventReader(self._terms.limits.answer_bytes)
        again.last_id, again.retry = reader.last_id, reader.retry
        self._hold.wait(_RESUME_SECONDS if reader.retry is None else reader.retry / 1000)
        with self._terms.poster.send(
            self._hold, "GET", resumption(self._terms, reader.last_id), is_repeatable=True
        ) as reply:
            if reply.status != http.client.OK or reply.kind != STREAM:
                raise Closed(
                    f"the stream of events broke, and cannot be taken up again (status {reply.status})"
                )
            try:
                self._take_events(reply, again)
            except Closed:
                return again
        return again

    def _take_events(self, reply: Reply, reader: EventReader) -> None:
        """Take events up to the answer, and no longer; what else comes with it is looked at."""
        limit = self._terms.limits.answer_bytes
        for found in messages(reply, reader):
            for event in found:
                if not len(self._call):
                    self._call.record("HTTP-16", "nothing may follow the answer on its stream")
                elif isinstance(event, OverLong):
                    self._apply(self._call.take_overlong(event.length, limit, event.head), reply)
                    # Of what is so long, the rest is not waited for.
                    return
                else:
                    self._apply(self._call.take(event), reply)
            if not len(self._call):
                break
        if not len(self._call) and messages_in(reply.rest(), reader):
            self._call.record("HTTP-16", "nothing may follow the answer on its stream")

    def _apply(self, effects: list[Effect], reply: Reply | None) -> None:
        """Do what was said of the request; the rest is passed on."""
        for effect in effects:
            if isinstance(effect, Settled):
                self._settle(effect, reply)
            elif isinstance(effect, Reported):
                self.pending.report(effect.progress)
            elif isinstance(effect, Noticed) and effect.owner is not None:
                self.pending.notice(effect.method, effect.params)
            else:
                self._terms.pass_on(effect)

    def _settle(self, settled: Settled, reply: Reply | None) -> None:
        value, result = settled.value, settled.result
        if result is not None and reply is not None and self._prepared.method == "initialize":
            self._terms.session.agree(reply, result)
        if isinstance(value, Page) and self._prepared.method == "tools/list":
            value = self._learned(value)
        self.pending.end(result, value, settled.error)

    def _learned(self, page: Page) -> Page:
        """Note what the tools want mirrored; leave out those that cannot be called over HTTP, and say why (XH-4, XH-7)."""
        tools = self._terms.tools
        learn = tools.learn_more if "cursor" in (self._prepared.params or {}) else tools.learn
        if self._terms.session.is_older:
            learn(page.items)
            return page
        kept, broken = usable(page.items)
        learn(kept)
        if not broken:
            return page
        for name, rule, detail in broken:
            self._terms.unusable[name] = detail
            self._call.record(rule, f"the tool {name:.60} is left out: {detail}")
        return msgspec.structs.replace(page, items=kept)

    def _challenged(self, reply: Reply) -> Callable[[], bool]:
        """Take a refusal for want of authorization (CL-16)."""
        excerpt = excerpt_of(reply)
        refusal = Refusal(
            url=self._terms.url,
            status=reply.status,
            challenges=reply.fields("WWW-Authenticate"),
            sent=self._sent,
            operation=self._operation(),
            tries=self._tries,
        )

        def authorize() -> bool:
            auth = self._terms.auth
            self.pending.pause()
            try:
                if auth is not None and self._tries < TRIES and auth.challenged(refusal):
                    self._tries += 1
                    return True
            finally:
                self.pending.resume()
            said = (
                "who is asking"
                if refusal.status == http.client.UNAUTHORIZED
                else "more than the token allows"
            )
            text = (
                f"the server refused {refusal.operation}: it wants to know {said} (status {refusal.status})"
            )
            if refusal.status == http.client.FORBIDDEN and not refusal.challenges:
                text = f"the server refused {refusal.operation} (status {refusal.status})"
            raise Unauthorized(f"{text}: {excerpt}" if excerpt else text, status=refusal.status)

        return authorize

    def _operation(self) -> str:
        name = (self._prepared.params or {}).get(NAMED.get(self._prepared.method, ""))
        return f"{self._prepared.method} {name}" if isinstance(name, str) else self._prepared.method

    def _refused(self, reply: Reply) -> Callable[[], bool] | None:
        """Take an answer whose status says no: the error in it, whatever the status (HTTP-22), or the status itself."""
        body = reply.whole(REFUSAL_BYTES)
        head = body.head if isinstance(body, OverLong) else body
        error = (
            self._call.refused(body, is_probe=self._is_probe())
            if isinstance(body, bytes) and body.lstrip()[:1] == b"{"
            else None
        )
        if self._is_lost_session(reply, error):
            self._has_renewed = True
            return self._renew
        if error is None:
            raise refused_by(reply, head)
        if error.code == HEADER_MISMATCH and self._prepared.method == "tools/call" and not self._has_relisted:
            self._has_relisted = True
            return lambda: self._relist(error)
        self._fail(error)
        return None

    def _is_probe(self) -> bool:
        """Say whether the server may be of the older era and not know it of us."""
        return self._prepared.method in ("server/discover", "initialize")

    def _is_lost_session(self, reply: Reply, error: RemoteError | None) -> bool:
        return (
            self._terms.session.is_older
            and reply.status == http.client.NOT_FOUND
            and self._session is not None
            and self._prepared.method != "initialize"
            and not self._has_renewed
            and (error is None or error.code != METHOD_NOT_FOUND)
        )

    def _renew(self) -> bool:
        fields, _ = self._terms.authorized()
        self._terms.session.renew(self._session, self._hold, fields)
        return True

    def _relist(self, refused: RemoteError) -> bool:
        """List the tools anew, for the headers follow from their schemas, and say whether to try again (XH-7)."""
        pages = Pages("tools", most_bytes=self._terms.limits.answer_bytes)
        try:
            while (operation := pages.next()) is not None:
                pages.take(self._nested(operation).answer(0.1))
        except ReadingRoomError:
            raise refused from None
        with self._lock:
            if not self._call.drop(self._call.request_id):
                return False
            self._take_id()
        return True

    def _nested(self, operation: Operation) -> InFlight:
        """Make another request on the way of this one, in this thread and in its time."""
        prepared = self._terms.builder.prepare(operation.method, operation.params)
        nested: Exchange

        def withdraw(_: Any, error: TransportError) -> bool:
            return nested.withdraw(error)

        left = self.pending.left()
        nested = Exchange(self._terms, prepared, InFlight(operation.method, left, withdraw), self._hold)
        nested.run()
        return nested.pending
