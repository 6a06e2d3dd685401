"""The server in a thread of the test: how it starts, what it tells, and how it ends without signals."""

import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from readingroom.errors import TransportError
from readingroom.limits import Limits
from readingroom.transport import uvicorn_server
from readingroom.transport.uvicorn_server import Site
from support.processes import PATIENCE
from support.threaded_server import Serving


async def _hello(scope: Any, receive: Any, send: Any) -> None:
    assert scope["type"] == "http"
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


def test_it_serves_until_it_is_stopped() -> None:
    """An application without a lifespan is served, too; the exit code is 0 and nothing is told."""
    running = Serving(_hello)
    assert running.origin.startswith("http://127.0.0.1:")
    connection = running.connection()
    for _ in range(2):
        connection.request("GET", "/")
        answer = connection.getresponse()
        assert (answer.status, answer.read()) == (200, b"hello")
        assert answer.getheader("date")
        assert answer.getheader("server") is None
    assert running.end() == 0
    assert running.told == []
    connection.close()


def test_an_ipv6_address_is_served() -> None:
    """Its origin has brackets."""
    running = Serving(_hello, host="::1")
    assert running.origin.startswith("http://[::1]:")
    assert running.end() == 0


def test_an_application_that_does_not_start_is_told() -> None:
    """As an error, before anybody could connect."""

    async def broken(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "lifespan.startup.failed"})

    running = Serving(broken)
    assert isinstance(running.codes[0], TransportError)
    assert running.origin == ""


def test_a_task_that_does_not_end_is_cancelled() -> None:
    """An application that hears of nothing does not hold up the end."""
    entered = threading.Event()

    async def deaf(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            raise NotImplementedError  # as one that knows no lifespan does
        import asyncio

        entered.set()
        await asyncio.sleep(3600)

    running = Serving(deaf, Limits(drain_seconds=0.05))
    connection = running.connection()
    connection.request("GET", "/")
    assert entered.wait(PATIENCE)
    assert running.end() == 0
    assert running.told == ["HTTP: cut 1 connection that was still open at the end"]
    connection.close()


@pytest.mark.parametrize("missing", ["httptools", "uvicorn"])
def test_packages_that_are_missing_are_named(missing: str) -> None:
    """As an error that says what to install; nothing falls back to a parser that is not strict."""
    program = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from readingroom import Server, UsageError\n"
        "try: Server('s').serve_http()\n"
        "except UsageError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout == "HTTP needs more packages: pip install 'readingroom[http]'\n"


def test_faults_of_the_loop_are_told_by_their_kind() -> None:
    """Without their texts; what clients do to a connection is no fault."""
    told: list[str] = []
    running = uvicorn_server._Running(_hello, Site(), Limits(), told.append)
    loop: Any = None
    running._tell_fault(loop, {"message": "a handshake", "exception": ConnectionResetError("secret")})
    running._tell_fault(loop, {"message": "a callback", "exception": ValueError("secret")})
    assert told == ["HTTP: a callback (ValueError)"]


@pytest.mark.parametrize(
    ("soft", "hard", "given", "taken"),
    [
        (100_000, 100_000, 100_000, 10_000),
        (1024, 100_000, 10_128, 10_000),
        (1024, 4096, 4096, 3968),
        (1024, -1, 10_128, 10_000),
        (-1, -1, -1, 10_000),
        (64, 64, 64, 1),
    ],
)
def test_connections_fit_the_descriptors(
    soft: int, hard: int, given: int, taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as are needed are asked for; with fewer, fewer connections are taken, and that is told."""
    resource = pytest.importorskip("resource")
    now = [(soft, hard)]
    setter: Callable[[int, tuple[int, int]], None] = lambda _, limit: now.append(limit)  # noqa: E731  -- a fake of a function
    monkeypatch.setattr(resource, "getrlimit", lambda _: now[-1])
    monkeypatch.setattr(resource, "setrlimit", setter)
    told: list[str] = []
    limits = uvicorn_server._within_descriptors(Limits(), told.append)
    assert limits == msgspec.structs.replace(Limits(), connections=taken)
    assert now[-1][0] == given
    assert bool(told) is (taken < 10_000)
