"""Speaks to places that a server has named: over TLS, in bounded time and size, following nothing (CL-19).

A name is resolved once, its addresses are checked, and one of them is connected to: so a name that means another machine a
moment later gets nowhere. Tokens and secrets pass through here; none is in an error or in a log.
"""

import contextlib
import http.client
import socket
import ssl
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import SplitResult, urlsplit

import msgspec

from ..client.oauth_addresses import is_out_of_bounds, is_public, is_this_machine
from ..client.oauth_servers import check_place
from ..errors import LoginFailed
from ..protocol.protected_resource import is_loopback
from ..wire import strict_json
from .auth_fetch import deadline

SECONDS = 10.0
LONGEST = 256 * 1024
_NESTING = 32
_FIELDS = {"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "readingroom"}
_HTTPS_PORT, _HTTP_PORT = 443, 80


class NoAnswer(LoginFailed):
    """A place could not be reached, or must not be."""


class Reply(msgspec.Struct, frozen=True):
    """A status, the values of WWW-Authenticate, where a redirect leads, and the body. It may hold secrets."""

    status: int
    challenges: tuple[str, ...]
    location: str
    body: bytes

    def __repr__(self) -> str:
        return f"Reply({self.status})"

    @property
    def document(self) -> Any:
        """The JSON in it; None when it is none."""
        try:
            return strict_json.decode(self.body, _NESTING)
        except ValueError:
            return None


class Fetcher:
    """Fetches on behalf of one endpoint, which somebody has chosen to trust.

    The host of that endpoint may be wherever it is; any other host has to be on the open network, unless the endpoint is on
    this machine, or `private` networks are allowed. `verify` is True, or a file with the certificates to trust.
    """

    def __init__(
        self, endpoint: str, *, verify: bool | str = True, private: bool = False, seconds: float = SECONDS
    ) -> None:
        self._endpoint = endpoint
        self._home = _host(endpoint)
        self._verify = verify
        self._private = private
        self._seconds = seconds

    def get(self, url: str) -> Reply:
        """Fetch a document, whatever its status. Raises: NoAnswer, LoginFailed for a place that is not to be asked."""
        return self._exchange("GET", url, None, {})

    def post(self, url: str, body: bytes, fields: Mapping[str, str]) -> Reply:
        """Send a body. Raises: like get."""
        return self._exchange("POST", url, body, fields)

    def _exchange(self, method: str, url: str, body: bytes | None, fields: Mapping[str, str]) -> Reply:
        if url != self._endpoint:
            check_place(url, self._endpoint)
        parts = urlsplit(url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        ends = time.monotonic() + self._seconds
        try:
            connection = self._connected(parts, ends)
            with contextlib.closing(connection), deadline(connection.sock, _left(ends)):
                if isinstance(connection.sock, ssl.SSLSocket):
                    connection.sock.do_handshake()
                connection.request(method, target, body, {**_FIELDS, **fields})
                with connection.getresponse() as answer:
                    return _reply(answer, parts.hostname or "")
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswer(self._why(error, parts.hostname or "", ends)) from None

    def _why(self, error: Exception, host: str, ends: float) -> str:
        if isinstance(error, TimeoutError) or time.monotonic() >= ends:
            return f"{host} did not answer within {self._seconds:g} s"
        if isinstance(error, ssl.SSLError):
            return f"{host} did not prove who it is: {error.reason or 'TLS failed'}"
        return f"{host} could not be asked: {getattr(error, 'strerror', None) or type(error).__name__}"

    def _connected(self, parts: SplitResult, ends: float) -> http.client.HTTPConnection:
        """Connect to an address that was checked, to speak to the name. Raises: NoAnswer, OSError."""
        secure = parts.scheme == "https"
        port = _port(parts) or (_HTTPS_PORT if secure else _HTTP_PORT)
        host = parts.hostname or ""
        if not secure:
            connection = http.client.HTTPConnection(host, port)
            connection.sock = self._socket(host, port, parts.geturl(), ends)
            return connection
        context = ssl.create_default_context(cafile=None if self._verify is True else str(self._verify))
        connection = http.client.HTTPSConnection(host, port, context=context)
        sock = self._socket(host, port, parts.geturl(), ends)
        connection.sock = context.wrap_socket(sock, server_hostname=host, do_handshake_on_connect=False)
        return connection

    def _socket(self, host: str, port: int, url: str, ends: float) -> socket.socket:
        """Connect to the first address that can be connected to, all in the one time that there is."""
        problem: OSError = OSError(f"there is no address of {host}")
        for address in self._addresses(host, port, url):
            try:
                return socket.create_connection((address, port), _left(ends))
            except OSError as error:
                problem = error
        raise problem

    def _addresses(self, host: str, port: int, url: str) -> list[str]:
        """Resolve a name, this once; all its addresses have to be fit to be connected to. Raises: NoAnswer, OSError."""
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
        for address in addresses:
            if not self._is_fit(address, url):
                raise NoAnswer(f"{host} is at {address}, where nothing is asked", rule="CL-19")
        return addresses

    def _is_fit(self, address: str, url: str) -> bool:
        if is_loopback(url):  # by name, which is allowed only where the endpoint is on this machine
            return is_this_machine(address)
        if is_out_of_bounds(address):
            return False
        return is_public(address) or self._private or _host(url) == self._home


def _reply(answer: http.client.HTTPResponse, host: str) -> Reply:
    # A stream may not end, and holds nothing for us.
    is_stream = answer.headers.get_content_type() == "text/event-stream"
    body = b"" if is_stream else answer.read(LONGEST + 1)
    if len(body) > LONGEST:
        raise NoAnswer(f"{host} sent more than {LONGEST} bytes")
    challenges = answer.headers.get_all("WWW-Authenticate") or []
    return Reply(answer.status, tuple(challenges), answer.headers.get("Location", ""), body)


def _host(url: str) -> str:
    return url.partition("://")[2].partition("/")[0].partition("?")[0].lower()


def _port(parts: SplitResult) -> int | None:
    try:
        return parts.port
    except ValueError:
        raise NoAnswer(f"{parts.netloc!r:.200} has no port that can be") from None


def _left(ends: float) -> float:
    """The seconds that are left. Raises: TimeoutError when none are."""
    left = ends - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
