"""Answers that a client keeps: as long as the server says, for whom it says, until it hears otherwise."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from readingroom import Client, RemoteError, ToolsChanged
from support.processes import until

SERVER = Path(__file__).parents[1] / "fault" / "servers" / "caching.py"
LONG = "3600000"


def made(ttl: str = LONG, scope: str = "private", **how: Any) -> Client:
    """Make a client of the server whose answers number themselves."""
    return Client.stdio([sys.executable, str(SERVER), ttl, scope], **{"timeout": 30, **how})


def names(client: Client) -> list[str]:
    """The tools, whose names say how many pages the server has made."""
    return [tool.name for tool in client.list_tools()]


def change(client: Client, name: str, **params: str) -> None:
    """Have the server tell of a change."""
    notice = {"method": f"notifications/{name}", "params": params}
    client.call_tool("tell", {"notices": [notice]})


def test_fresh_answers_are_not_asked_for() -> None:
    """Lists, page by page, what is read, and what the server is (CACHE-4)."""
    with made() as client:
        for _ in range(2):
            assert names(client) == ["n1", "n2"]
            assert client.read_resource("x:///a").text == "1"
            assert client.read_resource("x:///b").text == "2"
            assert client.discover().instructions == "2"
        assert client.call_tool("count").structured["tools/list"] == 2


def test_what_is_stale_at_once() -> None:
    """Is asked for each time (CACHE-4), and so is everything where nothing is to be kept."""
    for how in ({"ttl": "0"}, {"cache": False}):
        with made(**how) as client:
            assert [names(client), names(client)] == [["n1", "n2"], ["n3", "n4"]]
            assert [client.read_resource("x:///a").text for _ in range(2)] == ["1", "2"]


def test_requests_by_hand_are_always_made() -> None:
    """And neither taken from what is kept nor kept."""
    with made() as client:
        client.list_tools()
        assert client.request("tools/list")["tools"][0]["name"] == "n3"
        assert names(client) == ["n1", "n2"]


def test_a_change_makes_an_answer_stale() -> None:
    """That of its list, all pages, or of what was read, and no other (CACHE-5)."""
    with made() as client, client.listen(tools=True, uris=["x:///a"]) as subscription:
        assert names(client) == ["n1", "n2"]
        assert client.read_resource("x:///a").text == "1"
        assert client.read_resource("x:///b").text == "2"
        change(client, "tools/list_changed")
        assert next(subscription) == ToolsChanged()
        assert names(client) == ["n3", "n4"]
        assert client.read_resource("x:///a").text == "1"
        change(client, "resources/updated", uri="x:///a/below")
        next(subscription)
        assert client.read_resource("x:///a").text == "3"
        assert client.read_resource("x:///b").text == "2"
        assert client.violations == (0, [])


def test_what_took_rounds_is_not_kept() -> None:
    """It was an answer to somebody (MRTR-17)."""
    with made() as client:
        assert [client.read_resource("x:///asked").text for _ in range(2)] == ["2", "4"]


def test_a_cursor_that_is_refused() -> None:
    """Has the list read anew, when it came from a page that was kept (CACHE-7)."""
    with made() as client:
        client.list_tools()
        client._engine.cache._drop(next(reversed(client._engine.cache._kept)))
        client.call_tool("expire")
        assert names(client) == ["n4", "n5"]
        with pytest.raises(RemoteError):
            client.request("tools/list", {"cursor": "0"})


def test_pages_of_several_scopes() -> None:
    """Are a fault of the server (CACHE-7)."""
    with made(scope="mixed") as client:
        assert len(names(client)) == 2
        assert [error.rule for error in client.violations[1]] == ["CACHE-7"]


def test_a_server_that_was_started_again() -> None:
    """Is another one, as far as anybody knows."""
    with made(close_seconds=0.2) as client:
        client.list_tools()
        client.read_resource("x:///a")
        connection: Any = client._engine.connection
        os.kill(connection.pid, signal.SIGKILL)
        until(lambda: connection.over is not None)
        client.call_tool("x")
        assert client.read_resource("x:///a").text == "1"
        assert client.call_tool("count").structured["resources/read"] == 1


def test_async() -> None:
    """The same for coroutines."""

    async def run() -> None:
        async with made() as client:
            for _ in range(2):
                assert [tool.name for tool in await client.list_tools()] == ["n1", "n2"]
                assert (await client.read_resource("x:///a")).text == "1"
                assert (await client.discover()).instructions == "2"
            assert [(await client.read_resource("x:///asked")).text for _ in range(2)] == ["3", "5"]
            engine = client._engine
            engine.cache._drop(next(key for key in engine.cache._kept if b"cursor" in key[1]))
            await client.call_tool("expire")
            assert [tool.name for tool in await client.list_tools()] == ["n4", "n5"]

    asyncio.run(run())
