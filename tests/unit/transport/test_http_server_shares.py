"""What callers share over HTTP: nobody takes all the workers, or all the room."""

import asyncio
import json
import threading
from collections.abc import Sequence
from typing import Any

import pytest

from readingroom import Context, Limits, Server
from readingroom.protocol.authorization import Grant
from support.asgi import Reply, exchange, headers_for
from support.http_servers import Door
from support.messages import message


class Doors(Door):
    """Lets everybody pass, under the name that is the token."""

    async def authenticate(self, authorization: Sequence[str], address: str) -> Grant:
        """Let it pass."""
        return Grant(authorization[0].removeprefix("Bearer "))


def test_nobody_takes_all_workers() -> None:
    """Whoever has the half of them at work waits for them, while others are served; all are served in the end."""
    app = Server("srv", limits=Limits(workers=4))
    go, at_work = threading.Event(), threading.Semaphore(0)
    begun: list[str] = []

    @app.tool
    def wait(ctx: Context) -> str:
        """Wait."""
        begun.append(ctx.principal)
        at_work.release()
        if ctx.principal == "ann":
            go.wait(20)
        return ctx.principal

    asgi = app.asgi(auth=Doors())
    told = message(1, "tools/call", {"name": "wait"})
    body = json.dumps(told).encode()

    async def run() -> list[str]:
        def ask(who: str) -> asyncio.Future[Reply]:
            return asyncio.ensure_future(
                exchange(asgi, body, headers_for(told, authorization=f"Bearer {who}"))
            )

        of_ann = [ask("ann") for _ in range(20)]
        await asyncio.to_thread(at_work.acquire)
        of_others = await asyncio.gather(*(ask(who) for who in ("bob", "bob", "cho")))
        assert begun.count("ann") <= 2
        go.set()
        return [
            reply.answer["result"]["content"][0]["text"]
            for reply in (*await asyncio.gather(*of_ann), *of_others)
        ]

    assert asyncio.run(run()) == [*["ann"] * 20, "bob", "bob", "cho"]


def test_whoever_gives_up_waiting_does_not_lose_a_turn_for_others() -> None:
    """Calls that were left while they waited for a worker are passed over."""
    app = Server("srv", limits=Limits(workers=2))
    go, at_work = threading.Event(), threading.Event()
    ran: list[int] = []

    @app.tool
    def wait(number: int) -> int:
        """Wait."""
        ran.append(number)
        at_work.set()
        go.wait(20)
        return number

    asgi = app.asgi(auth=Doors())

    def ask(number: int, until: Any = None) -> Any:
        told = message(1, "tools/call", {"name": "wait", "arguments": {"number": number}})
        fields = headers_for(told, authorization="Bearer ann")
        return asyncio.ensure_future(exchange(asgi, json.dumps(told).encode(), fields, until=until))

    async def at_once(_sent: Any) -> None:
        await asyncio.to_thread(at_work.wait)

    async def run() -> None:
        first = ask(1)
        await asyncio.to_thread(at_work.wait)
        left = ask(2, at_once)
        last = ask(3)
        with pytest.raises(IndexError):  # nothing was sent to whom has left
            await left
        go.set()
        await asyncio.gather(first, last)

    asyncio.run(run())
    assert ran == [1, 3]


def test_nobody_takes_all_the_room_there_is() -> None:
    """Half of `requests_at_once` is for one principal, where principals are known; without authorization it is for all."""
    go = threading.Event()

    def made(**more: Any) -> Any:
        app = Server("srv", limits=Limits(requests_at_once=4))

        @app.tool
        def wait(ctx: Context) -> str:
            """Wait."""
            if ctx.principal != "bob":
                go.wait(20)
            return "done"

        return app.asgi(**more)

    told = message(1, "tools/call", {"name": "wait"})
    body = json.dumps(told).encode()

    async def statuses(asgi: Any, names: Sequence[str]) -> list[int]:
        def ask(who: str) -> Any:
            return exchange(asgi, body, headers_for(told, authorization=f"Bearer {who}"))

        asked = []
        for who in names:
            asked.append(asyncio.ensure_future(ask(who)))
            await asyncio.sleep(0)
        await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        go.set()
        return [(await one).status for one in asked]

    names = ["ann", "ann", "ann", "bob"]
    assert asyncio.run(statuses(made(auth=Doors()), names)) == [200, 200, 503, 200]
    go.clear()
    assert asyncio.run(statuses(made(), [*names, "ann"])) == [200, 200, 200, 200, 503]
