"""What a client of the older era is asked while its call goes on: each question a request of its own."""

from typing import Any

import pytest

from support.older import NEWEST, OlderClient, call, message, notice, run
from support.older_asking import ALL, FORM, asking


def text_of(answer: Any) -> str:
    """The text of a tool's result."""
    (block,) = answer["result"]["content"]
    found: str = block["text"]
    return found


def test_a_question_is_a_request_of_the_server(client: OlderClient) -> None:
    """And its answer runs the handler anew."""
    (asked,) = client.take(call(1, "book", city="Bern"))
    assert asked["method"] == "elicitation/create"
    assert asked["params"] == {"mode": "form", "message": "Book Bern?", "requestedSchema": FORM}
    (answer,) = client.reply(asked, {"action": "accept", "content": {"yes": True}, "_meta": {}})
    assert (answer["id"], text_of(answer)) == (1, "Bern accept {'yes': True}")
    assert client.session.running == 0
    assert client.reply(asked, {"action": "accept", "content": {"yes": True}}) == []


def test_questions_one_after_another(client: OlderClient) -> None:
    """Each is asked once; earlier answers are known."""
    (first,) = client.take(call(1, "twice"))
    (second,) = client.reply(first, {"action": "accept", "content": {"yes": False}})
    assert (second["method"], second["id"] != first["id"]) == ("roots/list", True)
    (answer,) = client.reply(second, {"roots": [{"uri": "file:///a"}]})
    assert text_of(answer) == "False ['file:///a']"


def test_questions_at_once(client: OlderClient) -> None:
    """The handler goes on when all are answered, in whatever order."""
    opened, said = client.take(call(1, "several"))
    assert opened["params"]["elicitationId"]
    model = {"role": "assistant", "content": {"type": "text", "text": "Ho"}, "model": "m"}
    assert client.reply(said, model) == []
    (answer,) = client.reply(opened, {"action": "decline"})
    assert text_of(answer) == "decline Ho"


def test_an_answer_that_does_not_fit_is_asked_for_again(client: OlderClient) -> None:
    """But not for ever."""
    (asked,) = client.take(call(1, "book", city="Bern"))
    for _ in range(15):
        (again,) = client.reply(asked, {"action": "accept", "content": {"yes": "perhaps"}})
        assert again["method"] == "elicitation/create"
        asked = again
    (answer,) = client.reply(asked, {"action": "accept", "content": {"yes": 1}})
    assert answer["error"]["code"] == -32602


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"error": {"code": -1, "message": "User rejected"}}, "User rejected"),
        ({"error": {"code": -1}}, "it gave no result"),
        ({"result": None}, "it gave no result"),
        ({"result": [], "error": None}, "it gave no result"),
        ({"result": {"action": "accept"}, "error": {"code": 1, "message": "both"}}, "both"),
    ],
)
def test_a_client_that_refuses_fails_the_call(client: OlderClient, wrong: Any, words: str) -> None:
    """A tool's model reads why; the other questions of the call are withdrawn."""
    opened, said = client.take(call(1, "several"))
    withdrawn, answer = client.take({"jsonrpc": "2.0", "id": opened["id"], **wrong})
    assert withdrawn == notice("notifications/cancelled", {"requestId": said["id"]})
    assert answer["result"]["isError"] is True
    assert words in text_of(answer)
    assert client.session.running == 0


def test_an_answer_that_cannot_be_read_fails_the_call(client: OlderClient) -> None:
    """It has an id, and no numbers that anybody could hold."""
    (asked,) = client.take(call(1, "book", city="Bern"))
    told = b'{"jsonrpc":"2.0","id":"%b","result":{"x":1e999}}' % asked["id"].encode()
    assert "cannot be read" in text_of(client.take(told)[0])


@pytest.mark.parametrize("request_id", [None, 1, "s99", True])
def test_an_answer_to_nothing_is_passed_over(client: OlderClient, request_id: Any) -> None:
    """Nobody waits for it."""
    client.take(call(1, "book", city="Bern"))
    assert client.take({"jsonrpc": "2.0", "id": request_id, "result": {}}) == []


@pytest.mark.parametrize(
    ("method", "params"), [("prompts/get", {"name": "greet"}), ("resources/read", {"uri": "a:///x"})]
)
def test_prompts_and_resources_ask_as_well(client: OlderClient, method: str, params: Any) -> None:
    """And fail with an error when the client refuses."""
    (asked,) = client.take(message(1, method, params))
    (answer,) = client.reply(asked, {"action": "decline"})
    assert "decline" in str(answer["result"])
    (asked,) = client.take(message(2, method, params))
    (answer,) = client.take({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -1, "message": "no"}})
    assert answer["error"]["code"] == -32602


@pytest.mark.parametrize(
    ("version", "declared"), [(NEWEST, {}), (NEWEST, {"elicitation": {"url": {}}}), ("2025-03-26", ALL)]
)
def test_nobody_is_asked_what_was_not_declared(version: str, declared: Any) -> None:
    """Or what the version does not have: the tool's model is told."""
    client = OlderClient(asking, version, declared)
    (answer,) = client.take(call(1, "book", city="Bern"))
    assert answer["result"]["isError"] is True
    assert "elicitation (form)" in text_of(answer)
    (answer,) = client.take(message(2, "prompts/get", {"name": "greet"}))
    assert answer["error"]["code"] == -32602


def test_who_cannot_be_reached_is_not_asked(client: OlderClient) -> None:
    """The call fails, and does not wait for ever."""
    client.way.can_ask = False
    (answer,) = client.take(call(1, "book", city="Bern"))
    assert answer["result"]["isError"] is True


def test_cancelling_what_waits_for_answers(client: OlderClient) -> None:
    """The questions are withdrawn, and nothing is answered."""
    (asked,) = client.take(call(1, "book", city="Bern"))
    told = client.take(notice("notifications/cancelled", {"requestId": 1}))
    assert told == [notice("notifications/cancelled", {"requestId": asked["id"]})]
    assert client.way.dropped == 1
    assert client.reply(asked, {"action": "accept", "content": {"yes": True}}) == []
    assert client.session.owed == 0


def test_cancelling_what_runs(client: OlderClient) -> None:
    """Nothing more is sent for it, also when its handler goes on."""
    client.held = []
    client.take(call(1, "tells"))
    client.take(call(2, "book", city="Bern"))
    told = []
    client.held[0].flight.on_cancel = lambda: told.append("cancelled")
    for request_id in (1, 2, 1, "1", 99, None, True, [1]):
        assert client.take(notice("notifications/cancelled", {"requestId": request_id})) == []
    assert client.take(notice("notifications/cancelled")) == []
    for held in client.held:
        assert held.flight.cancelled
        run(held)
    assert (told, client.way.dropped, len(client.way.sent)) == (["cancelled"], 2, 1)


def test_a_question_that_comes_too_late_is_withdrawn(client: OlderClient) -> None:
    """It was cancelled while its handler asked."""
    client.held = []
    client.take(call(1, "book", city="Bern"))
    (held,) = client.held
    held.way.ask = lambda frame: (client.way.tell(frame), client.session._settle(held))
    before = len(client.way.sent)
    run(held)
    asked, withdrawn = client.way.sent[before:]
    assert withdrawn == notice("notifications/cancelled", {"requestId": asked["id"]})
    assert client.session.questions.waiting == 0
