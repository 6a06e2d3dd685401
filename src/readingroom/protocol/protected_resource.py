"""The URL that a protected resource is known by, and the metadata that tells where tokens for it are had.

RFC 9728, RS-1, RS-2. Pure. A resource is known by one URL, compared byte for byte: what could be written in two ways is
refused here.
"""

import msgspec

WELL_KNOWN = "/.well-known/oauth-protected-resource"
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


class NotCanonical(ValueError):
    """A URL is not in the one form in which it can be compared; the text says what about it is wrong."""


class ProtectedResource(msgspec.Struct, frozen=True):
    """A resource with its authorization servers. Raises: NotCanonical for a URL that is not in canonical form."""

    url: str
    servers: tuple[str, ...]
    scopes: tuple[str, ...] = ()
    name: str = ""
    documentation: str = ""

    def __post_init__(self) -> None:
        check_resource(self.url)
        if not self.servers:
            raise NotCanonical("a protected resource has at least one authorization server")

    @property
    def path(self) -> str:
        """The path of the resource; empty for a whole origin."""
        return self.url[len(self._origin) :]

    @property
    def paths(self) -> tuple[str, ...]:
        """Where its metadata stands: the form with its path, which clients ask first, and the one without."""
        return tuple(dict.fromkeys((WELL_KNOWN + self.path, WELL_KNOWN)))

    @property
    def metadata_url(self) -> str:
        """What a challenge names."""
        return f"{self._origin}{WELL_KNOWN}{self.path}"

    def document(self) -> bytes:
        """Give the metadata. It lists no `offline_access`, which is none of a resource's business (RS-6)."""
        told = {
            "resource": self.url,
            "authorization_servers": self.servers,
            "scopes_supported": [scope for scope in self.scopes if scope != "offline_access"],
            "bearer_methods_supported": ["header"],
            "resource_name": self.name,
            "resource_documentation": self.documentation,
        }
        return msgspec.json.encode({name: value for name, value in told.items() if value})

    @property
    def _origin(self) -> str:
        scheme, _, rest = self.url.partition("://")
        return f"{scheme}://{rest.partition('/')[0]}"


def check_resource(url: str) -> None:
    """Check that a URL can name a resource: secure, and in the one form that compares. Raises: NotCanonical."""
    check_secure(url)
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    if host != host.lower() or scheme != scheme.lower():
        raise NotCanonical(f"{url!r} must have its scheme and its host in lower case")
    if host.endswith(":443" if scheme == "https" else ":80"):
        raise NotCanonical(f"{url!r} must not name the port that is meant anyway")
    if "?" in rest or "#" in rest:
        raise NotCanonical(f"{url!r} must have no query and no fragment")
    if slash and (not path or path.endswith("/") or "//" in slash + path):
        raise NotCanonical(f"{url!r} must not end with a slash, nor have an empty part")
    if {".", ".."} & set(path.split("/")):
        raise NotCanonical(f"{url!r} must have no relative parts")


def check_secure(url: str) -> None:
    """Check that what is sent to a URL is sealed, or does not leave this machine. Raises: NotCanonical."""
    if not url.isascii() or not url.isprintable() or " " in url or set(url) & set('"<>\\^`{|}'):
        raise NotCanonical(f"{url!r} has characters that no URL has")
    scheme, separator, rest = url.partition("://")
    host = rest.partition("/")[0].partition("?")[0].partition("#")[0]
    if not separator or not host or "@" in host:
        raise NotCanonical(f"{url!r} must be a URL with a host and no user")
    if scheme.lower() != "https" and not (scheme.lower() == "http" and is_loopback(url)):
        raise NotCanonical(f"{url!r} must begin with https:// (http:// is for this machine alone)")


def is_loopback(url: str) -> bool:
    """Whether a URL's host is this machine, by a name or address that can be nothing else."""
    host = url.partition("://")[2].partition("/")[0].lower()
    name = host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]
    return name in _LOOPBACK
