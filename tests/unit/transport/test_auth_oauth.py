"""A resource server of OAuth: what tokens allow, what it tells of itself, and what it says of those it refuses."""

import asyncio
import json
from typing import Any

import pytest

from readingroom import Denied, Grant, OAuth, UsageError
from readingroom.protocol.authorization import MAX_TOKEN
from readingroom.transport.auth_attempts import Attempts
from readingroom.transport.auth_fetch import FetchFailed
from support.guarding import (
    BAD,
    CHALLENGE,
    INVALID,
    METADATA,
    asked,
    refused,
)
from support.minting import (
    AUDIENCE,
    GOOD,
    ISSUER,
    Clock,
    Published,
    key_set,
    oauth,
    rsa,
    token,
)


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
    clock.now = GOOD["exp"] + 29  # type: ignore[operator]  # `exp` is a number
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
