"""What the head of an HTTP request must be beyond what the parser sees to, so that nobody between reads it otherwise.

The parser (llhttp, strict) refuses bare line feeds, folded lines, control characters, space before a colon, and a length
that is malformed, repeated or beside chunks. What it lets pass and others read otherwise is refused here (RFC 9112). Pure.
"""

from collections.abc import Sequence

from ..limits import Limits

Header = tuple[bytes, bytes]

_METHODS = frozenset((b"GET", b"HEAD", b"POST", b"PUT", b"DELETE", b"PATCH", b"OPTIONS", b"TRACE"))
_UPGRADING = (b"upgrade", b"connection", b"http2-settings")
_ABSOLUTE = (b"http://", b"https://")


class BadHead(Exception):
    """A request that is not read any further; `status` and the text are what the client is told."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


def check(method: bytes, target: bytes, version: str, headers: Sequence[Header], limits: Limits) -> None:
    """Check a head that was read whole; names are in lower case. Raises: BadHead."""
    size = len(target)
    hosts: list[bytes] = []
    for name, value in headers:
        size += len(name) + len(value) + 4
        if name == b"host":
            hosts.append(value)
        elif name == b"transfer-encoding" and (value != b"chunked" or version == "1.0"):
            raise BadHead(400, "Transfer-Encoding is exactly chunked, and HTTP/1.0 has none")
    if len(headers) > limits.head_fields or size > limits.head_bytes:
        raise too_large(limits)
    if version not in ("1.1", "1.0") or method not in _METHODS:
        raise BadHead(400, "this server speaks HTTP/1.1, with the methods that everybody has")
    if len(hosts) > 1 or (not hosts and version == "1.1"):
        raise BadHead(400, "a request has one Host header")
    _check_target(target, hosts)


def too_large(limits: Limits) -> BadHead:
    """Give the refusal of a head that is too large."""
    return BadHead(
        431, f"the head of a request has at most {limits.head_bytes} bytes and {limits.head_fields} fields"
    )


def _check_target(target: bytes, hosts: Sequence[bytes]) -> None:
    if b"#" in target:
        raise BadHead(400, "a request target has no fragment")
    if target.startswith(b"/"):
        return
    scheme = next((scheme for scheme in _ABSOLUTE if target.startswith(scheme)), b"")
    authority, slash, _ = target.removeprefix(scheme).partition(b"/")
    if not scheme or not slash:
        raise BadHead(400, "a request target begins with a slash")
    if [authority.lower()] != [host.lower() for host in hosts]:
        raise BadHead(400, "the request target names another host than the Host header")


def without_upgrade(method: bytes, target: bytes, version: str, headers: Sequence[Header]) -> bytes:
    """Write the head anew without its wish for another protocol, which a server may pass over (RFC 9110 §7.8).

    Clients in Java ask for h2c with their first request. The parser would take no body after such a head.
    """
    lines = [b"%s: %s" % header for header in headers if header[0] not in _UPGRADING]
    if any(name == b"connection" and b"close" in value.lower() for name, value in headers):
        lines.append(b"connection: close")
    return b"\r\n".join([b"%s %s HTTP/%s" % (method, target, version.encode()), *lines, b"", b""])


def forwarded_address(headers: Sequence[Header]) -> str | None:
    """Give the address that the nearest proxy says it serves, or None.

    The last one counts: what stands before it may have come from anybody.
    """
    values = [value for name, value in headers if name == b"x-forwarded-for"]
    address = values[-1].rpartition(b",")[2].strip() if values else b""
    return address.decode("latin-1") if address else None
