"""Where a client finds what a protected resource says of itself, and whether to believe it (RFC 9728; CL-2, CL-3).

Pure. URLs are texts here, cut at their slashes: a parser of URLs would write them anew, and they are compared byte for byte.
"""

from typing import Any, Literal

import msgspec

from ..errors import LoginFailed
from ..protocol.authorization import is_scope
from ..protocol.protected_resource import WELL_KNOWN, NotCanonical, check_secure

Form = Literal["challenge", "path", "root"]
_MOST = 32


class Place(msgspec.Struct, frozen=True):
    """A URL where the metadata may be: the one that the challenge names, or a well-known one, with the path or without."""

    url: str
    form: Form


class Resource(msgspec.Struct, frozen=True):
    """What a resource says of itself. `name` is what tokens are asked for, byte for byte (CL-10)."""

    name: str
    issuers: tuple[str, ...]
    scopes: tuple[str, ...] = ()


class _Document(msgspec.Struct, frozen=True):
    resource: str
    authorization_servers: list[str] = []
    scopes_supported: list[str] | None = None


def places_of(endpoint: str, named: str = "") -> list[Place]:
    """Give where to look, in order: where the challenge says, and else at the well-known places (CL-2)."""
    if named:
        return [Place(named, "challenge")]
    origin, path = _parted(endpoint)
    places = [Place(f"{origin}{WELL_KNOWN}{path}", "path")] if path.strip("/") else []
    return [*places, Place(f"{origin}{WELL_KNOWN}", "root")]


def read_resource(document: Any, place: Place, endpoint: str) -> Resource:
    """Read the metadata that was found at a place.

    Raises: LoginFailed when it is none, or is not of this endpoint (CL-3).
    """
    try:
        found = msgspec.convert(document, _Document)
    except msgspec.ValidationError as error:
        raise LoginFailed(f"{place.url} is no metadata of a resource: {error}", rule="CL-3") from None
    if not _is_of(found.resource, place.form, endpoint):
        raise LoginFailed(
            f"{place.url} is of another resource, {found.resource!r:.200}, and not of {endpoint}", rule="CL-3"
        )
    check_resource_name(found.resource)
    if not found.authorization_servers:
        raise LoginFailed(f"{place.url} names no authorization server", rule="RS-1")
    scopes = tuple(dict.fromkeys(scope for scope in found.scopes_supported or () if is_scope(scope)))
    return Resource(found.resource, tuple(found.authorization_servers[:_MOST]), scopes)


def check_resource_name(name: str) -> None:
    """Check that tokens can be asked for by this name (CL-10). Raises: LoginFailed."""
    try:
        check_secure(name)
    except NotCanonical as error:
        raise LoginFailed(f"no token can be asked for: {error}", rule="CL-10") from None
    if "#" in name:
        raise LoginFailed(f"no token can be asked for: {name!r} has a fragment", rule="CL-10")


def _is_of(resource: str, form: Form, endpoint: str) -> bool:
    """Whether metadata at a place of this form may name this resource, when the endpoint is what is wanted."""
    if resource == endpoint:
        return True
    origin, path = _parted(endpoint)
    if form == "path":
        return False
    if form == "root":
        return resource in (origin, f"{origin}/")
    theirs, prefix = _parted(resource)
    segments = path.partition("?")[0]
    return theirs == origin and f"{segments}/".startswith(f"{prefix.rstrip('/')}/")


def _parted(url: str) -> tuple[str, str]:
    """Cut a URL into its origin and the rest, which begins with a slash or is empty."""
    scheme, separator, rest = url.partition("://")
    cut = min((at for at in (rest.find("/"), rest.find("?")) if at >= 0), default=len(rest))
    return f"{scheme}{separator}{rest[:cut]}", rest[cut:]
