"""A server over stdio that ends is started again by whoever needs it next, and not for ever."""

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from readingroom import Client, Closed, ConnectFailed, ReadingRoomError, ResourceUpdated, Resumed
from support.processes import until

SERVER = Path(__file__).parent / "servers" / "listening.py"
PROGRAM = """
import os, sys
with open(sys.argv[2], "a") as starts:
    starts.write(".")
if os.path.exists(sys.argv[2] + ".no"):
    sys.exit(7)
sys.argv = sys.argv[1:]
exec(open(sys.argv[0]).read())
"""


class Started:
    """A client of the server whose subscriptions go every way, and how often that was started."""

    def __init__(self, folder: Path, **how: object) -> None:
        self.starts = folder / "starts"
        command = [sys.executable, "-c", PROGRAM, str(SERVER), str(self.starts)]
        self.client = Client.stdio(
            command, **{"timeout": 30, "stderr": lambda _: None, "close_seconds": 0.2, **how}
        )

    @property
    def count(self) -> int:
        """How often the server was started."""
        return len(self.starts.read_text())

    def refuse(self) -> None:
        """Have the server fail at its start from now on."""
        Path(f"{self.starts}.no").touch()

    def allow(self) -> None:
        """Have it start again."""
        Path(f"{self.starts}.no").unlink()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self.client._engine.connection.pid

    def kill(self) -> None:
        """End the server, and wait until that has been noticed."""
        connection = self.client._engine.connection
        os.kill(connection.pid, signal.SIGKILL)
        until(lambda: connection.over is not None)


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Started]:
    """A client that is open."""
    started = Started(tmp_path)
    with started.client:
        yield started


def test_the_next_call_starts_it_again(started):
    """What was in flight fails, for nobody knows how far it came (STDIO-7)."""
    call = started.client.submit(
        "subscriptions/listen", {"notifications": {"resourceSubscriptions": ["silent"]}}
    )
    first = started.pid
    started.kill()
    with pytest.raises(Closed, match="signal 9"):
        call.result()
    assert started.client.call_tool("x").structured == {"ids": []}
    assert (started.count, started.pid != first) == (2, True)


@pytest.mark.parametrize(("server", "first"), [("listening.py", 1), ("older.py", 2)])
def test_the_era_is_found_out_once(tmp_path, server, first):
    """ERA-11: a server of the older era that ends at what it does not know is not asked again, once it was met."""
    starts = tmp_path / "starts"
    program = PROGRAM.replace("sys.argv[1:]", "[sys.argv[1], '2025-11-25', 'exit']")
    command = [sys.executable, "-c", program, str(SERVER.with_name(server)), str(starts)]
    with Client.stdio(command, timeout=30, stderr=lambda _: None, close_seconds=0.2) as client:
        era = client.server.era
        assert len(starts.read_text()) == first
        connection = client._engine.connection
        os.kill(connection.pid, signal.SIGKILL)
        until(lambda: connection.over is not None)
        client.request("tools/call", {"name": "x", "arguments": {}})
        assert (client.server.era, len(starts.read_text())) == (era, first + 1)


def test_not_when_it_was_ruled_out(tmp_path):
    """Then every call fails until the client is opened anew."""
    started = Started(tmp_path, restart=False)
    with started.client as client:
        started.kill()
        for _ in range(2):
            with pytest.raises(Closed, match=r"not sent.*signal 9"):
                client.call_tool("x")
    with client:
        client.call_tool("x")
    assert started.count == 2


def test_many_who_want_it_start_it_once(started):
    """And all are served."""
    started.kill()
    served = []
    threads = [
        threading.Thread(target=lambda: served.append(started.client.call_tool("x"))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert (len(served), started.count) == (8, 2)


def test_a_server_that_does_not_stay(started):
    """Is given up after a few times within a minute, with what it died of."""
    for _ in range(5):
        started.kill()
        started.client.call_tool("x")
    started.kill()
    for _ in range(2):
        with pytest.raises(ConnectFailed, match=r"(?s)has ended 5 times within a minute.*signal 9"):
            started.client.call_tool("x")
    assert started.count == 6
    started.client.close()
    with started.client as client:
        client.call_tool("x")


def test_a_server_that_cannot_be_started_again(started):
    """Is a failed connection, and is tried anew by the next call."""
    started.refuse()
    started.kill()
    with pytest.raises(ConnectFailed, match="exit code 7"):
        started.client.call_tool("x")
    started.allow()
    started.client.call_tool("x")
    assert started.count == 3


def test_closing_ends_a_restart(started):
    """Nothing is left of it."""
    started.kill()
    outcomes = []

    def call() -> None:
        try:
            outcomes.append(started.client.call_tool("x"))
        except ReadingRoomError as error:
            outcomes.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    started.client.close()
    thread.join(30)
    assert len(outcomes) == 1
    assert started.client._engine.connection is None


def test_violations_are_counted_on(started):
    """Over restarts, for it is the same server."""
    with started.client.listen(uris=["x:///acks_twice"]):
        started.client.call_tool("x")
    started.kill()
    with started.client.listen(uris=["x:///acks_twice"]):
        started.client.call_tool("x")
    assert started.client.violations[0] == 2


def test_a_subscription_is_made_anew(started):
    """And says that something may have been missed (SUB-13)."""
    lost = []
    with started.client.listen(uris=["x:///stays"], on_lost=lost.append) as subscription:
        started.kill()
        assert subscription.next(30) == Resumed()
        assert subscription.granted == {"resourceSubscriptions": ["x:///all"]}
        assert subscription.next(0.01) is None
    assert ("signal 9" in str(lost[0]), len(lost)) == (True, 1)


def test_a_subscription_that_cannot_be_made_anew(started):
    """Is an error, and stays one: nobody waits for what cannot come."""
    with started.client.listen(uris=["x:///stays"]) as subscription:
        started.refuse()
        started.kill()
        for _ in range(2):
            with pytest.raises(ConnectFailed, match="exit code 7"):
                list(subscription)


def test_a_program_may_rather_know(started):
    """What is raised when it is told of the loss ends the iteration."""

    def give_up(error: ReadingRoomError) -> None:
        raise error

    with started.client.listen(uris=["x:///stays"], on_lost=give_up) as subscription:
        started.kill()
        with pytest.raises(Closed):
            next(subscription)
    assert started.count == 1


def test_a_subscription_that_is_lost_again_and_again(started):
    """Is given up."""
    told = []
    with started.client.listen(uris=["x:///dies"]) as subscription, pytest.raises((Closed, ConnectFailed)):
        told.extend(subscription)
    assert told[:2] == [ResourceUpdated("x:///u"), Resumed()]
    assert told.count(Resumed()) == started.count - 1 == 5


def test_async(tmp_path):
    """The same for coroutines."""
    started = Started(tmp_path)

    async def run() -> None:
        async with started.client as client:
            async with client.listen(uris=["x:///stays"]) as subscription:
                await asyncio.to_thread(started.kill)
                assert await anext(subscription) == Resumed()
            await asyncio.to_thread(started.kill)
            calls = await asyncio.gather(*(client.call_tool("x") for _ in range(4)))
            assert len(calls) == 4

    asyncio.run(run())
    assert started.count == 3


def test_an_async_call_that_is_cancelled_while_the_server_starts(tmp_path):
    """Is withdrawn as soon as it has been sent (CAN-1); and what fails then fails for nobody."""
    started = Started(tmp_path)
    silent = {"notifications": {"resourceSubscriptions": ["silent"]}}

    async def cancelled(client) -> None:
        task = asyncio.create_task(client.request("subscriptions/listen", silent))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    async def run() -> None:
        async with started.client as client:
            await asyncio.to_thread(started.kill)
            await cancelled(client)
            while (await client.call_tool("x")).structured["ids"] == []:  # noqa: ASYNC110  -- the server is asked
                await asyncio.sleep(0.01)
            await asyncio.to_thread(started.kill)
            started.refuse()
            await cancelled(client)
            started.allow()
            await asyncio.gather(*(client.call_tool("x") for _ in range(3)), return_exceptions=True)

    asyncio.run(run())


def test_processes_are_not_left(started):
    """Each that was started is gone when the client is closed."""
    pids = []
    for _ in range(3):
        pids.append(started.pid)
        started.kill()
        started.client.call_tool("x")
    pids.append(started.pid)
    started.client.close()
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, 0)
            raise AssertionError(pid)
