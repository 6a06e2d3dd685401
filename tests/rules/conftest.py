"""The server that the rules are seen on: one with a feature of every kind, in memory."""

import pytest

from support.everything import app
from support.memory import MemoryServer


@pytest.fixture
def server() -> MemoryServer:
    """A connection of its own."""
    return MemoryServer(app, principal="me")


@pytest.fixture
def bare() -> MemoryServer:
    """A connection to a server that offers nothing."""
    from readingroom import Server

    return MemoryServer(Server("bare"))
