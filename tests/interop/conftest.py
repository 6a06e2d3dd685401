"""The clients of other SDKs, each connected once for all tests of a module."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.peers import Driven

CLIENTS = ("mcp", "fastmcp", "typescript")


@pytest.fixture(scope="module", params=CLIENTS)
def client_name(request: pytest.FixtureRequest) -> str:
    """Name a client: that of the official Python SDK, FastMCP's, and that of the official TypeScript SDK."""
    return str(request.param)


@pytest.fixture(scope="module")
def connect(client_name: str) -> Iterator[Callable[..., Driven]]:
    """Connect the client to a server's command; whatever was started is ended."""
    started: list[Driven] = []

    def connect(*command: str, mode: str = "auto") -> Driven:
        driven = Driven(client_name, [sys.executable, *command], mode)
        started.append(driven)
        return driven

    yield connect
    for driven in started:
        driven.end()


@pytest.fixture(scope="module")
def workshop() -> str:
    """Give the path of the server that has one of everything."""
    return str(Path(__file__).parent / "servers" / "workshop.py")
