"""CL: how our client finds the authorization server, by metadata that say what they should, and that do not."""

import pytest

from support.logins import AS, WELL, World, rule_of

rule = pytest.mark.rule
META = f"{WELL}/mcp"
SERVER = f"{AS}/as"


# CL-2 to CL-6: what is found ---------------------------------------------------------------------------------------------


@rule("CL-2", "passing")
def test_the_metadata_is_where_the_challenge_says(at: World) -> None:
    """Nothing else is asked for it; without a challenge that says so, the place with the path, and only then the root."""
    at.needed = ()
    at.challenge = f'Bearer resource_metadata="{at.base}/custom.json"'
    at.pages["/custom.json"] = (200, at.document(META))
    assert at.ask(at.login()) == 200
    assert at.paths("/custom.json") == ["/custom.json"]
    assert not at.paths(META, WELL)
    at.challenge = None
    at.logins = type(at.logins)()
    assert at.ask(at.login()) == 200
    assert at.paths(META, WELL) == [META]


@rule("CL-2", "violating")
def test_metadata_that_is_nowhere(at: World) -> None:
    """The root is asked last; nobody is asked to log in."""
    at.challenge, at.pages[META] = "Bearer", (404, {})
    assert rule_of(at, at.login()) == "CL-2"
    assert at.paths(META, WELL) == [META, WELL]
    assert not at.paths("/authorize", "/register")


@rule("CL-3", "passing")
def test_the_root_may_speak_for_all(at: World) -> None:
    """Where the place with the path has nothing; tokens are asked for what it names."""
    at.challenge, at.pages[META] = None, (404, {})
    at.pages[WELL] = (200, {"resource": at.base, "authorization_servers": [at.issuer]})
    assert at.ask(at.login()) == 200
    assert at.told("/authorize")[0]["resource"] == at.base


@rule("CL-3", "violating")
@pytest.mark.parametrize("resource", ["https://evil.example/mcp", "{url}/", "{url}x", "{base}"])
def test_metadata_of_another_resource(at: World, resource: str) -> None:
    """Nothing goes on after that."""
    at.challenge = None
    at.changed[META] = {"resource": resource.format(url=at.url, base=at.base)}
    assert rule_of(at, at.login()) == "CL-3"
    assert not at.paths(SERVER, "/authorize", "/register")


@rule("CL-4", "passing")
def test_metadata_of_both_kinds(at: World) -> None:
    """In the order that is laid down."""
    at.pages[SERVER] = (404, {})
    at.pages["/as/.well-known/openid-configuration"] = (200, at.document(SERVER))
    assert at.ask(at.login()) == 200
    found = [path for path in at.paths() if "authorization-server" in path or "openid" in path]
    assert found == [SERVER, "/.well-known/openid-configuration/as", "/as/.well-known/openid-configuration"]


@rule("CL-4", "violating")
def test_an_authorization_server_without_metadata(at: World) -> None:
    """It cannot be used; what is no JSON is none."""
    at.pages[SERVER] = (200, b"<html>")
    assert rule_of(at, at.login()) == "CL-4"
    assert not at.paths("/authorize", "/register")


@rule("CL-5", "passing")
def test_the_issuer_is_the_one_that_was_asked(at: World) -> None:
    """Byte for byte."""
    at.changed[SERVER] = {"issuer": at.issuer}
    assert at.ask(at.login()) == 200


@rule("CL-5", "violating")
@pytest.mark.parametrize("issuer", ["https://honest.example", "{issuer}/", "{upper}"])
def test_metadata_of_another_issuer(at: World, issuer: str) -> None:
    """None of its places is used."""
    at.changed[SERVER] = {
        "issuer": issuer.format(issuer=at.issuer, upper=at.issuer.replace("http:", "HTTP:"))
    }
    assert rule_of(at, at.login()) == "CL-5"
    assert not at.paths("/authorize", "/register", "/token")


@rule("CL-5", "violating")
@pytest.mark.parametrize("end", ["?x", "#x"])
def test_a_text_that_is_no_issuer(at: World, end: str) -> None:
    """It has a query or a fragment; it is not asked."""
    at.changed[META] = {"authorization_servers": [at.issuer + end]}
    assert rule_of(at, at.login()) == "CL-5"
    assert at.paths() == ["/mcp", META]
