"""What a server asks, and what is answered: both checked."""

from typing import Any

import pytest

from readingroom.client.asked import answer_of, ask_of
from readingroom.client.shapes import Violation
from readingroom.errors import UsageError
from readingroom.protocol.asking import Ask, CreateMessage, ElicitForm, ElicitUrl, ListRoots
from readingroom.protocol.asking_answers import Elicited, Root, RootList, Sampled

ALL: dict[str, Any] = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}
FIELDS: dict[str, Any] = {"name": {"type": "string"}, "size": {"type": "integer", "default": 3}}
SCHEMA = {"type": "object", "properties": FIELDS, "required": ["name"]}
MESSAGE = {"role": "user", "content": {"type": "text", "text": "hi"}}
TOOL = {"name": "t", "inputSchema": {"type": "object"}}
USE = {"role": "assistant", "content": {"type": "tool_use", "id": "1", "name": "t", "input": {}}}
FORM = ElicitForm("Who?", SCHEMA)
SAMPLED = Sampled("assistant", {"type": "text", "text": "hello"}, "m")


def elicit(**params: Any) -> dict[str, Any]:
    """A request for a form or an address."""
    return {"method": "elicitation/create", "params": params}


def sample(**params: Any) -> dict[str, Any]:
    """A request for a message."""
    return {"method": "sampling/createMessage", "params": {"messages": [MESSAGE], "maxTokens": 5, **params}}


def test_questions_are_read() -> None:
    """Each kind as the value of its kind; a form without a mode is a form (ELIC-2)."""
    assert ask_of(elicit(message="Who?", requestedSchema=SCHEMA), ALL) == FORM
    assert ask_of(elicit(mode="url", message="m", url="https://x/y"), ALL) == ElicitUrl("m", "https://x/y")
    assert ask_of({"method": "roots/list"}, ALL) == ListRoots()
    found = ask_of(sample(systemPrompt="s", temperature=0.5, stopSequences=["x"]), ALL)
    assert found == CreateMessage([MESSAGE], 5, system_prompt="s", temperature=0.5, stop_sequences=["x"])


def test_what_a_form_says_besides_is_passed_over() -> None:
    """Schemas made by libraries say more than a form may, and mean nothing by it (RPC-9)."""
    fields = {"name": {"type": "string", "pattern": ".*"}, "size": {**FIELDS["size"], "exclusiveMinimum": 1}}
    schema = {**SCHEMA, "properties": fields, "additionalProperties": False, "$schema": "x", "title": "T"}
    found = ask_of(elicit(message="Who?", requestedSchema=schema), ALL)
    assert found == ElicitForm("Who?", {**SCHEMA, "$schema": "x"})


@pytest.mark.parametrize(
    ("request_", "rule"),
    [
        ({"method": "ping"}, "MRTR-3"),
        ({"method": "roots/list", "params": []}, "MRTR-3"),
        (elicit(mode="voice", message="m"), "ELIC-1"),
        (elicit(mode=1, message="m"), "ELIC-1"),
        (elicit(requestedSchema=SCHEMA), "ELIC-2"),
        (elicit(message=""), "ELIC-2"),
        (elicit(message="m", requestedSchema=[]), "ELIC-2"),
        (elicit(mode="url", message="m"), "ELIC-2"),
        (elicit(mode="url", message="m", url="javascript:alert(1)"), "ELIC-2"),
        (elicit(message="m", requestedSchema={"type": "object"}), "ELIC-3"),
        (elicit(message="m", requestedSchema={"type": "object", "properties": {"a": 1}}), "ELIC-3"),
        (elicit(message="m", requestedSchema={**SCHEMA, "properties": {"a": {"type": "object"}}}), "ELIC-3"),
        (
            elicit(
                message="m", requestedSchema={"type": "object", "properties": {"password": FIELDS["name"]}}
            ),
            "ELIC-6",
        ),
        (sample(messages="hi"), "SAMP-2"),
        (sample(messages=["hi"]), "SAMP-2"),
        (sample(messages=[]), "SAMP-2"),
        (sample(maxTokens=None), "SAMP-2"),
        (sample(temperature="warm"), "SAMP-2"),
        (sample(messages=[MESSAGE, USE, MESSAGE]), "SAMP-3"),
        (sample(tools=[TOOL]), "SAMP-1"),
    ],
)
def test_questions_that_break_a_rule(request_: dict[str, Any], rule: str) -> None:
    """Are named by it."""
    with pytest.raises(Violation) as caught:
        ask_of(request_, ALL)
    assert caught.value.rule == rule


def test_what_was_declared_may_be_given_to_the_model() -> None:
    """Tools where they were declared; a context nobody has to give (SAMP-1)."""
    found = ask_of(sample(tools=[TOOL]), {"sampling": {"tools": {}}})
    assert isinstance(found, CreateMessage)
    assert found.tools == [TOOL]
    assert isinstance(ask_of(sample(includeContext="allServers"), ALL), CreateMessage)


@pytest.mark.parametrize(
    ("ask", "given", "answer"),
    [
        (FORM, {"name": "Ada"}, {"action": "accept", "content": {"name": "Ada", "size": 3}}),
        (FORM, {"name": "Ada", "size": 4}, {"action": "accept", "content": {"name": "Ada", "size": 4}}),
        (
            FORM,
            Elicited("accept", {"name": "A"}),
            {"action": "accept", "content": {"name": "A", "size": 3}},
        ),
        (FORM, Elicited("decline", {"name": "A"}), {"action": "decline"}),
        (FORM, None, {"action": "cancel"}),
        (ElicitUrl("m", "https://x"), True, {"action": "accept"}),
        (ElicitUrl("m", "https://x"), False, {"action": "decline"}),
        (ElicitUrl("m", "https://x"), None, {"action": "cancel"}),
        (ElicitUrl("m", "https://x"), Elicited("cancel"), {"action": "cancel"}),
        (
            CreateMessage(["hi"], 5),
            SAMPLED,
            {"role": "assistant", "content": {"type": "text", "text": "hello"}, "model": "m"},
        ),
        (ListRoots(), [], {"roots": []}),
        (
            ListRoots(),
            ["file:///a", ("file:///b", "B"), Root("file:///c")],
            {"roots": [{"uri": "file:///a"}, {"uri": "file:///b", "name": "B"}, {"uri": "file:///c"}]},
        ),
        (ListRoots(), RootList((Root("file:///c", "C"),)), {"roots": [{"uri": "file:///c", "name": "C"}]}),
    ],
)
def test_answers(ask: Ask, given: Any, answer: dict[str, Any]) -> None:
    """What a callback gives, as it is sent (ELIC-4, SAMP-2, ROOT-1)."""
    assert answer_of(ask, given) == answer


@pytest.mark.parametrize(
    ("ask", "given"),
    [
        (FORM, True),
        (FORM, {}),
        (FORM, {"name": 1}),
        (FORM, {"name": "Ada", "more": 1}),
        (ElicitUrl("m", "https://x"), "yes"),
        (CreateMessage(["hi"], 5), "hello"),
        (CreateMessage(["hi"], 5), Sampled("assistant", {"type": "video"}, "m")),
        (ListRoots(), "file:///a"),
        (ListRoots(), 1),
        (ListRoots(), ["https://a"]),
        (ListRoots(), [1]),
    ],
)
def test_answers_that_do_not_fit(ask: Ask, given: Any) -> None:
    """Are refused before anything is sent (ELIC-5)."""
    with pytest.raises(UsageError):
        answer_of(ask, given)
