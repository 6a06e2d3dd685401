"""Whose pages may reach the server, and under which names it is reached: the checks of `Host` and `Origin`.

They keep a web page in the user's browser from talking to a server on the user's machine (DNS rebinding): HTTP-2, HTTP-3.
Without names given, those of the address that the request came in at count.
"""

from collections.abc import Iterable

LOOPBACK = frozenset(("localhost", "127.0.0.1", "[::1]"))

_FORBIDDEN, _MISDIRECTED = 403, 421


class Guard:
    """Knows the names of the server.

    `hosts` are the names that `Host` may say, with a port or for any port; None means those of the address the request came
    in at: a loopback address has the loopback names, another has itself alone. `origins` are further origins whose pages
    may ask, like `https://app.example.com`. The server's own pages may always: those of the host and port that `Host` says,
    or of a name with its port in `hosts`; on this machine those of any port.
    """

    def __init__(self, hosts: Iterable[str] | None = None, origins: Iterable[str] = ()) -> None:
        self._hosts = None if hosts is None else frozenset(host.lower() for host in hosts)
        self._origins = frozenset(_origin(origin.lower().rstrip("/")) for origin in origins)

    def status(self, host: bytes, origin: bytes | None, address: str, *, is_secure: bool = False) -> int:
        """Give 0 for a request that may pass, or the status to refuse it with; it came in at `address`, with TLS or not."""
        named = host.decode("latin-1").strip().lower()
        if not self._is_ours(named, address):
            return _MISDIRECTED
        if origin is None:
            return 0
        told = origin.decode("latin-1").strip().lower()
        if _origin(told) in self._origins:
            return 0
        scheme, separator, rest = told.partition("://")
        is_page = bool(separator) and scheme in ("http", "https") and self._is_ours(rest, address)
        return 0 if is_page and self._is_same(scheme, rest, named, is_secure) else _FORBIDDEN

    def _is_same(self, scheme: str, page: str, host: str, is_secure: bool) -> bool:
        """Whether a page of one of our names is of this very origin; another service may have another port, or no TLS."""
        if _without_port(page) in LOOPBACK:
            return True
        if is_secure and scheme != "https":
            return False
        origin = _origin(f"{scheme}://{page}")
        is_named = self._hosts is not None and page in self._hosts and page != _without_port(page)
        return origin == _origin(f"{scheme}://{host}") or is_named

    def _is_ours(self, host: str, address: str) -> bool:
        name = _without_port(host)
        if name is None:
            return False
        if self._hosts is not None:
            return host in self._hosts or name in self._hosts
        return name in _names_of(address)


def _origin(text: str) -> str:
    """Give an origin as browsers write it: without the port that its scheme has by itself."""
    for scheme, port in (("https://", ":443"), ("http://", ":80")):
        if text.startswith(scheme):
            return text.removesuffix(port)
    return text


def _without_port(host: str) -> str | None:
    """Give the name in `name:port`, or None for what is none."""
    end = host.find("]") + 1 if host.startswith("[") else host.find(":") if ":" in host else len(host)
    name, port = host[:end], host[end:]
    if not name or (port and not (port[0] == ":" and port[1:].isascii() and port[1:].isdigit())):
        return None
    return name


def _names_of(address: str) -> frozenset[str]:
    """Give the names of an address of this machine; a socket of the file system has those of the loopback."""
    if not address or is_loopback(address) or "/" in address:
        return LOOPBACK
    return frozenset((f"[{address.lower()}]" if ":" in address else address.lower(),))


def is_loopback(address: str) -> bool:
    """Say whether an address, or the name `localhost`, is of this machine alone."""
    if address.lower() == "localhost":
        return True
    import ipaddress

    try:
        found = ipaddress.ip_address(address.strip("[]").partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    return bool((mapped or found).is_loopback)
