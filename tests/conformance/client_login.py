"""The login of the client that the official conformance suite tests; its authorization server asks nobody anything."""

import http.client
from typing import Any
from urllib.parse import urlsplit

from readingroom import MemoryLogins, OAuthLogin

DOCUMENT = "https://conformance-test.local/client-metadata.json"


def login(context: dict[str, Any]) -> OAuthLogin:
    """Give a client that was registered by hand where the scenario says so, else one with a document of its own."""
    given = context.get("client_id")
    return OAuthLogin(
        client_id=given,
        client_secret=context.get("client_secret"),
        issuer=context.get("issuer"),
        client_metadata_url=None if given else DOCUMENT,
        open_url=redirect_of,
        logins=MemoryLogins(),
    )


def redirect_of(url: str) -> str:
    """Give where the browser would be sent back to; it is not followed."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=10)
    connection.request("GET", f"{parts.path}?{parts.query}")
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.headers["Location"] or ""
