"""The clients of other SDKs, each connected once for all tests of a module, over each carrier."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.peers import Driven
from support.serving import served

CLIENTS = ("mcp", "fastmcp", "typescript")
CARRIERS = ("stdio", "http")


@pytest.fixture(scope="module", params=CLIENTS)
def client_name(request: pytest.FixtureRequest) -> str:
    """Name a client: that of the official Python SDK, FastMCP's, and that of the official TypeScript SDK."""
    return str(request.param)


@pytest.fixture(scope="module")
def connect(client_name: str) -> Iterator[Callable[..., Driven]]:
    """Connect the client to a server's command or address; whatever was started is ended."""
    started: list[Driven] = []

    def connect(*command: str, mode: str = "auto") -> Driven:
        is_address = command[0].startswith("http")
        driven = Driven(client_name, list(command) if is_address else [sys.executable, *command], mode)
        started.append(driven)
        return driven

    yield connect
    for driven in started:
        driven.end()


@pytest.fixture(scope="module", params=CARRIERS)
def carrier(request: pytest.FixtureRequest) -> str:
    """Name a carrier."""
    return str(request.param)


@pytest.fixture(scope="module")
def workshop_url(workshop: str) -> Iterator[str]:
    """Serve the server that has one of everything over HTTP and give its address."""
    with served(workshop, "{port}") as url:
        yield url


@pytest.fixture(scope="module")
def workshop() -> str:
    """Give the path of the server that has one of everything."""
    return str(Path(__file__).parent / "servers" / "workshop.py")
