"""Time-outs of calls: silence counts, progress begins it anew, and there is a ceiling."""

import asyncio
import sys
from collections.abc import Iterator

import pytest

from readingroom import Client, TimedOut, UsageError

PROGRAM = """
import time
from readingroom import Context, Server
app = Server("slow", version="1")
@app.tool
def work(seconds: float, ctx: Context) -> str:
    '''Work, and say how far it is.'''
    until, step = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        ctx.progress(step := step + 1)
        time.sleep(0.02)
    return "done"
app.run()
"""


def ignore(_: object) -> None:
    """Take progress."""


def made(ceiling: float) -> Client:
    """A client that has all the time to begin, and whose calls may take so long while they make progress."""
    return Client.stdio([sys.executable, "-c", PROGRAM], timeout=30, ceiling=ceiling)


@pytest.fixture
def client() -> Iterator[Client]:
    """One whose calls may go on."""
    with made(30) as client:
        yield client


def test_progress_prolongs_a_call(client: Client) -> None:
    """That it was asked for (CAN-6)."""
    assert client.call_tool("work", {"seconds": 2.5}, timeout=2, on_progress=ignore).text == "done"
    with pytest.raises(TimedOut):
        client.call_tool("work", {"seconds": 30}, timeout=0.3)


def test_progress_does_not_prolong_it_for_ever() -> None:
    """There is a ceiling, which is never below the time-out."""
    with made(1) as client:
        with pytest.raises(TimedOut):
            client.call_tool("work", {"seconds": 30}, timeout=0.5, on_progress=ignore)
        assert client.call_tool("work", {"seconds": 1.5}, timeout=20, on_progress=ignore).text == "done"


def test_async(client: Client) -> None:
    """The same for coroutines."""

    async def run() -> None:
        answer = await client.aio.call_tool("work", {"seconds": 2.5}, timeout=2, on_progress=ignore)
        assert answer.text == "done"
        with pytest.raises(TimedOut):
            await client.aio.call_tool("work", {"seconds": 30}, timeout=0.3)

    asyncio.run(run())


def test_async_ceiling() -> None:
    """As well."""

    async def run() -> None:
        async with made(1) as client:
            with pytest.raises(TimedOut):
                await client.call_tool("work", {"seconds": 30}, timeout=0.5, on_progress=ignore)

    asyncio.run(run())


@pytest.mark.parametrize("how", [{"ceiling": 0}, {"ceiling": -1}, {"timeout": 0}, {"probe_seconds": 0}])
def test_times_that_are_none(how: dict[str, float]) -> None:
    """Are refused when the client is made."""
    with pytest.raises(UsageError):
        Client.stdio(["x"], **how)
