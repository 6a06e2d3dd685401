"""Which scopes a client asks for: at first, and when they turn out to be too few (CL-15, CL-16, CL-17). Pure."""

from collections.abc import Iterable, Sequence

OPENID = "openid"
"""Asks for an ID token as well (OpenID Connect Core §3.1.2.1)."""

OFFLINE = "offline_access"
"""Asks for a refresh token, by OpenID Connect; a resource has no business with it (RS-6)."""


def first(wanted: Sequence[str], challenged: Sequence[str], supported: Sequence[str]) -> tuple[str, ...]:
    """Give what to ask for at first: what the caller wants, else what the challenge names, else all of the resource's.

    Nothing means that the parameter is left out (CL-15).
    """
    return tuple(dict.fromkeys(wanted or challenged or supported))


def more(asked: Iterable[str], challenged: Iterable[str]) -> tuple[str, ...]:
    """Give what to ask for when the challenge names what is missing: that and all that was asked before (CL-16)."""
    return tuple(dict.fromkeys((*asked, *challenged)))


def with_offline(
    scopes: tuple[str, ...], supported: Sequence[str] | None, *, refreshes: bool
) -> tuple[str, ...]:
    """Ask for a refresh token as well, where the authorization server lists that scope (CL-17).

    Not where no scope is asked for, for then it would be the only one.
    """
    wanted = bool(scopes) and refreshes and OFFLINE in (supported or ()) and OFFLINE not in scopes
    return (*scopes, OFFLINE) if wanted else scopes
