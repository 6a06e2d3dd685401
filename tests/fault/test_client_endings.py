"""Calls that get no answer: the server ends, falls silent, stops reading. Each ends with the right error, and in time."""

import asyncio
import contextlib
import os
import sys
import threading
import time
from pathlib import Path

import pytest

from readingroom.errors import Closed, ConnectFailed, TimedOut, UsageError, Withdrawn
from readingroom.kit.client import Client
from readingroom.limits import Limits

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the unruly servers use POSIX calls")

SERVER = Path(__file__).parent / "servers" / "unruly.py"


def ignore(_: str) -> None:
    """Take a line of stderr."""


def made(name: str, **how: object) -> Client:
    """Make a client of the server called `name`."""
    settings = {"timeout": 30, "stderr": ignore, "close_seconds": 0.2, "restart": False, **how}
    return Client.stdio([sys.executable, str(SERVER), name], **settings)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("dies", "exit code 7"),
        ("dies_in_a_line", "within a line, after 28 bytes of it; it ended with exit code 4"),
        ("dies_by_signal", "ended by signal 9"),
        ("dies_with_a_child", "exit code 8"),
        ("dies_with_a_runaway", "exit code 9"),
        ("closes_stdout", "it still runs"),
    ],
)
def test_server_ends(name, told):
    """When the server or its output ends, every call under way fails at once, and so does the next."""
    with made(name) as client:
        calls = [client.submit("tools/call", {"name": "act"})]
        with contextlib.suppress(Closed):  # it may be dead before the next is sent
            calls += [client.submit("tools/call", {"name": "act"}) for _ in range(2)]
        for call in calls:
            with pytest.raises(Closed, match=told):
                call.result(10)
        with pytest.raises(Closed, match=f"not sent.*{told}"):
            client.call_tool("echo")


def test_last_words():
    """The error names the last lines that the server wrote to stderr."""
    with made("dies_talking") as client, pytest.raises(Closed) as caught:
        client.call_tool("act")
    assert "exit code 3" in str(caught.value)
    assert "out of memory in sector 7\n  küche: Ende" in str(caught.value)


def test_server_closes_its_input():
    """A server that can no longer be written to has ended, whatever it does."""
    with made("closes_stdin") as client:
        first = client.submit("tools/call", {"name": "act"})
        client.submit("tools/call", {"name": "echo", "arguments": {"text": "x" * 1_000_000}})
        with pytest.raises(Closed, match="closed its input"):
            first.result()
        with pytest.raises(Closed, match="closed its input"):
            client.call_tool("echo")


def test_server_has_closed_its_input():
    """A call to a server that no longer reads fails at once."""
    closed = threading.Event()
    with made("closes_stdin", stderr=lambda _: closed.set()) as client:
        first = client.submit("tools/call", {"name": "act"})
        assert closed.wait(20)
        with pytest.raises(Closed, match="closed its input"):
            client.call_tool("echo")
        assert first.done()


def test_timeout():
    """A call that takes too long ends with TimedOut, and the next call is answered."""
    with made("silent") as client:
        with pytest.raises(TimedOut, match="tools/call"):
            client.call_tool("act", timeout=0.05)
        assert client.call_tool("echo", {"n": 1}).structured == {"n": 1}


def test_timeout_of_the_client():
    """Every call has the client's time limit unless it is given another."""
    for seconds in (0.5, 2, 8, 32):
        client = made("silent", timeout=seconds)
        with contextlib.suppress(
            ConnectFailed
        ):  # to open has the same limit, which a busy machine may need more of
            client.open()
            break
    with contextlib.closing(client), pytest.raises(TimedOut):
        client.call_tool("act")


def test_timeout_of_a_wait():
    """A wait that is shorter than the request's time ends the request as well."""
    with made("silent") as client:
        call = client.submit("tools/call", {"name": "act"})
        with pytest.raises(TimedOut):
            call.result(0.05)
        assert call.done()
        with pytest.raises(TimedOut):
            call.result()


def test_late_answer_is_ignored():
    """The answer that comes after a call was given up is ignored and breaks no rule (CAN-5)."""
    with made("answers_late") as client:
        with pytest.raises(TimedOut):
            client.call_tool("act", timeout=0.05)
        assert client.call_tool("echo", {"n": 1}).structured == {"n": 1}
        assert client.violations == (0, [])


def test_server_stops_reading():
    """A server that reads nothing holds no call beyond its time, however much there is to send."""
    with made("stops_reading", limits=Limits(bytes_in_flight=1_000_000)) as client:
        client.submit("tools/call", {"name": "act"})
        large = {"name": "echo", "arguments": {"text": "x" * 600_000}}
        calls = [client.submit("tools/call", large, timeout=0.3) for _ in range(2)]
        with pytest.raises(TimedOut, match="does not read"):
            client.submit("tools/call", large, timeout=0.1)
        for call in calls:
            with pytest.raises(TimedOut):
                call.result()


def test_cancelled_call():
    """A cancelled call ends with Withdrawn, once, and the next is answered."""
    with made("silent") as client:
        call = client.submit("tools/call", {"name": "act"})
        assert call.cancel()
        assert not call.cancel()
        with pytest.raises(Withdrawn, match="cancelled"):
            call.result()
        assert client.call_tool("echo", {"n": 1}).structured == {"n": 1}


def test_close_ends_what_is_under_way():
    """Closing from another thread ends a call that waits, with Closed."""
    client = made("silent").open()
    call = client.submit("tools/call", {"name": "act"})
    closing = threading.Thread(target=client.close)
    closing.start()
    with pytest.raises(Closed, match="client was closed"):
        call.result(20)
    closing.join()
    with pytest.raises(UsageError, match="not open"):
        client.call_tool("echo")


def test_server_that_never_answers():
    """Opening is bounded by the client's time limit."""
    with pytest.raises(ConnectFailed, match="did not answer"):
        made("never_answers", timeout=0.3).open()


def test_server_that_ends_at_once():
    """The error names the exit code and the reason that the server gave."""
    with pytest.raises(ConnectFailed, match=r"(?s)exit code 1.*no configuration file"):
        made("ends_at_once").open()


def test_task_cancelled():
    """Cancelling the task that awaits a call cancels the call on the server, and the client goes on (CAN-1)."""
    command = [sys.executable, str(SERVER.with_name("breaking.py")), "silent"]

    async def run() -> None:
        async with Client.stdio(command, timeout=30) as client:
            task = asyncio.create_task(client.call_tool("break"))
            await client.call_tool("echo")
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (await client.call_tool("cancelled")).structured == {"ids": [3]}

    asyncio.run(run())


def test_timeout_in_a_task():
    """A call in a task ends with TimedOut when its time is over, even when many do at once."""

    async def run() -> None:
        async with made("silent") as client:
            ends = await asyncio.gather(
                *(client.call_tool("act", timeout=0.1) for _ in range(50)), return_exceptions=True
            )
            assert {type(end) for end in ends} == {TimedOut}

    asyncio.run(run())


def test_server_ends_under_tasks():
    """When the server ends, every task that waits gets Closed."""

    async def run() -> None:
        async with made("dies") as client:
            ends = await asyncio.gather(*(client.call_tool("act") for _ in range(5)), return_exceptions=True)
            assert {type(end) for end in ends} == {Closed}

    asyncio.run(run())


def test_open_cancelled():
    """Cancelling the task that opens a client ends the server that was being started."""

    async def run() -> None:
        client = made("never_answers", timeout=3600)
        task = asyncio.create_task(client.aio.open())
        while client._engine.connection is None:  # noqa: ASYNC110  -- a thread sets it
            await asyncio.sleep(0.01)
        pid = client._engine.connection.pid
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)

    asyncio.run(run())


def test_open_cancelled_before_it_began():
    """Cancelling the task that opens a client before a thread has begun to ends what is started all the same."""

    async def run() -> None:
        client = made("never_answers", timeout=3600)
        task = asyncio.create_task(client.aio.open())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(UsageError, match="not open"):
            await client.aio.call_tool("echo")

    asyncio.run(run())


def test_event_loop_goes_on_while_there_is_no_room():
    """A server that reads nothing holds up the task that calls, and not the event loop."""

    async def run() -> list[bool]:
        async with made("stops_reading", limits=Limits(bytes_in_flight=1_000_000)) as client:
            large = {"text": "x" * 600_000}
            stuck = [
                asyncio.create_task(client.call_tool(tool, large, timeout=1))
                for tool in ("act", "echo", "echo")
            ]
            await asyncio.sleep(0)
            task = asyncio.create_task(client.call_tool("echo", large, timeout=1))
            seen: list[bool] = []
            asyncio.get_running_loop().call_later(0.1, lambda: seen.append(task.done()))
            ends = await asyncio.gather(task, *stuck, return_exceptions=True)
            assert {type(end) for end in ends} == {TimedOut}
            return seen

    assert asyncio.run(run()) == [False]


def test_endings_are_prompt():
    """A call under way when the server dies does not wait for its timeout."""
    with made("dies", timeout=60) as client:
        began = time.monotonic()
        with pytest.raises(Closed):
            client.call_tool("act")
        assert time.monotonic() - began < 30
