"""A resource server of OAuth 2.1: takes access tokens that an issuer made for it, and tells where they are had.

It never makes a token, asks for one or hands one on: it is no authorization server and no proxy of one (RS-1 to RS-6).
"""

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec
from joserfc import jws
from joserfc.errors import JoseError

from ..errors import UsageError
from ..protocol.authorization import Challenges, Denied, Grant, is_scope
from ..protocol.protected_resource import NotCanonical, ProtectedResource, check_secure
from .auth_attempts import Attempts
from .auth_fetch import document, keys_url
from .auth_jwt import BadToken, Claims, Terms
from .auth_keys import ALGORITHMS, IssuerKeys, Key, KeysUnavailable, keys_in
from .auth_told import refusal, tell

MOST_LEEWAY_S = 30.0
_LONGEST_ID = 128


class OAuth:
    """An Authenticator for the access tokens of one issuer. Needs the extra `http`.

    `audience` is the public URL of the MCP endpoint, byte for byte what tokens are made for. `required` are the scopes
    that any use needs. `implies` says which scopes include which others. `roles` gives the role of a grant: of the first
    scope that it has; without one that it has, the token does not suffice. `scopes` are those that the metadata tells;
    others are passed over, unless there are none. `takes_plain` takes tokens of the type `JWT`, too, if they have a
    `client_id` and a `scope` and are no ID tokens: for issuers that do not write `at+jwt`.
    `allows` is asked on every use of a token whether it is still allowed; it can only narrow. `clock` gives seconds since
    the epoch. `load_keys` takes the place of fetching the issuer's keys.

    Raises: UsageError for what cannot be served.
    """

    def __init__(  # noqa: PLR0913  -- what a person decides about an issuer, each by its name
        self,
        issuer: str,
        audience: str,
        *,
        scopes: Sequence[str] = (),
        required: Sequence[str] = (),
        implies: Mapping[str, Iterable[str]] = {},
        roles: Sequence[tuple[str, str]] = (),
        jwks_url: str | None = None,
        algorithms: Sequence[str] = ("RS256", "ES256"),
        takes_plain: bool = False,
        leeway: float = MOST_LEEWAY_S,
        name: str = "",
        documentation: str = "",
        allows: Callable[[Grant], bool] = lambda grant: True,
        clock: Callable[[], float] = time.time,
        load_keys: Callable[[], dict[str, list[Key]]] | None = None,
        attempts: Attempts | None = None,
    ) -> None:
        _check(issuer, jwks_url, algorithms, leeway, [*scopes, *required, *implies])
        try:
            self._resource = ProtectedResource(audience, (issuer,), tuple(scopes), name, documentation)
        except NotCanonical as error:
            raise UsageError(f"the audience {error}") from None
        self._document = self._resource.document()
        self._challenges = Challenges(self._resource.metadata_url, tuple(required or scopes[:1]))
        self._terms = Terms(issuer, audience, tuple(algorithms), takes_plain, leeway)
        self._registry = jws.JWSRegistry(algorithms=list(algorithms), strict_check_header=False)
        self._known = frozenset(scopes) | frozenset(required)
        self._required = frozenset(required)
        self._implied = _closed(implies)
        self._roles = tuple(roles)
        self._allows = allows
        self._clock = clock
        self._attempts = attempts or Attempts()
        self._keys = IssuerKeys(load_keys or _loader(issuer, jwks_url), tell=tell)

    async def authenticate(self, authorization: Sequence[str], address: str) -> Grant:
        """Give what the token allows. Raises: Denied."""
        token = self._challenges.token_of(authorization)
        try:
            grant = self._grant(await self._claims(token), token)
        except BadToken as error:
            raise self._refused(str(error), address) from None
        except KeysUnavailable as error:
            raise Denied(503, retry_after=error.retry_after, reason=str(error)) from None
        if not self._required <= grant.scopes or (self._roles and not grant.role):
            raise self._challenges.insufficient(self._challenges.scopes)
        return grant

    def holds(self, grant: Grant) -> bool:
        """Whether a grant's token has not expired and is still allowed."""
        ends = grant.expires
        return ends is not None and self._clock() < ends + self._terms.leeway and self._allows(grant)

    def insufficient(self, needed: frozenset[str]) -> Denied:
        """Give the refusal of what needs these scopes."""
        return self._challenges.insufficient(needed)

    def document(self, path: str) -> bytes | None:
        """Give the metadata of the protected resource at either of its places."""
        return self._document if path in self._resource.paths else None

    async def _claims(self, token: str) -> Claims:
        header = self._terms.header_of(token)
        key = await self._keys.find(header.kid, header.alg)
        if key is None:
            raise BadToken("its key is not known")
        try:
            signed = jws.deserialize_compact(token, key, [header.alg], self._registry)
        except (JoseError, ValueError, TypeError):
            raise BadToken("its signature is not good") from None
        return self._terms.claims_of(header, signed.payload, self._clock())

    def _grant(self, claims: Claims, token: str) -> Grant:
        said = claims.scopes & (self._known | self._implied.keys()) if self._known else claims.scopes
        scopes = frozenset[str]().union(said, *(self._implied.get(scope, ()) for scope in said))
        role = next((role for scope, role in self._roles if scope in scopes), "")
        principal = msgspec.json.encode([claims.iss, claims.sub, claims.client]).decode()
        grant = Grant(principal, scopes, role, _token_id(claims, token), claims.exp)
        if not self._allows(grant):
            raise BadToken("it is no longer allowed")
        return grant

    def _refused(self, reason: str, address: str) -> Denied:
        wait = self._attempts.failed(address, self._clock())
        if wait is not None:
            return Denied(429, retry_after=wait, reason="too many attempts")
        tell(refusal(address, reason))
        return self._challenges.invalid(reason)


def _check(
    issuer: str, jwks_url: str | None, algorithms: Sequence[str], leeway: float, scopes: Iterable[str]
) -> None:
    try:
        check_secure(issuer)
        check_secure(jwks_url or issuer)
    except NotCanonical as error:
        raise UsageError(f"the issuer {error}") from None
    if "?" in issuer or "#" in issuer:
        raise UsageError(f"the issuer {issuer!r} must have no query and no fragment")
    if not algorithms or not ALGORITHMS.issuperset(algorithms):
        raise UsageError(f"algorithms must be some of {', '.join(sorted(ALGORITHMS))}")
    if not 0 <= leeway <= MOST_LEEWAY_S:
        raise UsageError(f"the leeway must be 0 to {MOST_LEEWAY_S:.0f} seconds")
    if not all(map(is_scope, scopes)):
        raise UsageError("a scope has printable ASCII characters, and neither spaces, quotes nor backslashes")


def _closed(implies: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    """Give all that each scope includes, through others as well."""
    closed = {scope: frozenset(included) for scope, included in implies.items()}
    for _ in closed:
        closed = {
            scope: included.union(*(closed.get(one, frozenset()) for one in included))
            for scope, included in closed.items()
        }
    return closed


def _loader(issuer: str, jwks_url: str | None) -> Callable[[], dict[str, list[Key]]]:
    return lambda: keys_in(document(jwks_url or keys_url(issuer)))


def _token_id(claims: Claims, token: str) -> str:
    """Name a token for the log: by its own id where that can be shown."""
    shown = claims.jti.isascii() and claims.jti.isprintable() and 0 < len(claims.jti) <= _LONGEST_ID
    return claims.jti if shown else hashlib.sha256(token.encode()).hexdigest()[:16]
