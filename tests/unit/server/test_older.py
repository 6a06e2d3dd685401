"""A session of the older era: handshake, requests, bounds, and its end."""

from typing import Any

import pytest

from readingroom import Server
from readingroom.limits import Limits
from support.everything import app as everything
from support.older import NEWEST, VERSIONS, OlderClient, call, handshake, message, notice, run
from support.older_asking import ALL, asking


@pytest.mark.parametrize("version", VERSIONS)
def test_handshake(version: str) -> None:
    """The server says what it is; nothing of today's is in it."""
    found = OlderClient(everything, version).greeting
    result = found["result"]
    assert found["id"] == "hello"
    assert result["protocolVersion"] == version
    assert result["serverInfo"] == {"name": "srv", "version": "1"}
    assert result["instructions"] == "Ask."
    assert set(result) == {"protocolVersion", "serverInfo", "instructions", "capabilities"}
    assert ("completions" in result["capabilities"]) is (version > "2024-11-05")


def test_before_the_handshake_there_is_only_ping() -> None:
    """Whatever else is asked is refused."""
    client = OlderClient(everything, None)
    assert client.result("ping") == {}
    for method in ("tools/list", "logging/setLevel", "no/such"):
        assert client.error(method)["code"] == -32600
    assert client.error("initialize")["code"] == -32602
    assert client.error("tools/list")["code"] == -32600


def test_a_second_handshake_begins_anew() -> None:
    """With another version and without what was set before; what is in flight stays."""
    client = OlderClient(everything)
    client.result("logging/setLevel", {"level": "emergency"})
    client.held = []
    client.take(call(1, "add", a=1))
    assert client.take(handshake("2025-03-26"))[0]["result"]["protocolVersion"] == "2025-03-26"
    before = len(client.way.sent)
    run(client.held[0])
    (answer,) = client.way.sent[before:]
    assert answer["result"]["structuredContent"] == {"result": 2}
    client.held = None
    told = client.take(message(2, "tools/call", {"name": "tells", "_meta": {"progressToken": "p"}}))
    assert [one.get("method") for one in told] == ["notifications/progress", "notifications/message", None]
    assert "structuredContent" not in told[-1]["result"]


def test_requests_of_every_kind() -> None:
    """Are answered as ever, in the form of the version."""
    client = OlderClient(everything)
    assert client.call("add", a=1, b=2) == {
        "content": [{"type": "text", "text": "3"}],
        "structuredContent": {"result": 3},
    }
    assert client.call("keyword", a=1)["content"] == [{"type": "text", "text": "1 local"}]
    assert client.call("later", a=1)["structuredContent"] == {"x": 1, "y": 0}
    assert client.call("add", a="x")["isError"] is True
    assert client.error("tools/call", {"name": "no"})["code"] == -32602
    assert client.error("resources/read", {"uri": "z:///no"}) == {
        "code": -32002,
        "message": "Resource not found",
        "data": {"uri": "z:///no"},
    }
    assert client.result("resources/read", {"uri": "a:///fixed"})["contents"][0]["text"] == "fixed"
    assert client.result("prompts/get", {"name": "review", "arguments": {"topic": "t"}})["messages"]
    for method, name in (
        ("tools/list", "tools"),
        ("prompts/list", "prompts"),
        ("resources/list", "resources"),
    ):
        assert set(client.result(method)) == {name}
    ref = {"type": "ref/prompt", "name": "review"}
    found = client.result("completion/complete", {"ref": ref, "argument": {"name": "topic", "value": "a"}})
    assert found == {"completion": {"values": ["as"], "total": 1, "hasMore": False}}
    assert client.error("server/discover")["code"] == -32601


def test_a_handler_that_ends_as_if_cancelled_is_answered() -> None:
    """With an error, as in today's era."""
    assert OlderClient(everything).error("tools/call", {"name": "gives_up"})["code"] == -32603


def test_an_id_in_flight_is_not_used_again() -> None:
    """The refusal has no id, for it would settle the first."""
    client = OlderClient(everything)
    client.held = []
    client.take(call(1, "add", a=1))
    (refusal,) = client.take(call(1, "add", a=2))
    assert (refusal["error"]["code"], "id" in refusal) == (-32600, False)
    assert client.take(call("1", "add", a=2)) == []
    assert len(client.held) == 2


def test_levels_of_the_log_hold_for_the_session(client: OlderClient) -> None:
    """From the next request on; a level that there is not is refused."""

    def logged() -> list[Any]:
        return [one["params"]["level"] for one in client.take(call(1, "tells")) if "method" in one]

    assert logged() == ["info"]
    assert client.result("logging/setLevel", {"level": "debug"}) == {}
    assert logged() == ["debug", "info"]
    client.result("logging/setLevel", {"level": "error"})
    assert logged() == []
    assert client.error("logging/setLevel", {"level": "loud"})["code"] == -32602
    assert OlderClient(Server("bare")).error("logging/setLevel", {"level": "debug"})["code"] == -32601


def test_too_much_at_once_is_refused() -> None:
    """Of what runs, and of what waits for the client."""
    client = OlderClient(asking, NEWEST, ALL, limits=Limits(requests_in_flight=2, older_waiting=2))
    for number in range(2):
        client.take(call(number, "book", city="Bern"))
    assert (client.session.running, client.session.questions.waiting) == (0, 2)
    (answer,) = client.take(call(2, "book", city="Bern"))
    assert answer["result"]["isError"] is True
    client.held = []
    client.take(call(3, "fails"))
    client.take(call(4, "fails"))
    (answer,) = client.take(call(5, "fails"))
    assert answer["error"]["code"] == -32603


def test_closing_ends_everything(client: OlderClient) -> None:
    """What runs, what waits, and the notices."""
    client.take(call(1, "book", city="Bern"))
    client.held = []
    client.take(call(2, "tells"))
    client.session.close()
    assert client.way.dropped == 2
    assert client.held[0].flight.cancelled
    asking.tools_changed()
    assert client.pushed == []


def test_what_is_no_message_is_refused(client: OlderClient) -> None:
    """With its id, where one can be read."""
    (refusal,) = client.take(b'{"jsonrpc":"2.0","id":5}')
    assert (refusal["id"], refusal["error"]["code"]) == (5, -32600)
    assert client.take(notice("notifications/whatever")) == []


def test_a_session_keeps_so_much_of_a_handshake_and_no_more() -> None:
    """A longer one is refused, and nothing of it kept."""
    client = OlderClient(asking, None, limits=Limits(older_handshake_bytes=1000))
    (answer,) = client.take(handshake(capabilities={"experimental": {"x": "y" * 1000}}))
    assert answer["error"]["code"] == -32602
    assert not client.session.is_agreed
    (answer,) = client.take(handshake())
    assert "result" in answer


def test_what_is_subscribed_to_is_bounded_in_bytes() -> None:
    """What is given up makes room again."""
    client = OlderClient(asking, limits=Limits(older_subscribed_bytes=100))
    client.result("resources/subscribe", {"uri": "a:///" + "x" * 80})
    assert client.error("resources/subscribe", {"uri": "a:///" + "y" * 80})["code"] == -32602
    client.result("resources/unsubscribe", {"uri": "a:///" + "x" * 80})
    client.result("resources/subscribe", {"uri": "a:///" + "y" * 80})


def test_calls_wait_for_their_client_until_a_deadline() -> None:
    """With whatever comes next they fail, and the question is withdrawn; each round has its time."""
    client = OlderClient(asking, NEWEST, ALL, limits=Limits(round_seconds=10))
    now = [0.0]
    client.session.questions._clock = lambda: now[0]
    asked = client.take(call(1, "twice"))[-1]
    now[0] = 9
    asked = client.reply(asked, {"action": "accept", "content": {"yes": True}})[-1]
    now[0] = 18
    assert client.take(notice("x")) == []
    now[0] = 19
    withdrawn, answer = client.take(notice("x"))
    assert withdrawn == notice("notifications/cancelled", {"requestId": asked["id"]})
    assert (answer["id"], answer["result"]["isError"]) == (1, True)
    assert "in time" in answer["result"]["content"][0]["text"]
    assert client.reply(asked, {"roots": []}) == []
    assert (client.session.questions.waiting, client.session.questions._shares.taken) == (0, 0)


def test_calls_do_not_wait_for_a_client_that_has_gone(client: OlderClient) -> None:
    """They fail, and make room."""
    client.take(call(1, "book", city="Bern"))
    client.way.is_absent = True
    answer = client.take(notice("x"))[-1]
    assert "left" in answer["result"]["content"][0]["text"]
    assert (client.session.running, client.session.questions.waiting) == (0, 0)


def test_a_call_whose_last_answer_has_come_does_not_fail(client: OlderClient) -> None:
    """Though its time is up at that moment."""
    asked = client.take(call(1, "book", city="Bern"))[-1]
    client.held = []
    client.reply(asked, {"action": "decline"})
    (held,) = client.held
    client.session.questions._fail(held, "too late")
    before = len(client.way.sent)
    run(held)
    assert "decline" in client.way.sent[before]["result"]["content"][0]["text"]


def test_calls_that_keep_much_while_they_wait_count_for_more() -> None:
    """For what came with them, and for what was answered; all is given back."""
    client = OlderClient(asking, NEWEST, ALL, limits=Limits(older_waiting=4))
    shares = client.session.questions._shares
    client.take(call(1, "book", city="x" * 140_000))
    assert shares.taken == 3
    asked = client.take(call(2, "twice"))[-1]
    assert shares.taken == 4
    content = {"yes": True, "more": "y" * 140_000}
    (answer,) = client.reply(asked, {"action": "accept", "content": content})
    assert answer["result"]["isError"] is True
    client.take(notice("notifications/cancelled", {"requestId": 1}))
    assert shares.taken == 0
