"""Who may use the library over HTTP: the options that say so, and the Authenticator that is made of them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .faults import UsageFault
from .options import Option
from .tokens import PROPOSE, READ, SCOPES, check_outside, token_file

if TYPE_CHECKING:
    from ..protocol.authorization import Authenticator

PLAIN_TYPE = "JWT"
TOKEN_TYPES = ("at+jwt", PLAIN_TYPE)

AUTHORIZATION: tuple[Option, ...] = (
    Option(
        "--tokens",
        "FILE",
        "over HTTP, ask for a token of this file, which `readingroom token` keeps; `default` means the one it keeps "
        "when it is given none",
    ),
    Option(
        "--oauth-issuer", "URL", "over HTTP, ask for an access token of this authorization server, instead"
    ),
    Option(
        "--oauth-audience",
        "URL",
        "the URL of the endpoint as it stands in the tokens: https, with its path, without a slash at the end "
        "(default: that of --public-url)",
    ),
    Option(
        "--oauth-jwks",
        "URL",
        "where the keys of the authorization server are (default: where its metadata says)",
    ),
    Option(
        "--oauth-token-type",
        "TYPE",
        "at+jwt (the default), or JWT for an authorization server that does not tell access tokens from others by "
        "their type",
    ),
)
"""What says who may use the library over HTTP."""


def authenticator_from(values: Mapping[str, Any], folder: str) -> "Authenticator | None":
    """Give the Authenticator that the values of the options ask for; None when they ask for none.

    `folder` is the one that is served. The roles of its grants are reader and editor.
    Raises: UsageFault for options that do not go together; UsageError for those that cannot be served, tokens that
    cannot be used among them.
    """
    tokens, issuer = values.get("tokens"), values.get("oauth_issuer")
    if tokens is not None and issuer is not None:
        raise UsageFault("give either --tokens or --oauth-issuer")
    if issuer is not None:
        return _oauth(issuer, values)
    for name in ("oauth_audience", "oauth_jwks", "oauth_token_type"):
        if values.get(name) is not None:
            raise UsageFault(f"--{name.replace('_', '-')} is for --oauth-issuer")
    return None if tokens is None else _static(tokens, folder)


def _static(given: str, folder: str) -> "Authenticator":
    from ..transport.auth_tokens import StaticTokens

    file = token_file(given)
    check_outside(file, folder)
    return StaticTokens.from_file(file, scopes=SCOPES, required=(READ,))


def _oauth(issuer: str, values: Mapping[str, Any]) -> "Authenticator":
    audience = values.get("oauth_audience") or values.get("public_url")
    if audience is None:
        raise UsageFault("--oauth-issuer needs the public URL of the endpoint: give --public-url")
    token_type = values.get("oauth_token_type") or TOKEN_TYPES[0]
    if token_type not in TOKEN_TYPES:
        raise UsageFault(f"--oauth-token-type must be {' or '.join(TOKEN_TYPES)}, not {token_type!r}")
    try:
        from ..transport.auth_oauth import OAuth
    except ModuleNotFoundError as error:
        raise UsageFault("OAuth needs more packages: pip install 'readingroom[http]'") from error
    return OAuth(
        issuer,
        audience,
        scopes=(READ, PROPOSE),
        required=(READ,),
        implies={PROPOSE: (READ,)},
        roles=((PROPOSE, "editor"), (READ, "reader")),
        jwks_url=values.get("oauth_jwks"),
        takes_plain=token_type == PLAIN_TYPE,
        name="Reading Room",
    )
