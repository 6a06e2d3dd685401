"""Results that ask for input: what a server may ask, and the error that the caller gets."""

import pytest

from readingroom.client.rounds import input_required
from readingroom.client.shapes import Violation

FORM = {"method": "elicitation/create", "params": {"message": "m", "requestedSchema": {}}}
URL = {"method": "elicitation/create", "params": {"mode": "url", "message": "m", "url": "https://x"}}
SAMPLE = {"method": "sampling/createMessage", "params": {}}
ROOTS = {"method": "roots/list"}


@pytest.mark.parametrize("method", ["tools/call", "prompts/get", "resources/read"])
def test_what_is_asked_reaches_the_caller(method):
    """Three methods may be answered so; the error holds what is asked and the state, as they came (MRTR-1)."""
    error = input_required(method, {"inputRequests": {"k": FORM}, "requestState": " s "}, {"elicitation": {}})
    assert (error.method, error.requests, error.state) == (method, {"k": FORM}, " s ")
    assert "elicitation/create" in str(error)
    assert "not supported" in str(error)


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
        ("tools/call", {"inputRequests": {"k": {**FORM, "params": []}}}, {"elicitation": {}}, "ELIC-1"),
    ],
)
def test_what_may_not_be_asked(method, result, declared, rule):
    """What a server may not ask is a violation, named by its rule."""
    with pytest.raises(Violation) as caught:
        input_required(method, result, declared)
    assert caught.value.rule == rule
