"""The client of the official Python SDK, which authorizes by itself: `authorize_mcp.py URL CALLBACK USER PASSWORD`.

It knows the server's URL and is registered with the authorization server as `app`. It calls a tool, then one that needs
more, and prints what came of it, with the scopes that it asked for.
"""

import json
import sys
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener

import anyio
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata

URL, CALLBACK, USER, PASSWORD = sys.argv[1:]
asked: list[str] = []
codes: list[dict[str, list[str]]] = []


class Memory:
    """Keeps tokens, and knows how the client is registered."""

    def __init__(self) -> None:
        self.tokens: Any = None
        self.client: Any = OAuthClientInformationFull(
            client_id="app", redirect_uris=[CALLBACK], token_endpoint_auth_method="none"
        )

    async def get_tokens(self) -> Any:
        """Give the tokens."""
        return self.tokens

    async def set_tokens(self, tokens: Any) -> None:
        """Keep the tokens."""
        self.tokens = tokens

    async def get_client_info(self) -> Any:
        """Give the registration."""
        return self.client

    async def set_client_info(self, client_info: Any) -> None:
        """Keep the registration."""
        self.client = client_info


class Stay(HTTPRedirectHandler):
    """Stays at the first redirect and keeps where it leads."""

    def http_error_302(self, _request: Any, answer: Any, _code: int, _text: str, headers: Any) -> Any:
        """Keep it."""
        codes.append(parse_qs(urlsplit(headers["Location"]).query))
        return answer


async def log_in(url: str) -> None:
    """Log in as a person would in a browser."""
    asked.append(parse_qs(urlsplit(url).query)["scope"][0])
    form = urlencode({"username": USER, "password": PASSWORD}).encode()
    opener = build_opener(Stay, ProxyHandler({}))
    await anyio.to_thread.run_sync(lambda: opener.open(url, form, 20).close())


async def come_back() -> AuthorizationCodeResult:
    """Give what the redirect brought."""
    found = codes.pop()
    return AuthorizationCodeResult(code=found["code"][0], state=found["state"][0])


async def main() -> None:
    """Do both calls."""
    metadata = OAuthClientMetadata(redirect_uris=[CALLBACK], client_name="app")
    auth = OAuthClientProvider(URL, metadata, Memory(), log_in, come_back)
    async with (
        create_mcp_http_client(auth=auth) as http,
        Client(streamable_http_client(URL, http_client=http), mode="2026-07-28") as client,
    ):
        first = await client.call_tool("whoami", {})
        second = await client.call_tool("propose", {})
    print(json.dumps({"whoami": first.content[0].text, "propose": second.content[0].text, "asked": asked}))


anyio.run(main)
