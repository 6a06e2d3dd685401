"""Which tokens a resource server of OAuth takes, and which it does not."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from support.guarding import BAD, INVALID, asked, refused
from support.minting import AUDIENCE, ISSUER, NOW, Published, ec, oauth, rsa, token


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
