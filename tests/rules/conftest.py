"""What the rules are seen on: servers in memory and over HTTP, one with a feature of every kind, and one to log in at."""

from collections.abc import Iterator

import pytest

from readingroom import Server
from support.asgi import Asgi
from support.everything import app
from support.logins import World, world
from support.memory import MemoryServer


@pytest.fixture
def server() -> MemoryServer:
    """A connection of its own."""
    return MemoryServer(app, principal="me")


@pytest.fixture
def bare() -> MemoryServer:
    """A connection to a server that offers nothing."""
    return MemoryServer(Server("bare"))


@pytest.fixture
def at() -> Iterator[World]:
    """A resource and its authorization server."""
    with world() as found:
        yield found


@pytest.fixture
def http() -> Iterator[Asgi]:
    """The server with everything, over HTTP, on a loop of its own."""
    client = Asgi(app.asgi())
    yield client
    client.close()
