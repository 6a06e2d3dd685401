"""The options that say who may use the library over HTTP."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from readingroom import OAuth, UsageError
from readingroom.apps.faults import UsageFault
from readingroom.apps.http_auth import AUTHORIZATION, authenticator_from
from readingroom.apps.options import split
from readingroom.transport import auth_fetch, auth_oauth
from readingroom.transport.auth_token_file import TokensUnusable, changing
from readingroom.transport.auth_token_records import issued
from support.minting import AUDIENCE, ISSUER, Clock, key_set, rsa, token

ISSUED = {"oauth_issuer": ISSUER, "oauth_audience": AUDIENCE}


def test_none_is_asked_for(tmp_path: Path) -> None:
    """Then everybody may."""
    assert authenticator_from({}, str(tmp_path)) is None
    assert (
        authenticator_from(dict.fromkeys((option.name for option in AUTHORIZATION), None), str(tmp_path))
        is None
    )


def test_the_options_are_those_that_are_read(tmp_path: Path) -> None:
    """By their names on the command line."""
    line = ["docs", "--oauth-issuer", ISSUER, "--oauth-audience", AUDIENCE, "--oauth-token-type", "JWT"]
    values = split([*line, "--oauth-jwks", "https://login.example/keys"], AUTHORIZATION)
    assert values is not None
    assert isinstance(authenticator_from(values, str(tmp_path)), OAuth)


def test_static_tokens(tmp_path: Path) -> None:
    """Roles bring their scopes."""
    file = tmp_path / "private" / "tokens.json"
    made = [issued(role, now=1e9, seconds=None) for role in ("reader", "editor")]
    with changing(file) as write:
        write(tuple(record for _, record in made))
    auth = authenticator_from({"tokens": str(file)}, str(tmp_path / "docs"))
    assert auth is not None
    grants = [asyncio.run(auth.authenticate([f"Bearer {secret}"], "")) for secret, _ in made]
    assert [(grant.role, grant.scopes) for grant in grants] == [
        ("reader", {"docs:read"}),
        ("editor", {"docs:read", "docs:propose"}),
    ]


def test_tokens_that_cannot_be_used(tmp_path: Path) -> None:
    """Are told before anything is served."""
    with pytest.raises(TokensUnusable, match="token add"):
        authenticator_from({"tokens": str(tmp_path / "private" / "tokens.json")}, str(tmp_path / "docs"))
    with pytest.raises(UsageFault, match="inside the folder"):
        authenticator_from({"tokens": str(tmp_path / "tokens.json")}, str(tmp_path))


@pytest.mark.parametrize(
    ("scope", "role"),
    [("docs:read", "reader"), ("docs:propose", "editor"), ("docs:propose docs:read", "editor")],
)
def test_an_authorization_server(
    tmp_path: Path, scope: str, role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its keys are found by its metadata, and scopes give the roles."""
    pages: dict[str, Any] = {
        f"{ISSUER}/.well-known/oauth-authorization-server": {"issuer": ISSUER, "jwks_uri": f"{ISSUER}/keys"},
        f"{ISSUER}/keys": key_set(rsa("k1")),
    }
    asked: list[str] = []

    def document(url: str, seconds: float = 5.0) -> Any:
        asked.append(url)
        return pages[url]

    monkeypatch.setattr(auth_fetch, "document", document)
    monkeypatch.setattr(auth_oauth, "document", document)
    auth = authenticator_from(ISSUED, str(tmp_path))
    assert isinstance(auth, OAuth)
    auth._clock = Clock()
    assert asyncio.run(auth.authenticate([f"Bearer {token(scope=scope)}"], "")).role == role
    assert asked == list(pages)
    told = auth.document("/.well-known/oauth-protected-resource/mcp")
    assert told is not None
    assert json.loads(told)["resource_name"] == "Reading Room"


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"tokens": "x", "oauth_issuer": ISSUER}, "either --tokens or --oauth-issuer"),
        ({"oauth_audience": AUDIENCE}, "--oauth-audience is for --oauth-issuer"),
        ({"oauth_jwks": ISSUER}, "--oauth-jwks is for --oauth-issuer"),
        ({"oauth_token_type": "JWT", "tokens": "x"}, "--oauth-token-type is for --oauth-issuer"),
        ({"oauth_issuer": ISSUER}, "needs the public URL of the endpoint: give --public-url"),
        ({**ISSUED, "oauth_token_type": "jwt"}, "--oauth-token-type must be at\\+jwt or JWT"),
        ({"tokens": ""}, "--tokens must name a file"),
    ],
)
def test_what_does_not_go_together(tmp_path: Path, values: dict[str, str], says: str) -> None:
    """Says so."""
    with pytest.raises(UsageFault, match=says):
        authenticator_from(values, str(tmp_path))


def test_the_audience_is_the_public_url(tmp_path: Path) -> None:
    """Unless it is given by itself."""
    for values, audience in (
        ({"public_url": AUDIENCE}, AUDIENCE),
        ({"public_url": "https://docs.example", "oauth_audience": AUDIENCE}, AUDIENCE),
    ):
        auth = authenticator_from({"oauth_issuer": ISSUER, **values}, str(tmp_path))
        assert auth is not None
        told = auth.document("/.well-known/oauth-protected-resource")
        assert told is not None
        assert json.loads(told)["resource"] == audience


def test_what_cannot_be_served(tmp_path: Path) -> None:
    """An endpoint that is not the one form of itself."""
    with pytest.raises(UsageError, match="slash"):
        authenticator_from({**ISSUED, "oauth_audience": AUDIENCE + "/"}, str(tmp_path))


WITHOUT = """
import sys
sys.modules["joserfc"] = None
from readingroom import UsageError
from readingroom.apps.faults import UsageFault
from readingroom.apps.http_auth import authenticator_from
for values in ({issued!r}, {{"tokens": {file!r}}}):
    try:
        authenticator_from(values, {folder!r})
    except (UsageFault, UsageError) as error:
        print(error)
"""


def test_without_the_packages(tmp_path: Path) -> None:
    """The extra is named; static tokens need none. In a process of its own, for modules are loaded once."""
    file = str(tmp_path / "private" / "tokens.json")
    program = WITHOUT.format(issued=ISSUED, file=file, folder=str(tmp_path / "docs"))
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    oauth, tokens = done.stdout.splitlines()
    assert "readingroom[http]" in oauth
    assert "token add" in tokens
