"""Requests of HTTP and what comes back: sent on a connection that is taken for it, read piece by piece, in bounded time.

Knows HTTP and nothing of messages. Follows a redirection within the same origin, and none to elsewhere.
"""

import http.client
import io
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self
from urllib.parse import urljoin

from ..errors import Closed, TimedOut, TransportError, UsageError
from ..wire import OverLong
from .http_client_sockets import Hold, Link, Place, Sockets, place_of

_PIECE = 256 * 1024
_EDGE = 1_024
_REDIRECTIONS = 3
_FOLLOWED = (307, 308)
_DRAIN_SECONDS = 0.5


class _Incoming(io.RawIOBase):
    """What a connection brings. Each read has the time that is left, so that a server which trickles ends as well."""

    def __init__(self, link: Link, hold: Hold) -> None:
        self._sock = link.sock
        self._hold = hold
        self.most = float("inf")

    def readable(self) -> bool:
        """Say yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read what there is. Raises: TimedOut, Closed; OSError."""
        self._sock.settimeout(self._hold.seconds(self.most))
        return self._sock.recv_into(buffer)

    def makefile(self, _mode: str) -> io.BufferedReader:
        """Do as a socket does, for a parser that wants one."""
        return io.BufferedReader(self)


class Reply:
    """What came back: the head is read, and the body is read here. `with` gives the connection back at the end."""

    def __init__(
        self,
        link: Link,
        incoming: _Incoming,
        response: http.client.HTTPResponse,
        hold: Hold,
        sockets: Sockets,
    ) -> None:
        self.status = response.status
        self._incoming = incoming
        self._link = link
        self._response = response
        self._hold = hold
        self._sockets = sockets

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        response = self._response
        is_whole = response.isclosed() or response.length == 0
        self._hold.detach()
        response.close()
        if kind is None and is_whole and not response.will_close and not self._hold.is_gone:
            self._sockets.give_back(self._link, self._kept())
        else:
            self._link.close()

    def field(self, name: str) -> str:
        """Give the value of a field, empty where there is none."""
        return self._response.headers.get(name, "")

    def fields(self, name: str) -> tuple[str, ...]:
        """Give the values of all the fields of a name, in order."""
        return tuple(self._response.headers.get_all(name, ()))

    @property
    def kind(self) -> str:
        """The type of what it holds, in lower case and without its parameters."""
        return self.field("Content-Type").partition(";")[0].strip().lower()

    def pieces(self) -> Iterator[bytes]:
        """Give the body as it comes. Raises: Closed when it ends before its end, TimedOut."""
        response = self._response
        while not response.isclosed() and response.length != 0:
            piece = self._piece()
            if not piece:
                break
            yield piece
        if response.length:
            raise Closed(f"the answer broke off {response.length} bytes before its end")

    def _piece(self) -> bytes:
        try:
            return self._response.read1(_PIECE)
        except TimeoutError:
            raise TimedOut("there was no answer in time") from None
        except http.client.IncompleteRead:
            raise Closed("the answer broke off before its end") from None
        except (OSError, ValueError, AttributeError) as error:
            # The two last are what is left of a connection that another thread has taken away.
            raise Closed(f"the answer broke off: {error}") from error

    def whole(self, limit: int) -> bytes | OverLong:
        """Give all of the body, or how long it is and its beginning if that is more than `limit` bytes.

        Raises: as `pieces`.
        """
        announced = self._response.length or 0
        if announced > limit:
            first = next(self.pieces(), b"")
            return OverLong(announced, first[:_EDGE])
        pieces: list[bytes] = []
        size = 0
        for piece in self.pieces():
            pieces.append(piece)
            size += len(piece)
            if size > limit:
                return OverLong(size, b"".join(pieces)[:_EDGE])
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def rest(self) -> bytes:
        """Give the next of what comes after all that was waited for, so that the connection can be used again."""
        if self._response.isclosed() or self._response.length == 0:
            return b""
        self._incoming.most = _DRAIN_SECONDS
        try:
            return self._response.read1(_EDGE)
        except (TransportError, OSError, http.client.HTTPException, ValueError, AttributeError):
            return b""

    def _kept(self) -> float | None:
        """Give how many seconds the server says that it keeps the connection."""
        for part in self.field("Keep-Alive").split(","):
            name, _, value = part.strip().partition("=")
            if name.lower() == "timeout" and value.isascii() and value.isdigit():
                return float(value)
        return None


class Poster:
    """Sends requests of HTTP to one place."""

    def __init__(self, place: Place, sockets: Sockets) -> None:
        self._place = place
        self._sockets = sockets

    def send(
        self, hold: Hold, verb: str, fields: bytes, body: bytes = b"", *, is_repeatable: bool = False
    ) -> Reply:
        """Send a request and give the reply as soon as its head has come.

        A request that may be repeated is sent once more when the server closed a connection that was kept.
        Raises: ConnectFailed, Closed, TimedOut; HTTPException when what comes is not HTTP.
        """
        target = self._place.target
        for _ in range(_REDIRECTIONS):
            reply = self._sent(hold, self._head(verb, target, fields, body), verb, is_repeatable)
            moved = self._moved(reply, target) if reply.status in _FOLLOWED else None
            if moved is None:
                return reply
            with reply:
                reply.whole(_PIECE)
            target = moved
        return self._sent(hold, self._head(verb, target, fields, body), verb, is_repeatable)

    def _head(self, verb: str, target: str, fields: bytes, body: bytes) -> bytes:
        length = b"Content-Length: %d\r\n" % len(body) if body else b""
        line = f"{verb} {self._sockets.prefix}{target} HTTP/1.1\r\n".encode("ascii")
        return b"".join((line, self._sockets.fields, fields, length, b"\r\n", body))

    def _moved(self, reply: Reply, target: str) -> str | None:
        """Give where the reply sends to, if that is of the same origin."""
        here = f"{self._place.scheme}://{self._place.authority}{target}"
        try:
            there = place_of(urljoin(here, reply.field("Location")))
        except (UsageError, ValueError):
            return None
        return there.target if there.origin == self._place.origin else None

    def _sent(self, hold: Hold, message: bytes, verb: str, is_repeatable: bool) -> Reply:
        link = self._sockets.take(hold, is_sure=not is_repeatable)
        if not (link.is_used and is_repeatable):
            return self._asked(hold, link, message, verb)
        try:
            return self._asked(hold, link, message, verb)
        except Closed:
            if hold.is_gone:
                raise
        return self._asked(hold, self._sockets.take(hold, is_new=True), message, verb)

    def _asked(self, hold: Hold, link: Link, message: bytes, verb: str) -> Reply:
        response: http.client.HTTPResponse | None = None
        try:
            link.sock.settimeout(hold.seconds())
            refused = _write(link, message)
            incoming = _Incoming(link, hold)
            response = http.client.HTTPResponse(incoming, method=verb)  # type: ignore[arg-type]  # it wants a makefile alone
            try:
                response.begin()
            except OSError as error:
                raise refused or error from None
            return Reply(link, incoming, response, hold, self._sockets)
        except BaseException as error:
            hold.detach()
            if response is not None:
                response.close()
            link.close()
            if isinstance(error, TimeoutError):
                raise TimedOut("there was no answer in time") from None
            if isinstance(error, OSError):
                raise Closed(f"the connection ended before the answer: {error}") from error
            raise


def _write(link: Link, message: bytes) -> OSError | None:
    """Send a message. One that the server does not read to its end may have its answer all the same (HTTP-22)."""
    try:
        link.sock.sendall(message)
    except TimeoutError:
        raise
    except OSError as error:
        return error
    return None
