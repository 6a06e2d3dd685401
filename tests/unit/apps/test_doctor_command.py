"""`readingroom doctor`: goes the way of a login, and says where it is blocked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from readingroom import FileLogins, LoginFailed
from readingroom.apps import exit_codes
from readingroom.apps.running import run
from support.logins import AS, WELL, World, world
from support.serving import free_port

from .streams import console, written

SERVER, META = f"{AS}/as", f"{WELL}/mcp"


@pytest.fixture
def at() -> Iterator[World]:
    """A resource and its authorization server."""
    with world() as found:
        yield found


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where logins are kept."""
    return tmp_path / "private" / "logins.json"


def examined(url: str, place: Path, *words: str) -> tuple[int, str]:
    """Run the command and give its exit code and what it wrote."""
    where = console(environment={"READINGROOM_LOGINS": str(place), "NO_COLOR": "1"})
    code = run(["doctor", *words, url], where)
    return code, written(where.out)


def test_a_way_that_is_free(at: World, place: Path) -> None:
    """Each step is told; nobody is asked."""
    at.changed[META] = {"scopes_supported": ["read", "write"]}
    code, out = examined(at.url, place)
    assert code == exit_codes.OK
    assert "WRONG" not in out
    for told in (
        f"ok    endpoint: {at.url} answers 401 with a bearer challenge, metadata {at.base}{META}, scopes read",
        f"ok    metadata of the resource: {at.base}{META}: found",
        f"ok    resource: tokens are asked for {at.url}",
        "-     scopes: read write",
        f"ok    metadata of the authorization server: {at.base}{SERVER}: found",
        f"ok    issuer: {at.issuer}, with PKCE by S256",
        "-     iss: does not name itself in its answers",
        "-     client: can be known there by registering itself, or by an id that was registered by hand (--client-id)",
        f"-     login: nobody is logged in here; run: readingroom login {at.url}",
    ):
        assert told in out.splitlines()
    assert not at.paths("/authorize", "/register", "/token")


def test_a_login_that_is_kept(at: World, place: Path) -> None:
    """It is tried; nothing secret is shown."""
    at.changed[SERVER] = {
        "client_id_metadata_document_supported": True,
        "authorization_response_iss_parameter_supported": True,
        "grant_types_supported": ["authorization_code"],
    }
    at.ask(at.login(logins=FileLogins(place), client_id="mine", client_secret="geheim"))
    code, out = examined(at.url, place)
    assert code == exit_codes.OK
    assert "ok    token: the token that is kept is taken" in out
    assert "known there as mine, as it was given" in out
    assert "names itself in its answers" in out
    assert "are not made anew" in out
    assert not [secret for secret in ("geheim", *at.tokens, *at.refreshing) if secret in out]
    at.tokens.clear()
    code, out = examined(at.url, place)
    assert code == exit_codes.REFUSED
    assert "WRONG token: the token that is kept is refused (status 401)" in out


def test_a_server_that_lets_everybody_in(at: World, place: Path) -> None:
    """There is nothing to find out."""
    at.pages["/mcp"] = (200, {})
    code, out = examined(at.url, place)
    assert (code, "nobody has to log in" in out) == (exit_codes.OK, True)


@pytest.mark.parametrize(
    ("path", "changed", "told"),
    [
        (META, {"resource": "https://evil.example"}, "byte for byte"),
        (META, {"authorization_servers": []}, "name an authorization server"),
        (META, {"authorization_servers": ["http://as.example"]}, "use https"),
        (SERVER, {"issuer": "https://evil.example"}, "the slash at its end"),
        (SERVER, {"code_challenge_methods_supported": None}, "turn PKCE on"),
    ],
)
def test_a_rule_that_is_broken(at: World, place: Path, path: str, changed: dict[str, Any], told: str) -> None:
    """It is said what to do, and the exit code is that of a broken rule."""
    at.changed[path] = changed
    code, out = examined(at.url, place)
    assert code == exit_codes.PROTOCOL
    assert "WRONG rule: " in out
    assert "→ " in out
    assert told in out


@pytest.mark.parametrize(
    ("page", "told"),
    [
        ((404, {}), "status 404"),
        ((302, {}), "redirects are not followed"),
        ((200, b"<p>"), "something that is no JSON"),
    ],
)
def test_metadata_that_is_not_there(at: World, place: Path, page: tuple[int, Any], told: str) -> None:
    """Each place that was looked at is told."""
    at.pages[META] = at.pages[WELL] = page
    code, out = examined(at.url, place)
    assert code == exit_codes.PROTOCOL
    assert f"{at.base}{META}: " in out
    assert told in out
    assert "publish /.well-known/oauth-protected-resource" in out


@pytest.mark.parametrize(
    ("challenge", "told"),
    [
        (None, "without a bearer challenge"),
        ("Basic realm=x", "without a bearer challenge"),
        ('Bearer a="', "WWW-Authenticate cannot be read: a quotation does not end"),
    ],
)
def test_a_refusal_that_says_too_little(at: World, place: Path, challenge: str | None, told: str) -> None:
    """The way goes on at the well-known places, and yet it is wrong."""
    at.challenge = challenge
    code, out = examined(at.url, place)
    assert code == exit_codes.PROTOCOL
    assert told in out
    assert "ok    issuer" in out


def test_a_refusal_with_another_status(at: World, place: Path) -> None:
    """403 says that the token is not enough, and there was none."""
    at.pages["/mcp"] = (403, {})
    code, out = examined(at.url, place)
    assert code == exit_codes.PROTOCOL
    assert "answers 403 to a request without a token" in out


def test_places_that_cannot_be_reached(at: World, place: Path) -> None:
    """The endpoint, or the authorization server; one that must not be asked is a broken rule."""
    assert examined(f"http://127.0.0.1:{free_port()}/mcp", place)[0] == exit_codes.START
    at.changed[META] = {"authorization_servers": [f"http://127.0.0.1:{free_port()}"]}
    code, out = examined(at.url, place)
    assert code == exit_codes.START
    assert "can be reached from here" in out


def test_more_than_one_authorization_server(at: World, place: Path) -> None:
    """The first is looked at, and that is said."""
    at.changed[META] = {"authorization_servers": [at.issuer, f"{at.base}/as2"]}
    assert "of 2 authorization servers, the first is looked at" in examined(at.url, place)[1]


@pytest.mark.parametrize(
    ("page", "told"),
    [
        ((404, b"not here"), "there is no MCP server at"),
        ((405, b""), "there is no MCP server at"),
        ((301, {}), "leads elsewhere"),
        ((502, {}), "try again later"),
    ],
)
def test_what_is_no_server(at: World, place: Path, page: tuple[int, Any], told: str) -> None:
    """It is not taken for one that lets everybody in, by either command."""
    at.pages["/mcp"] = page
    code, out = examined(at.url, place)
    assert code == exit_codes.START
    assert told in out
    with pytest.raises(LoginFailed, match=told):
        run(["login", at.url], console(environment={"READINGROOM_LOGINS": str(place)}))


def test_a_server_without_tools(at: World, place: Path) -> None:
    """It knows no such method, and that is an answer."""
    at.pages["/mcp"] = (404, {"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "x"}})
    assert "lets everybody in (status 404)" in examined(at.url, place)[1]


def test_how_a_client_can_be_known(at: World, place: Path) -> None:
    """In the ways that the server takes; by hand it always can."""
    at.changed[SERVER] = {"client_id_metadata_document_supported": True, "registration_endpoint": None}
    out = examined(at.url, place)[1]
    assert "known there by a document (--client-metadata-url), or by an id that was registered by hand" in out
