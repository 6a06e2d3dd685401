"""Has a person log in, and turns what comes of it into tokens (CL-6 to CL-13, CL-17, CL-18).

Talks to the authorization server and to the browser; keeps nothing.
"""

import contextlib
import secrets
import time
from collections.abc import Callable
from typing import Any

import msgspec

from ..client import oauth_clients, oauth_scopes, oauth_tokens
from ..client.oauth_attempts import Attempt, NotOurs
from ..client.oauth_clients import ClientIdentity
from ..client.oauth_servers import AuthorizationServer
from ..client.oauth_tokens import Sent, Tokens
from ..errors import LoginFailed
from .oauth_discovery import Found
from .oauth_fetch import Fetcher, Reply
from .oauth_redirect import RedirectListener

OpenUrl = Callable[[str], str | None]
"""Shows a URL to a person. It may give the URL to which the browser was sent back, and then nobody listens for it."""

_OK = 200
_REGISTERED = (200, 201)
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}
_JSON = {"Content-Type": "application/json"}


class Person(msgspec.Struct, frozen=True):
    """How a person is asked: what opens the URL, how long to wait, in seconds, and where the browser is sent back to.

    That is `redirect_uri`; or, without one, `preferred`; or, when its port is in use, a free port of this machine.
    """

    open_url: OpenUrl
    patience: float
    redirect_uri: str = ""
    preferred: str = ""


class Login(msgspec.Struct, frozen=True):
    """A login that was made: who the client was, and the tokens it was given."""

    client: ClientIdentity
    tokens: Tokens


def log_in(
    fetcher: Fetcher,
    found: Found,
    scopes: tuple[str, ...],
    person: Person,
    identify: Callable[[str], ClientIdentity],
) -> Login:
    """Have a person log in. `identify` gives who the client is, from where the browser is sent back to.

    Raises: LoginFailed; Refusal when the token endpoint says no.
    """
    with _listener(person) as listener:
        client = identify(listener.redirect_uri)
        client = msgspec.structs.replace(client, method=oauth_clients.method_of(client, found.server))
        attempt = _attempt(found, client, scopes, listener.redirect_uri)
        code = _code(attempt, found.server, listener, person)
    sent = oauth_tokens.with_code(attempt, code, client)
    document = _asked(fetcher, found.server.token_endpoint, sent)
    return Login(client, oauth_tokens.first_tokens(document, attempt, time.time()))


def register(fetcher: Fetcher, server: AuthorizationServer, name: str, redirect_uri: str) -> ClientIdentity:
    """Register the client at a server (CL-13). Raises: LoginFailed."""
    if server.registration_endpoint is None:
        raise oauth_clients.nowhere_to_register(server.issuer, redirect_uri)
    body = oauth_clients.registration(server, name, redirect_uri)
    reply = fetcher.post(server.registration_endpoint, body, _JSON)
    if reply.status not in _REGISTERED:
        raise oauth_clients.refused_registration(reply.document, redirect_uri)
    return oauth_clients.read_registration(reply.document, redirect_uri)


def refreshed(fetcher: Fetcher, token_endpoint: str, tokens: Tokens, client: ClientIdentity) -> Tokens:
    """Have an access token made anew by the refresh token (CL-17). Raises: Refusal, LoginFailed."""
    sent = oauth_tokens.with_refresh(tokens, client)
    return oauth_tokens.next_tokens(_asked(fetcher, token_endpoint, sent), tokens, time.time())


def _listener(person: Person) -> RedirectListener:
    if person.preferred and not person.redirect_uri:
        with contextlib.suppress(LoginFailed):
            return RedirectListener(person.preferred)
    return RedirectListener(person.redirect_uri)


def _attempt(found: Found, client: ClientIdentity, scopes: tuple[str, ...], redirect_uri: str) -> Attempt:
    server = found.server
    return Attempt(
        issuer=server.issuer,
        tells_issuer=server.authorization_response_iss_parameter_supported,
        client_id=client.client_id,
        redirect_uri=redirect_uri,
        resource=found.resource.name,
        scopes=oauth_scopes.with_offline(scopes, server.scopes_supported, refreshes=server.refreshes),
        verifier=secrets.token_urlsafe(64),
        state=secrets.token_urlsafe(32),
    )


def _code(attempt: Attempt, server: AuthorizationServer, listener: RedirectListener, person: Person) -> str:
    """Send the person to the server and give the code that comes back. Raises: LoginFailed."""
    listener.expect(attempt.code)
    back = person.open_url(attempt.url(server.authorization_endpoint))
    if back is None:
        return str(listener.wait(person.patience))
    where, _, query = back.partition("?")
    if where != attempt.redirect_uri:
        raise LoginFailed("the browser was sent back to another place than was said", rule="CL-9")
    try:
        return attempt.code(query.partition("#")[0])
    except NotOurs:
        raise LoginFailed("what came back is not the answer to this login", rule="CL-9") from None


def _asked(fetcher: Fetcher, token_endpoint: str, sent: Sent) -> Any:
    """Give what a token endpoint answers. Raises: Refusal when it says no; LoginFailed."""
    reply: Reply = fetcher.post(token_endpoint, sent.body, {**_FORM, **sent.fields})
    if reply.status != _OK:
        raise oauth_tokens.refusal_of(reply.status, reply.document, sent)
    return reply.document
