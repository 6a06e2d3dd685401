"""Who a client is to an authorization server: as it was registered by hand, by a document of its own, or now.

CL-11 to CL-13, CL-18. Pure: makes and reads the messages of dynamic registration (RFC 7591).
"""

from typing import Any

import msgspec

from ..errors import LoginFailed, UsageError
from ..protocol.protected_resource import NotCanonical, check_secure, is_loopback
from .oauth_attempts import reason_of
from .oauth_servers import AuthorizationServer

NONE, BASIC, POST = "none", "client_secret_basic", "client_secret_post"
METHODS = (NONE, BASIC, POST)
"""How a client can show who it is at the token endpoint (CL-18)."""

How = str
GIVEN, DOCUMENT, REGISTERED = "given", "document", "registered"


class ClientIdentity(msgspec.Struct, frozen=True, omit_defaults=True):
    """A client as one authorization server knows it. `how` is given, document or registered; `method` empty for unknown.

    `expires` is when the secret ends, in seconds since the epoch; 0 for never.
    """

    client_id: str
    how: How
    secret: str | None = None
    method: str = ""
    redirect_uri: str = ""
    expires: float = 0

    def __repr__(self) -> str:
        return f"ClientIdentity({self.client_id!r}, {self.how!r})"

    def is_good(self, now: float) -> bool:
        """Whether it can still be presented."""
        return not self.expires or now < self.expires


class _Registered(msgspec.Struct, frozen=True):
    client_id: str
    client_secret: str | None = None
    client_secret_expires_at: float | None = None
    token_endpoint_auth_method: str | None = None


def registration(server: AuthorizationServer, name: str, redirect_uri: str) -> bytes:
    """Give the body that asks to be registered as a program on somebody's machine (CL-13)."""
    grants = ["authorization_code", *(["refresh_token"] if server.refreshes else [])]
    return msgspec.json.encode(
        {
            "client_name": name,
            "redirect_uris": [redirect_uri],
            "application_type": "native",
            "grant_types": grants,
            "response_types": ["code"],
            "token_endpoint_auth_method": next((one for one in METHODS if one in server.methods), NONE),
        }
    )


def read_registration(document: Any, redirect_uri: str) -> ClientIdentity:
    """Read what a server answered to a registration. Raises: LoginFailed."""
    try:
        found = msgspec.convert(document, _Registered)
    except msgspec.ValidationError as error:
        raise LoginFailed(
            f"the answer to the registration is not well formed: {error}", rule="CL-13"
        ) from None
    method = found.token_endpoint_auth_method or (BASIC if found.client_secret else NONE)
    if not found.client_id.isprintable() or not found.client_id:
        raise LoginFailed("the registration gave an id that cannot be used", rule="CL-13")
    if method not in METHODS:
        raise LoginFailed(
            f"the registration demands {method!r:.100}, which this client cannot do", rule="CL-18"
        )
    if method != NONE and not found.client_secret:
        raise LoginFailed(f"the registration demands {method} and gave no secret", rule="CL-18")
    secret = found.client_secret if method != NONE else None
    return ClientIdentity(
        found.client_id, REGISTERED, secret, method, redirect_uri, found.client_secret_expires_at or 0
    )


def refused_registration(document: Any, redirect_uri: str) -> LoginFailed:
    """Give the error for a registration that was refused, with what to do."""
    told = document if isinstance(document, dict) else {}
    words = {name: value for name, value in told.items() if isinstance(value, str)}
    text = f"the authorization server did not register this client: {reason_of(words)}"
    if words.get("error") == "invalid_redirect_uri":
        text += f"; it does not take the redirect URI {redirect_uri}: register a client there by hand, and give its id"
    return LoginFailed(text, rule="CL-13")


def nowhere_to_register(issuer: str, redirect_uri: str) -> LoginFailed:
    """Give the error for a server at which a client must be registered by hand (CL-11)."""
    return LoginFailed(
        f"{issuer} takes no registrations of programs: register a native client there by hand, with the redirect URI "
        f"{redirect_uri}, and give its id (client_id=, or --client-id)",
        rule="CL-11",
    )


def method_of(client: ClientIdentity, server: AuthorizationServer) -> str:
    """Give how this client shows who it is at the token endpoint (CL-18).

    Raises: LoginFailed when the server takes no way.
    """
    if client.method:
        return client.method
    if client.secret is None:
        return NONE
    for method in (BASIC, POST):
        if method in server.methods:
            return method
    raise LoginFailed(
        f"{server.issuer} takes no client secret: {', '.join(server.methods)!r:.200}", rule="CL-18"
    )


def check_document_url(url: str) -> None:
    """Check the URL of a document that says who the client is: https, with a path (CL-12). Raises: UsageError."""
    try:
        check_secure(url)
    except NotCanonical as error:
        raise UsageError(f"the URL of the client's metadata: {error}") from None
    path = url.partition("://")[2].partition("/")[2]
    if not url.startswith("https://") or not path or "#" in url or {".", ".."} & set(path.split("/")):
        raise UsageError(
            f"the URL of the client's metadata, {url!r}, must be https with a path, and no fragment or dots"
        )


def check_redirect_uri(url: str) -> None:
    """Check where the browser is sent back to: an address of this machine, over http (CL-9). Raises: UsageError."""
    try:
        check_secure(url)
    except NotCanonical as error:
        raise UsageError(f"the redirect URI: {error}") from None
    if not url.startswith("http://") or not is_loopback(url) or "#" in url or "?" in url:
        raise UsageError(
            f"the redirect URI {url!r} must be http:// on this machine, such as http://127.0.0.1:8912/callback"
        )
