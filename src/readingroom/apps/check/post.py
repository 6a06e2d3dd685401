"""One exchange over HTTP at the level of headers and bytes, whatever headers those are. Judges nothing.

Every wait has an end: a timer ends the connection under whoever reads, so a server that drips bytes holds nobody.
"""

import http.client
import socket
import ssl
import threading
import time
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
    """What came: a status of 0 says that nothing did. `stray` are lines of a stream that are none of the protocol's.

    `is_late` says that the time was over before the answer was: what came is not all.
    """

    status: int = 0
    headers: Mapping[str, str] = {}
    body: bytes = b""
    is_stream: bool = False
    stray: tuple[str, ...] = ()
    fault: str = ""
    is_late: bool = False


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
    until = time.monotonic() + seconds
    try:
        with _connected(place, until) as sock, _deadline(sock, until) as late:
            came = _exchanged(sock, place, verb, headers, body, on_event)
    except TimeoutError:
        came, late = Came(), [True]
    except OSError as error:
        return Came(fault=_named(error))
    # The socket's own time may be over a moment before the timer's.
    if late or time.monotonic() >= until:
        told = f"TimeoutError: not over within {seconds:g} s"
        return msgspec.structs.replace(came, fault=told, is_late=True)
    return came


def _exchanged(
    sock: socket.socket,
    place: Place,
    verb: str,
    headers: Sequence[tuple[str, str | bytes]],
    body: bytes,
    on_event: Callable[[bytes], bool],
) -> Came:
    connection = http.client.HTTPConnection(place.host, place.port)
    connection.sock = sock
    try:
        connection.putrequest(verb, place.path, skip_host=True, skip_accept_encoding=True)
        for name, value in headers:
            connection.putheader(name, value)
        connection.endheaders(body or None)
        return _read(connection.getresponse(), on_event)
    except (OSError, http.client.HTTPException, ValueError) as error:
        return Came(fault=_named(error))
    finally:
        connection.close()


def _connected(place: Place, until: float) -> socket.socket:
    """Connect, with TLS where it is asked for: all in the time that is left. Raises: OSError."""
    sock = _reached(place, until)
    try:
        # Headers and body go in two pieces, of which the second is not to wait for the first to be acknowledged.
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.settimeout(_left(until))
        if place.scheme == "http":
            return sock
        context = ssl.create_default_context()
        context.set_alpn_protocols(["http/1.1"])
        return context.wrap_socket(sock, server_hostname=place.host)
    except BaseException:
        sock.close()
        raise


def _reached(place: Place, until: float) -> socket.socket:
    """Try the addresses one after the other. Raises: OSError of the last that failed."""
    problem = OSError(f"{place.host} has no address")
    found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    for host in dict.fromkeys(str(one[4][0]) for one in found):
        try:
            return socket.create_connection((host, place.port), _left(until))
        except OSError as error:
            problem = error
    raise problem


def _left(until: float) -> float:
    """Give the seconds that are left. Raises: TimeoutError when none are."""
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError("the time is over")
    return left


@contextmanager
def _deadline(sock: socket.socket, until: float) -> Iterator[list[bool]]:
    """End the connection when the time is over, and tell so in the list that this gives.

    It is the socket that is asked, for http.client lets go of it before the answer is read; and the plain socket's way
    to end, for that of TLS takes apart what the reading thread uses.
    """
    late: list[bool] = []

    def cut() -> None:
        late.append(True)
        with suppress(OSError):
            socket.socket.shutdown(sock, socket.SHUT_RDWR)

    sock.settimeout(_left(until))
    timer = threading.Timer(_left(until), cut)
    timer.daemon = True
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _read(response: http.client.HTTPResponse, on_event: Callable[[bytes], bool]) -> Came:
    headers: dict[str, str] = {}
    for name, value in response.getheaders():
        before = headers.get(name.lower())
        headers[name.lower()] = value if before is None else f"{before}, {value}"
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "text/event-stream":
        return Came(response.status, headers, response.read(_MOST_BYTES))
    stray: list[str] = []
    try:
        _read_events(response, on_event, stray)
    except (OSError, http.client.HTTPException, ValueError) as error:
        return Came(response.status, headers, b"", True, tuple(stray), _named(error))
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
