"""Our client finds its way by itself to an authorization server of others, and back with its tokens."""

import subprocess
import sys
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from readingroom import Client, LoginFailed, MemoryLogins, OAuthLogin, RemoteError, Unauthorized
from readingroom.transport.oauth_store import Logins
from support.authorizing import PASSWORD, Reply, authorization_server
from support.peers import PATIENCE
from support.serving import HOST, free_port, served

pytestmark = pytest.mark.peers

SERVER = Path(__file__).with_name("servers") / "authorized.py"


class World:
    """A server that asks for tokens, its authorization server, and where a client is sent back to."""

    def __init__(self, url: str, issuer: str, callback: str) -> None:
        self.url, self.issuer, self.callback = url, issuer, callback
        self.asked: list[dict[str, str]] = []
        self.logins = MemoryLogins()

    def anna(self, url: str) -> str:
        """Log in as Anna would, and give where the browser is sent back to."""
        self.asked.append(dict(urllib.parse.parse_qsl(url.partition("?")[2])))
        form = urllib.parse.urlencode({"username": "anna", "password": PASSWORD}).encode()
        sent = Reply(url, form)
        assert sent.status == 302, sent.body
        return str(sent.fields["Location"])

    def browser(self, url: str) -> None:
        """The same, with a browser that follows where it is sent."""
        assert b"Logged in" in Reply(self.anna(url)).body

    def login(self, **given: object) -> OAuthLogin:
        """A client that was registered by hand."""
        told = {
            "client_id": "app",
            "redirect_uri": self.callback,
            "open_url": self.anna,
            "logins": self.logins,
        }
        return OAuthLogin(**{**told, **given})  # type: ignore[arg-type]  # each test gives what it is about

    def kept(self) -> Logins:
        """What is kept of logins."""
        return self.logins.read()


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str, str]]:
    """Run both servers, and give their addresses and the callback."""
    port, callback = free_port(), f"http://{HOST}:{free_port()}/callback"
    issuer = f"http://{HOST}:{port}"
    with (
        served(str(SERVER), "{port}", issuer) as url,
        authorization_server(tmp_path_factory.mktemp("idp"), port, url, callback),
    ):
        yield url, issuer, callback


@pytest.fixture
def world(places: tuple[str, str, str]) -> World:
    """The same servers, and nobody logged in."""
    return World(*places)


def test_a_client_logs_in_when_it_is_asked_to(world: World) -> None:
    """Nobody is asked twice, and another client has no need to; the token is for this server alone."""
    login = world.login()
    with Client.http(world.url, auth=login) as client:
        assert "whoami" in [tool.name for tool in client.list_tools()]
        assert "anna" in str(client.call_tool("whoami").content)
    with Client.http(world.url, auth=world.login()) as client:
        client.list_tools()
    (asked,) = world.asked
    assert asked["resource"] == world.url
    assert asked["scope"] == "docs:read"
    assert asked["code_challenge_method"] == "S256"


def test_a_step_up(world: World) -> None:
    """A tool that needs more has more asked for, and all that was asked for before; then it is called."""
    with Client.http(world.url, auth=world.login()) as client:
        assert "proposed" in str(client.call_tool("propose").content)
    assert [set(asked["scope"].split()) for asked in world.asked] == [
        {"docs:read"},
        {"docs:read", "docs:propose"},
    ]


def test_a_browser_that_comes_back(world: World) -> None:
    """It is told that this is done; the token is taken."""
    with Client.http(world.url, auth=world.login(open_url=world.browser)) as client:
        assert client.list_tools()


def test_a_token_is_made_anew(world: World) -> None:
    """When it is over; nobody is asked for that."""
    world.login().log_in(world.url)
    old = world.kept().tokens_for(world.url)
    assert old is not None
    assert old.refresh
    over = msgspec.structs.replace(old, expires=0.0)
    metadata = Reply(f"{world.issuer}/.well-known/oauth-authorization-server").json
    with world.logins.changing() as write:
        write(world.kept().with_tokens(world.issuer, world.url, over, metadata["token_endpoint"]))
    with Client.http(world.url, auth=world.login()) as client:
        assert client.list_tools()
    new = world.kept().tokens_for(world.url)
    assert new is not None
    assert new.access != old.access
    assert len(world.asked) == 1


def test_nobody_is_asked(world: World) -> None:
    """A client that may not ask says what to do; a token that is none gets what it deserves."""
    with (
        pytest.raises(LoginFailed, match=r"readingroom login http"),
        Client.http(world.url, auth=world.login(ask=False)),
    ):
        pass
    with pytest.raises(Unauthorized, match="401"), Client.http(world.url, auth="x" * 40):
        pass
    assert not world.asked


def test_a_library(world: World, tmp_path: Path) -> None:
    """One that is served for the tokens of that server: it names the scope, and a reader reads."""
    docs = tmp_path / "docs"
    docs.mkdir()
    docs.joinpath("open.md").write_text("# Open\n\nFor everybody.\n")
    docs.joinpath("closed.md").write_text("---\nvisibility: internal\n---\n# Closed\n\nFor us.\n")
    command = [
        "-m",
        "readingroom",
        "serve",
        str(docs),
        "--cache",
        str(tmp_path / "cache"),
        "--role",
        "editor",
    ]
    command += ["--http", f"{HOST}:{{port}}", "--oauth-issuer", world.issuer]
    command += ["--oauth-audience", f"http://{HOST}:{{port}}/mcp", "--oauth-token-type", "JWT"]
    with served(*command) as url, Client.http(url, auth=world.login()) as client:
        assert "For everybody." in str(client.read_resource("library:///open.md").contents)
        with pytest.raises(RemoteError, match="not found"):
            client.read_resource("library:///closed.md")
    assert [(asked["resource"], asked["scope"]) for asked in world.asked] == [(url, "docs:read")]


def test_the_command_line(world: World, tmp_path: Path) -> None:
    """`login` prints where to go and keeps the token, `doctor` sees both right, `login --logout` forgets it."""
    env = {"READINGROOM_LOGINS": str(tmp_path / "private" / "logins.json"), "PATH": ""}

    def command(*words: str) -> list[str]:
        return [sys.executable, "-m", "readingroom", *words, world.url]

    words = command("login", "--no-browser", "--client-id", "app", "--redirect-uri", world.callback)
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
    ) as process:
        assert process.stdout is not None
        world.browser(process.stdout.readline().strip())
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    assert "Logged in to" in out

    def ran(code: int, *words: str) -> str:
        done = subprocess.run(command(*words), capture_output=True, text=True, env=env, timeout=PATIENCE)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    assert "whoami" in ran(0, "list", "--url")
    told = ran(0, "doctor")
    assert "the token that is kept is taken" in told
    assert "WRONG" not in told
    kept = (tmp_path / "private" / "logins.json").read_text()
    token = token_in(kept)
    assert token not in out + err + told
    ran(0, "login", "--logout")
    ran(1, "login", "--logout")
    assert "nobody is logged in" in ran(0, "doctor")


def token_in(kept: str) -> str:
    """The access token in what is kept."""
    logins = msgspec.json.decode(kept, type=Logins)
    (endpoint,) = logins.endpoints
    tokens = logins.tokens_for(endpoint)
    assert tokens is not None
    return tokens.access
