"""What makes a JWT an access token for us, whoever signed it: its form, its header, its claims (RFC 9068, RS-5).

Pure: the time is handed in, and of keys it knows their names alone. A reason never repeats what was sent.
"""

import base64
import binascii
import json
from typing import Any, TypeVar

import msgspec

from ..protocol.authorization import is_scope
from ..wire.strict_json import is_deeper

LONGEST_LIFE_S = 24 * 3600
"""A token that is good for longer is none that we take: it could hardly be taken back."""

_Value = TypeVar("_Value")
_NESTING = 16
_LONGEST_NAME = 255


class BadToken(Exception):
    """A token is not good; the text is for the log."""


class Header(msgspec.Struct, frozen=True):
    """What a token says of its signature."""

    alg: str
    kid: str
    typ: str


class Claims(msgspec.Struct, frozen=True):
    """What a token says. Times are seconds since the epoch; those that are not said are UNSET."""

    iss: str
    sub: str
    aud: str | list[str]
    exp: float
    iat: float | msgspec.UnsetType = msgspec.UNSET
    nbf: float | msgspec.UnsetType = msgspec.UNSET
    scope: str = ""
    client_id: str = ""
    azp: str = ""
    jti: str = ""
    nonce: Any = msgspec.UNSET
    at_hash: Any = msgspec.UNSET
    token_use: Any = msgspec.UNSET
    typ: Any = msgspec.UNSET

    @property
    def client(self) -> str:
        """The client that the token was given to, by the name of RFC 9068 or, if there is none, of OpenID."""
        return self.client_id or self.azp

    @property
    def scopes(self) -> frozenset[str]:
        """What it allows, by itself."""
        return frozenset(filter(is_scope, self.scope.split(" ")))


class Terms(msgspec.Struct, frozen=True):
    """What a token must say. `leeway` is in seconds; `takes_plain` says whether the type JWT will do, with other marks."""

    issuer: str
    audience: str
    algorithms: tuple[str, ...]
    takes_plain: bool
    leeway: float

    def header_of(self, token: str) -> Header:
        """Give a token's header. Raises: BadToken for one that we look no further at."""
        parts = token.split(".")
        if len(parts) != 3 or not all(parts):
            raise BadToken("it has not three parts")
        fields = _object(_decoded(parts[0]))
        if "crit" in fields:
            raise BadToken("its header has extensions that must be understood")
        header = _as(Header, fields, "its header")
        if header.alg not in self.algorithms:
            raise BadToken("its algorithm is not allowed")
        if not header.kid:
            raise BadToken("it does not name its key")
        kind = _kind(header)
        if kind != "at+jwt" and not (self.takes_plain and kind == "jwt"):
            raise BadToken("its type is not that of an access token")
        return header

    def claims_of(self, header: Header, payload: bytes, now: float) -> Claims:
        """Give the claims of a token whose signature is good. Raises: BadToken."""
        claims = _as(Claims, _object(payload), "its claims")
        if claims.iss != self.issuer:
            raise BadToken("its issuer is another")
        if self.audience not in ([claims.aud] if isinstance(claims.aud, str) else claims.aud):
            raise BadToken("it is for another audience")
        if not all(map(_is_name, (claims.sub, claims.client or "-"))):
            raise BadToken("its subject or its client is not one")
        if _kind(header) == "jwt":
            _check_marks(claims)
        self._check_times(claims, now)
        return claims

    def _check_times(self, claims: Claims, now: float) -> None:
        begun = now if isinstance(claims.iat, msgspec.UnsetType) else claims.iat
        from_when = begun if isinstance(claims.nbf, msgspec.UnsetType) else max(begun, claims.nbf)
        if not claims.exp - begun <= LONGEST_LIFE_S:
            raise BadToken("it is good for too long")
        if not from_when - self.leeway <= now:
            raise BadToken("it is not good yet")
        if not now < claims.exp + self.leeway:
            raise BadToken("it has expired")


def _check_marks(claims: Claims) -> None:
    """Tell an access token from an ID token or a refresh token where its type does not."""
    if not claims.client_id or not claims.scope:
        raise BadToken("nothing marks it as an access token")
    if claims.nonce is not msgspec.UNSET or claims.at_hash is not msgspec.UNSET:
        raise BadToken("it is an ID token")
    if claims.token_use not in (msgspec.UNSET, "access") or claims.typ not in (msgspec.UNSET, "Bearer"):
        raise BadToken("it says that it is for something else")


def _kind(header: Header) -> str:
    return header.typ.lower().removeprefix("application/")


def _is_name(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_NAME and text.isprintable()


def _decoded(part: str) -> bytes:
    try:
        return base64.b64decode(part + "=" * (-len(part) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise BadToken("its parts are not base64url") from None


def _object(data: bytes) -> dict[str, Any]:
    """Read an object that says nothing twice. Raises: BadToken."""
    try:
        if is_deeper(data, _NESTING):
            raise BadToken("its JSON is nested too deep")
        value = json.loads(data.decode(), object_pairs_hook=_unique, parse_constant=_refused)
    except ValueError:
        raise BadToken("a part of it is not JSON") from None
    if not isinstance(value, dict):
        raise BadToken("a part of it is not a JSON object")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BadToken("it says something twice")
    return found


def _refused(_constant: str) -> None:
    raise ValueError


def _as(kind: type[_Value], fields: dict[str, Any], what: str) -> _Value:
    try:
        return msgspec.convert(fields, kind)
    except (msgspec.ValidationError, OverflowError):
        raise BadToken(f"{what} lacks something, or has it in another form") from None
