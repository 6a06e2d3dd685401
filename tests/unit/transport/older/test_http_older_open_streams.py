"""Streams of the older era over HTTP that stay open: notices, signs of life, their end, and what is left of them."""

import asyncio

from readingroom import Server
from readingroom.limits import Limits
from support.older import OlderAsgi, call, message
from support.older_http import Gate, opened, progressing, said, served, until


def test_notices_come_on_the_stream_to_get(http: OlderAsgi, app: Server) -> None:
    """Each once, on the one that was opened last; what happens while nobody is there waits."""

    async def scenario() -> None:
        app.tools_changed()
        await said(http, message(1, "resources/subscribe", {"uri": "a:///x"}))
        async with opened(http, None, "GET", accept="text/event-stream") as first:
            await first.seen(b":\n\n")
            app.tools_changed()
            assert [one["method"] for _, one in await first.seen(b"list_changed")] == [
                "notifications/tools/list_changed"
            ]
            async with opened(http, None, "GET", accept="text/event-stream") as second:
                await first.ended()
                app.resource_updated("a:///x")
                found = await second.seen(b"updated")
        assert [one["params"] for _, one in found] == [{"uri": "a:///x"}]
        assert b"updated" not in b"".join(part.get("body", b"") for part in first.sent)
        app.resource_updated("a:///x")
        async with opened(http, None, "GET", last_event_id="99-1") as third:
            assert len(await third.seen(b"updated")) == 1

    http.runner.run(scenario())


def test_silent_streams_are_kept_alive(gate: Gate) -> None:
    """A request that takes long becomes one."""
    client = OlderAsgi(served(gate, limits=Limits(keep_alive_seconds=0.02)).asgi())
    client.begin()

    async def scenario() -> None:
        async with opened(client, call(1, "waits")) as silent:
            await silent.seen(b":\n\n")
        async with opened(client, None, "GET") as stream:
            await stream.seen(b":\n\n:\n\n:\n\n")

    client.runner.run(scenario())
    client.close()


def test_deleting_a_session(http: OlderAsgi) -> None:
    """Ends everything of it: what runs, the streams, and the session itself."""

    async def scenario() -> None:
        async with opened(http, progressing(1, "waits")) as running, opened(http, None, "GET") as stream:
            await running.seen(b"notifications/progress")
            await stream.seen(b":\n\n")
            assert (await said(http, None, "DELETE")).status == 200
            for request in (running, stream):
                await request.ended()
        assert not http.app._older._tasks

    http.runner.run(scenario())
    assert http.say(call(2, "now")).status == 404
    assert http.say(None, "DELETE").status == 404


def test_stopping_ends_streams_that_would_not_end(http: OlderAsgi, gate: Gate) -> None:
    """What is under way comes to its end."""

    async def scenario() -> None:
        async with opened(http, progressing(1, "holds")) as running, opened(http, None, "GET") as stream:
            await running.seen(b"notifications/progress")
            await stream.seen(b":\n\n")
            http.app.stop()
            await stream.ended()
            gate.open.set()
            assert (await running.seen(b"held"))[-1][1]["id"] == 1

    http.runner.run(scenario())


def test_nothing_is_left_of_what_has_ended(http: OlderAsgi) -> None:
    """Neither of posts nor of streams, however many there were."""

    async def scenario() -> None:
        for number in range(200):
            await said(http, progressing(number, "tells"))
            async with opened(http, None, "GET") as stream:
                await stream.seen(b":\n\n")
        await until(lambda: http.app._older._requests.taken == 0)
        await until(lambda: len(asyncio.all_tasks()) == 1)

    http.runner.run(scenario())
    (held,) = http.app._older.sessions
    assert (http.app._older._requests.taken, held.is_busy) == (0, False)
    # Those that are over go when another is kept; the one before may not have been over yet.
    assert len(held._channels) in (8, 9)
