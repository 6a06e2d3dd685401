"""Who a client is to an authorization server."""

import json
from typing import Any

import pytest

from readingroom import LoginFailed, UsageError
from readingroom.client.oauth_clients import (
    ClientIdentity,
    check_document_url,
    check_redirect_uri,
    method_of,
    nowhere_to_register,
    read_registration,
    refused_registration,
    registration,
)
from readingroom.client.oauth_servers import AuthorizationServer

BACK = "http://127.0.0.1:9/callback"


def server(**told: Any) -> AuthorizationServer:
    """An authorization server."""
    return AuthorizationServer("https://as.example", "https://as.example/a", "https://as.example/t", **told)


@pytest.mark.parametrize(
    ("methods", "asked"),
    [
        (None, "client_secret_basic"),
        (["client_secret_post", "none"], "none"),
        (["client_secret_post", "client_secret_basic"], "client_secret_basic"),
        (["client_secret_post"], "client_secret_post"),
        (["private_key_jwt"], "none"),
        ([], "none"),
    ],
)
def test_a_registration(methods: list[str] | None, asked: str) -> None:
    """As a program on somebody's machine, by the plainest way that the server takes."""
    told = json.loads(registration(server(token_endpoint_auth_methods_supported=methods), "Name", BACK))
    assert told == {
        "client_name": "Name",
        "redirect_uris": [BACK],
        "application_type": "native",
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": asked,
    }


def test_a_server_without_refresh_tokens() -> None:
    """It is asked for none."""
    told = json.loads(registration(server(grant_types_supported=["authorization_code"]), "Name", BACK))
    assert told["grant_types"] == ["authorization_code"]


@pytest.mark.parametrize(
    ("told", "secret", "method"),
    [
        ({}, None, "none"),
        ({"client_secret": "s"}, "s", "client_secret_basic"),
        (
            {"client_secret": "s", "token_endpoint_auth_method": "client_secret_post"},
            "s",
            "client_secret_post",
        ),
        ({"client_secret": "s", "token_endpoint_auth_method": "none"}, None, "none"),
        (
            {"client_secret": None, "token_endpoint_auth_method": None, "client_secret_expires_at": None},
            None,
            "none",
        ),
    ],
)
def test_what_a_registration_gives(told: dict[str, Any], secret: str | None, method: str) -> None:
    """The method that the answer names counts, and where the browser is sent back to is kept."""
    found = read_registration({"client_id": "x", **told}, BACK)
    assert found == ClientIdentity("x", "registered", secret, method, BACK)


def test_a_secret_that_ends() -> None:
    """At its time the client is to be registered anew; 0 means never. It is never shown."""
    found = read_registration(
        {"client_id": "x", "client_secret": "geheim", "client_secret_expires_at": 100}, BACK
    )
    assert found.is_good(99)
    assert not found.is_good(100)
    assert ClientIdentity("x", "given").is_good(1e12)
    assert "geheim" not in repr(found)


@pytest.mark.parametrize(
    ("document", "rule"),
    [
        (None, "CL-13"),
        ({}, "CL-13"),
        ({"client_id": 7}, "CL-13"),
        ({"client_id": ""}, "CL-13"),
        ({"client_id": "a\nb"}, "CL-13"),
        ({"client_id": "x", "token_endpoint_auth_method": "private_key_jwt"}, "CL-18"),
        ({"client_id": "x", "token_endpoint_auth_method": "client_secret_post"}, "CL-18"),
    ],
)
def test_what_is_no_registration(document: Any, rule: str) -> None:
    """It names the rule."""
    with pytest.raises(LoginFailed) as raised:
        read_registration(document, BACK)
    assert raised.value.rule == rule


def test_a_refused_registration() -> None:
    """What the server says, and for a redirect URI what to do."""
    error = refused_registration({"error": "invalid_redirect_uri", "error_description": "no", "x": 1}, BACK)
    assert "invalid_redirect_uri no" in str(error)
    assert BACK in str(error)
    assert error.rule == "CL-13"
    assert "no reason is given" in str(refused_registration("nonsense", BACK))
    assert BACK in str(nowhere_to_register("https://as.example", BACK))


@pytest.mark.parametrize(
    ("client", "methods", "method"),
    [
        (ClientIdentity("x", "given"), None, "none"),
        (ClientIdentity("x", "given", "s"), None, "client_secret_basic"),
        (
            ClientIdentity("x", "given", "s"),
            ["client_secret_post", "client_secret_basic"],
            "client_secret_basic",
        ),
        (ClientIdentity("x", "given", "s"), ["client_secret_post"], "client_secret_post"),
        (ClientIdentity("x", "registered", "s", "client_secret_post"), ["none"], "client_secret_post"),
    ],
)
def test_a_method(client: ClientIdentity, methods: list[str] | None, method: str) -> None:
    """What the registration said, else the first that both can do."""
    assert method_of(client, server(token_endpoint_auth_methods_supported=methods)) == method


def test_no_method() -> None:
    """A secret that the server takes in no way."""
    with pytest.raises(LoginFailed, match="takes no client secret"):
        method_of(
            ClientIdentity("x", "given", "s"),
            server(token_endpoint_auth_methods_supported=["private_key_jwt"]),
        )


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/x.json",
        "https://a.example",
        "https://a.example/",
        "https://a.example/x#y",
        "https://a.example/../x",
        "x",
    ],
)
def test_no_url_of_a_document(url: str) -> None:
    """https, with a path."""
    with pytest.raises(UsageError, match="client's metadata"):
        check_document_url(url)


@pytest.mark.parametrize(
    "url",
    ["https://127.0.0.1/x", "http://a.example/x", "http://localhost/x?y", "http://localhost/#y", "app:x"],
)
def test_no_redirect_uri(url: str) -> None:
    """Only this machine, where we listen."""
    with pytest.raises(UsageError, match="redirect URI"):
        check_redirect_uri(url)


def test_urls_that_will_do() -> None:
    """As they are documented."""
    check_document_url("https://a.example/client.json")
    check_redirect_uri("http://localhost:8912/callback")
