"""Where the metadata of a resource is looked for, and when it is believed."""

from typing import Any

import pytest

from readingroom import LoginFailed
from readingroom.client.oauth_resources import Place, places_of, read_resource

WELL = "/.well-known/oauth-protected-resource"
ENDPOINT = "https://a.example/team/mcp"
ISSUER = "https://as.example"


@pytest.mark.parametrize(
    ("endpoint", "places"),
    [
        (ENDPOINT, [f"https://a.example{WELL}/team/mcp", f"https://a.example{WELL}"]),
        ("https://a.example", [f"https://a.example{WELL}"]),
        ("https://a.example/", [f"https://a.example{WELL}"]),
        ("https://a.example:8443/x/", [f"https://a.example:8443{WELL}/x/", f"https://a.example:8443{WELL}"]),
        ("https://a.example/x?y=z", [f"https://a.example{WELL}/x?y=z", f"https://a.example{WELL}"]),
        ("https://A.example/%7Ex", [f"https://A.example{WELL}/%7Ex", f"https://A.example{WELL}"]),
    ],
)
def test_places(endpoint: str, places: list[str]) -> None:
    """With the path first, then without; as they were written."""
    assert [place.url for place in places_of(endpoint)] == places


def test_the_place_that_the_challenge_names() -> None:
    """It alone: a root that says something else is not touched."""
    assert places_of(ENDPOINT, "https://a.example/meta") == [Place("https://a.example/meta", "challenge")]


def read(document: Any, form: str = "path", endpoint: str = ENDPOINT) -> Any:
    """Read a document that was found at a place of a form."""
    return read_resource(document, Place("https://a.example/found", form), endpoint)  # type: ignore[arg-type]  # a text


def of(resource: Any, **others: Any) -> dict[str, Any]:
    """A document."""
    return {"resource": resource, "authorization_servers": [ISSUER], **others}


@pytest.mark.parametrize(
    ("form", "resource", "endpoint"),
    [
        ("path", ENDPOINT, ENDPOINT),
        ("root", ENDPOINT, ENDPOINT),
        ("root", "https://a.example", ENDPOINT),
        ("root", "https://a.example/", ENDPOINT),
        ("challenge", ENDPOINT, ENDPOINT),
        ("challenge", "https://a.example", ENDPOINT),
        ("challenge", "https://a.example/", ENDPOINT),
        ("challenge", "https://a.example/team", ENDPOINT),
        ("challenge", "https://a.example/team/", ENDPOINT),
        ("challenge", "https://a.example/team/mcp", f"{ENDPOINT}?a=b"),
        ("challenge", "http://localhost:1/mcp", "http://localhost:1/mcp"),
    ],
)
def test_what_is_of_the_endpoint(form: str, resource: str, endpoint: str) -> None:
    """The name is kept byte for byte, for that is what tokens are asked for."""
    assert read(of(resource), form, endpoint).name == resource


@pytest.mark.parametrize(
    ("form", "resource"),
    [
        ("path", "https://a.example"),
        ("path", f"{ENDPOINT}/"),
        ("path", "https://A.example/team/mcp"),
        ("path", "https://a.example:443/team/mcp"),
        ("path", "https://a.example/team/%6Dcp"),
        ("path", "http://a.example/team/mcp"),
        ("path", "https://evil.example/team/mcp"),
        ("root", "https://a.example/team"),
        ("root", "https://a.example.evil.example"),
        ("challenge", "https://a.example/tea"),
        ("challenge", "https://a.example/team/mcp/more"),
        ("challenge", "https://evil.example"),
        ("challenge", "https://a.example:8443"),
        ("challenge", "https://a.example?team"),
        ("challenge", ""),
    ],
)
def test_what_is_of_another(form: str, resource: str) -> None:
    """However alike it is: nothing is made alike before it is compared."""
    with pytest.raises(LoginFailed, match="of another resource") as raised:
        read(of(resource), form)
    assert raised.value.rule == "CL-3"


@pytest.mark.parametrize(
    ("document", "rule"),
    [
        (None, "CL-3"),
        ([], "CL-3"),
        ({}, "CL-3"),
        (of(1), "CL-3"),
        ({"resource": ENDPOINT}, "RS-1"),
        ({"resource": ENDPOINT, "authorization_servers": []}, "RS-1"),
        (of(ENDPOINT, scopes_supported="a"), "CL-3"),
    ],
)
def test_what_is_no_metadata(document: Any, rule: str) -> None:
    """A value of the wrong kind is not taken for what it may have meant."""
    with pytest.raises(LoginFailed) as raised:
        read(document)
    assert raised.value.rule == rule


@pytest.mark.parametrize(
    "name", ["https://a.example/x#y", "https://me@a.example/x", "http://a.example/x", "x"]
)
def test_a_name_that_no_token_is_asked_for(name: str) -> None:
    """Though it is the endpoint's own."""
    with pytest.raises(LoginFailed) as raised:
        read(of(name), endpoint=name)
    assert raised.value.rule == "CL-10"


def test_scopes() -> None:
    """Each once; those that can be none are left out."""
    assert read(of(ENDPOINT, scopes_supported=["a", "b", "a", "c d", ""])).scopes == ("a", "b")
    assert read(of(ENDPOINT, scopes_supported=None)).scopes == ()
    assert len(read({"resource": ENDPOINT, "authorization_servers": ["x"] * 100}).issuers) == 32
