"""Tokens that are to be refused, each for one reason, and what a guard of OAuth says to a token."""

import asyncio
import hmac
import json
from collections.abc import Callable

import pytest

from readingroom import Denied, Grant, OAuth

from .minting import AUDIENCE, GOOD, ISSUER, NOW, ec, part, rsa, token

METADATA = "https://docs.example/.well-known/oauth-protected-resource/mcp"
CHALLENGE = f'scope="docs:read", resource_metadata="{METADATA}"'
INVALID = (
    f'Bearer error="invalid_token", error_description="The access token is not valid here.", {CHALLENGE}'
)


def asked(server: OAuth, given: str, address: str = "192.0.2.1") -> Grant:
    """Ask what a token allows."""
    return asyncio.run(server.authenticate([f"Bearer {given}"], address))


def refused(server: OAuth, given: str, address: str = "192.0.2.1") -> Denied:
    """Ask with a token that is refused."""
    with pytest.raises(Denied) as caught:
        asked(server, given, address)
    return caught.value


def hmac_signed() -> str:
    """The old trick: signed with the public key, as if it were a secret."""
    signed = f"{part({'alg': 'HS256', 'kid': 'k1', 'typ': 'at+jwt'})}.{part(GOOD)}"
    mac = hmac.digest(rsa("k1").as_pem(private=False), signed.encode(), "sha256")
    return f"{signed}.{part(mac)}"


def flipped(given: str) -> str:
    """A token whose payload says something else than what was signed."""
    header, _, signature = given.split(".")
    return f"{header}.{part({**GOOD, 'sub': 'root'})}.{signature}"


def unsigned(alg: str) -> str:
    """A token that says that it has no signature."""
    return f"{part({'alg': alg, 'kid': 'k1', 'typ': 'at+jwt'})}.{part(GOOD)}.AA"


def headed(raw: bytes) -> str:
    """A token with that header, rightly signed."""
    return token(header=raw)


GOOD_HEADER = b'"alg":"RS256","kid":"k1","typ":"at+jwt"'
BAD: dict[str, Callable[[], str]] = {
    "alg none": lambda: unsigned("none"),
    "alg NonE": lambda: unsigned("NonE"),
    "no signature": lambda: ".".join(token().split(".")[:2]) + ".",
    "HS256 with the public key": hmac_signed,
    "an algorithm that is not allowed": lambda: token(algorithm="RS512"),
    "another key of that name": lambda: token(key=rsa("other"), header={"kid": "k1"}),
    "a key of another kind": lambda: token(key=ec("other"), algorithm="ES256", header={"kid": "k1"}),
    "cut signature": lambda: token()[:-10],
    "flipped payload": lambda: flipped(token()),
    "a fourth part": lambda: token() + ".x",
    "two parts": lambda: ".".join(token().split(".")[:2]),
    "not base64url": lambda: "a+b." + token().partition(".")[2],
    "a base64 of odd length": lambda: "a." + token().partition(".")[2],
    "wrong aud": lambda: token(aud="https://other.example/mcp"),
    "no aud": lambda: token(without=("aud",)),
    "aud null": lambda: token(aud=None),
    "aud empty": lambda: token(aud=""),
    "aud empty list": lambda: token(aud=[]),
    "aud list of others": lambda: token(aud=["https://a.example", "https://b.example"]),
    "aud list with a number": lambda: token(aud=[AUDIENCE, 1]),
    "aud prefix": lambda: token(aud="https://docs.example"),
    "aud longer": lambda: token(aud=AUDIENCE + "/evil"),
    "aud with a slash": lambda: token(aud=AUDIENCE + "/"),
    "aud upper case": lambda: token(aud="https://DOCS.example/mcp"),
    "aud with the port": lambda: token(aud="https://docs.example:443/mcp"),
    "wrong iss": lambda: token(iss="https://evil.example"),
    "iss with a slash": lambda: token(iss=ISSUER + "/"),
    "no iss": lambda: token(without=("iss",)),
    "no exp": lambda: token(without=("exp",)),
    "exp text": lambda: token(exp=str(int(NOW) + 60)),
    "exp true": lambda: token(exp=True),
    "exp 1e30": lambda: token(exp=1e30),
    "exp infinite": lambda: token(payload=json.dumps(GOOD).replace(str(GOOD["exp"]), "Infinity").encode()),
    "exp NaN": lambda: token(payload=json.dumps(GOOD).replace(str(GOOD["exp"]), "NaN").encode()),
    "exp 1e999": lambda: token(payload=json.dumps(GOOD).replace(str(GOOD["exp"]), "1e999").encode()),
    "exp of 400 digits": lambda: token(
        payload=json.dumps(GOOD).replace(str(GOOD["exp"]), "9" * 400).encode()
    ),
    "exp of 5000 digits": lambda: token(
        payload=json.dumps(GOOD).replace(str(GOOD["exp"]), "9" * 5000).encode()
    ),
    "good for more than a day": lambda: token(exp=GOOD["iat"] + 24 * 3600 + 1),
    "good for more than a day, without iat": lambda: token(without=("iat",), exp=int(NOW) + 24 * 3600 + 1),
    "iat null": lambda: token(iat=None),
    "future nbf": lambda: token(nbf=int(NOW) + 120),
    "future iat": lambda: token(iat=int(NOW) + 120),
    "no sub": lambda: token(without=("sub",)),
    "sub empty": lambda: token(sub=""),
    "sub number": lambda: token(sub=1),
    "sub with a line end": lambda: token(sub="a\nb"),
    "sub too long": lambda: token(sub="a" * 256),
    "client with a line end": lambda: token(client_id="a\nb"),
    "scope list": lambda: token(scope=["docs:read"]),
    "unknown crit": lambda: token(header={"crit": ["x"], "x": 1}),
    "crit empty": lambda: token(header={"crit": []}),
    "crit b64": lambda: token(header={"crit": ["b64"], "b64": True}),
    "its own key": lambda: token(
        key=rsa("mine"), header={"kid": "mine", "jwk": rsa("mine").as_dict(private=False)}
    ),
    "its own key, under a known name": lambda: token(
        key=rsa("mine"), header={"kid": "k1", "jwk": rsa("mine").as_dict(private=False)}
    ),
    "a place of its own keys": lambda: token(
        key=rsa("mine"), header={"kid": "mine", "jku": "https://evil.example/keys"}
    ),
    "unknown kid": lambda: token(header={"kid": "nobody"}),
    "no kid": lambda: token(header={"kid": None}),
    "kid empty": lambda: token(header={"kid": ""}),
    "kid number": lambda: token(header={"kid": 1}),
    "kid of 5 kB": lambda: token(header={"kid": "k" * 5000}),
    "kid a path": lambda: token(header={"kid": "../../etc/passwd"}),
    "kid SQL": lambda: token(header={"kid": "' OR 1=1 --"}),
    "ID token": lambda: token(header={"typ": "JWT"}, nonce="n"),
    "typ JWT": lambda: token(header={"typ": "JWT"}),
    "no typ": lambda: token(header={"typ": None}),
    "typ logout": lambda: token(header={"typ": "logout+jwt"}),
    "typ number": lambda: token(header={"typ": 1}),
    "header twice": lambda: headed(b"{" + GOOD_HEADER + b',"kid":"k1"}'),
    "header UTF-16": lambda: headed(("{" + GOOD_HEADER.decode() + "}").encode("utf-16")),
    "header not UTF-8": lambda: headed(b"{" + GOOD_HEADER + b',"x":"\xff"}'),
    "header no object": lambda: headed(b'["RS256"]'),
    "header no JSON": lambda: headed(b"{" + GOOD_HEADER),
    "header nested": lambda: headed(b"{" + GOOD_HEADER + b',"x":' + b"[" * 17 + b"]" * 17 + b"}"),
    "header a bomb": lambda: headed(b"[" * 5000),
    "header huge": lambda: headed(b"{" + GOOD_HEADER + b',"x":"' + b"x" * 5000 + b'"}'),
    "header NaN": lambda: headed(b"{" + GOOD_HEADER + b',"x":NaN}'),
    "payload twice": lambda: token(payload=json.dumps(GOOD).encode()[:-1] + b',"sub":"root"}'),
    "payload twice inside": lambda: token(payload=json.dumps(GOOD).encode()[:-1] + b',"x":{"a":1,"a":2}}'),
    "payload no object": lambda: token(payload=b"[]"),
    "payload no JSON": lambda: token(payload=b"hello"),
    "100 kB": lambda: token(filler="x" * 100_000),
    "garbage": lambda: "rr_reader_abcdef",
    "three garbage parts": lambda: "a.b.c",
}
