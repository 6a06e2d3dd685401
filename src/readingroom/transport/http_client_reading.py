"""What the requests of a client over HTTP share, and how what comes back is read: streams, and statuses that say no.

Knows one reply at a time; what becomes of a request is for `Exchange` to say.
"""

import http.client
from collections.abc import Callable, Iterator

import msgspec

from ..client import KnownTools, RequestBuilder, Violations
from ..client.authorization import Authorization
from ..client.effects import Effect
from ..client.http_fields import own_fields
from ..errors import HttpRefused
from ..limits import Limits
from ..wire import OverLong
from ..wire.events import Event, EventReader
from .http_client_replies import Poster, Reply
from .http_client_session import OlderSession

STREAM = "text/event-stream"
REFUSAL_BYTES = 1 << 20
"""How much is read of an answer whose status says no."""

_EXCERPT_BYTES = 200
_LISTENED = b"Accept: text/event-stream\r\n"


class Terms(msgspec.Struct):
    """What all requests of one client share. `fields` are the caller's own; `pass_on` does what effects say besides."""

    url: str
    poster: Poster
    session: OlderSession
    builder: RequestBuilder
    tools: KnownTools
    violations: Violations
    limits: Limits
    strict: bool
    fields: bytes
    auth: Authorization | None
    next_id: Callable[[], int]
    pass_on: Callable[[Effect], None]
    tell_cancelled: Callable[[int, str], None]
    unusable: dict[str, str]

    def authorized(self) -> tuple[bytes, str | None]:
        """Give the caller's fields with the one that authorizes, and its value. Raises: LoginFailed, UsageError."""
        value = None if self.auth is None else self.auth.header(self.url)
        if value is None:
            return self.fields, None
        return self.fields + own_fields({"Authorization": value}), value


def messages(reply: Reply, reader: EventReader) -> Iterator[list[bytes | OverLong]]:
    """Give the messages of a stream of events, as many at a time as come; events of other names mean nothing (HTTP-17)."""
    for piece in reply.pieces():
        yield messages_in(piece, reader)


def messages_in(piece: bytes, reader: EventReader) -> list[bytes | OverLong]:
    """Give the messages that a piece of a stream completes; one that is too long is given before it is complete."""
    found: list[bytes | OverLong] = []
    for event in reader.feed(piece):
        if not isinstance(event, Event):
            found.append(event)
        elif event.name in (b"", b"message"):
            found.append(event.data)
    over = reader.over()
    return found if over is None else [*found, over]


def resumption(terms: Terms, last_id: str | None) -> bytes:
    """Give the fields that ask for a stream of the older era, from after an event on."""
    fields = _LISTENED + terms.authorized()[0] + terms.session.fields()
    if last_id and last_id.isascii() and last_id.isprintable():
        fields += f"Last-Event-ID: {last_id}\r\n".encode("ascii")
    return fields


def refused_by(reply: Reply, body: bytes) -> HttpRefused:
    """Say what it means that a status came in place of a message."""
    status = reply.status
    reason = http.client.responses.get(status, "")
    text = f"the server answered with status {status}{f' ({reason})' if reason else ''} and no message"
    if 300 <= status < 400:
        text = f"the server sends elsewhere (status {status}), to {reply.field('Location')[:200]!r}, which is not followed"
    elif status == http.client.REQUEST_ENTITY_TOO_LARGE:
        text = f"the request is too long for the server (status {status})"
    return HttpRefused(text, status=status, excerpt=_plain(body))


def excerpt_of(reply: Reply) -> str:
    """Give the beginning of a body as text; it must not be longer than is read here."""
    body = reply.whole(REFUSAL_BYTES)
    return _plain(body.head if isinstance(body, OverLong) else body)


def _plain(body: bytes) -> str:
    text = body[:_EXCERPT_BYTES].decode("utf-8", "backslashreplace")
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
