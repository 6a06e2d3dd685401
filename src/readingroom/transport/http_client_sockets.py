"""Connections of a client over HTTP: opened by TCP, TLS and proxies, used again and again, and taken away at any moment.

Knows HTTP as far as a connection goes, and nothing of messages.
"""

import http.client
import select
import socket
import ssl
import threading
import time
from collections.abc import Callable
from urllib.parse import unquote, urlsplit

import msgspec

from ..errors import Closed, ConnectFailed, TimedOut, TransportError, UsageError
from .http_guard import is_loopback

CONNECT_SECONDS = 10.0
"""How long each address of a server is tried, and how long TLS may take."""

_IDLE_SECONDS = 4.0
"""How long a connection is kept that nobody uses: servers close theirs after five seconds, and one that is being closed
must not be used."""
_SURE_SECONDS = 1.0
"""How long it may have been idle for a request that must not be sent twice: whether it was read, nobody could say."""
_MOST_IDLE = 32
_ALIVE = (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3))
_PORTS = {"http": 80, "https": 443}


class Place(msgspec.Struct, frozen=True):
    """An address over HTTP, taken apart: `target` is the path with the query, as it is asked for."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """The host with its port, if that is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> tuple[str, str, int]:
        """What two places must have in common for one to be trusted with what is for the other."""
        return self.scheme, self.host, self.port


def place_of(url: str) -> Place:
    """Take an address apart. Raises: UsageError for one that no server over HTTP can have."""
    if not isinstance(url, str) or not url.isascii() or not url.isprintable() or " " in url:
        raise UsageError(f"{url!r:.200} is not an address: encode what is not ASCII")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise UsageError(f"{url!r:.200} is not an address: {error}") from None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise UsageError(f"{url!r:.200} is not an address that begins with http:// or https://")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise UsageError(
            "an address with a name, a password or a fragment in it is not used: give a token as auth"
        )
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Place(parts.scheme, parts.hostname, port or _PORTS[parts.scheme], target)


class Hold:
    """What one thread has of the network, so that another can take it away.

    `left` says how many seconds there still are; it may be infinite, and is asked before every wait.
    """

    __slots__ = ("_gone", "_link", "_lock", "left")

    def __init__(self, left: Callable[[], float]) -> None:
        self.left = left
        self._lock = threading.Lock()
        self._link: Link | None = None
        self._gone = threading.Event()

    @property
    def is_gone(self) -> bool:
        """Whether it has been taken away."""
        return self._gone.is_set()

    def take_away(self) -> None:
        """End whatever the thread is doing with the network, now and from now on."""
        with self._lock:
            self._gone.set()
            if self._link is not None:
                self._link.cut()

    def attach(self, link: "Link") -> None:
        """Use a connection. Raises: Closed when it has been taken away."""
        with self._lock:
            if not self._gone.is_set():
                self._link = link
                return
        link.close()
        raise Closed("the request was taken back")

    def detach(self) -> None:
        """Use no connection any more."""
        with self._lock:
            self._link = None

    def seconds(self, most: float = float("inf")) -> float | None:
        """Give the time for one wait, None for any. Raises: TimedOut when there is none left; Closed."""
        if self._gone.is_set():
            raise Closed("the request was taken back")
        seconds = min(self.left(), most)
        if seconds <= 0:
            raise TimedOut("there was no answer in time")
        return None if seconds == float("inf") else seconds

    def wait(self, seconds: float) -> None:
        """Wait. Raises: as `seconds`."""
        self._gone.wait(self.seconds(seconds))
        self.seconds()


class Link:
    """One connection. Its user is the thread that took it; `cut` is for others."""

    __slots__ = ("idle_since", "is_used", "kept_until", "sock")

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.is_used = False
        self.idle_since = self.kept_until = 0.0

    def cut(self) -> None:
        """End it under whoever uses it; `close` is left to them."""
        # That of the plain socket: the one of TLS takes apart what the reading thread is using.
        try:
            socket.socket.shutdown(self.sock, socket.SHUT_RDWR)
        except OSError:
            return

    def close(self) -> None:
        """Give it back to the system."""
        self.sock.close()

    def is_fresh(self, *, is_sure: bool) -> bool:
        """Say whether it can be used once more: the server has neither said nor ended, and is not about to end.

        With `is_sure` it has been used this moment.
        """
        now = time.monotonic()
        if now > self.kept_until or (is_sure and now > self.idle_since + _SURE_SECONDS):
            return False
        if hasattr(select, "poll"):
            poll = select.poll()
            poll.register(self.sock, select.POLLIN)
            return not poll.poll(0)
        return not select.select([self.sock], [], [], 0)[0]


class Sockets:
    """The connections to one place: directly, or through the proxy that the environment names for other machines."""

    def __init__(self, place: Place, verify: bool | str) -> None:
        """`verify` is True, or the file of the certificates that are trusted in place of the system's.

        Raises: UsageError for a file that has none, and for a proxy that is not spoken to by HTTP.
        """
        self._place = place
        self._tls = _tls(verify) if place.scheme == "https" else None
        self._proxy, self._proxy_field = _proxy_for(place)
        self._idle: list[Link] = []
        self._lock = threading.Lock()
        self._is_closed = False
        is_asked_whole = self._proxy is not None and self._tls is None
        self.prefix = f"http://{place.authority}" if is_asked_whole else ""
        self.fields = b"Host: %b\r\n" % place.authority.encode("ascii")
        if is_asked_whole:
            self.fields += self._proxy_field

    def take(self, hold: Hold, *, is_new: bool = False, is_sure: bool = False) -> Link:
        """Give a connection, one that was used before where there is one and `is_new` is not asked for.

        With `is_sure` it is none that the server might be closing just now.

        Raises: ConnectFailed, TimedOut, Closed.
        """
        while not is_new:
            with self._lock:
                link = self._idle.pop() if self._idle else None
            if link is None:
                break
            if link.is_fresh(is_sure=is_sure):
                hold.attach(link)
                return link
            link.close()
        link = self._connected(hold)
        hold.attach(link)
        return link

    def give_back(self, link: Link, seconds: float | None) -> None:
        """Keep a connection for the next request; `seconds` is how long the server says that it keeps it."""
        link.is_used = True
        keep = _IDLE_SECONDS if seconds is None else seconds - 1.0
        link.idle_since = time.monotonic()
        link.kept_until = link.idle_since + keep
        too_old = []
        with self._lock:
            while self._idle and self._idle[0].kept_until < link.idle_since:
                too_old.append(self._idle.pop(0))
            if not self._is_closed and len(self._idle) < _MOST_IDLE and keep > 0:
                self._idle.append(link)
            else:
                too_old.append(link)
        for one in too_old:
            one.close()

    def close(self) -> None:
        """Close those that nobody uses, and keep none any more."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for link in idle:
            link.close()

    def _connected(self, hold: Hold) -> Link:
        first = self._proxy or self._place
        where = (
            f"{self._place.authority} through the proxy {first.authority}" if self._proxy else first.authority
        )
        try:
            sock = socket.create_connection((first.host, first.port), timeout=hold.seconds(CONNECT_SECONDS))
        except (OSError, UnicodeError) as error:
            raise ConnectFailed(f"no connection to {where}: {_told(error)}") from error
        try:
            _prepare(sock)
            return Link(self._secured(sock, hold))
        except BaseException as error:
            sock.close()
            if isinstance(error, OSError | http.client.HTTPException):
                raise ConnectFailed(f"no connection to {where}: {_told(error)}") from error
            raise

    def _secured(self, sock: socket.socket, hold: Hold) -> socket.socket:
        """Do what TLS asks for, through the proxy where there is one."""
        if self._tls is None:
            return sock
        sock.settimeout(hold.seconds(CONNECT_SECONDS))
        if self._proxy is not None:
            self._tunnel(sock)
        return self._tls.wrap_socket(sock, server_hostname=self._place.host)

    def _tunnel(self, sock: socket.socket) -> None:
        host = f"[{self._place.host}]" if ":" in self._place.host else self._place.host
        asked = f"{host}:{self._place.port}".encode("ascii")
        sock.sendall(b"CONNECT %b HTTP/1.1\r\nHost: %b\r\n%b\r\n" % (asked, asked, self._proxy_field))
        answer = http.client.HTTPResponse(sock, method="CONNECT")
        try:
            answer.begin()
        finally:
            answer.close()
        if answer.status != http.client.OK:
            raise ConnectFailed(f"the proxy refused the connection with status {answer.status}")


def _prepare(sock: socket.socket) -> None:
    """Send small messages at once, and notice a server that has gone without a word."""
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _ALIVE:
        if hasattr(socket, name):
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def _tls(verify: bool | str) -> ssl.SSLContext:
    if verify is True:
        return ssl.create_default_context()
    if not isinstance(verify, str):
        raise UsageError(
            "verify is True, or the file of the certificates to trust: TLS is never left unverified"
        )
    try:
        return ssl.create_default_context(cafile=verify)
    except (OSError, ssl.SSLError) as error:
        raise UsageError(f"{verify} holds no certificates: {_told(error)}") from error


def _proxy_for(place: Place) -> tuple[Place | None, bytes]:
    """Give the proxy that the environment names for a place, and the field that it wants.

    This machine has none, for a proxy would get what is meant to stay here, a token in clear, and ask another machine.
    """
    from urllib.request import getproxies, proxy_bypass

    url = getproxies().get(place.scheme)
    if not url or is_loopback(place.host) or proxy_bypass(place.host):
        return None, b""
    parts = urlsplit(url if "://" in url else f"http://{url}")
    if parts.scheme != "http" or not parts.hostname:
        raise UsageError(
            f"the proxy for {place.scheme} in the environment is none that is spoken to by http://"
        )
    field = b""
    if parts.username is not None:
        import base64

        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
        field = b"Proxy-Authorization: Basic %b\r\n" % base64.b64encode(pair)
    return Place("http", parts.hostname, parts.port or 80, "/"), field


def _told(error: BaseException) -> str:
    if isinstance(error, TransportError):
        return str(error)
    text = getattr(error, "strerror", None) or str(error)
    return f"{text}" if text else type(error).__name__
