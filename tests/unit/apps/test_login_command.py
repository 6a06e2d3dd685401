"""`readingroom login`: in and out, and what is said of it."""

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from readingroom import FileLogins, LoginFailed
from readingroom.apps import exit_codes
from readingroom.apps.commands import login as command
from readingroom.apps.faults import NothingFound, UsageFault, told
from readingroom.apps.logins import told_of
from readingroom.apps.running import run
from readingroom.client.oauth_tokens import Tokens
from readingroom.transport import oauth_browser
from readingroom.transport.oauth_fetch import Fetcher
from support.logins import World, world

from .streams import console, written


@pytest.fixture
def at() -> Iterator[World]:
    """A resource and its authorization server."""
    with world() as found:
        yield found


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where logins are kept."""
    return tmp_path / "private" / "logins.json"


def browse(at: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the browser of this machine be one whose person goes along with everything."""

    def browser(url: str) -> bool:
        assert Fetcher(at.url).get(at.person(url)).status == 200
        return True

    monkeypatch.setattr(oauth_browser.webbrowser, "open", browser)


def ran(place: Path, *words: str) -> tuple[str, str]:
    """Run the command and give what it wrote."""
    where = console(environment={"READINGROOM_LOGINS": str(place), "NO_COLOR": "1"})
    assert run(["login", *words], where) == 0
    return written(where.out), written(where.err)


def test_in_and_out(at: World, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The browser opens, the token is kept and taken, and is shown nowhere; then it is gone."""
    browse(at, monkeypatch)
    out, err = ran(place, at.url)
    assert f"Logged in to {at.url}; scopes: read; good until 20" in out
    assert str(place) in out
    assert "Opening the browser" in err
    assert FileLogins(place).read().tokens_for(at.url) is not None
    assert not [token for token in (*at.tokens, *at.refreshing) if token in out + err]
    out, _ = ran(place, "--logout", at.url)
    assert "Logged out" in out
    assert FileLogins(place).read().issuers == {}
    with pytest.raises(NothingFound):
        ran(place, "--logout", at.url)


def test_with_a_client_that_was_registered_by_hand(
    at: World, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its secret comes from a file, and scopes are those that were given."""
    browse(at, monkeypatch)
    secret = tmp_path / "secret"
    secret.write_text("geheim\n")
    out, _ = ran(
        place,
        "--client-id",
        "mine",
        "--client-secret-file",
        str(secret),
        "--scope",
        "read a",
        "--scope",
        "b",
        at.url,
    )
    assert "scopes: read a b" in out
    assert at.told("/authorize")[0]["scope"] == "read a b"
    (sent,) = (one for one in at.asked if one.path == "/as/token")
    assert sent.fields["authorization"].startswith("Basic ")


def test_without_a_browser(at: World, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The address is printed, and waited for as long as the person may take."""
    monkeypatch.setattr(command, "_PATIENCE_S", 0.05)
    where = console(environment={"READINGROOM_LOGINS": str(place)})
    with pytest.raises(LoginFailed, match="nobody came back") as raised:
        run(["login", "--no-browser", at.url], where)
    assert written(where.out).startswith(f"{at.issuer}/authorize?")
    assert "Open this address" in written(where.err)
    assert told(raised.value)[0] == exit_codes.REFUSED


def test_a_server_that_lets_everybody_in(at: World, place: Path) -> None:
    """There is nothing to do."""
    at.pages["/mcp"] = (200, {})
    out, _ = ran(place, at.url)
    assert "nobody has to log in" in out


def test_a_server_that_refuses_the_token(at: World, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told, with where to look further."""
    browse(at, monkeypatch)
    at.needed = ("never",)
    with pytest.raises(LoginFailed, match="readingroom doctor"):
        ran(place, at.url)
    assert FileLogins(place).read().tokens_for(at.url) is None


@pytest.mark.parametrize(
    "words",
    [
        ("http://docs.example/mcp",),
        ("https://docs.example/mcp#x",),
        ("docs.example",),
        ("--ca", "/no/such/file", "https://docs.example/mcp"),
        ("--scope", 'a"b', "https://docs.example/mcp"),
        ("--client-secret-file", "/no/such/file", "--client-id", "x", "https://docs.example/mcp"),
        ("--redirect-uri", "https://docs.example/", "https://docs.example/mcp"),
        ("--client-metadata-url", "x", "https://docs.example/mcp"),
    ],
)
def test_a_command_line_that_cannot_be(place: Path, words: tuple[str, ...]) -> None:
    """Nothing is asked."""
    with pytest.raises(UsageFault):
        ran(place, *words)


@pytest.mark.parametrize("text", [b"", b"\n", b"a\nb", b"x" * 5000, b"\xff"])
def test_a_file_that_is_no_secret(place: Path, tmp_path: Path, text: bytes) -> None:
    """Nothing is asked, and nothing of it is said."""
    file = tmp_path / "secret"
    file.write_bytes(text)
    with pytest.raises(UsageFault, match="--client-secret-file"):
        ran(place, "--client-id", "x", "--client-secret-file", str(file), "https://docs.example/mcp")


def test_a_secret_on_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read there."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"geheim\n")))
    assert command._secret("-") == "geheim"
    assert command._secret(None) is None


def test_what_is_told_of_a_login() -> None:
    """How long it is good, and what then."""
    plain = Tokens(client_id="c", resource="r", access="t0k")
    assert told_of(plain) == (
        "scopes: whatever the server gives by itself; the server does not say for how long, then to be logged in anew"
    )
    other = Tokens(client_id="c", resource="r", access="t0k", refresh="r3f", expires=0.0, granted=("a",))
    assert told_of(other) == "scopes: a; good until 1970-01-01 00:00 UTC, made anew by itself after that"
