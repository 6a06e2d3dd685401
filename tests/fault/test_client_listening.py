"""Subscriptions of a client over stdio: how they begin, what they tell, and every way in which they end."""

import asyncio
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from readingroom import (
    Client,
    Closed,
    RemoteError,
    ResourceUpdated,
    Resumed,
    SubscriptionCancelled,
    TimedOut,
    ToolsChanged,
    UsageError,
)

SERVERS = Path(__file__).parent / "servers"
U = ResourceUpdated("x:///u")


def made(name: str = "listening.py", **how: object) -> Client:
    """Make a client of a server in this folder."""
    return Client.stdio(
        [sys.executable, str(SERVERS / name)], **{"timeout": 30, "stderr": lambda _: None, **how}
    )


@pytest.fixture
def client() -> Iterator[Client]:
    """A client of the server whose subscriptions go every way."""
    with made() as client:
        yield client


def told(client: Client, way: str) -> list:
    """Everything that a subscription tells until it ends."""
    with client.listen(uris=[f"x:///{way}"]) as subscription:
        return list(subscription)


def rules(client: Client) -> list[str]:
    """The rules that were broken."""
    return [error.rule for error in client.violations[1]]


def test_changes_are_told():
    """By a real server: each kind as its value, to each subscription that matches (SUB-6)."""
    with made("noticing.py") as client:
        with client.listen(tools=True, uris=["a:///1"]) as both, client.listen(uris=["a:///1"]) as one:
            assert both.granted == {"toolsListChanged": True, "resourceSubscriptions": ["a:///1"]}
            client.call_tool("change", {"times": 1})
            assert {both.next(30), both.next(30)} == {ToolsChanged(), ResourceUpdated("a:///1")}
            assert one.next(30) == ResourceUpdated("a:///1")
            assert one.next(0.01) is None
            client.call_tool("close")
            assert list(both) == list(one) == []
        assert client.violations == (0, [])


def test_leaving_cancels():
    """So that the server has nothing to tell any more (SUB-10, CAN-1)."""
    with made("noticing.py") as client:
        with client.listen(tools=True):
            assert client.call_tool("state").structured["open"] == 1
        assert client.call_tool("state").structured["open"] == 0


@pytest.mark.parametrize("way", ["ends", "ends_twice"])
def test_a_result_is_the_end(client, way):
    """It comes when it wants to, with or without a cancellation behind it (SUB-11, SUB-16)."""
    assert told(client, way) == ([U] if way == "ends" else [])
    assert client.call_tool("x").structured == {"ids": []}
    assert client.violations == (0, [])


@pytest.mark.parametrize("way", ["cancels", "cancels_first"])
def test_a_cancellation_is_a_loss(client, way):
    """Whatever comes behind it; what came before it is told (SUB-16)."""
    with client.listen(uris=[f"x:///{way}"]) as subscription:
        if way == "cancels":
            assert next(subscription) == U
        with pytest.raises(SubscriptionCancelled):
            next(subscription)
    client.call_tool("x")
    assert client.violations == (0, [])


def test_a_refusal(client):
    """Is the error of whoever wanted to listen."""
    with pytest.raises(RemoteError), client.listen(uris=["x:///refuses"]):
        pass


def test_no_acknowledgement(client):
    """A server that does not acknowledge is not waited for without end, and is told so."""
    with pytest.raises(TimedOut), client.listen(uris=["x:///silent"], timeout=0.2):
        pass
    assert client.call_tool("x").structured == {"ids": [2]}


def test_an_end_without_acknowledgement(client):
    """Is an end, and a fault of the server (SUB-2)."""
    assert told(client, "ends_at_once") == []
    assert rules(client) == ["SUB-2"]


@pytest.mark.parametrize(
    ("way", "rule"),
    [
        ("change_first", "SUB-4"),
        ("ends_first", "SUB-2"),
        ("id_as_text", "SUB-3"),
        ("other", "SUB-4"),
        ("acks_twice", "SUB-2"),
        ("no_uri", "SUB-8"),
        ("wrong_end", "SUB-11"),
        ("grants_more", "SUB-2"),
        ("grants_text", "SUB-2"),
    ],
)
def test_frames_out_of_order_are_recorded(client, way, rule):
    """And what can be understood is told all the same (SUB-16)."""
    with client.listen(uris=[f"x:///{way}"]) as subscription:
        if "end" in way:
            assert list(subscription) == []
        else:
            assert next(subscription) == U
        client.call_tool("x")
    assert rules(client) == [rule]


def test_what_is_granted(client):
    """Is for the program to compare with what it wanted (SUB-7)."""
    with client.listen(uris=["x:///grants_nothing"]) as subscription:
        assert subscription.granted == {}


def test_changes_that_nobody_fetches(client):
    """Each is told once, however often it came; when too many wait, one note stands for all."""
    with client.listen(uris=["x:///many"]) as subscription:
        client.call_tool("x")
        assert [next(subscription), next(subscription)] == [U, ResourceUpdated("x:///v")]
        assert subscription.next(0.01) is None
    with client.listen(uris=["x:///too_many"]) as subscription:
        client.call_tool("x")
        assert next(subscription) == Resumed()


def test_a_server_that_is_gone():
    """Ends the iteration with an error, after what it told before."""
    with made(restart=False) as client, client.listen(uris=["x:///dies"]) as subscription:
        assert next(subscription) == U
        with pytest.raises(Closed, match="exit code 3"):
            next(subscription)
        with pytest.raises(Closed), client.listen(uris=["x:///stays"]):
            pass


def test_the_client_is_closed(client):
    """Whoever waits is told."""
    failed = []
    with client.listen(uris=["x:///stays"]) as subscription:

        def wait() -> None:
            try:
                next(subscription)
            except Closed as error:
                failed.append(error)

        thread = threading.Thread(target=wait)
        thread.start()
        client.close()
        thread.join(30)
    assert len(failed) == 1


def test_leaving_from_another_thread(client):
    """Ends the iteration."""
    with client.listen(uris=["x:///stays"]) as subscription:
        thread = threading.Thread(target=subscription.close)
        thread.start()
        assert list(subscription) == []
        thread.join(30)
        with pytest.raises(UsageError), subscription:
            pass


def test_nothing_to_listen_to(client):
    """Is refused before anything is sent."""
    for how in ({}, {"uris": "x:///u"}, {"uris": [1]}):
        with pytest.raises(UsageError):
            client.listen(**how)


def test_async():
    """The same for coroutines: changes, the end, losses, cancelling the task that waits."""

    async def run() -> None:
        async with made() as client:
            async with client.listen(uris=["x:///ends"]) as subscription:
                assert subscription.granted == {"resourceSubscriptions": ["x:///all"]}
                assert [notice async for notice in subscription] == [U]
            async with client.listen(uris=["x:///cancels_first"]) as subscription:
                with pytest.raises(SubscriptionCancelled):
                    await anext(subscription)
            with pytest.raises(TimedOut):
                async with client.listen(uris=["x:///silent"], timeout=0.2):
                    pass
            async with client.listen(uris=["x:///stays"]) as subscription:
                waiting = asyncio.create_task(anext(subscription))
                await client.call_tool("x")
                waiting.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await waiting
                subscription.close()
                assert [notice async for notice in subscription] == []

    asyncio.run(run())


def test_an_async_opening_that_is_cancelled():
    """Cancels the listen."""

    async def run() -> None:
        async with made() as client:

            async def listen() -> None:
                async with client.listen(uris=["x:///silent"]):
                    pass

            waiting = asyncio.create_task(listen())
            while (await client.call_tool("x")).structured == {"ids": []}:
                waiting.cancel()
                await asyncio.sleep(0)
            with pytest.raises(asyncio.CancelledError):
                await waiting

    asyncio.run(run())
