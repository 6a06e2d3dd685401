"""Lists that do not end: a client waits for all pages together no longer than for one answer, and keeps no more of them."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from readingroom import Client, Limits, PeerProtocolError, TimedOut

SERVER = Path(__file__).parent / "servers" / "paging.py"
SLOW = ("100", "0.05", "0")
BIG = ("20", "0", "100000")
SMALL = Limits(answer_bytes=300_000)


def made(pages: tuple[str, str, str], **how: Any) -> Client:
    """Make a client of the server with many pages."""
    return Client.stdio([sys.executable, "-S", str(SERVER), *pages], **{"timeout": 30, **how})


def test_all_pages_have_the_time_of_one_answer() -> None:
    """Pages that come in time each, but not together, are a list that is given up at its ceiling; calls go on."""
    with made(SLOW, ceiling=0.3) as client:
        with pytest.raises(TimedOut):
            client.list_tools(timeout=0.3)
        assert client.request("server/discover")["supportedVersions"]


def test_all_pages_have_the_time_of_one_answer_in_coroutines() -> None:
    """The same, awaited."""

    async def run() -> None:
        async with made(SLOW, ceiling=0.3) as client:
            with pytest.raises(TimedOut):
                await client.list_tools(timeout=0.3)
            assert (await client.request("server/discover"))["supportedVersions"]

    asyncio.run(run())


def test_all_pages_have_the_bytes_of_one_answer() -> None:
    """Pages that are small enough each, but not together, are a list without an end (PAGE-4); calls go on."""
    with made(BIG, limits=SMALL) as client:
        with pytest.raises(PeerProtocolError, match="300000 bytes") as caught:
            client.list_tools()
        assert caught.value.rule == "PAGE-4"
        assert client.request("server/discover")["supportedVersions"]


def test_all_pages_have_the_bytes_of_one_answer_in_coroutines() -> None:
    """The same, awaited."""

    async def run() -> None:
        async with made(BIG, limits=SMALL) as client:
            with pytest.raises(PeerProtocolError, match="300000 bytes"):
                await client.list_tools()

    asyncio.run(run())


def test_long_lists_that_end() -> None:
    """Many pages within the time and the bytes are one list; a ceiling gives time for all beyond the time for each."""
    with made(("50", "0", "1000"), limits=SMALL) as client:
        assert [tool.name for tool in client.list_tools()] == [f"n{number}" for number in range(1, 51)]
