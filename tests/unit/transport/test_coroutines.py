"""The loop of coroutine handlers: on a thread of its own, and never ended by what runs on it."""

import asyncio
import threading
from typing import Any

import pytest

from readingroom.transport.coroutines import Coroutines
from support.processes import until


def run(coroutines: Coroutines, make: Any) -> Any:
    """Run a coroutine and give what it gives."""
    given: list[Any] = []

    async def keep() -> None:
        given.append(await make())

    coroutines.start(keep(), nothing)
    until(lambda: bool(given))
    return given[0]


def nothing() -> None:
    """What is to be done at the end of a coroutine: nothing."""


async def one() -> int:
    """A coroutine."""
    await asyncio.sleep(0)
    return 1


def test_coroutines_run_beside_each_other() -> None:
    """On one thread that is not the caller's."""
    coroutines, met = Coroutines(), []

    async def meet() -> None:
        met.append(threading.current_thread().name)
        while len(met) < 5:  # noqa: ASYNC110  -- the simplest barrier there is
            await asyncio.sleep(0)

    for _ in range(5):
        coroutines.start(meet(), nothing)
    until(lambda: not coroutines._tasks and len(met) == 5)
    assert set(met) == {"readingroom-loop"}


def test_a_coroutine_can_be_cancelled() -> None:
    """While it runs, and before it has begun; afterwards it does no harm."""
    coroutines, seen = Coroutines(), []
    entered = threading.Event()

    async def wait() -> None:
        entered.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    cancel = coroutines.start(wait(), nothing)
    assert entered.wait(20)
    cancel()
    until(lambda: seen == ["cancelled"])
    cancel()
    hold = threading.Event()
    coroutines._loop.call_soon_threadsafe(hold.wait, 20)
    ended = threading.Event()
    coroutines.start(wait(), ended.set)()
    hold.set()
    until(lambda: ended.is_set() and not coroutines._tasks)
    assert seen == ["cancelled"]
    assert run(coroutines, one) == 1


@pytest.mark.parametrize("error", [SystemExit(1), KeyboardInterrupt()])
def test_a_task_that_a_handler_started_does_not_end_the_loop(error: BaseException) -> None:
    """Nor does a handler that stops it."""
    coroutines = Coroutines()

    async def start_another() -> int:
        async def other() -> None:
            raise error

        task = asyncio.get_running_loop().create_task(other())
        while not task.done():  # noqa: ASYNC110  -- awaiting it would raise here what it raised
            await asyncio.sleep(0)
        assert task.exception() is error
        return 1

    async def stop() -> int:
        asyncio.get_running_loop().stop()
        return 1

    assert run(coroutines, start_another) == 1
    assert run(coroutines, stop) == 1
    assert run(coroutines, one) == 1
