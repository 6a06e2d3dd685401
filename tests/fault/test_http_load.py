"""HTTP held under load, for minutes: what is kept is bounded, nobody is refused, and nothing is left when they have gone."""

import asyncio
import contextlib
import json
import resource
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from support.messages import LATEST, message
from support.serving import served

pytestmark = [pytest.mark.soak, pytest.mark.timeout(900)]

SERVER = str(Path(__file__).parent / "servers" / "loaded_http.py")
AT_ONCE = 200


@pytest.fixture
def port() -> Iterator[int]:
    """Serve, and give the port."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard < 15_000:
        pytest.skip("needs 15,000 descriptors: ulimit -n")
    with served(SERVER, "{port}") as url:
        yield urlsplit(url).port or 0


def request(method: str, members: dict[str, Any] | None = None, *, older: bool = False) -> bytes:
    """A request of either era, as bytes."""
    told = (
        {"jsonrpc": "2.0", "id": 1, "method": method, "params": members}
        if older
        else message(1, method, members)
    )
    body = json.dumps(told).encode()
    fields = {
        "Host": "127.0.0.1",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "Content-Length": str(len(body)),
    }
    if not older:
        fields |= {"MCP-Protocol-Version": LATEST, "Mcp-Method": method}
    if members and "name" in members:
        fields["Mcp-Name"] = members["name"]
    return (
        "".join(["POST /mcp HTTP/1.1\r\n", *(f"{k}: {v}\r\n" for k, v in fields.items()), "\r\n"]).encode()
        + body
    )


DISCOVER = request("server/discover")
ADD = request("tools/call", {"name": "add", "arguments": {"a": 1, "b": 2}})
LISTEN = request("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
INITIALIZE = request(
    "initialize",
    {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "soak", "version": "1"}},
    older=True,
)


class Wire:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def open(cls, port: int) -> "Wire":
        """Connect."""
        return cls(*await asyncio.open_connection("127.0.0.1", port, limit=1 << 21))

    async def ask(self, data: bytes) -> bytes:
        """Send a request and give the body of its answer, which has succeeded."""
        self.writer.write(data)
        head = await self.reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        return await self.reader.readexactly(length)

    async def listen(self) -> None:
        """Open a subscription and wait for its acknowledgement."""
        self.writer.write(LISTEN)
        await self.reader.readuntil(b"acknowledged")

    async def close(self) -> None:
        """Leave."""
        self.writer.close()
        with contextlib.suppress(OSError):
            await self.writer.wait_closed()


async def call(wire: Wire, tool: str) -> Any:
    """Call a tool without arguments and give what it gave."""
    body = json.loads(await wire.ask(request("tools/call", {"name": tool})))
    return body["result"]["structuredContent"]


async def many(number: int, work: Callable[[int], Awaitable[Any]]) -> list[Any]:
    """Do a work that many times, some at once."""
    found: list[Any] = []
    for first in range(0, number, AT_ONCE):
        found += await asyncio.gather(*(work(one) for one in range(first, min(first + AT_ONCE, number))))
    return found


async def settled(control: Wire, wanted: dict[str, int]) -> dict[str, int]:
    """Wait until there are no more descriptors and tasks than there were."""
    deadline = time.monotonic() + 60
    while True:
        now: dict[str, int] = await call(control, "vitals")
        if all(now[what] <= wanted[what] for what in ("descriptors", "tasks")):
            return now
        assert time.monotonic() < deadline, (now, wanted)
        await asyncio.sleep(0.2)


async def hold(port: int) -> None:
    """Hold very many connections, and let them go."""
    control = await Wire.open(port)
    await many(200, lambda _: control_free(port))
    before = await call(control, "vitals")
    kept = await many(10_000, lambda _: Wire.open(port))
    await many(10_000, lambda one: kept[one].ask(DISCOVER))
    listening = await many(1_000, lambda _: Wire.open(port))
    await many(1_000, lambda one: listening[one].listen())
    slow = await many(100, lambda _: Wire.open(port))
    for number, wire in enumerate(slow):
        # Half of them send half a request, half of them do not read what they asked for.
        wire.writer.write(DISCOVER[:300] if number % 2 else request("tools/call", {"name": "much"}))
    for _ in range(20):
        await call(control, "change")
    await many(1_000, lambda one: listening[one].reader.readuntil(b"list_changed"))
    await many(1_000, lambda one: kept[one * 9].ask(ADD))
    full = await call(control, "vitals")
    print(f"\nheld: 10,000 connections, 1,000 subscriptions, 100 slow ones: {full}, before: {before}")
    assert full["descriptors"] >= 11_000
    assert (full["memory"] - before["memory"]) / 11_000 < 60, "KiB a connection"
    everybody = [*kept, *listening, *slow]
    await many(len(everybody), lambda one: everybody[one].close())
    after = await settled(control, {what: before[what] + 5 for what in before})
    print(f"after: {after}")
    assert len(await many(500, lambda _: control_free(port))) == 500
    await control.close()


async def control_free(port: int) -> bytes:
    """One call on a connection of its own."""
    wire = await Wire.open(port)
    body = await wire.ask(ADD)
    await wire.close()
    return body


def test_ten_thousand_connections_are_held(port: int) -> None:
    """With a thousand subscriptions, and a hundred that are slow: memory is bounded, and all is well when they go."""
    asyncio.run(hold(port))


async def flat(port: int, what: str, number: int, work: Callable[[int], Awaitable[Any]]) -> None:
    """Do a work often; from a fifth of it on, nothing is kept any more."""
    control = await Wire.open(port)
    await many(number // 5, work)
    warm = await call(control, "vitals")
    await many(number - number // 5, work)
    after = await settled(control, {one: warm[one] + 10 for one in warm})
    print(f"\n{number:,} {what}: {warm['memory']:,} KiB after a fifth, {after['memory']:,} KiB at the end")
    await control.close()
    assert after["memory"] - warm["memory"] < 6_000


def test_requests_leave_nothing(port: int) -> None:
    """A hundred thousand of them, in workers."""

    async def run() -> None:
        wires = [await Wire.open(port) for _ in range(AT_ONCE)]
        await flat(port, "requests", 100_000, lambda one: wires[one % AT_ONCE].ask(ADD))
        await many(AT_ONCE, lambda one: wires[one].close())

    asyncio.run(run())


def test_subscriptions_leave_nothing(port: int) -> None:
    """Ten thousand, each opened and closed."""

    async def one(_number: int) -> None:
        wire = await Wire.open(port)
        await wire.listen()
        await wire.close()

    asyncio.run(flat(port, "subscriptions", 10_000, one))


def test_sessions_of_the_older_era_leave_nothing(port: int) -> None:
    """Ten thousand that nobody ends: only so many are kept."""

    async def one(_number: int) -> None:
        wire = await Wire.open(port)
        wire.writer.write(INITIALIZE)
        head = await wire.reader.readuntil(b"\r\n\r\n")
        assert b"200" in head.partition(b"\r\n")[0]
        assert b"mcp-session-id" in head.lower()
        await wire.close()

    asyncio.run(flat(port, "sessions", 10_000, one))
