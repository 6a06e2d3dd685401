"""A server of the older era over HTTP, with and without tokens, and a client with a session for a test."""

from collections.abc import Iterator

import pytest

from readingroom import Server
from support.older import OlderAsgi
from support.older_http import Gate, Tokens, served


@pytest.fixture
def gate() -> Iterator[Gate]:
    """A gate that is opened at the end."""
    gate = Gate()
    yield gate
    gate.open.set()


@pytest.fixture
def app(gate: Gate) -> Server:
    """A server."""
    return served(gate)


@pytest.fixture
def http(app: Server) -> Iterator[OlderAsgi]:
    """A client with a session."""
    client = OlderAsgi(app.asgi())
    client.begin(capabilities={"elicitation": {}})
    yield client
    client.close()


@pytest.fixture
def tokens() -> Tokens:
    """What says who asks."""
    return Tokens()


@pytest.fixture
def guarded(app: Server, tokens: Tokens) -> Iterator[OlderAsgi]:
    """A client of a server that asks for tokens, with a session of ada's."""
    client = OlderAsgi(app.asgi(auth=tokens))
    client.begin(authorization="Bearer ada")
    yield client
    client.close()
