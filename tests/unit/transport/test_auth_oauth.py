"""A resource server of OAuth: which tokens it takes, what they allow, and what it tells of the others."""

import asyncio
import hmac
import json
from collections.abc import Callable
from typing import Any

import pytest

from readingroom import Denied, Grant, OAuth, UsageError
from readingroom.protocol.authorization import MAX_TOKEN
from readingroom.transport.auth_attempts import Attempts
from readingroom.transport.auth_fetch import FetchFailed
from support.minting import (
    AUDIENCE,
    GOOD,
    ISSUER,
    NOW,
    Clock,
    Published,
    ec,
    key_set,
    oauth,
    part,
    rsa,
    token,
)

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


@pytest.mark.parametrize("name", BAD)
def test_a_bad_token_is_refused(name: str) -> None:
    """With 401 and one challenge for all of them, which tells nothing of why."""
    server = oauth()
    denied = refused(server, BAD[name]())
    assert (denied.status, denied.challenge) == (401, INVALID)


GOOD_ONES: dict[str, Callable[[], str]] = {
    "as it should be": token,
    "typ application/at+jwt": lambda: token(header={"typ": "application/at+jwt"}),
    "typ AT+JWT": lambda: token(header={"typ": "AT+JWT"}),
    "aud list": lambda: token(aud=["https://other.example", AUDIENCE]),
    "no iat": lambda: token(without=("iat",)),
    "times with fractions": lambda: token(exp=NOW + 1.5, iat=NOW - 0.5),
    "unknown claims": lambda: token(roles=["x"], deep={"a": {"b": [1]}}),
    "unknown header": lambda: token(header={"x-env": "prod", "x5t": "abc"}),
    "ES256": lambda: token(key=ec("e1"), algorithm="ES256"),
    "azp for client_id": lambda: token(without=("client_id",), azp="app"),
}


@pytest.mark.parametrize("name", GOOD_ONES)
def test_a_good_token_is_taken(name: str) -> None:
    """Whom it speaks for is its issuer, its subject and its client together."""
    grant = asked(oauth(load_keys=Published(rsa("k1"), ec("e1"))), GOOD_ONES[name]())
    assert json.loads(grant.principal) == [ISSUER, "anna", "app"]
    assert (grant.scopes, grant.role, grant.token) == ({"docs:read"}, "reader", "t-1")


def test_a_principal_is_nobody_elses() -> None:
    """No two of issuer, subject and client give one text, whatever stands in them; a missing client is none."""
    server = oauth()
    names = [("a", "b"), ('a","b', ""), ("a b", "c"), ("a", "b c"), ("a", "")]
    principals = {asked(server, token(sub=sub, client_id=client)).principal for sub, client in names}
    assert len(principals) == len(names)


@pytest.mark.parametrize(
    ("claim", "offset", "good"),
    [
        ("exp", -31, False),
        ("exp", -30, False),
        ("exp", -29, True),
        ("exp", 0, True),
        ("nbf", 29, True),
        ("nbf", 30, True),
        ("nbf", 31, False),
        ("iat", 30, True),
        ("iat", 31, False),
    ],
)
def test_the_edges_of_the_clock(claim: str, offset: int, good: bool) -> None:
    """Thirty seconds of difference between clocks are allowed, and not one more."""
    given = token(**{claim: int(NOW) + offset})
    if good:
        assert asked(oauth(), given).principal
    else:
        assert refused(oauth(), given).status == 401


def test_there_may_be_no_leeway() -> None:
    """Then a token ends when it says."""
    assert refused(oauth(leeway=0), token(exp=int(NOW))).status == 401
    assert asked(oauth(leeway=0), token(exp=int(NOW) + 1)).role == "reader"


@pytest.mark.parametrize(
    ("changed", "good"),
    [
        ({}, True),
        ({"without": ("client_id",)}, False),
        ({"without": ("client_id",), "azp": "app"}, False),
        ({"without": ("scope",)}, False),
        ({"nonce": "n"}, False),
        ({"at_hash": "h"}, False),
        ({"nonce": None}, False),
        ({"token_use": "access"}, True),
        ({"token_use": "refresh"}, False),
        ({"token_use": "id"}, False),
        ({"token_use": ["access"]}, False),
        ({"typ": "Bearer"}, True),
        ({"typ": "ID"}, False),
        ({"typ": "Refresh"}, False),
    ],
)
def test_tokens_of_the_type_jwt_need_other_marks(changed: dict[str, Any], good: bool) -> None:
    """For an issuer that writes no other type: a client and a scope, and nothing that ID tokens have."""
    given = token(header={"typ": "JWT"}, **changed)
    if good:
        assert asked(oauth(takes_plain=True), given).role == "reader"
        assert asked(oauth(takes_plain=True), token()).role == "reader"
    else:
        assert refused(oauth(takes_plain=True), given).status == 401


@pytest.mark.parametrize(
    ("scope", "scopes", "role"),
    [
        ("docs:read", {"docs:read"}, "reader"),
        ("docs:propose", {"docs:read", "docs:propose"}, "editor"),
        ("docs:propose docs:read openid", {"docs:read", "docs:propose"}, "editor"),
        ("docs:read admin operator", {"docs:read"}, "reader"),
        ("docs:read  docs:read", {"docs:read"}, "reader"),
    ],
)
def test_scopes_and_roles(scope: str, scopes: set[str], role: str) -> None:
    """A scope brings those that it includes; scopes that are not ours are passed over; none makes an operator."""
    grant = asked(oauth(), token(scope=scope))
    assert (grant.scopes, grant.role) == (scopes, role)


@pytest.mark.parametrize("scope", ["", "openid", "docs:read2", "DOCS:READ", "docs"])
def test_a_token_that_does_not_suffice(scope: str) -> None:
    """Is told every scope that is needed, with 403."""
    denied = refused(oauth(), token(scope=scope))
    assert denied.status == 403
    assert denied.challenge == (
        'Bearer error="insufficient_scope", error_description="The access token does not allow this.", '
        + CHALLENGE
    )


def test_a_role_is_needed_where_roles_are_served() -> None:
    """A token without a scope that gives one is not enough; where there are no roles it is."""
    server = oauth(required=(), roles=(("docs:propose", "editor"),), implies={})
    assert refused(server, token()).status == 403
    assert asked(oauth(required=(), roles=(), implies={}), token()).role == ""


def test_required_scopes_are_needed_without_roles() -> None:
    """By themselves."""
    server = oauth(required=("docs:read", "docs:propose"), roles=(), implies={})
    assert refused(server, token()).status == 403
    assert asked(server, token(scope="docs:read docs:propose")).role == ""


def test_inclusion_goes_on_through_others() -> None:
    """What a scope includes includes more, in a circle, too."""
    server = oauth(
        scopes=("a", "b", "c"), required=(), roles=(), implies={"a": ("b",), "b": ("c",), "c": ("a",)}
    )
    assert asked(server, token(scope="c")).scopes == {"a", "b", "c"}


def test_all_scopes_count_where_none_are_told() -> None:
    """A server that names none takes what the token says, but for what is no scope."""
    server = oauth(scopes=(), required=(), roles=(), implies={})
    assert asked(server, token(scope='a b"c d')).scopes == {"a", "d"}


def test_without_a_token() -> None:
    """The challenge says where tokens are had and what for; nothing of an error."""
    with pytest.raises(Denied) as caught:
        asyncio.run(oauth().authenticate([], "192.0.2.1"))
    assert (caught.value.status, caught.value.challenge) == (401, f"Bearer {CHALLENGE}")


def test_more_scopes_are_asked_for_at_once() -> None:
    """By the carrier, for a tool that needs them."""
    denied = oauth().insufficient(frozenset({"docs:propose", "docs:read"}))
    assert 'scope="docs:propose docs:read"' in denied.challenge
    assert METADATA in denied.challenge


def test_the_metadata() -> None:
    """At both of its places the same, and nowhere else."""
    server = oauth(name="Docs")
    paths = ("/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource")
    first, second = (server.document(path) for path in paths)
    assert first == second
    assert first is not None
    told = json.loads(first)
    assert (told["resource"], told["authorization_servers"]) == (AUDIENCE, [ISSUER])
    assert told["scopes_supported"] == ["docs:read", "docs:propose"]
    for path in (
        "/.well-known/oauth-protected-resource/",
        "/.well-known/oauth-protected-resource/mcp2",
        "/mcp",
        "",
    ):
        assert server.document(path) is None


def test_a_grant_holds_until_its_token_ends() -> None:
    """Asked again and again while a subscription is open."""
    clock = Clock()
    server = oauth(clock)
    grant = asked(server, token())
    assert server.holds(grant)
    clock.now = GOOD["exp"] + 29  # type: ignore[operator]  # a number
    assert server.holds(grant)
    clock.now += 1
    assert not server.holds(grant)
    assert not server.holds(Grant("somebody"))


def test_a_token_can_be_taken_back() -> None:
    """By whoever runs the server: what it says is asked on each use, and it can only narrow."""
    revoked: set[str] = set()
    server = oauth(allows=lambda grant: grant.token not in revoked)
    grant = asked(server, token())
    revoked.add("t-1")
    assert refused(server, token()).challenge == INVALID
    assert not server.holds(grant)
    assert asked(server, token(jti="t-2")).role == "reader"


@pytest.mark.parametrize("jti", ["", "a\nb", "ä", "\ud800", "x" * 129])
def test_a_token_without_a_name_gets_one_for_the_log(jti: str) -> None:
    """Of its claims' hash; nothing that a peer wrote reaches a line of the log unseen."""
    grant = asked(oauth(), token(jti=jti))
    assert len(grant.token) == 16
    assert grant.token.isalnum()


def test_too_many_bad_tokens() -> None:
    """After ten in a minute an address is told to wait; good tokens pass all the same, and so do other addresses."""
    clock = Clock()
    server = oauth(clock)
    bad = token(aud="https://other.example")
    assert [refused(server, bad).status for _ in range(12)] == [401] * 10 + [429] * 2
    assert refused(server, bad).retry_after == 60
    assert refused(server, bad).challenge == ""
    assert refused(server, bad, "192.0.2.2").status == 401
    assert asked(server, token()).role == "reader"
    clock.now += 61
    assert refused(server, bad).status == 401


def test_of_all_addresses_together(capsys: pytest.CaptureFixture[str]) -> None:
    """A hundred are told why in a minute, and no more lines are written than that."""
    server = oauth(attempts=Attempts(in_all=100))
    found = [refused(server, "a.b.c", f"192.0.2.{number % 200}").status for number in range(1000)]
    assert found == [401] * 100 + [429] * 900
    assert len(capsys.readouterr().err.splitlines()) == 100


@pytest.mark.parametrize("name", BAD)
def test_the_log_says_why_and_not_what(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """No token, and no part of one."""
    given = BAD[name]()
    denied = refused(oauth(), given, "192.0.2.1\r\n192.0.2.2")
    err = capsys.readouterr().err
    assert err.count("refused a token from 192.0.2.1??192.0.2.2: ") == len(err.splitlines())
    assert len(err.splitlines()) == (len(given) <= MAX_TOKEN)  # what is longer is no token
    parts = [piece for piece in given.split(".") if len(piece) > 8]
    assert not any(piece in text for piece in parts for text in (err, str(denied), repr(denied)))


def test_the_issuer_cannot_be_reached() -> None:
    """Then nobody can tell: 503, with the time to try again, and no challenge that would send clients for new tokens."""
    published = Published()
    published.error = FetchFailed("down")
    denied = refused(oauth(load_keys=published), token())
    assert (denied.status, denied.challenge) == (503, "")
    assert denied.retry_after is not None
    assert 1 <= denied.retry_after <= 60


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"audience": "https://docs.example/mcp/"}, "the audience"),
        ({"audience": "http://docs.example/mcp"}, "the audience"),
        ({"issuer": "http://login.example"}, "the issuer"),
        ({"issuer": "https://login.example?a=b"}, "no query"),
        ({"issuer": "login.example"}, "the issuer"),
        ({"jwks_url": "http://login.example/keys"}, "the issuer"),
        ({"algorithms": ()}, "algorithms"),
        ({"algorithms": ("none",)}, "algorithms"),
        ({"algorithms": ("RS256", "HS256")}, "algorithms"),
        ({"leeway": 31}, "leeway"),
        ({"leeway": -1}, "leeway"),
        ({"leeway": float("nan")}, "leeway"),
        ({"scopes": ("a b",)}, "a scope"),
        ({"required": ('a"',)}, "a scope"),
    ],
)
def test_what_cannot_be_served(changed: dict[str, Any], told: str) -> None:
    """Is refused when the server is made."""
    with pytest.raises(UsageError, match=told):
        oauth(**changed)


def test_keys_are_fetched_where_the_issuer_says() -> None:
    """Nothing is fetched before the first token comes."""
    server = OAuth("https://login.invalid", AUDIENCE)
    assert server.document("/.well-known/oauth-protected-resource") is not None
    assert key_set(rsa("k1"))["keys"][0]["kid"] == "k1"
