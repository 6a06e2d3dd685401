"""A client that finds its way by itself: from a refusal to an authorization server of others, and back with its tokens."""

import base64
import hashlib
import json
import secrets
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from support.authorizing import PASSWORD, Reply, authorization_server, plain
from support.messages import LATEST, message
from support.peers import PATIENCE, installer
from support.serving import HOST, free_port, served

pytestmark = pytest.mark.peers

CALLBACK = "http://127.0.0.1:9/callback"


class App:
    """A client of an MCP server that knows the server's URL, and nothing else."""

    def __init__(self, url: str) -> None:
        self.url = url
        refused = self.ask("tools/list")
        assert refused.status == 401
        self.challenge = refused.challenge
        self.resource = Reply(self.challenge["resource_metadata"]).json
        assert self.resource["resource"] == url
        issuer = self.resource["authorization_servers"][0]
        self.server = Reply(f"{issuer}/.well-known/oauth-authorization-server").json
        assert self.server["issuer"] == issuer
        assert "S256" in self.server["code_challenge_methods_supported"]

    def ask(self, method: str, token: str = "", **params: Any) -> Reply:
        """Send a request."""
        fields = {
            "Content_Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Mcp_Protocol_Version": LATEST,
            "Mcp_Method": method,
        }
        if "uri" in params or "name" in params:
            fields["Mcp_Name"] = params.get("uri") or params["name"]
        if token:
            fields["Authorization"] = f"Bearer {token}"
        return Reply(self.url, json.dumps(message(1, method, params)).encode(), **fields)

    def tokens(self, scope: str, resource: str = "") -> dict[str, Any]:
        """Have anna log in and let this client act for her: code, PKCE, resource."""
        verifier, state = secrets.token_urlsafe(48), secrets.token_urlsafe(8)
        digest = hashlib.sha256(verifier.encode()).digest()
        common = {"client_id": "app", "redirect_uri": CALLBACK, "resource": resource or self.url}
        asked = {
            **common,
            "response_type": "code",
            "scope": scope,
            "state": state,
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        login = urlencode({"username": "anna", "password": PASSWORD}).encode()
        sent = Reply(f"{self.server['authorization_endpoint']}?{urlencode(asked)}", login)
        assert sent.status == 302, sent.body
        back = parse_qs(urlsplit(sent.fields["Location"]).query)
        assert back["state"] == [state]
        given = {
            **common,
            "grant_type": "authorization_code",
            "code": back["code"][0],
            "code_verifier": verifier,
        }
        answer = Reply(self.server["token_endpoint"], urlencode(given).encode())
        assert answer.status == 200, answer.body
        found: dict[str, Any] = answer.json
        return found


@pytest.fixture(scope="module")
def idp_port() -> int:
    """The port of the authorization server: the library is told of it before it runs."""
    return free_port()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, idp_port: int) -> Iterator[str]:
    """Serve a library for the tokens of that server, and give its URL."""
    docs = tmp_path_factory.mktemp("docs")
    docs.joinpath("open.md").write_text("# Open\n\nFor everybody.\n")
    docs.joinpath("closed.md").write_text("---\nvisibility: internal\n---\n# Closed\n\nFor us.\n")
    command = ["-m", "readingroom", "serve", str(docs), "--cache", str(tmp_path_factory.mktemp("cache"))]
    command += [
        "--role",
        "editor",
        "--http",
        f"{HOST}:{{port}}",
        "--oauth-issuer",
        f"http://{HOST}:{idp_port}",
    ]
    command += ["--oauth-audience", f"http://{HOST}:{{port}}/mcp", "--oauth-token-type", "JWT"]
    with served(*command) as url:
        yield url


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, idp_port: int, library: str) -> Iterator[App]:
    """Run the authorization server, and give a client that has found its way to it."""
    with authorization_server(tmp_path_factory.mktemp("idp"), idp_port, library, CALLBACK):
        yield App(library)


def text_of(answer: Reply) -> str:
    """Give the text of a resource that was read."""
    text: str = answer.json["result"]["contents"][0]["text"]
    return text


def test_a_client_finds_its_way(app: App) -> None:
    """From the refusal to the metadata, the authorization server, a code, a token, and an answer."""
    assert "error" not in app.challenge
    token = app.tokens(app.challenge["scope"])["access_token"]
    answer = app.ask("tools/list", token)
    assert answer.status == 200
    assert answer.json["result"]["tools"]
    assert "For everybody." in text_of(app.ask("resources/read", token, uri="library:///open.md"))


def test_a_step_up(app: App) -> None:
    """A token without the scope is told which it lacks; with that one the same request is answered."""
    small = app.tokens("openid")["access_token"]
    refused = app.ask("tools/list", small)
    assert refused.status == 403
    assert refused.challenge["error"] == "insufficient_scope"
    assert refused.challenge["scope"] == "docs:read"
    assert refused.challenge["resource_metadata"] == app.challenge["resource_metadata"]
    enough = app.tokens(f"openid {refused.challenge['scope']}")["access_token"]
    assert app.ask("tools/list", enough).status == 200


def test_a_scope_gives_the_role(app: App) -> None:
    """What is internal is not there for a reader, and there for an editor."""
    asked = {"uri": "library:///closed.md"}
    reader, editor = (app.tokens(scope)["access_token"] for scope in ("docs:read", "docs:propose"))
    hidden = app.ask("resources/read", reader, **asked)
    absent = app.ask("resources/read", reader, uri="library:///no.md")
    assert hidden.json["error"]["code"] == absent.json["error"]["code"] == -32602
    assert hidden.status == absent.status
    assert "For us." in text_of(app.ask("resources/read", editor, **asked))


def test_tokens_that_are_for_something_else(app: App) -> None:
    """Of the same server: for another resource, to log in with, to have new ones with, or changed."""
    given = app.tokens("openid docs:read")
    other = app.tokens("docs:read", "https://other.example/mcp")["access_token"]
    bad = [other, given["id_token"], given["refresh_token"], given["access_token"][:-8]]
    refused = [app.ask("tools/list", one) for one in bad]
    assert [answer.status for answer in refused] == [401] * len(bad)
    assert {answer.challenge["error"] for answer in refused} == {"invalid_token"}
    assert {answer.body for answer in refused} == {b"{}"}
    assert app.ask("tools/list", given["access_token"]).status == 200


def test_the_official_client_finds_its_way(tmp_path: Path) -> None:
    """It asks for what the first challenge names, and for all that it needs when a tool needs more."""
    port = free_port()
    server = Path(__file__).with_name("servers") / "authorized.py"
    with (
        served(str(server), "{port}", f"http://{HOST}:{port}") as url,
        authorization_server(tmp_path, port, url, CALLBACK),
    ):
        client = Path(__file__).with_name("peers") / "authorize_mcp.py"
        python = str(installer().python_of("mcp"))
        done = subprocess.run(
            [python, str(client), url, CALLBACK, "anna", PASSWORD],
            capture_output=True,
            text=True,
            env=plain(),
            timeout=PATIENCE,
        )
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout)
    assert json.loads(told["whoami"])[1:] == ["anna", "app"]
    assert told["propose"] == "proposed"
    assert told["asked"][0] == "docs:read"
    assert set(told["asked"][1].split()) == {"docs:read", "docs:propose"}
    assert len(told["asked"]) == 2
