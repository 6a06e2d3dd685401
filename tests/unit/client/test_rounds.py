"""Results that ask for input: what a server may ask, and the error that the caller gets."""

import pytest

from readingroom.client.operations import Operation
from readingroom.client.rounds import Rounds, input_required
from readingroom.client.shapes import Violation
from readingroom.errors import InputRequired
from readingroom.protocol.asking import ElicitUrl, ListRoots

FORM = {
    "method": "elicitation/create",
    "params": {"message": "m", "requestedSchema": {"type": "object", "properties": {}}},
}
URL = {"method": "elicitation/create", "params": {"mode": "url", "message": "m", "url": "https://x"}}
SAMPLE = {"method": "sampling/createMessage", "params": {"messages": [], "maxTokens": 5}}
SAMPLE["params"]["messages"].append({"role": "user", "content": {"type": "text", "text": "hi"}})
ROOTS = {"method": "roots/list"}


@pytest.mark.parametrize("method", ["tools/call", "prompts/get", "resources/read"])
def test_what_is_asked_reaches_the_caller(method):
    """Three methods may be answered so; the error holds what is asked and the state, as they came (MRTR-1)."""
    error = input_required(method, {"inputRequests": {"k": FORM}, "requestState": " s "}, {"elicitation": {}})
    assert (error.method, error.requests, error.state) == (method, {"k": FORM}, " s ")
    assert "elicitation/create" in str(error)
    assert "no callback" in str(error)


def test_state_alone():
    """A server may ask for nothing but another try (MRTR-2)."""
    error = input_required("tools/call", {"requestState": "s"}, {})
    assert error.requests == {}
    assert "another try" in str(error)


@pytest.mark.parametrize(
    ("request_", "declared"),
    [
        (FORM, {"elicitation": {}}),
        (FORM, {"elicitation": {"form": {}}}),
        (URL, {"elicitation": {"url": {}}}),
        (URL, {"elicitation": {"form": {}, "url": {}}}),
        (SAMPLE, {"sampling": {}}),
        (ROOTS, {"roots": {}}),
    ],
)
def test_what_was_declared_may_be_asked(request_, declared):
    """A server may ask for what the client declared; an empty elicitation means forms."""
    assert input_required("tools/call", {"inputRequests": {"k": request_}}, declared).requests == {
        "k": request_
    }


@pytest.mark.parametrize(
    ("method", "result", "declared", "rule"),
    [
        ("tools/list", {"requestState": "s"}, {}, "MRTR-1"),
        ("completion/complete", {"requestState": "s"}, {}, "MRTR-1"),
        ("com.example/do", {"requestState": "s"}, {}, "MRTR-1"),
        ("resources/read", {"requestState": "s", "ttlMs": 0}, {}, "CACHE-2"),
        ("resources/read", {"requestState": "s", "cacheScope": "public"}, {}, "CACHE-2"),
        ("tools/call", {}, {}, "MRTR-2"),
        ("tools/call", {"requestState": 5}, {}, "MRTR-2"),
        ("tools/call", {"inputRequests": [FORM]}, {"elicitation": {}}, "MRTR-3"),
        ("tools/call", {"inputRequests": {"k": "form"}}, {"elicitation": {}}, "MRTR-3"),
        ("tools/call", {"inputRequests": {"k": {"method": "ping"}}}, {}, "MRTR-3"),
        ("tools/call", {"inputRequests": {"k": {"method": []}}}, {}, "MRTR-3"),
        ("tools/call", {"inputRequests": {"k": FORM}}, {}, "MRTR-4"),
        ("tools/call", {"inputRequests": {"k": SAMPLE}}, {"elicitation": {}}, "MRTR-4"),
        ("tools/call", {"inputRequests": {"k": URL}}, {"elicitation": {}}, "ELIC-1"),
        ("tools/call", {"inputRequests": {"k": FORM}}, {"elicitation": {"url": {}}}, "ELIC-1"),
        ("tools/call", {"inputRequests": {"k": {**FORM, "params": []}}}, {"elicitation": {}}, "MRTR-3"),
    ],
)
def test_what_may_not_be_asked(method, result, declared, rule):
    """What a server may not ask is a violation, named by its rule."""
    with pytest.raises(Violation) as caught:
        input_required(method, result, declared)
    assert caught.value.rule == rule


CALL = Operation("tools/call", {"name": "t", "arguments": {"a": 1}})
DECLARED = {"elicitation": {"url": {}}, "roots": {}}


def test_the_next_round():
    """It has the same parameters, the answers by their keys, and the state as it came (MRTR-6, MRTR-7)."""
    rounds = Rounds(CALL, DECLARED, 8)
    assert rounds.pause() == 0
    asks = rounds.asks(InputRequired("tools/call", {"a": URL, "b": ROOTS}, " s\x00 == "))
    assert asks == {"a": ElicitUrl("m", "https://x"), "b": ListRoots()}
    assert rounds.pause() == 0
    answers = {"a": {"action": "accept"}, "b": {"roots": []}}
    assert rounds.retry(answers) == Operation(
        "tools/call", {**CALL.params, "inputResponses": answers, "requestState": " s\x00 == "}
    )


def test_each_round_has_the_last_answers_and_state_alone():
    """Neither older answers nor an older state are sent again (MRTR-7, MRTR-9), and the call itself has none (MRTR-8)."""
    rounds = Rounds(CALL, DECLARED, 8)
    rounds.asks(InputRequired("tools/call", {"a": ROOTS}, "first"))
    rounds.retry({"a": {"roots": []}})
    rounds.asks(InputRequired("tools/call", {"b": ROOTS}))
    assert rounds.retry({"b": {"roots": []}}).params == {
        **CALL.params,
        "inputResponses": {"b": {"roots": []}},
    }
    assert CALL.params == {"name": "t", "arguments": {"a": 1}}


def test_a_server_that_only_wants_another_try_gets_it_later_and_later():
    """Up to a bound, for it is overloaded (MRTR-5)."""
    rounds = Rounds(Operation("resources/read"), {}, 8)
    pauses = []
    for _ in range(7):
        assert rounds.asks(InputRequired("resources/read", {}, "s")) == {}
        pauses.append(rounds.pause())
    assert pauses == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.6, 2, 2])
    assert rounds.retry({}).params == {"requestState": "s"}


def test_rounds_end():
    """After as many as allowed, the question goes to the caller (MRTR-9)."""
    rounds = Rounds(CALL, DECLARED, 2)
    asked = InputRequired("tools/call", {"a": ROOTS}, "s")
    rounds.asks(asked)
    rounds.asks(asked)
    with pytest.raises(InputRequired, match="after 2 rounds") as caught:
        rounds.asks(asked)
    assert (caught.value.requests, caught.value.state, caught.value.rounds) == ({"a": ROOTS}, "s", 2)
