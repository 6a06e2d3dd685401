"""One attempt to be let in: what the browser is sent to, and what comes back."""

import base64
import hashlib
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest

from readingroom import LoginFailed
from readingroom.client.oauth_attempts import Attempt, NotOurs, challenge_of, check_openable, reason_of

ISSUER = "https://as.example"
PLACE = f"{ISSUER}/authorize"


def attempt(**changed: Any) -> Attempt:
    """An attempt, with changes."""
    told: dict[str, Any] = {
        "issuer": ISSUER,
        "tells_issuer": False,
        "client_id": "app",
        "redirect_uri": "http://127.0.0.1:9/callback",
        "resource": "http://localhost:3001/mcp",
        "scopes": ("a", "b"),
        "verifier": "v" * 43,
        "state": "s" * 20,
        **changed,
    }
    return Attempt(**told)


def test_the_url() -> None:
    """All that a server has to know, and what will be held against the answer."""
    where, _, query = attempt().url(PLACE).partition("?")
    digest = base64.urlsafe_b64encode(hashlib.sha256(b"v" * 43).digest()).decode().rstrip("=")
    assert where == PLACE
    assert dict(parse_qsl(query)) == {
        "response_type": "code",
        "client_id": "app",
        "redirect_uri": "http://127.0.0.1:9/callback",
        "code_challenge": digest,
        "code_challenge_method": "S256",
        "state": "s" * 20,
        "resource": "http://localhost:3001/mcp",
        "scope": "a b",
    }
    assert "&resource=http%3A%2F%2Flocalhost%3A3001%2Fmcp&" in query
    assert "v" * 43 not in query


def test_a_url_with_a_query_and_no_scopes() -> None:
    """The query is kept; a parameter that says nothing is not sent; a refresh token has to be consented to."""
    url = attempt(scopes=()).url(f"{PLACE}?tenant=1")
    assert url.startswith(f"{PLACE}?tenant=1&response_type=code&")
    assert "scope" not in url
    assert "nonce" not in url
    nonces = {dict(parse_qsl(attempt(scopes=("openid",), verifier=v * 43).url(PLACE)))["nonce"] for v in "ab"}
    assert len(nonces) == 2
    assert "prompt=consent" in attempt(scopes=("a", "offline_access")).url(PLACE)


def test_the_challenge_of_the_rfc() -> None:
    """The example of RFC 7636, appendix B."""
    assert (
        challenge_of("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    )


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "vscode://x",
        "data:text/html,x",
        "http://as.example/a",
        f"{PLACE}#x",
        "x",
    ],
)
def test_what_is_not_opened(url: str) -> None:
    """Only https, or this machine."""
    for use in (check_openable, attempt().url):
        with pytest.raises(LoginFailed) as raised:
            use(url)
        assert raised.value.rule == "CL-20"


def back(**told: str) -> str:
    """What comes back."""
    return urlencode({"state": "s" * 20, **told})


@pytest.mark.parametrize(
    ("advertised", "iss", "taken"),
    [
        (True, ISSUER, True),
        (True, "https://evil.example", False),
        (True, None, False),
        (False, ISSUER, True),
        (False, "https://evil.example", False),
        (False, None, True),
        (True, f"{ISSUER}/", False),
        (True, "https://AS.example", False),
        (True, "https://as.example:443", False),
        (True, "", False),
        (False, "", False),
    ],
)
@pytest.mark.parametrize("answer", ["code", "error"])
def test_who_sent_it(answer: str, advertised: bool, iss: str | None, taken: bool) -> None:
    """Is looked at before anything else: of another issuer not even an error is shown."""
    one = attempt(tells_issuer=advertised)
    query = back(**{answer: "xyz"}, **({} if iss is None else {"iss": iss}))
    if taken and answer == "code":
        assert one.code(query) == "xyz"
        return
    with pytest.raises(LoginFailed) as raised:
        one.code(query)
    assert ("xyz" in str(raised.value)) == taken
    assert raised.value.rule == ("" if taken else "CL-7")


@pytest.mark.parametrize(
    "query",
    [
        "",
        "code=x",
        "code=x&state=other",
        f"code=x&state={'s' * 20}&state={'s' * 20}",
        f"code=x&code=y&state={'s' * 20}",
        f"state={'s' * 20}&" + "&".join(f"a{number}=1" for number in range(40)),
        f"state={'s' * 20}&code={'x' * 20_000}",
    ],
)
def test_what_is_not_ours(query: str) -> None:
    """Another state, or an answer that says something twice."""
    with pytest.raises(NotOurs):
        attempt().code(query)


def test_neither_a_code_nor_an_error() -> None:
    """Nothing can be done with it."""
    for query in (back(), back(code="")):
        with pytest.raises(LoginFailed, match="neither"):
            attempt().code(query)


def test_a_no_that_repeats_what_is_secret() -> None:
    """The state and a code are not told with it."""
    with pytest.raises(LoginFailed) as raised:
        attempt().code(back(error="e", code="CODE", error_description=f"state={'s' * 20} code=CODE why"))
    assert "e state=(secret) code=(secret) why" in str(raised.value)


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ({}, "no reason is given"),
        ({"error": "access_denied"}, "access_denied"),
        ({"error": "e", "error_description": "a\x1b[31m\nb"}, "e a [31m b"),
        ({"error": "x" * 1000}, "x" * 200),
    ],
)
def test_a_reason(told: dict[str, str], text: str) -> None:
    """Is short and can be shown."""
    assert reason_of(told) == text
