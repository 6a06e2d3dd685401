"""What an authorization server says of itself, and when it is not used."""

from typing import Any

import pytest

from readingroom import LoginFailed
from readingroom.client.oauth_servers import check_issuer, read_server

ISSUER = "https://as.example/t"


def document(**changed: Any) -> dict[str, Any]:
    """The metadata of a server that will do, with changes; None takes a member away."""
    told = {
        "issuer": ISSUER,
        "authorization_endpoint": f"{ISSUER}/authorize",
        "token_endpoint": f"{ISSUER}/token",
        "code_challenge_methods_supported": ["plain", "S256"],
        **changed,
    }
    return {name: value for name, value in told.items() if value is not None}


def test_what_it_does_not_say() -> None:
    """It means what the RFC says that it means."""
    server = read_server(document(), ISSUER)
    assert server.methods == ["client_secret_basic"]
    assert server.refreshes
    assert not server.client_id_metadata_document_supported
    assert not server.authorization_response_iss_parameter_supported


def test_what_it_says() -> None:
    """It counts."""
    told = document(
        grant_types_supported=["authorization_code"],
        token_endpoint_auth_methods_supported=[],
        registration_endpoint=f"{ISSUER}/r",
    )
    server = read_server(told, ISSUER)
    assert server.methods == []
    assert not server.refreshes
    assert server.registration_endpoint == f"{ISSUER}/r"


@pytest.mark.parametrize(
    "issuer",
    [
        f"{ISSUER}/",
        "https://as.example",
        "https://AS.example/t",
        "https://as.example:443/t",
        "https://as.example/%74",
        "",
    ],
)
def test_another_issuer(issuer: str) -> None:
    """However alike its name is."""
    with pytest.raises(LoginFailed, match="another issuer") as raised:
        read_server(document(issuer=issuer), ISSUER)
    assert raised.value.rule == "CL-5"


@pytest.mark.parametrize("methods", [None, [], ["plain"], ["s256"]])
def test_without_pkce(methods: list[str] | None) -> None:
    """A code could be stolen on its way, so none is asked for."""
    with pytest.raises(LoginFailed, match="PKCE") as raised:
        read_server(document(code_challenge_methods_supported=methods), ISSUER)
    assert raised.value.rule == "CL-6"


@pytest.mark.parametrize(
    ("changed", "rule"),
    [
        ({"token_endpoint": None}, "CL-4"),
        ({"token_endpoint": 1}, "CL-4"),
        ({"scopes_supported": "a"}, "CL-4"),
        ({"grant_types_supported": ["implicit"]}, ""),
        ({"token_endpoint": "http://as.example/t"}, "CL-19"),
        ({"token_endpoint": "https://as.example/t#x"}, "CL-19"),
        ({"authorization_endpoint": "javascript:alert(1)"}, "CL-19"),
        ({"authorization_endpoint": "file:///etc/passwd"}, "CL-19"),
        ({"registration_endpoint": "http://127.0.0.1/r"}, "CL-19"),
        ({"registration_endpoint": "https://localhost/r"}, "CL-19"),
    ],
)
def test_metadata_that_is_not_used(changed: dict[str, Any], rule: str) -> None:
    """It names the rule that it breaks."""
    with pytest.raises(LoginFailed) as raised:
        read_server(document(**changed), ISSUER)
    assert raised.value.rule == rule


@pytest.mark.parametrize(
    ("issuer", "endpoint", "rule"),
    [
        ("https://as.example?x", "https://a.example/mcp", "CL-5"),
        ("https://as.example#x", "https://a.example/mcp", "CL-5"),
        ("http://as.example", "https://a.example/mcp", "CL-19"),
        ("http://localhost:3000", "https://a.example/mcp", "CL-19"),
        ("https://127.0.0.1", "https://a.example/mcp", "CL-19"),
        ("as.example", "https://a.example/mcp", "CL-19"),
    ],
)
def test_an_issuer_that_is_not_asked(issuer: str, endpoint: str, rule: str) -> None:
    """A server elsewhere has no business on this machine."""
    with pytest.raises(LoginFailed) as raised:
        check_issuer(issuer, endpoint)
    assert raised.value.rule == rule


def test_an_issuer_that_is_asked() -> None:
    """On this machine, where the endpoint is there, too."""
    check_issuer("http://localhost:3000/t", "http://127.0.0.1:8000/mcp")
    check_issuer("https://as.example", "http://127.0.0.1:8000/mcp")
