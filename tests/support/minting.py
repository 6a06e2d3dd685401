"""An issuer of access tokens in memory: it makes the good one, and every bad one that a test asks for."""

import base64
import functools
import json
from typing import Any

from joserfc import jws
from joserfc.jwk import ECKey, KeySet, RSAKey

from readingroom import OAuth
from readingroom.transport.auth_keys import Key, keys_in

ISSUER = "https://login.example"
AUDIENCE = "https://docs.example/mcp"
NOW = 1_800_000_000.0
GOOD = {
    "iss": ISSUER,
    "aud": AUDIENCE,
    "sub": "anna",
    "client_id": "app",
    "scope": "docs:read",
    "jti": "t-1",
    "iat": int(NOW) - 10,
    "exp": int(NOW) + 600,
}


@functools.cache
def rsa(name: str, bits: int = 2048) -> RSAKey:
    """Give a key with that name; the same one to whoever asks."""
    return RSAKey.generate_key(bits, {"kid": name})


@functools.cache
def ec(name: str, curve: str = "P-256") -> ECKey:
    """Give a key on a curve."""
    return ECKey.generate_key(curve, {"kid": name})


def key_set(*keys: Any) -> dict[str, Any]:
    """Give what an issuer publishes of its keys."""
    return KeySet(list(keys)).as_dict(private=False)


def part(data: Any) -> str:
    """Write a part of a token; bytes as they are."""
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def token(
    *,
    key: Any = None,
    header: dict[str, Any] | bytes | None = None,
    without: tuple[str, ...] = (),
    algorithm: str = "RS256",
    payload: bytes | None = None,
    **claims: Any,
) -> str:
    """Make a token that is good but for what is changed of its header or its claims, or is left out of them."""
    key = key or rsa("k1")
    fields = {"alg": algorithm, "kid": key.get("kid"), "typ": "at+jwt"}
    if isinstance(header, dict):
        fields = {name: value for name, value in {**fields, **header}.items() if value is not None}
    told = {name: value for name, value in {**GOOD, **claims}.items() if name not in without}
    signed = f"{part(header if isinstance(header, bytes) else fields)}.{part(payload or told)}"
    signature = jws.JWSRegistry.algorithms[algorithm].sign(signed.encode(), key)
    return f"{signed}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


class Clock:
    """A clock that stands until it is told otherwise."""

    def __init__(self, now: float = NOW) -> None:
        self.now = now

    def __call__(self) -> float:
        """Give the time."""
        return self.now


class Published:
    """What an issuer publishes of its keys, and how often it was asked."""

    def __init__(self, *keys: Any) -> None:
        self.keys = keys or (rsa("k1"),)
        self.asked = 0
        self.error: Exception | None = None

    def __call__(self) -> dict[str, list[Key]]:
        """Give the keys, or fail as it was told to."""
        self.asked += 1
        if self.error is not None:
            raise self.error
        return keys_in(key_set(*self.keys))


def oauth(clock: Clock | None = None, **changed: Any) -> OAuth:
    """Give a resource server for the issuer, as the library has one."""
    given: dict[str, Any] = {
        "scopes": ("docs:read", "docs:propose"),
        "required": ("docs:read",),
        "implies": {"docs:propose": ("docs:read",)},
        "roles": (("docs:propose", "editor"), ("docs:read", "reader")),
        "clock": clock or Clock(),
        "load_keys": Published(),
        **changed,
    }
    return OAuth(given.pop("issuer", ISSUER), given.pop("audience", AUDIENCE), **given)
