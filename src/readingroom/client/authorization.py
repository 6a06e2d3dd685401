"""What a client sends to show that it may ask, and what happens when the server says that it may not: the seam for HTTP.

Pure. A carrier asks for the header of each request, and tells of each refusal; where the token comes from, it does not know.
"""

import hashlib
from typing import Protocol

import msgspec

from ..errors import UsageError
from ..protocol.authorization import is_token
from ..protocol.protected_resource import NotCanonical, check_secure

TRIES = 3
"""How often a carrier sends one request anew at most, whatever its Authorization says (CL-16)."""

REFUSALS = (401, 403)
"""The statuses that a carrier tells its Authorization of."""


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """An answer with status 401 or 403.

    `url` is the endpoint, as the caller gave it. `challenges` are the values of all its WWW-Authenticate fields, in
    order, as they came. `sent` is the value of Authorization that the request had; None without one. `operation` is what
    was asked, such as `tools/call search`. `tries` is how often this request has been sent anew already.
    """

    url: str
    status: int
    challenges: tuple[str, ...] = ()
    sent: str | None = None
    operation: str = ""
    tries: int = 0


class Authorization(Protocol):
    """Who has the token of a client. Its methods are called from any thread, also from many at once.

    Both may take minutes, for they may ask a person: a carrier calls them in the thread of the request, never in one that
    reads for other requests.
    """

    @property
    def principal(self) -> str | None:
        """Whose answers come now: another text after another person has logged in; it tells nothing of the token."""

    def header(self, url: str) -> str | None:
        """Give the value of Authorization for a request to this endpoint; None when it goes without (CL-1).

        Raises: UsageError for a URL that no token is sent to; LoginFailed.
        """

    def challenged(self, refusal: Refusal) -> bool:
        """Say whether to send the request anew, with what `header` gives now.

        A carrier raises Unauthorized when it is not to, and after `TRIES`. Raises: LoginFailed.
        """


class BearerToken:
    """A token that was handed over, such as one of `readingroom token add`. It is what it is: a refusal changes nothing.

    Raises: UsageError for a text that is no token.
    """

    __slots__ = ("_token",)

    def __init__(self, token: str) -> None:
        if not is_token(token):
            raise UsageError(
                "a bearer token is at least one letter, digit or one of -._~+/, with = at its end alone"
            )
        self._token = token

    @property
    def principal(self) -> str | None:
        """The beginning of its SHA-256."""
        return hashlib.sha256(self._token.encode()).hexdigest()[:16]

    def header(self, url: str) -> str | None:
        """Give the token. Raises: UsageError for a URL that is neither https nor on this machine."""
        check_endpoint(url)
        return f"Bearer {self._token}"

    def challenged(self, _refusal: Refusal) -> bool:
        """Give up: there is no other token."""
        return False


def check_endpoint(url: str) -> None:
    """Check that a token may be sent to an endpoint: https, or http on this machine. Raises: UsageError."""
    try:
        check_secure(url)
    except NotCanonical as error:
        raise UsageError(f"no token is sent there: {error}") from None
