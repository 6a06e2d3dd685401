"""What Authorization may say, and what WWW-Authenticate says then."""

import re

import pytest

from readingroom.protocol.authorization import (
    MAX_CHALLENGE,
    MAX_TOKEN,
    Challenges,
    Denied,
    has_token_in_query,
    is_scope,
    quoted,
)

OURS = Challenges("https://docs.example/.well-known/oauth-protected-resource/mcp", ("docs:read",))
PART = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"(?:, |$)')


def told(denied: Denied) -> dict[str, str]:
    """Read a challenge as a client does."""
    scheme, _, rest = denied.challenge.partition(" ")
    assert scheme == "Bearer"
    assert PART.sub("", rest) == ""
    return {name: re.sub(r"\\(.)", r"\1", value) for name, value in PART.findall(rest)}


@pytest.mark.parametrize(
    ("given", "token"),
    [
        ("Bearer abc", "abc"),
        ("bearer abc", "abc"),
        ("BEARER abc", "abc"),
        ("  Bearer abc\t", "abc"),
        ("Bearer   abc", "abc"),
        ("Bearer abc==", "abc=="),
        ("Bearer -._~+/9", "-._~+/9"),
        ("Bearer " + "a" * MAX_TOKEN, "a" * MAX_TOKEN),
    ],
)
def test_a_token_is_read(given: str, token: str) -> None:
    """The name of the scheme is compared without case; white space around does not count (RFC 9110)."""
    assert OURS.token_of([given]) == token


@pytest.mark.parametrize(
    ("given", "status", "error"),
    [
        ([], 401, None),
        (["Basic YTpi"], 401, None),
        (["Digest x"], 401, None),
        (["Bearers abc"], 401, None),
        (["Bearer"], 400, "invalid_request"),
        (["Bearer "], 400, "invalid_request"),
        ([""], 400, "invalid_request"),
        (["   "], 400, "invalid_request"),
        (["Bearer a b"], 400, "invalid_request"),
        (["Bearer\tabc"], 401, None),
        (["Bearer a,Bearer b"], 400, "invalid_request"),
        (['Bearer "abc"'], 400, "invalid_request"),
        (["Bearer äöü"], 400, "invalid_request"),
        (["Bearer a=b"], 400, "invalid_request"),
        (["Bearer ="], 400, "invalid_request"),
        (["Bearer a\r\nX: y"], 400, "invalid_request"),
        (["Bearer a\x00"], 400, "invalid_request"),
        (["Bearer abc", "Bearer abc"], 400, "invalid_request"),
        (["Bearer " + "a" * (MAX_TOKEN + 1)], 401, "invalid_token"),
        (["Bearer " + "ä" * 100_000], 401, "invalid_token"),
    ],
)
def test_what_is_no_token(given: list[str], status: int, error: str | None) -> None:
    """Nothing, or another scheme, is told no error; what is malformed is (RFC 6750 §3.1)."""
    with pytest.raises(Denied) as caught:
        OURS.token_of(given)
    assert caught.value.status == status
    found = told(caught.value)
    assert found.get("error") == error
    assert found["scope"] == "docs:read"
    assert found["resource_metadata"] == OURS.metadata
    assert not any(value and value in str(caught.value) for value in given)


def test_every_reason_gives_the_same_challenge() -> None:
    """Why a token is not good is for our log alone."""
    first, second = OURS.invalid("it has expired"), OURS.invalid("its issuer is another")
    assert first.challenge == second.challenge
    assert (first.status, first.reason, str(first)) == (401, "it has expired", "it has expired")


def test_all_scopes_are_named_at_once() -> None:
    """In an order that does not change."""
    denied = OURS.insufficient({"docs:write", "docs:read", "admin"})
    assert denied.status == 403
    assert told(denied)["scope"] == "admin docs:read docs:write"
    assert told(denied)["error"] == "insufficient_scope"


def test_without_metadata_a_challenge_says_something_all_the_same() -> None:
    """RFC 6750 has no challenge without a parameter."""
    assert Challenges().missing().challenge == 'Bearer realm="mcp"'
    assert "resource_metadata" not in Challenges(scopes=("a",)).invalid("no").challenge


def test_a_refusal_may_have_no_reason() -> None:
    """It says its status then."""
    assert str(Denied(429, retry_after=3)) == "status 429"


@pytest.mark.parametrize(
    ("text", "written"), [("a", '"a"'), ('a"b', r'"a\"b"'), ("a\\b", r'"a\\b"'), ("", '""')]
)
def test_quoting(text: str, written: str) -> None:
    """Quotes and backslashes are escaped."""
    assert quoted(text) == written


@pytest.mark.parametrize("text", ["a\r\nSet-Cookie: x", "\x00", "ä", "\x7f", "x" * (MAX_CHALLENGE + 1)])
def test_what_no_header_may_hold(text: str) -> None:
    """Is refused, whoever wrote it into the configuration."""
    with pytest.raises(ValueError, match="a header"):
        quoted(text)


@pytest.mark.parametrize(
    ("query", "has"),
    [
        (b"", False),
        (b"a=b&c=d", False),
        (b"access_token=x", True),
        (b"a=b&access_token=x", True),
        (b"Access_Token=x", True),
        (b"access_token", True),
        (b"my_access_token=x", False),
    ],
)
def test_tokens_in_a_query(query: bytes, has: bool) -> None:
    """Are seen, so that they can be refused."""
    assert has_token_in_query(query) is has


@pytest.mark.parametrize(
    ("text", "good"),
    [("docs:read", True), ("", False), ("a b", False), ('a"', False), ("a\\", False), ("ä", False)],
)
def test_scopes(text: str, good: bool) -> None:
    """RFC 6749 §3.3."""
    assert is_scope(text) is good
