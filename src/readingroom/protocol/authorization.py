"""What a request over HTTP says about who sends it, and what it is told when that will not do (requirements RS-*; RFC 6750).

Pure: reads the values of `Authorization`, builds the values of `WWW-Authenticate`. Whether a token is good is for an
`Authenticator` to say; this module knows no key, no clock, no file and no network.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

MAX_TOKEN = 8 * 1024
"""Characters of the longest token that is looked at."""

MAX_CHALLENGE = 4 * 1024
"""Characters of the longest challenge; a longer one would be cut off by proxies."""

_TOKEN_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/")
_SCOPE_CHARACTERS = frozenset(map(chr, range(0x21, 0x7F))) - {'"', "\\"}  # RFC 6749 §3.3
_INVALID = "The access token is not valid here."
_MALFORMED = "Send one access token, in one Authorization header."
_REALM = 'realm="mcp"'  # a challenge says something (RFC 6750 §3)
_INSUFFICIENT = "The access token does not allow this."


class Grant(msgspec.Struct, frozen=True):
    """Whom a token speaks for and what it allows.

    `scopes` holds what is implied, too. `token` names the token in logs and is never the secret. `expires` is in
    seconds since the epoch; None when there is no end.
    """

    principal: str
    scopes: frozenset[str] = frozenset()
    role: str = ""
    token: str = ""
    expires: float | None = None


class Denied(Exception):
    """A request is refused for want of authorization.

    `status` is 400 (what was sent is not well formed), 401 (no good token), 403 (the token does not allow it), 429 (too
    many attempts) or 503 (nobody can tell now), these two with `retry_after` in seconds. `challenge` is the value of
    WWW-Authenticate, empty when there is none. Why a token is not good is in `reason`, for our log alone; it holds
    nothing that was sent.
    """

    def __init__(
        self, status: int, challenge: str = "", *, retry_after: int | None = None, reason: str = ""
    ) -> None:
        super().__init__(reason or f"status {status}")
        self.status = status
        self.challenge = challenge
        self.retry_after = retry_after
        self.reason = reason


class Authenticator(Protocol):
    """Who says whom a request speaks for. The carrier asks on every request (RS-5)."""

    async def authenticate(self, authorization: Sequence[str], address: str) -> Grant:
        """Give what the request may do, from every value of its Authorization headers and its peer's address.

        Raises: Denied.
        """

    def holds(self, grant: Grant) -> bool:
        """Whether a grant given before is still good; asked every few seconds while a subscription is open."""

    def insufficient(self, needed: frozenset[str]) -> Denied:
        """Give the refusal of an operation that needs these scopes, all of which it names (RS-4)."""

    def document(self, path: str) -> bytes | None:
        """Give the metadata of the protected resource at a well-known path; None where there is none."""


class Challenges(msgspec.Struct, frozen=True):
    """The refusals of one protected resource.

    `metadata` is the URL of its metadata, empty when there is none; `scopes` is what any use of it needs.
    """

    metadata: str = ""
    scopes: tuple[str, ...] = ()

    def token_of(self, authorization: Sequence[str]) -> str:
        """Give the token that was presented. Raises: Denied, 401 for none, 400 for what has not the form of one."""
        if not authorization:
            raise self.missing()
        if len(authorization) > 1:
            raise self.malformed("more than one Authorization header")
        scheme, _, token = authorization[0].strip(" \t").partition(" ")
        if scheme.lower() != "bearer":
            raise self.missing() if scheme else self.malformed("an empty Authorization header")
        token = token.strip(" ")
        if len(token) > MAX_TOKEN:
            raise self.invalid("a token that is too long")
        if not is_token(token):
            raise self.malformed("characters that no token has")
        return token

    def missing(self) -> Denied:
        """Nothing was presented, or by a scheme that is not served: a challenge without an error (RFC 6750 §3.1)."""
        return Denied(401, self._challenge("", "", self.scopes), reason="no token")

    def invalid(self, reason: str) -> Denied:
        """The token is not good. Every reason gives the same answer (RS-3)."""
        return Denied(401, self._challenge("invalid_token", _INVALID, self.scopes), reason=reason)

    def malformed(self, reason: str) -> Denied:
        """What was sent is no authorization."""
        return Denied(400, self._challenge("invalid_request", _MALFORMED, self.scopes), reason=reason)

    def insufficient(self, needed: Iterable[str]) -> Denied:
        """The token is good, and does not allow what needs all of these scopes (RS-3, RS-4)."""
        told = self._challenge("insufficient_scope", _INSUFFICIENT, sorted(needed))
        return Denied(403, told, reason="scopes are missing")

    def _challenge(self, error: str, description: str, scopes: Iterable[str]) -> str:
        fields = (
            ("error", error),
            ("error_description", description),
            ("scope", " ".join(scopes)),
            ("resource_metadata", self.metadata),
        )
        told = ", ".join(f"{name}={quoted(value)}" for name, value in fields if value)
        return f"Bearer {told or _REALM}"


def has_token_in_query(query: bytes) -> bool:
    """Whether a query string brings a token, which is never taken from there (RS-5)."""
    return any(pair.partition(b"=")[0].lower() == b"access_token" for pair in query.split(b"&"))


def quoted(text: str) -> str:
    """Write a quoted-string of HTTP. Raises: ValueError for what no header may hold."""
    if not text.isascii() or not text.isprintable():
        raise ValueError("a header holds printable ASCII alone")
    if len(text) > MAX_CHALLENGE:
        raise ValueError(f"a header is to hold {MAX_CHALLENGE} characters at most")
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def is_scope(text: str) -> bool:
    """Whether a text can name a scope (RFC 6749 §3.3)."""
    return bool(text) and _SCOPE_CHARACTERS.issuperset(text)


def is_token(text: str) -> bool:
    """Whether a text has the form of a token, RFC 6750's b64token: at least one character, and `=` only at the end."""
    body = text.rstrip("=")
    return bool(body) and _TOKEN_CHARACTERS.issuperset(body)
