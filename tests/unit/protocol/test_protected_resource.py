"""The URL of a resource in its one form, and the metadata at its places."""

import json

import pytest

from readingroom.protocol.protected_resource import (
    NotCanonical,
    ProtectedResource,
    check_resource,
    check_secure,
    is_loopback,
)

SERVERS = ("https://login.example",)


@pytest.mark.parametrize(
    ("url", "paths", "metadata"),
    [
        (
            "https://docs.example/mcp",
            ("/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"),
            "https://docs.example/.well-known/oauth-protected-resource/mcp",
        ),
        (
            "https://docs.example",
            ("/.well-known/oauth-protected-resource",),
            "https://docs.example/.well-known/oauth-protected-resource",
        ),
        (
            "http://127.0.0.1:8000/a/b",
            ("/.well-known/oauth-protected-resource/a/b", "/.well-known/oauth-protected-resource"),
            "http://127.0.0.1:8000/.well-known/oauth-protected-resource/a/b",
        ),
    ],
)
def test_where_the_metadata_stands(url: str, paths: tuple[str, ...], metadata: str) -> None:
    """With the path of the resource, and without (RFC 9728 §3.1)."""
    resource = ProtectedResource(url, SERVERS)
    assert resource.paths == paths
    assert resource.metadata_url == metadata


def test_the_document() -> None:
    """It names the resource as it was given, and no scope that is none of its business."""
    full = ProtectedResource(
        "https://docs.example/mcp", SERVERS, ("a", "offline_access"), "Docs", "https://docs.example/help"
    )
    assert json.loads(full.document()) == {
        "resource": "https://docs.example/mcp",
        "authorization_servers": ["https://login.example"],
        "scopes_supported": ["a"],
        "bearer_methods_supported": ["header"],
        "resource_name": "Docs",
        "resource_documentation": "https://docs.example/help",
    }
    assert set(json.loads(ProtectedResource("https://docs.example/mcp", SERVERS).document())) == {
        "resource",
        "authorization_servers",
        "bearer_methods_supported",
    }


def test_there_is_an_authorization_server() -> None:
    """At least one."""
    with pytest.raises(NotCanonical, match="at least one"):
        ProtectedResource("https://docs.example/mcp", ())


@pytest.mark.parametrize(
    "url",
    [
        "",
        "docs.example/mcp",
        "https://",
        "https:///mcp",
        "http://docs.example/mcp",
        "http://localhost.example/mcp",
        "http://127.0.0.1.example/mcp",
        "http://127.0.0.1@docs.example/mcp",
        "ftp://docs.example/mcp",
        "https://Docs.example/mcp",
        "HTTPS://docs.example/mcp",
        "https://docs.example/mcp/",
        "https://docs.example/",
        "https://docs.example//mcp",
        "https://docs.example:443/mcp",
        "http://localhost:80/mcp",
        "https://docs.example/mcp?a=b",
        "https://docs.example?a=b",
        "https://docs.example/mcp#a",
        "https://docs.example/a/../mcp",
        "https://docs.example/./mcp",
        "https://user@docs.example/mcp",
        "https://docs.example/m cp",
        'https://docs.example/m"cp',
        "https://docs.example/mcp\r\n",
        "https://döcs.example/mcp",
        "https://docs.example/m\\cp",
    ],
)
def test_a_url_that_has_not_the_one_form(url: str) -> None:
    """Is refused: it would have to be compared with itself in another form."""
    with pytest.raises(NotCanonical):
        check_resource(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://docs.example/mcp",
        "https://docs.example:8443/mcp",
        "http://localhost:8000",
        "http://[::1]:8000/mcp",
    ],
)
def test_a_url_that_has(url: str) -> None:
    """Passes."""
    check_resource(url)


def test_a_secure_url_may_have_a_query() -> None:
    """Where keys are fetched from, it may."""
    check_secure("https://login.example/keys?tenant=1")


@pytest.mark.parametrize(
    ("url", "is_here"),
    [
        ("http://localhost/x", True),
        ("http://LOCALHOST:1/x", True),
        ("http://127.0.0.1:9", True),
        ("http://[::1]:9/x", True),
        ("http://127.0.0.2", False),
        ("https://docs.example", False),
        ("http://[::2]", False),
    ],
)
def test_this_machine(url: str, is_here: bool) -> None:
    """By the names that can be nothing else."""
    assert is_loopback(url) is is_here
