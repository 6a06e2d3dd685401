"""What a client sends to a token endpoint, and what it makes of the answer (RFC 6749 §4.1.3, §5, §6; CL-10, CL-17, CL-18).

Pure: no clock but the time that is given.
"""

import base64
import math
from typing import Any
from urllib.parse import quote_plus, urlencode

import msgspec

from ..errors import LoginFailed
from ..protocol.authorization import is_scope, is_token
from .oauth_attempts import Attempt, reason_of
from .oauth_clients import BASIC, POST, ClientIdentity

SLACK_S = 30.0
"""How long before its end a token is no longer used: it has to be good yet when it arrives."""

_OTHER_KINDS = ("n_a", "pop", "dpop", "mac")


class Tokens(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The tokens of one client for one resource. `expires` is in seconds since the epoch; None when it is not known.

    `asked` are the scopes that were asked for and `granted` those that were given.
    """

    client_id: str
    resource: str
    access: str
    refresh: str | None = None
    expires: float | None = None
    asked: tuple[str, ...] = ()
    granted: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Tokens({self.client_id!r}, {self.resource!r})"

    def is_good(self, now: float) -> bool:
        """Whether the access token is not over, as far as is known."""
        return self.expires is None or now < self.expires - SLACK_S


class Sent(msgspec.Struct, frozen=True):
    """A request to a token endpoint: its form, and its header fields beside that. It is secret as a whole.

    `secrets` are those of its texts that nobody may see, whatever the endpoint repeats of it.
    """

    body: bytes
    fields: dict[str, str]
    secrets: tuple[str, ...]

    def __repr__(self) -> str:
        return "Sent()"


class Refusal(Exception):
    """A token endpoint said no: `error` is its code, such as invalid_grant, and `reason` fit to be shown."""

    def __init__(self, error: str, reason: str) -> None:
        super().__init__(reason)
        self.error = error
        self.reason = reason


class _Given(msgspec.Struct, frozen=True):
    access_token: str
    token_type: str
    expires_in: float | None = None
    refresh_token: str | None = None
    scope: str | None = None


def with_code(attempt: Attempt, code: str, client: ClientIdentity) -> Sent:
    """Give the request that makes tokens of a code."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": attempt.redirect_uri,
        "code_verifier": attempt.verifier,
        "resource": attempt.resource,
    }
    return _shown(form, client, (code, attempt.verifier))


def with_refresh(tokens: Tokens, client: ClientIdentity) -> Sent:
    """Give the request for a new access token, of the same scopes, by the refresh token."""
    refresh = tokens.refresh or ""
    form = {"grant_type": "refresh_token", "refresh_token": refresh, "resource": tokens.resource}
    return _shown(form, client, (refresh,))


def first_tokens(document: Any, attempt: Attempt, now: float) -> Tokens:
    """Read the answer to a code. Raises: LoginFailed."""
    given = _read(document)
    return Tokens(
        client_id=attempt.client_id,
        resource=attempt.resource,
        access=given.access_token,
        refresh=given.refresh_token,
        expires=_end(given, now),
        asked=attempt.scopes,
        granted=attempt.scopes if given.scope is None else _scopes(given.scope),
    )


def next_tokens(document: Any, last: Tokens, now: float) -> Tokens:
    """Read the answer to a refresh token, which may have given another in its place (CL-17). Raises: LoginFailed."""
    given = _read(document)
    return msgspec.structs.replace(
        last,
        access=given.access_token,
        refresh=given.refresh_token or last.refresh,
        expires=_end(given, now),
        granted=last.granted if given.scope is None else _scopes(given.scope),
    )


def refusal_of(status: int, document: Any, sent: Sent) -> Refusal:
    """Read an answer that is no success to what was sent; nothing secret of that is in what is shown."""
    told = document if isinstance(document, dict) else {}
    words = {name: value for name, value in told.items() if isinstance(value, str)}
    reason = reason_of(words, sent.secrets) if words.get("error") else f"status {status}"
    return Refusal(words.get("error", ""), reason)


def _shown(form: dict[str, str], client: ClientIdentity, secrets: tuple[str, ...]) -> Sent:
    """Add who the client is: id and secret each form-encoded before they are joined for Basic (RFC 6749 §2.3.1)."""
    secrets += (client.secret or "",)
    if client.method == BASIC:
        pair = f"{quote_plus(client.client_id)}:{quote_plus(client.secret or '')}"
        shown = base64.b64encode(pair.encode()).decode()
        return Sent(urlencode(form).encode(), {"Authorization": f"Basic {shown}"}, (*secrets, shown))
    form["client_id"] = client.client_id
    if client.method == POST:
        form["client_secret"] = client.secret or ""
    return Sent(urlencode(form).encode(), {}, secrets)


def _read(document: Any) -> _Given:
    try:
        given = msgspec.convert(document, _Given)
    except msgspec.ValidationError as error:
        raise LoginFailed(
            f"the answer of the token endpoint is not well formed: {error}", rule="CL-18"
        ) from None
    if given.token_type.lower() != "bearer":
        told = f" but of the kind {given.token_type}" if given.token_type.lower() in _OTHER_KINDS else ""
        raise LoginFailed(f"the token is not a bearer token{told}", rule="CL-1")
    if not is_token(given.access_token):
        raise LoginFailed("the token endpoint gave a text that is no bearer token", rule="CL-1")
    return given


def _end(given: _Given, now: float) -> float | None:
    if given.expires_in is None or not math.isfinite(given.expires_in):
        return None
    return now + max(0.0, given.expires_in)


def _scopes(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for one in text.split(" ") if is_scope(one)))
