"""What an authorization server says of itself, and whether a client may use it.

RFC 8414; CL-5, CL-6, CL-7, CL-17, CL-18, CL-19. Pure. An issuer is a text, compared byte for byte.
"""

from typing import Any

import msgspec

from ..errors import LoginFailed
from ..protocol.protected_resource import NotCanonical, check_secure, is_loopback

# What a server supports that does not say (RFC 8414 §2).
_GRANTS = ["authorization_code", "implicit"]
_METHODS = ["client_secret_basic"]


class AuthorizationServer(msgspec.Struct, frozen=True):
    """The metadata of an authorization server. What it does not say is None, or what the RFC says that it means then."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    registration_endpoint: str | None = None
    scopes_supported: list[str] | None = None
    grant_types_supported: list[str] | None = None
    token_endpoint_auth_methods_supported: list[str] | None = None
    code_challenge_methods_supported: list[str] | None = None
    client_id_metadata_document_supported: bool = False
    authorization_response_iss_parameter_supported: bool = False

    @property
    def refreshes(self) -> bool:
        """Whether it may give refresh tokens: one that does not say what it grants is asked, too."""
        return "refresh_token" in (self.grant_types_supported or ["refresh_token"])

    @property
    def methods(self) -> list[str]:
        """How clients may show who they are at the token endpoint."""
        return (
            _METHODS
            if self.token_endpoint_auth_methods_supported is None
            else self.token_endpoint_auth_methods_supported
        )


def read_server(document: Any, issuer: str) -> AuthorizationServer:
    """Read the metadata of an issuer. Raises: LoginFailed when it is none, of another issuer, or not to be used."""
    try:
        found = msgspec.convert(document, AuthorizationServer)
    except msgspec.ValidationError as error:
        raise LoginFailed(f"the metadata of {issuer} is not well formed: {error}", rule="CL-4") from None
    if found.issuer != issuer:
        raise LoginFailed(
            f"the metadata of {issuer} is that of another issuer, {found.issuer!r:.200}", rule="CL-5"
        )
    if "S256" not in (found.code_challenge_methods_supported or ()):
        raise LoginFailed(
            f"{issuer} does not say that it supports PKCE with S256, without which codes can be stolen",
            rule="CL-6",
        )
    if "authorization_code" not in (found.grant_types_supported or _GRANTS):
        raise LoginFailed(f"{issuer} gives no authorization codes")
    for url in (found.authorization_endpoint, found.token_endpoint, found.registration_endpoint):
        if url is not None:
            check_place(url, issuer)
    return found


def check_issuer(issuer: str, endpoint: str) -> None:
    """Check that an issuer that a resource names may be asked (CL-19). Raises: LoginFailed."""
    if "?" in issuer or "#" in issuer:
        raise LoginFailed(f"the issuer {issuer!r:.200} has a query or a fragment", rule="CL-5")
    check_place(issuer, endpoint)


def check_place(url: str, beside: str) -> None:
    """Check that a URL which others named is https, and on this machine only where what it stands beside is (CL-19).

    Raises: LoginFailed.
    """
    try:
        check_secure(url)
    except NotCanonical as error:
        raise LoginFailed(f"a place that is not to be asked: {error}", rule="CL-19") from None
    if "#" in url:
        raise LoginFailed(f"{url!r:.200} has a fragment", rule="CL-19")
    if is_loopback(url) and not is_loopback(beside):
        raise LoginFailed(f"{beside} names a place on this machine, {url!r:.200}", rule="CL-19")
