"""One exchange over HTTP at the level of headers and bytes, whatever headers those are. Judges nothing.

Every wait has an end: a timer closes the socket under whoever reads, so a server that drips bytes holds nobody.
"""

import http.client
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

import msgspec

from ...errors import UsageError
from ...limits import MIB

_MOST_BYTES = 64 * MIB
_LONGEST_LINE = 8 * MIB
_PORTS = {"http": 80, "https": 443}


class Place(msgspec.Struct, frozen=True):
    """Where an endpoint is, and the headers that every request to it has besides the protocol's."""

    scheme: str
    host: str
    port: int
    path: str
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def authority(self) -> str:
        """What the Host header says."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def is_here(self) -> bool:
        """Whether it is an address of this machine."""
        return self.host in ("localhost", "::1") or self.host.startswith("127.")


def place_of(url: str, headers: Sequence[tuple[str, str]] = ()) -> Place:
    """Read a URL. Raises: UsageError for one that is none of HTTP."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise UsageError(f"{url} is no URL: {error}") from error
    if parts.scheme not in _PORTS or not parts.hostname or parts.username is not None:
        raise UsageError(f"{url} is no http:// or https:// URL of an endpoint")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Place(parts.scheme, parts.hostname, port or _PORTS[parts.scheme], path, tuple(headers))


class Came(msgspec.Struct, frozen=True):
    """What came: a status of 0 says that nothing did. `stray` are lines of a stream that are none of the protocol's."""

    status: int = 0
    headers: Mapping[str, str] = {}
    body: bytes = b""
    is_stream: bool = False
    stray: tuple[str, ...] = ()
    fault: str = ""


def exchange(
    place: Place,
    verb: str,
    headers: Sequence[tuple[str, str | bytes]],
    body: bytes,
    seconds: float,
    on_event: Callable[[bytes], bool],
) -> Came:
    """Send one request and read what comes, for `seconds` at most.

    Each event of a stream goes to `on_event`, which says whether to go on; leaving closes the connection.
    """
    connection = _connection(place, seconds)
    try:
        with _deadline(connection, seconds):
            connection.connect()
            connection.putrequest(verb, place.path, skip_host=True, skip_accept_encoding=True)
            for name, value in headers:
                connection.putheader(name, value)
            connection.endheaders(body or None)
            return _read(connection.getresponse(), on_event)
    except (OSError, http.client.HTTPException, ValueError) as error:
        return Came(fault=f"{type(error).__name__}: {error}")
    finally:
        connection.close()


def _connection(place: Place, seconds: float) -> http.client.HTTPConnection:
    if place.scheme == "https":
        return http.client.HTTPSConnection(place.host, place.port, timeout=seconds)
    return http.client.HTTPConnection(place.host, place.port, timeout=seconds)


@contextmanager
def _deadline(connection: http.client.HTTPConnection, seconds: float) -> Iterator[None]:
    def cut() -> None:
        if connection.sock is not None:
            with suppress(OSError):
                connection.sock.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _read(response: http.client.HTTPResponse, on_event: Callable[[bytes], bool]) -> Came:
    headers = {name.lower(): value for name, value in response.getheaders()}
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "text/event-stream":
        return Came(response.status, headers, response.read(_MOST_BYTES))
    stray: list[str] = []
    try:
        _read_events(response, on_event, stray)
    except (OSError, http.client.HTTPException, ValueError) as error:
        return Came(response.status, headers, b"", True, tuple(stray), f"{type(error).__name__}: {error}")
    return Came(response.status, headers, b"", True, tuple(stray))


def _read_events(
    response: http.client.HTTPResponse, on_event: Callable[[bytes], bool], stray: list[str]
) -> None:
    """Read events until the end, or until nobody wants more."""
    data: list[bytes] = []
    while line := response.readline(_LONGEST_LINE):
        text = line.rstrip(b"\r\n")
        if not text:
            if data and not on_event(b"\n".join(data)):
                return
            data = []
        elif text.startswith(b"data:"):
            data.append(text[5:].removeprefix(b" "))
        elif not text.startswith(b":") and text.replace(b" ", b"") != b"event:message":
            stray.append(text.decode("utf-8", "replace")[:80])
