"""An authorization server of others (nanoidp) that a test runs, and plain requests to it and to what trusts it."""

import contextlib
import json
import os
import re
import subprocess
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from support.peers import installer
from support.processes import until
from support.serving import HOST

PASSWORD = "correct horse"
SETTINGS = """
config_version: 1
server: {{host: "127.0.0.1", port: {port}}}
oauth:
  issuer: "{issuer}"
  audience: "{resource}"
  token_expiry_minutes: 60
  refresh_token_expiry_minutes: 60
  scopes_supported: [openid, "docs:read", "docs:propose"]
  scope_enforcement: true
  clients:
    - client_id: app
      client_secret: ""
      token_endpoint_auth_method: none
      redirect_uris: ["{callback}"]
      allowed_scopes: [openid, "docs:read", "docs:propose"]
"""
USERS = f"config_version: 1\nusers:\n  anna: {{password: {PASSWORD}}}\n"


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows nothing."""

    def redirect_request(self, *_args: Any, **_given: Any) -> None:
        """Stay."""


_OPENER = urllib.request.build_opener(_Stay, urllib.request.ProxyHandler({}))


class Reply:
    """A status, the header fields and the body."""

    def __init__(self, url: str, data: bytes | None = None, **fields: str) -> None:
        named = {name.replace("_", "-"): value for name, value in fields.items()}
        request = urllib.request.Request(url, data, named)  # noqa: S310  -- addresses of this test
        try:
            with _OPENER.open(request, timeout=20) as answer:
                self.status, self.fields, self.body = answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                self.status, self.fields, self.body = error.code, error.headers, error.read()

    @property
    def json(self) -> Any:
        """The body, read."""
        return json.loads(self.body)

    @property
    def challenge(self) -> dict[str, str]:
        """What a refusal says."""
        scheme, _, rest = self.fields["WWW-Authenticate"].partition(" ")
        assert scheme == "Bearer"
        return dict(re.findall(r'(\w+)="([^"]*)"', rest))


@contextlib.contextmanager
def authorization_server(config: Path, port: int, resource: str, callback: str) -> Iterator[None]:
    """Run the authorization server at a port.

    `resource` is the audience of tokens for which none is asked; `callback` is where the client `app` is sent back to.
    """
    program = installer().script_of("nanoidp", "nanoidp")
    assert program.exists(), "nanoidp is not installed; run: make test-peers"
    issuer = f"http://{HOST}:{port}"
    settings = SETTINGS.format(port=port, issuer=issuer, resource=resource, callback=callback)
    config.joinpath("settings.yaml").write_text(settings)
    config.joinpath("users.yaml").write_text(USERS)
    command = [str(program), "--config", str(config), "--port", str(port), "--profile", "oauth21"]
    with tempfile.TemporaryFile() as told:
        process = subprocess.Popen(
            command,
            cwd=config,  # it writes the keys that it makes to where it is
            stdin=subprocess.DEVNULL,
            stdout=told,
            stderr=told,
            env=plain(),
        )

        def answers() -> bool:
            told.seek(0)
            assert process.poll() is None, told.read().decode(errors="replace")[-3000:]
            try:
                return Reply(f"{issuer}/.well-known/oauth-authorization-server").status == 200
            except OSError:
                return False

        try:
            until(answers)
            yield
        finally:
            process.kill()
            process.wait()


def plain() -> dict[str, str]:
    """The environment for a Python that is not ours."""
    return {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "COVERAGE"))}
