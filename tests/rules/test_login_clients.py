"""CL: who our client is to an authorization server, and what it keeps for each."""

from typing import Any

import pytest

from readingroom import LoginFailed, UsageError
from support.logins import AS, WELL, World

rule = pytest.mark.rule
META = f"{WELL}/mcp"
SERVER = f"{AS}/as"


# CL-11 to CL-14: who the client is ----------------------------------------------------------------------------------------

DOCUMENT = "https://app.example/client.json"


@rule("CL-11", "passing")
@rule("CL-12", "passing")
@pytest.mark.parametrize(
    ("given", "takes", "client"),
    [
        ({"client_id": "mine", "client_metadata_url": DOCUMENT}, True, "mine"),
        ({"client_metadata_url": DOCUMENT}, True, DOCUMENT),
        ({"client_metadata_url": DOCUMENT}, False, "client-"),
        ({}, True, "client-"),
    ],
)
def test_who_the_client_is(at: World, given: dict[str, Any], takes: bool, client: str) -> None:
    """By hand, by a document where the server takes such, registered else; the document is not fetched."""
    at.changed[SERVER] = {"client_id_metadata_document_supported": takes}
    assert at.ask(at.login(**given)) == 200
    ids = {one["client_id"] for one in at.told("/authorize") + at.told("/token")}
    assert len(ids) == 1
    assert ids.pop().startswith(client)
    assert bool(at.paths("/register")) == (client == "client-")


@rule("CL-11", "violating")
def test_a_server_that_registers_nobody(at: World) -> None:
    """The person is told what to do."""
    at.changed[SERVER] = {"registration_endpoint": None}
    with pytest.raises(
        LoginFailed, match=r"by hand, with the redirect URI http://127\.0\.0\.1:\d+/callback"
    ) as raised:
        at.ask(at.login())
    assert raised.value.rule == "CL-11"


@rule("CL-12", "violating")
@pytest.mark.parametrize(
    "url", ["http://app.example/client.json", "https://app.example/", "https://app.example/c#x"]
)
def test_a_document_that_is_no_client(at: World, url: str) -> None:
    """It is refused before anything is asked."""
    with pytest.raises(UsageError):
        at.login(client_metadata_url=url)


@rule("CL-13", "passing")
def test_a_registration(at: World) -> None:
    """As a native application, once for an issuer."""
    assert at.ask(at.login()) == 200
    (made,) = at.told("/register")
    assert made["application_type"] == "native"
    assert "refresh_token" in made["grant_types"]


@rule("CL-13", "violating")
def test_a_registration_that_is_refused(at: World) -> None:
    """The person is told why, and what to do."""
    at.pages["/as/register"] = (400, {"error": "invalid_redirect_uri", "error_description": "no ports"})
    with pytest.raises(LoginFailed, match=r"no ports; it does not take .* by hand") as raised:
        at.ask(at.login())
    assert raised.value.rule == "CL-13"


def move(at: World) -> None:
    """The resource has another authorization server from now on, and takes no tokens of the old."""
    at.changed[META] = {"authorization_servers": [f"{at.base}/as2"]}
    at.tokens.clear()


@rule("CL-14", "passing")
def test_another_authorization_server(at: World) -> None:
    """The client registers there anew, and never says there who it was elsewhere; nor is the old one asked any more."""
    login = at.login()
    assert at.ask(login) == 200
    (old,) = (one["client_id"] for one in at.told("/as/authorize"))
    move(at)
    before = len(at.asked)
    assert at.ask(login) == 200
    after = at.asked[before:]
    assert "/as2/register" in [one.path for one in after]
    assert not [one for one in after if one.path.startswith("/as/")]
    assert old not in str([one.told for one in after])
    assert set(at.logins.read().issuers) == {at.issuer, f"{at.base}/as2"}


@rule("CL-14", "violating")
@pytest.mark.parametrize("named", [True, False])
def test_a_client_of_another_issuer(at: World, named: bool) -> None:
    """One that was registered by hand is not presented elsewhere, in silence or not."""
    login = at.login(client_id="mine", client_secret="s", issuer=at.issuer if named else None)
    assert at.ask(login) == 200
    move(at)
    with pytest.raises(LoginFailed, match="belongs to") as raised:
        at.ask(login)
    assert raised.value.rule == "CL-14"
    assert not at.paths("/as2/authorize", "/as2/token")
