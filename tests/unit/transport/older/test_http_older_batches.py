"""Batches of the older era over HTTP: how they are answered, and how much one may hold."""

import asyncio

import pytest

from readingroom.limits import Limits
from support.older import OlderAsgi, call, events, message, notice
from support.older_http import Gate, Open, opened, progressing, said, served, until


def test_batches_in_the_version_that_has_them(http: OlderAsgi) -> None:
    """Are answered by one array, or not at all where nothing is to be answered."""
    batch = [call(1, "add", a=1), notice("x"), call(2, "now"), {"jsonrpc": "2.0", "id": 3}]
    reply = http.say(batch)
    assert (reply.status, reply.code) == (400, -32600)
    http.begin("2025-03-26")
    reply = http.say(batch)
    (answers,) = reply.messages
    assert reply.status == 200
    assert sorted((one["id"], "error" in one) for one in answers) == [(1, False), (2, False), (3, True)]
    assert http.say([notice("x"), notice("y")]).status == 202
    assert http.say([]).status == 400
    streamed = http.say([progressing(1, "tells"), call(2, "now")])
    told = [one for _, one in events(streamed)]
    assert told[0]["method"] == "notifications/progress"
    assert {one["id"] for one in told[1]} == {1, 2}


@pytest.mark.parametrize("number", [101, 100_000])
def test_a_batch_of_too_many_is_refused_whole(http: OlderAsgi, number: int) -> None:
    """Whatever is in it, and none of it is answered."""
    http.begin("2025-03-26")
    reply = http.say([0] * number)
    assert (reply.status, len(reply.body) < 200) == (400, True)
    assert "at most 100 messages" in reply.answer["error"]["message"]


def test_a_long_batch_is_refused_whole_when_its_parts_are(http: OlderAsgi) -> None:
    """A frame that nests too deep is none."""
    deep = "[" * 100 + "]" * 100
    http.begin("2025-03-26")
    reply = http.send(deep.encode(), http.fields())
    assert reply.status in (200, 400)
    assert reply.body


def test_others_have_their_turn_while_a_batch_is_served(http: OlderAsgi) -> None:
    """Between each two of its messages."""
    http.begin("2025-03-26")

    async def scenario() -> None:
        batch = Open(http, [message(number, "tools/list") for number in range(100)])
        turns = 0
        while not batch.task.done():
            await asyncio.sleep(0)
            turns += 1
        assert turns >= 100
        assert batch.status == 200

    http.runner.run(scenario())


def test_a_session_that_ends_while_a_batch_is_served(http: OlderAsgi) -> None:
    """Leaves nothing of it: neither a handler, nor a share, nor an open request."""
    http.begin("2025-03-26")

    async def scenario() -> None:
        batch = Open(http, [call(number, "waits") for number in range(50)])
        await until(lambda: bool(http.app._older._tasks))
        (held,) = [one for one in http.app._older.sessions if one.id == http.session_id]
        http.app._older.sessions.end(held)
        assert (await batch.ended()).body == b""
        await until(lambda: not http.app._older._tasks and not http.app._older._requests.taken)
        assert held.session.running == 0

    http.runner.run(scenario())


def test_each_message_of_a_batch_is_counted(gate: Gate) -> None:
    """A batch that does not fit is told to come again, and so is what comes while it runs."""
    client = OlderAsgi(served(gate, limits=Limits(requests_at_once=3)).asgi())
    client.begin("2025-03-26")

    async def scenario() -> None:
        async with opened(client, [call(1, "waits"), call(2, "waits")]) as first:
            await until(lambda: client.app._older._requests.taken == 2)
            assert (await said(client, [call(3, "now"), call(4, "now")])).status == 503
            assert (await said(client, [call(3, "now")])).status == 200
            await said(client, None, "DELETE")
            await first.ended()

    client.runner.run(scenario())
    client.close()


def test_answers_to_a_batch_are_bounded_in_bytes(gate: Gate) -> None:
    """Those that do not fit are errors."""
    client = OlderAsgi(served(gate, limits=Limits(older_batch_bytes=5000)).asgi())
    client.begin("2025-03-26")
    reply = client.say([message(number, "tools/list") for number in range(60)])
    assert len(reply.body) < 5000 + 60 * 250
    assert {"result" in one for one in reply.answer} == {True, False}
    assert sorted(one["id"] for one in reply.answer) == list(range(60))
    client.close()
