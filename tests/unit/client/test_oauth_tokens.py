"""What is sent to a token endpoint, and what is made of its answer."""

import base64
from typing import Any
from urllib.parse import parse_qsl, quote, quote_plus

import pytest

from readingroom import LoginFailed
from readingroom.client.oauth_clients import ClientIdentity
from readingroom.client.oauth_tokens import (
    Refusal,
    Sent,
    Tokens,
    first_tokens,
    next_tokens,
    refusal_of,
    with_code,
    with_refresh,
)

from .test_oauth_attempts import attempt

PUBLIC = ClientIdentity("app", "given", method="none")


def form(sent: Sent) -> dict[str, str]:
    """The form of a request."""
    return dict(parse_qsl(sent.body.decode()))


def test_a_code() -> None:
    """With the verifier, where the browser was sent back to, and the resource as it was in the URL."""
    sent = with_code(attempt(), "xyz", PUBLIC)
    assert form(sent) == {
        "grant_type": "authorization_code",
        "code": "xyz",
        "redirect_uri": "http://127.0.0.1:9/callback",
        "code_verifier": "v" * 43,
        "resource": "http://localhost:3001/mcp",
        "client_id": "app",
    }
    assert sent.fields == {}
    assert "xyz" not in repr(sent)


def test_basic() -> None:
    """Id and secret are form-encoded each before they are joined, and are not in the form."""
    sent = with_code(attempt(), "xyz", ClientIdentity("a:b ö", "given", "s/+%", "client_secret_basic"))
    assert "client_id" not in form(sent)
    scheme, _, text = sent.fields["Authorization"].partition(" ")
    assert (scheme, base64.b64decode(text).decode()) == ("Basic", "a%3Ab+%C3%B6:s%2F%2B%25")
    empty = with_code(attempt(), "xyz", ClientIdentity("a", "given", None, "client_secret_basic"))
    assert base64.b64decode(empty.fields["Authorization"][6:]) == b"a:"


def test_post() -> None:
    """Both in the form."""
    sent = with_code(attempt(), "xyz", ClientIdentity("a", "given", "s", "client_secret_post"))
    assert (form(sent)["client_id"], form(sent)["client_secret"]) == ("a", "s")
    assert sent.fields == {}
    empty = with_code(attempt(), "xyz", ClientIdentity("a", "given", None, "client_secret_post"))
    assert "client_secret=" in empty.body.decode()


def given(**changed: Any) -> dict[str, Any]:
    """What a token endpoint answers; None takes a member away."""
    told = {"access_token": "t0k", "token_type": "Bearer", **changed}
    return {name: value for name, value in told.items() if value is not None}


def test_the_first_tokens() -> None:
    """What was granted is what was asked for, unless it is said."""
    plain = first_tokens(given(), attempt(), 100.0)
    assert plain == Tokens(
        client_id="app",
        resource="http://localhost:3001/mcp",
        access="t0k",
        asked=("a", "b"),
        granted=("a", "b"),
    )
    told = first_tokens(
        given(scope="b c b", refresh_token="r", expires_in=3600, token_type="bEARER"), attempt(), 100.0
    )
    assert (told.granted, told.refresh, told.expires) == (("b", "c"), "r", 3700.0)
    assert "t0k" not in repr(told)


@pytest.mark.parametrize(("now", "good"), [(100.0, True), (3669.9, True), (3670.0, False), (9999.0, False)])
def test_the_end_of_a_token(now: float, good: bool) -> None:
    """It is not used in its last seconds; one without an end is tried."""
    assert first_tokens(given(expires_in=3600), attempt(), 100.0).is_good(now) == good
    assert first_tokens(given(), attempt(), 100.0).is_good(now)


def test_a_lifetime_that_is_none() -> None:
    """Before now is now; beyond everything is not known."""
    assert first_tokens(given(expires_in=-5), attempt(), 100.0).expires == 100.0
    assert first_tokens(given(expires_in=float("inf")), attempt(), 100.0).expires is None


def test_refreshing() -> None:
    """The resource is named again; a new refresh token takes the place of the old, which else stays."""
    last = first_tokens(given(refresh_token="r1", expires_in=1), attempt(), 0.0)
    assert form(with_refresh(last, PUBLIC)) == {
        "grant_type": "refresh_token",
        "refresh_token": "r1",
        "resource": "http://localhost:3001/mcp",
        "client_id": "app",
    }
    same = next_tokens(given(access_token="t2"), last, 5.0)
    assert (same.access, same.refresh, same.granted, same.expires) == ("t2", "r1", ("a", "b"), None)
    other = next_tokens(given(access_token="t3", refresh_token="r2", scope="a"), same, 5.0)
    assert (other.access, other.refresh, other.granted, other.asked) == ("t3", "r2", ("a",), ("a", "b"))
    assert (
        "refresh_token=&"
        in with_refresh(Tokens(client_id="a", resource="r", access="t"), PUBLIC).body.decode()
    )


@pytest.mark.parametrize(
    ("document", "rule"),
    [
        (None, "CL-18"),
        ({}, "CL-18"),
        (given(access_token=1), "CL-18"),
        (given(token_type=None), "CL-18"),
        (given(expires_in="3600"), "CL-18"),
        (given(token_type="DPoP"), "CL-1"),
        (given(access_token="a b"), "CL-1"),
        (given(access_token="a\r\nX: y"), "CL-1"),
        (given(access_token=""), "CL-1"),
    ],
)
def test_what_is_no_token(document: Any, rule: str) -> None:
    """It could not be sent, or would not be what it seems."""
    with pytest.raises(LoginFailed) as raised:
        first_tokens(document, attempt(), 0.0)
    assert raised.value.rule == rule


@pytest.mark.parametrize(
    ("document", "error", "reason"),
    [
        (None, "", "status 400"),
        ({"error": 1}, "", "status 400"),
        ({"error": "invalid_grant"}, "invalid_grant", "invalid_grant"),
        ({"error": "e", "error_description": "why"}, "e", "e why"),
    ],
)
def test_a_refusal(document: Any, error: str, reason: str) -> None:
    """Its code, and a text to be shown."""
    found = refusal_of(400, document, with_code(attempt(), "xyz", PUBLIC))
    assert isinstance(found, Refusal)
    assert (found.error, found.reason) == (error, reason)


SECRET = "s/+ %ö"
REFRESH = Tokens(client_id="app", resource="http://localhost:3001/mcp", access="t", refresh="r/~+")


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
def test_a_refusal_that_repeats_what_was_sent(method: str) -> None:
    """Nothing secret of it is in the text, however it is encoded and wherever it stands; the rest is."""
    client = ClientIdentity("app", "given", SECRET, method)
    for sent in (with_code(attempt(), "c/~+DE", client), with_refresh(REFRESH, client)):
        secrets = ["c/~+DE", "v" * 43] if b"code=" in sent.body else ["r/~+"]
        secrets += [SECRET, *sent.fields.values()]
        forms = {
            form(one) for one in secrets for form in (str, quote, quote_plus, lambda one: quote(one, ""))
        }
        for repeated in (sent.body.decode(), *forms, *(one.replace("%2F", "%2f") for one in forms)):
            for document in (
                {"error": "e", "error_description": f"{'n' * 150}{repeated} why"},
                {"error": repeated},
            ):
                reason = refusal_of(400, document, sent).reason
                assert not [one for one in forms if one in reason]
    told = {"error": "invalid_grant", "error_description": f"no r/~+ here, {SECRET}"}
    refused = refusal_of(400, told, with_refresh(REFRESH, client))
    assert refused.reason == "invalid_grant no (secret) here, (secret)"


def test_a_secret_is_not_cut_off_before_it_is_blanked() -> None:
    """A text that is too long is shortened after that."""
    sent = with_code(attempt(), "CODE" * 20, PUBLIC)
    told = {"error": "e", "error_description": "n" * 190 + "CODE" * 20}
    assert "CODE" not in refusal_of(400, told, sent).reason


@pytest.mark.parametrize(
    ("kind", "text"), [("DPoP", "not a bearer token but of the kind DPoP"), ("t0k", "not a bearer token")]
)
def test_a_kind_of_token(kind: str, text: str) -> None:
    """It is told when it is known; anything else may be a secret that is repeated."""
    with pytest.raises(LoginFailed) as raised:
        first_tokens(given(token_type=kind), attempt(), 0.0)
    assert str(raised.value).startswith(f"the token is {text}")
    assert "t0k" not in str(raised.value)
