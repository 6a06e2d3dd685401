"""ELIC, SAMP, ROOT: the forms, addresses, messages and roots that a server may ask its client for."""

import json
from typing import Any

import pytest

from readingroom import Context, CreateMessage, ElicitForm, ElicitUrl, Server, UsageError
from support.asking import accept, calling
from support.asking_rules import ANSWERS, FORM, asker
from support.memory import MemoryServer

rule = pytest.mark.rule


@rule("ELIC-2", "passing")
@rule("ELIC-2", "violating")
@pytest.mark.parametrize(
    "url", ["https://example.org", "http://localhost/", "ftp://example.org", "example.org", ""]
)
def test_an_address_is_a_web_address(url: str) -> None:
    """With a message, like a form."""
    if url.startswith("http"):
        ElicitUrl("Go", url)
    else:
        with pytest.raises(UsageError):
            ElicitUrl("Go", url)
    for ask in (lambda: ElicitUrl("", "https://example.org"), lambda: ElicitForm("", FORM.schema)):
        with pytest.raises(UsageError):
            ask()


@rule("ELIC-3", "passing")
@pytest.mark.parametrize(
    "field",
    [
        {"type": "string", "minLength": 1, "maxLength": 9, "format": "date-time"},
        {"type": "number", "minimum": 0.5, "maximum": 1, "default": 1},
        {"type": "integer", "title": "T", "description": "D"},
        {"type": "boolean", "default": False},
        {"type": "string", "enum": ["a"], "enumNames": ["A"]},
        {"type": "string", "oneOf": [{"const": "a", "title": "A"}]},
        {"type": "array", "items": {"type": "string", "enum": ["a"]}, "minItems": 1, "default": ["a"]},
        {"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}, "maxItems": 1},
    ],
)
def test_a_form_is_flat(field: dict[str, Any]) -> None:
    """Its fields reach the client as they are."""
    app = Server("asker", version="1")
    form = ElicitForm("Fill in", {"type": "object", "properties": {"f": field}})
    app.tool(name="ask", description="Ask.")(_asking(form))
    schema = calling(MemoryServer(app), "ask").asked["answer"]["params"]["requestedSchema"]
    assert schema == {"type": "object", "properties": {"f": field}}


def _asking(ask: Any) -> Any:
    def handler(ctx: Context) -> str:
        return str(ctx.ask(answer=ask))

    return handler


@rule("ELIC-3", "violating")
@pytest.mark.parametrize(
    "field",
    [
        {"type": "object", "properties": {}},
        {"type": "array", "items": {"type": "string"}},
        {"type": "array", "items": {"type": "object"}},
        {"type": "string", "pattern": "a+"},
        {"type": "string", "format": "hostname"},
        {"type": "integer", "multipleOf": 2},
        {"$ref": "#/$defs/a"},
        {"anyOf": [{"type": "string"}]},
        {"const": 1},
    ],
)
def test_a_schema_that_is_not_flat_is_a_mistake(field: dict[str, Any]) -> None:
    """It shows where the form is made, for a client could not show it."""
    with pytest.raises(UsageError):
        ElicitForm("Fill in", {"type": "object", "properties": {"f": field}})


@rule("ELIC-4", "passing")
@rule("ELIC-5", "passing")
@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (accept(yes=False), "Elicited(action='accept', content={'yes': False})"),
        ({"action": "decline"}, "Elicited(action='decline', content=None)"),
        ({"action": "cancel"}, "Elicited(action='cancel', content=None)"),
        ({"action": "decline", "content": {"yes": True}}, "Elicited(action='decline', content=None)"),
    ],
)
def test_a_person_accepts_declines_or_cancels(answer: dict[str, Any], told: str) -> None:
    """The handler is told which, and goes on; there is content only where a form was accepted."""
    call = calling(asker(), "ask", {"what": "form"}).answer(answer=answer)
    assert call.result["content"][0]["text"] == told


@rule("ELIC-4", "violating")
@rule("ELIC-5", "violating")
@pytest.mark.parametrize(
    "answer", [{"action": "ok"}, {"action": "accept"}, accept(), accept(yes="yes"), accept(yes=None)]
)
def test_what_a_client_lets_through_the_server_does_not(answer: dict[str, Any]) -> None:
    """It asks again."""
    assert calling(asker(), "ask", {"what": "form"}).answer(answer=answer).asked


@rule("ELIC-6", "passing")
@rule("ELIC-6", "violating")
@pytest.mark.parametrize("name", ["password", "API key", "access_token", "cardNumber", "passwords_left"])
def test_a_secret_is_not_asked_for(name: str) -> None:
    """In a form by its name, in an address as its credentials."""
    schema = {"type": "object", "properties": {name: {"type": "string"}}}
    if name == "passwords_left":
        ElicitForm("Fill in", schema)
    else:
        with pytest.raises(UsageError):
            ElicitForm("Fill in", schema)
    with pytest.raises(UsageError):
        ElicitUrl("Go", "https://user:word@example.org")


TOOLS = [{"name": "add", "inputSchema": {"type": "object"}}]


@rule("SAMP-1", "passing")
@rule("SAMP-1", "violating")
@pytest.mark.parametrize(
    ("more", "declared", "lacking"),
    [
        ({}, {}, None),
        ({"include_context": "none"}, {}, None),
        ({"tools": TOOLS}, {"tools": {}}, None),
        ({"tools": TOOLS}, {"context": {}}, {"tools": {}}),
        ({"tool_choice": {"mode": "none"}}, {}, {"tools": {}}),
        ({"include_context": "allServers"}, {"context": {}}, None),
        ({"include_context": "allServers"}, {"tools": {}}, {"context": {}}),
    ],
)
def test_tools_and_context_are_declared_by_themselves(more: Any, declared: Any, lacking: Any) -> None:
    """A client that can sample need not have either."""
    app = Server("asker", version="1")
    app.tool(name="ask", description="Ask.")(_asking(CreateMessage(["Hi"], 10, **more)))
    call = calling(MemoryServer(app), "ask", sampling=declared)
    assert bool(call.result) == (lacking is None)
    if lacking is not None:
        assert call.error["data"] == {"requiredCapabilities": {"sampling": lacking}}


@rule("SAMP-2", "passing")
@rule("SAMP-2", "violating")
def test_a_message_is_asked_for_and_answered_in_its_form() -> None:
    """Messages and a bound there, a role, content and a model here."""
    call = calling(asker(), "ask", {"what": "sample"})
    assert call.asked["answer"]["params"] == {
        "messages": [{"role": "user", "content": {"type": "text", "text": "Hi"}}],
        "maxTokens": 10,
    }
    for name in ("role", "content", "model"):
        answer = {key: value for key, value in ANSWERS["sample"].items() if key != name}
        assert call.answer(answer=answer).asked
    assert call.answer(answer=ANSWERS["sample"]).result["resultType"] == "complete"
    for messages, tokens in (([], 10), (["Hi"], 0), ([{"role": "user"}], 10)):
        with pytest.raises(UsageError):
            CreateMessage(messages, tokens)


USE = {"role": "assistant", "content": [{"type": "tool_use", "id": "u", "name": "add", "input": {}}]}
USED: dict[str, Any] = {"type": "tool_result", "toolUseId": "u", "content": []}


@rule("SAMP-3", "passing")
@rule("SAMP-3", "violating")
@pytest.mark.parametrize(
    ("answer", "is_whole"),
    [
        ({"role": "user", "content": [USED]}, True),
        ({"role": "user", "content": [{**USED, "toolUseId": "else"}]}, False),
        ({"role": "user", "content": [USED, {"type": "text", "text": "and"}]}, False),
        ("Hi", False),
        (None, False),
    ],
)
def test_every_use_of_a_tool_is_answered(answer: Any, is_whole: bool) -> None:
    """At once, and by nothing else."""
    messages: list[Any] = ["Add.", USE] if answer is None else ["Add.", USE, answer]
    if is_whole:
        CreateMessage(messages, 10, tools=TOOLS)
    else:
        with pytest.raises(UsageError):
            CreateMessage(messages, 10, tools=TOOLS)


@rule("ROOT-1", "passing")
@rule("ROOT-1", "violating")
@pytest.mark.parametrize(
    ("roots", "is_good"),
    [
        ([], True),
        ([{"uri": "file:///home/me", "name": "Mine"}], True),
        ([{"uri": "https://example.org"}], False),
        ([{"name": "Mine"}], False),
        (["file:///a"], False),
    ],
)
def test_roots_are_file_addresses(roots: Any, is_good: bool) -> None:
    """They are asked for only of who has declared them."""
    assert calling(asker(), "ask", {"what": "roots"}, elicitation={}).error["code"] == -32021
    call = calling(asker(), "ask", {"what": "roots"}, roots={}).answer(answer={"roots": roots})
    assert (call.result["resultType"] == "complete") == is_good
    assert json.dumps(call.result)
