"""Whose a guarded HTTP connection is, in memory: how many are open, from which address, and what a proxy tells."""

import asyncio

import pytest

from readingroom.limits import Limits
from readingroom.transport.connection_counts import ConnectionCounts
from support.guarded import GET, HOST, Connection, head, run


def test_connections_beyond_the_cap_are_refused_until_others_end() -> None:
    """With 503 and Retry-After; one that has ended makes room."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        limits = Limits(connections=2)
        counts = ConnectionCounts(limits)
        first, _, third = (Connection(loop, limits=limits, counts=counts) for _ in range(3))
        assert third.wire.out.startswith(b"HTTP/1.1 503 ")
        assert b"retry-after: 5\r\n" in third.wire.out
        assert third.wire.ends == ["close"]
        assert counts.open == 2
        await third.say(GET)
        assert third.asked == []
        third.protocol.connection_lost(None)
        first.protocol.connection_lost(ConnectionResetError())
        assert counts.open == 1
        assert Connection(loop, limits=limits, counts=counts).wire.out == b""

    run(scene)


@pytest.mark.parametrize(
    ("peers", "refused"),
    [
        (["203.0.113.5", "203.0.113.5", "203.0.113.5"], 1),
        (["203.0.113.5", "203.0.113.5", "203.0.113.6"], 0),
        (["2001:db8::1", "2001:db8::2", "2001:db8::3"], 1),
        (["2001:db8::1", "2001:db8:0:1::1", "2001:db8:0:2::1"], 0),
        (["::ffff:203.0.113.5", "203.0.113.5", "203.0.113.5"], 1),
        (["::ffff:203.0.113.5", "::ffff:203.0.113.6", "::ffff:203.0.113.7"], 0),
        (["127.0.0.1", "127.0.0.1", "127.0.0.1"], 0),
        (["::1", "::1", "::1"], 0),
        (["", "", ""], 0),
    ],
)
def test_no_address_takes_all(peers: list[str], refused: int) -> None:
    """An IPv4 address or an IPv6 network of 64 bits counts as one; loopback and what is no address do not count."""
    limits = Limits(connections_per_address=2)
    counts = ConnectionCounts(limits)
    assert [counts.enter(peer) is None for peer in peers].count(False) == refused
    for peer in peers[: 3 - refused]:
        counts.leave(peer)
    assert counts.open == 0
    assert [counts.enter(peer) is None for peer in peers].count(False) == refused


def test_behind_a_proxy_addresses_are_those_that_it_tells() -> None:
    """The last one, which the proxy itself has seen; and connections are not counted by address."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        fields = (HOST, b"X-Forwarded-For: 1.1.1.1", b"X-Forwarded-For: 2.2.2.2, 198.51.100.7")
        for has_proxy, address in ((True, "198.51.100.7"), (False, "203.0.113.5")):
            connection = Connection(loop, has_proxy=has_proxy)
            await connection.say(head(*fields, line=b"GET / HTTP/1.1"))
            assert connection.scopes[0]["client"][0] == address
        limits = Limits(connections_per_address=1)
        counts = ConnectionCounts(limits, has_proxy=True)
        assert [counts.enter("203.0.113.5") for _ in range(3)] == [None, None, None]
        unnamed = Connection(loop, has_proxy=True)
        await unnamed.say(GET)
        assert unnamed.scopes[0]["client"][0] == "203.0.113.5"

    run(scene)


@pytest.mark.parametrize("has_proxy", [False, True])
def test_a_proxy_in_front_speaks_tls(*, has_proxy: bool) -> None:
    """So what comes through it was asked by https, though it comes in the clear."""

    async def scene(loop: asyncio.AbstractEventLoop) -> None:
        connection = Connection(loop, has_proxy=has_proxy)
        await connection.say(GET)
        assert connection.scopes[0]["scheme"] == ("https" if has_proxy else "http")

    run(scene)
