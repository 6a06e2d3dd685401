"""What calls of the older era ask their clients over HTTP, and how long they wait for an answer."""

from typing import Any

import pytest

from readingroom.limits import Limits
from support.older import OlderAsgi, call, events, handshake
from support.older_http import Gate, opened, said, served, until


def test_a_question_on_the_stream_of_its_call(http: OlderAsgi) -> None:
    """Its answer is posted, and the call's comes on the stream."""

    async def scenario() -> None:
        async with opened(http, call(1, "asks")) as asked:
            (_, question) = (await asked.seen(b"elicitation/create"))[1]
            told = {"jsonrpc": "2.0", "id": question["id"], "result": {"action": "decline"}}
            assert (await said(http, told)).status == 202
            found = await asked.seen(b"decline")
        assert found[-1][1]["result"]["content"][0]["text"] == "decline"

    http.runner.run(scenario())


def test_calls_that_wait_for_their_clients_hold_up_nobody(gate: Gate) -> None:
    """They are bounded by themselves: one more fails, and what asks nothing is served; when the server stops they fail."""
    client = OlderAsgi(served(gate, limits=Limits(requests_at_once=1, older_waiting=1)).asgi())
    client.begin(capabilities={"elicitation": {}})

    async def scenario() -> None:
        async with opened(client, call(1, "asks")) as first:
            await first.seen(b"elicitation/create")
            await until(lambda: client.app._older._requests.taken == 0)
            assert (await said(client, call(2, "now"))).status == 200
            assert (await said(client, call(3, "asks"))).answer["result"]["isError"] is True
            client.app.stop()
            told = [one for _, one in events(await first.ended())]
        assert told[-2]["method"] == "notifications/cancelled"
        assert told[-1]["result"]["isError"] is True
        assert client.app._older._waiting.taken == 0

    client.runner.run(scenario())
    client.close()


@pytest.mark.parametrize("limits", [{"older_absent_seconds": 0.04}, {"round_seconds": 0.04}])
def test_a_call_does_not_wait_for_ever_for_a_client_that_has_gone(gate: Gate, limits: dict[str, Any]) -> None:
    """It fails by itself, though nothing comes any more, and its client is told when it comes back."""
    client = OlderAsgi(served(gate, limits=Limits(**limits)).asgi())
    client.begin(capabilities={"elicitation": {}})

    async def scenario() -> None:
        async with opened(client, call(1, "asks")) as first:
            (last, _) = (await first.seen(b"elicitation/create"))[-1]
        (held,) = client.app._older.sessions
        await until(lambda: not held.session.is_busy)
        assert client.app._older._waiting.taken == 0
        async with opened(client, None, "GET", last_event_id=last) as second:
            told = [one for _, one in await second.seen(b"isError")]
        assert told[0]["method"] == "notifications/cancelled"

    client.runner.run(scenario())
    client.close()


def test_looking_ends_with_the_last_session(gate: Gate) -> None:
    """And begins with the next."""
    client = OlderAsgi(served(gate, limits=Limits(older_absent_seconds=0.02)).asgi())

    async def scenario() -> None:
        for _ in range(2):
            client.session_id = None
            reply = await said(client, handshake())
            client.session_id = reply.fields["mcp-session-id"]
            assert client.app._older._is_looking
            await said(client, None, "DELETE")
            await until(lambda: not client.app._older._is_looking)

    client.runner.run(scenario())
    client.close()
