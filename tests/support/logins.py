"""A resource and its authorization servers on this machine, for faults: whatever they say can be changed.

The resource is at `/mcp`; the issuers are paths. What was asked of them is in `asked`.
"""

import base64
import hashlib
import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode

import msgspec

from readingroom import LoginFailed, MemoryLogins, OAuthLogin, Refusal
from readingroom.client.authorization import TRIES
from readingroom.transport.oauth_fetch import Fetcher
from readingroom.transport.oauth_knock import knock

from .issuers import answer

WELL = "/.well-known/oauth-protected-resource"
AS = "/.well-known/oauth-authorization-server"


class Asked(msgspec.Struct):
    """A request: its path without the query, its fields of query or form, and its header fields."""

    path: str
    told: dict[str, Any]
    fields: dict[str, str]


class World:
    """What the servers say, and what they were asked. `changed` are members of documents, by path; None takes one away."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.url = f"{base}/mcp"
        self.issuer = f"{base}/as"
        self.asked: list[Asked] = []
        self.changed: dict[str, dict[str, Any]] = {}
        self.pages: dict[str, tuple[int, Any]] = {}
        self.challenge: str | None = f'Bearer resource_metadata="{base}{WELL}/mcp", scope="read"'
        self.needed: tuple[str, ...] = ("read",)
        self.tokens: dict[str, tuple[str, ...]] = {}
        self.refreshing: dict[str, tuple[str, ...]] = {}
        self.codes: dict[str, dict[str, Any]] = {}
        self.back: dict[str, str | None] = {}
        self.logins = MemoryLogins()

    def login(self, **given: Any) -> OAuthLogin:
        """A client whose person goes along with everything."""
        return OAuthLogin(**{"open_url": self.person, "logins": self.logins, **given})

    def person(self, url: str) -> str:
        """Go to the authorization server, and give where it sends the browser back to."""
        reply = Fetcher(self.url).get(url)
        assert reply.status == 302, reply.body
        return reply.location

    def ask(self, login: OAuthLogin, operation: str = "tools/list") -> int:
        """Send a request as a carrier does, and give the status that it ends with."""
        for tries in range(TRIES + 1):
            header = login.header(self.url)
            reply = knock(Fetcher(self.url), self.url, "1", header)
            refusal = Refusal(
                url=self.url,
                status=reply.status,
                challenges=reply.challenges,
                sent=header,
                operation=operation,
                tries=tries,
            )
            if reply.status not in (401, 403) or tries == TRIES or not login.challenged(refusal):
                break
        return reply.status

    def paths(self, *those: str) -> list[str]:
        """The paths that were asked for, or those of them that end so."""
        return [one.path for one in self.asked if not those or one.path.endswith(those)]

    def told(self, path: str) -> list[dict[str, Any]]:
        """What requests to paths that end so said."""
        return [one.told for one in self.asked if one.path.endswith(path)]

    def document(self, path: str) -> Any:
        """The document at a path; None when there is none."""
        if path == f"{WELL}/mcp":
            found: dict[str, Any] = {"resource": self.url, "authorization_servers": [self.issuer]}
        elif path.startswith(AS):
            issuer = self.base + path.removeprefix(AS)
            found = {
                "issuer": issuer,
                "authorization_endpoint": f"{issuer}/authorize",
                "token_endpoint": f"{issuer}/token",
                "registration_endpoint": f"{issuer}/register",
                "code_challenge_methods_supported": ["S256"],
                "token_endpoint_auth_methods_supported": ["none", "client_secret_basic"],
            }
        else:
            return None
        changed = {**found, **self.changed.get(path, {})}
        return {name: value for name, value in changed.items() if value is not None}

    def reply(self, asked: Asked) -> tuple[int, Any, dict[str, str]]:
        """Give the status, the document and the header fields of the answer."""
        if asked.path in self.pages:
            return (*self.pages[asked.path], {})
        for ending, act in (("/mcp", self._mcp), ("/authorize", self._authorize), ("/token", self._token)):
            if asked.path.endswith(ending) and not asked.path.startswith("/.well-known"):
                return act(asked)
        if asked.path.endswith("/register"):
            return 201, {"client_id": f"client-{len(self.asked)}"}, {}
        document = self.document(asked.path)
        return (404, {}, {}) if document is None else (200, document, {})

    def _mcp(self, asked: Asked) -> tuple[int, Any, dict[str, str]]:
        token = asked.fields.get("authorization", "").removeprefix("Bearer ")
        if token not in self.tokens:
            return 401, {}, {} if self.challenge is None else {"WWW_Authenticate": self.challenge}
        missing = [scope for scope in self.needed if scope not in self.tokens[token]]
        if missing:
            told = f'Bearer error="insufficient_scope", scope="{" ".join(missing)}"'
            return 403, {}, {"WWW_Authenticate": told}
        return 200, {"jsonrpc": "2.0", "id": 1, "result": {}}, {}

    def _authorize(self, asked: Asked) -> tuple[int, Any, dict[str, str]]:
        code = secrets.token_hex(8)
        self.codes[code] = asked.told
        issuer = self.base + asked.path.removesuffix("/authorize")
        told = {"code": code, "state": asked.told["state"], "iss": issuer, **self.back}
        query = urlencode({name: value for name, value in told.items() if value is not None})
        return 302, {}, {"Location": f"{asked.told['redirect_uri']}?{query}"}

    def _token(self, asked: Asked) -> tuple[int, Any, dict[str, str]]:
        told = asked.told
        if told["grant_type"] == "refresh_token":
            scopes = self.refreshing.pop(told["refresh_token"], None)
            return (400, {"error": "invalid_grant"}, {}) if scopes is None else (200, self._made(scopes), {})
        begun = self.codes.pop(told["code"])
        digest = hashlib.sha256(told["code_verifier"].encode()).digest()
        assert base64.urlsafe_b64encode(digest).decode().rstrip("=") == begun["code_challenge"]
        assert told["redirect_uri"] == begun["redirect_uri"]
        return 200, self._made(tuple(begun.get("scope", "").split())), {}

    def _made(self, scopes: tuple[str, ...]) -> dict[str, Any]:
        access, refresh = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
        self.tokens[access], self.refreshing[refresh] = scopes, scopes
        return {"access_token": access, "token_type": "Bearer", "refresh_token": refresh, "expires_in": 3600}


@contextmanager
def world() -> Iterator[World]:
    """Run the servers while the block lasts."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path, _, query = self.path.partition("?")
            self._reply(path, dict(parse_qsl(query)))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            is_json = self.headers["Content-Type"] == "application/json"
            self._reply(self.path, json.loads(body) if is_json else dict(parse_qsl(body.decode())))

        def _reply(self, path: str, told: dict[str, Any]) -> None:
            asked = Asked(path, told, {name.lower(): value for name, value in self.headers.items()})
            found.asked.append(asked)
            status, document, fields = found.reply(asked)
            answer(
                self,
                status,
                document if isinstance(document, bytes) else json.dumps(document).encode(),
                **fields,
            )

        def log_message(self, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    found = World(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def rule_of(world: World, login: OAuthLogin) -> str:
    """The rule that a login is refused for."""
    try:
        world.ask(login)
    except LoginFailed as error:
        return error.rule
    return "none"
