"""The token that was handed over, and where it may be sent."""

import pytest

from readingroom import BearerToken, Refusal, UsageError


@pytest.mark.parametrize(
    "url", ["https://a.example/mcp", "http://127.0.0.1:8000/mcp", "http://localhost/mcp"]
)
def test_a_token_goes_where_it_is_safe(url: str) -> None:
    """Over TLS, or to this machine."""
    assert BearerToken("abc-._~+/=").header(url) == "Bearer abc-._~+/="


@pytest.mark.parametrize(
    "url", ["http://a.example/mcp", "ftp://localhost/", "https://me@a.example/", "a.example"]
)
def test_a_token_goes_nowhere_else(url: str) -> None:
    """And the error does not show it."""
    with pytest.raises(UsageError, match="no token is sent there") as raised:
        BearerToken("secret-token").header(url)
    assert "secret-token" not in str(raised.value)


@pytest.mark.parametrize("text", ["", "=", "a b", "a\r\nb", "ä", "a=b", 'a"b'])
def test_a_text_that_is_no_token(text: str) -> None:
    """It could be something else in a header."""
    with pytest.raises(UsageError, match="bearer token"):
        BearerToken(text)


def test_a_refusal_changes_nothing() -> None:
    """There is no other token; and another token is another principal."""
    token = BearerToken("a")
    assert not token.challenged(Refusal(url="https://a.example", status=401))
    assert token.principal == BearerToken("a").principal != BearerToken("b").principal
    assert "a" * 5 not in repr(BearerToken("a" * 5))
