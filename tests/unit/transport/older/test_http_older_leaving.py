"""Clients of the older era that leave, come back and cancel over HTTP, and what is kept for them."""

import pytest

from readingroom import Server
from readingroom.limits import Limits
from support.older import OlderAsgi, call, events, notice
from support.older_http import Gate, Open, opened, progressing, said, until


def test_leaving_is_no_cancellation(http: OlderAsgi, gate: Gate) -> None:
    """The client comes back to the same stream, by the last event it saw, and hears the rest."""

    async def scenario() -> None:
        async with opened(http, progressing(1, "holds")) as first:
            (last, _) = (await first.seen(b"notifications/progress"))[-1]
        assert http.app._older._requests.taken == 1
        async with opened(http, None, "GET", accept="text/event-stream", last_event_id=last) as second:
            gate.open.set()
            found = await second.seen(b"held")
        assert [one["id"] for _, one in found] == [1]
        async with opened(http, None, "GET", accept="text/event-stream", last_event_id=last) as third:
            assert await third.seen(b"held") == found

    http.runner.run(scenario())


def test_leaving_before_anything_came(http: OlderAsgi, gate: Gate) -> None:
    """Is noticed, and cancels nothing."""

    async def scenario() -> None:
        request = Open(http, call(1, "holds"))
        await until(gate.begun.is_set)
        await request.leave()
        assert request.sent == []
        (held,) = http.app._older.sessions
        assert held.session.running == 1
        gate.open.set()
        await until(lambda: not held.session.running)

    http.runner.run(scenario())


def test_a_long_answer_for_a_client_that_has_gone_is_not_kept(gate: Gate) -> None:
    """What is kept says that it was lost; one that is there gets it whole."""
    app = Server("long", limits=Limits(older_unsent_bytes=1000, older_kept_bytes=100_000))

    @app.tool
    def long(size: int) -> str:
        """Answer at length."""
        gate.begun.set()
        gate.open.wait(20)
        return "x" * size

    client = OlderAsgi(app.asgi())
    client.begin()

    async def scenario() -> None:
        request = Open(client, call(1, "long", size=10_000))
        await until(gate.begun.is_set)
        await request.leave()
        gate.open.set()
        (held,) = client.app._older.sessions
        await until(lambda: not held.session.is_busy)
        async with opened(client, None, "GET", last_event_id="1-0") as second:
            (one,) = await second.seen(b"ask again")
        assert (one[0], one[1]["id"]) == ("1-1", 1)
        assert len((await said(client, call(2, "long", size=10_000))).body) > 10_000

    client.runner.run(scenario())
    client.close()


@pytest.mark.parametrize("event_id", ["9" * 5000 + "-1", "0-" + "9" * 5000, "1-" + "9" * 19])
def test_an_event_of_no_channel(http: OlderAsgi, event_id: str) -> None:
    """However long its number is, the stream of what belongs to no request is given."""

    async def scenario() -> None:
        async with opened(http, None, "GET", last_event_id=event_id) as stream:
            await stream.seen(b":\n\n")
            assert stream.status == 200

    http.runner.run(scenario())


@pytest.mark.parametrize("tool", ["holds", "waits"])
def test_cancelling_ends_the_stream(http: OlderAsgi, tool: str) -> None:
    """Without an answer; a coroutine is stopped."""

    async def scenario() -> None:
        async with opened(http, progressing(1, tool)) as request:
            await request.seen(b"notifications/progress")
            await said(http, notice("notifications/cancelled", {"requestId": 1}))
            reply = await request.ended()
        assert [one.get("method") for _, one in events(reply)[1:]] == ["notifications/progress"]

    http.runner.run(scenario())


def test_cancelling_what_was_silent(http: OlderAsgi) -> None:
    """Ends it without a message."""

    async def scenario() -> None:
        request = Open(http, call(1, "waits"), accept="application/json")
        await until(lambda: bool(http.app._older._requests.taken))
        await said(http, notice("notifications/cancelled", {"requestId": 1}))
        reply = await request.ended()
        assert (reply.status, reply.body) == (202, b"")

    http.runner.run(scenario())
