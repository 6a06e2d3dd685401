"""Fetches what an issuer publishes: small JSON documents, over TLS, in bounded time, following nothing.

The addresses come from whoever runs the server and from the issuer's own metadata; none comes from a request.
"""

import contextlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import SplitResult, urlsplit

import msgspec

from ..protocol.authorization_servers import metadata_urls
from ..protocol.protected_resource import NotCanonical, check_secure, is_loopback
from ..wire import strict_json

SECONDS = 5.0
LONGEST = 256 * 1024
_NESTING = 32
_FIELDS = {"Accept": "application/json", "Accept-Encoding": "identity"}


class FetchFailed(Exception):
    """A document could not be had; the text is for the log."""


class Unreachable(FetchFailed):
    """Whoever has the document did not answer, or not to the end: there is no use in asking for another one now."""


class _Metadata(msgspec.Struct):
    issuer: str
    jwks_uri: str


def document(url: str, seconds: float = SECONDS) -> Any:
    """Give the JSON of a URL within `seconds`. Raises: FetchFailed."""
    parts = urlsplit(url)
    try:
        return strict_json.decode(_body(parts, seconds), _NESTING)
    except (OSError, http.client.HTTPException) as error:
        raise Unreachable(f"{parts.hostname}: {type(error).__name__}") from error
    except ValueError as error:
        raise FetchFailed(f"{parts.hostname} did not answer with JSON") from error


def keys_url(issuer: str, seconds: float = SECONDS) -> str:
    """Give where an issuer publishes its keys, by its own metadata (RFC 8414, OpenID discovery). Raises: FetchFailed."""
    problem = FetchFailed("it has no metadata")
    for url in metadata_urls(issuer):
        try:
            return _keys_url_in(document(url, seconds), issuer)
        except Unreachable:
            raise
        except FetchFailed as error:
            problem = error
    raise FetchFailed(f"the metadata of the issuer: {problem}")


def _keys_url_in(found: Any, issuer: str) -> str:
    try:
        metadata = msgspec.convert(found, _Metadata)
        check_secure(metadata.jwks_uri)
    except (msgspec.ValidationError, NotCanonical):
        raise FetchFailed("it names no place of keys that can be used") from None
    if metadata.issuer != issuer:
        raise FetchFailed("it is that of another issuer")
    if is_loopback(metadata.jwks_uri) and not is_loopback(issuer):
        raise FetchFailed("it names a place on this machine")
    return metadata.jwks_uri


def _body(parts: SplitResult, seconds: float) -> bytes:
    connection = _connection(parts, seconds)
    with contextlib.closing(connection):
        connection.connect()
        with deadline(connection.sock, seconds):
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("GET", path, headers=_FIELDS)
            with connection.getresponse() as answer:
                if answer.status != http.client.OK:
                    raise FetchFailed(f"{parts.hostname} answered with status {answer.status}")
                body = answer.read(LONGEST + 1)
    if len(body) > LONGEST:
        raise FetchFailed(f"{parts.hostname} sent more than {LONGEST} bytes")
    return body


def _connection(parts: SplitResult, seconds: float) -> http.client.HTTPConnection:
    host = parts.hostname or ""
    if parts.scheme == "http":
        return http.client.HTTPConnection(host, parts.port, timeout=seconds)
    # Names and certificates are checked; the minimum is TLS 1.2.
    return http.client.HTTPSConnection(
        host, parts.port, timeout=seconds, context=ssl.create_default_context()
    )


@contextlib.contextmanager
def deadline(sock: socket.socket, seconds: float) -> Iterator[None]:
    """End a connection when all of it has taken too long: the timeout of a socket is one for each of its reads.

    Raises: TimeoutError.
    """
    ends = time.monotonic() + seconds

    def cut() -> None:
        with contextlib.suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
    if time.monotonic() > ends:
        raise TimeoutError
