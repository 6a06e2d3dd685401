"""What may be asked: values that are checked when they are made, how they are told, and what they need of a client."""

from typing import Any

import pytest

from readingroom import (
    CreateMessage,
    ElicitForm,
    ElicitUrl,
    ListRoots,
    PromptMessage,
    TextContent,
    UsageError,
)
from readingroom.protocol.asking import embedded, needed, undeclared

FORM = {"type": "object", "properties": {"yes": {"type": "boolean"}}, "required": ["yes"]}
TEXT = {"type": "text", "text": "Hi"}
TOOL = {"name": "add", "inputSchema": {"type": "object"}}
USE = {"type": "tool_use", "id": "u1", "name": "add", "input": {"a": 1}}
RESULT = {"type": "tool_result", "toolUseId": "u1", "content": [TEXT]}


def test_a_form_is_told_with_its_mode() -> None:
    """A message and a schema (ELIC-2, MRTR-3)."""
    assert embedded(ElicitForm("Book it?", FORM)) == {
        "method": "elicitation/create",
        "params": {"mode": "form", "message": "Book it?", "requestedSchema": FORM},
    }


def test_an_address_is_told_as_it_is() -> None:
    """A message and a URL (ELIC-2)."""
    assert embedded(ElicitUrl("Sign in", "https://example.org/a?b=c")) == {
        "method": "elicitation/create",
        "params": {"mode": "url", "message": "Sign in", "url": "https://example.org/a?b=c"},
    }


def test_roots_are_told_without_parameters() -> None:
    """There are none (ROOT-1)."""
    assert embedded(ListRoots()) == {"method": "roots/list"}


def test_a_message_is_told_with_what_was_given() -> None:
    """Texts and PromptMessages become messages; what was not given is left out (SAMP-2)."""
    ask = CreateMessage(
        ["Hi", PromptMessage("assistant", TextContent("Hi")), {"role": "user", "content": [TEXT]}], 5
    )
    assert embedded(ask) == {
        "method": "sampling/createMessage",
        "params": {
            "messages": [
                {"role": "user", "content": TEXT},
                {"role": "assistant", "content": TEXT},
                {"role": "user", "content": [TEXT]},
            ],
            "maxTokens": 5,
        },
    }


def test_everything_of_a_message_is_told() -> None:
    """By the protocol's names."""
    ask = CreateMessage(
        ["Hi"],
        5,
        system_prompt="Be brief.",
        include_context="none",
        temperature=0.5,
        stop_sequences=["."],
        model_preferences={"hints": [{"name": "m"}], "costPriority": 1, "speedPriority": 0.5},
        metadata={"a": 1},
        tools=[TOOL],
        tool_choice={"mode": "required"},
    )
    params = embedded(ask)["params"]
    del params["messages"], params["maxTokens"]
    assert params == {
        "systemPrompt": "Be brief.",
        "includeContext": "none",
        "temperature": 0.5,
        "stopSequences": ["."],
        "modelPreferences": {"hints": [{"name": "m"}], "costPriority": 1, "speedPriority": 0.5},
        "metadata": {"a": 1},
        "tools": [TOOL],
        "toolChoice": {"mode": "required"},
    }


@pytest.mark.parametrize("message", ["", " \n", None, 5])
def test_a_message_says_what_is_asked_for(message: Any) -> None:
    """Without one nobody could answer."""
    with pytest.raises(UsageError, match="message"):
        ElicitForm(message, FORM)
    with pytest.raises(UsageError, match="message"):
        ElicitUrl(message, "https://example.org")


def test_a_form_is_checked_when_it_is_made() -> None:
    """The mistake shows where it was made."""
    with pytest.raises(UsageError, match="nothing nests"):
        ElicitForm("m", {"type": "object", "properties": {"a": {"type": "object"}}})


@pytest.mark.parametrize(
    "url",
    [
        None,
        "",
        "example.org",
        "/a",
        "https:///a",
        "ftp://example.org",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "https://exa mple.org",
        "https://example.org/\n",
        "https://example.org/\x7f",
        "https://[::1",
        "https://user@example.org",
        "https://user:word@example.org",
        "https://:word@example.org",
    ],
)
def test_an_address_is_one_of_the_web(url: Any) -> None:
    """Http or https, with a host, and without credentials (ELIC-2, ELIC-6)."""
    with pytest.raises(UsageError, match="url"):
        ElicitUrl("m", url)


@pytest.mark.parametrize(
    "url", ["https://example.org", "http://localhost:8000/a", "https://[::1]/", "https://例え.jp"]
)
def test_addresses_of_the_web(url: str) -> None:
    """On the internet or on this machine."""
    assert ElicitUrl("m", url).url == url


ANSWERED: list[Any] = [
    "Add.",
    {"role": "assistant", "content": [TEXT, USE]},
    {"role": "user", "content": [RESULT]},
    {"role": "assistant", "content": TEXT},
]


def test_uses_of_tools_that_are_answered() -> None:
    """Each in the very next message (SAMP-3); one block needs no array."""
    CreateMessage(ANSWERED, 5, tools=[TOOL])
    CreateMessage(["Add.", {"role": "assistant", "content": USE}, {"role": "user", "content": RESULT}], 5)


@pytest.mark.parametrize(
    "messages",
    [
        "Hi",
        5,
        [],
        [5],
        [None],
        [{}],
        [{"role": "system", "content": TEXT}],
        [{"role": "user"}],
        [{"role": "user", "content": "Hi"}],
        [{"role": "user", "content": [{"type": "text"}]}],
        [{"role": "user", "content": {"type": ["text"]}}],
        [{"role": "user", "content": {"type": "image", "data": "a"}}],
        [{"role": "user", "content": {"type": "audio", "mimeType": "a/b"}}],
        [{"role": "user", "content": {"type": "resource_link", "uri": "a:b", "name": "a"}}],
        ["Add.", {"role": "assistant", "content": {"type": "tool_use", "id": "u1", "name": "add"}}],
        [{"role": "user", "content": USE}, {"role": "user", "content": RESULT}],
        ["Add.", {"role": "assistant", "content": USE}],
        ["Add.", {"role": "assistant", "content": USE}, "And?"],
        ["Add.", {"role": "assistant", "content": USE}, {"role": "user", "content": [RESULT, TEXT]}],
        [
            "Add.",
            {"role": "assistant", "content": USE},
            {"role": "user", "content": {**RESULT, "content": "1"}},
        ],
        [
            "Add.",
            {"role": "assistant", "content": [USE, {**USE, "id": "u2"}]},
            {"role": "user", "content": RESULT},
        ],
        [{"role": "user", "content": RESULT}],
        ["Add.", {"role": "assistant", "content": RESULT}],
    ],
    ids=repr,
)
def test_a_conversation_is_well_formed(messages: Any) -> None:
    """Roles, content blocks, and answers to every use of a tool (SAMP-2, SAMP-3)."""
    with pytest.raises(UsageError):
        CreateMessage(messages, 5)


def test_pictures_and_sounds() -> None:
    """They are content like texts."""
    CreateMessage(
        [
            {"role": "user", "content": [{"type": kind, "data": "YQ==", "mimeType": "a/b"}]}
            for kind in ("image", "audio")
        ],
        5,
    )


@pytest.mark.parametrize(
    ("tokens", "more"),
    [
        (0, {}),
        (True, {}),
        (1.5, {}),
        (None, {}),
        (5, {"temperature": -1}),
        (5, {"temperature": float("nan")}),
        (5, {"temperature": True}),
        (5, {"model_preferences": []}),
        (5, {"model_preferences": {"costPriority": 2}}),
        (5, {"model_preferences": {"speedPriority": "1"}}),
        (5, {"system_prompt": 5}),
        (5, {"include_context": "all"}),
        (5, {"stop_sequences": "."}),
        (5, {"stop_sequences": [1]}),
        (5, {"metadata": []}),
        (5, {"tools": {}}),
        (5, {"tools": ["add"]}),
        (5, {"tools": [{"name": 5, "inputSchema": {}}]}),
        (5, {"tools": [{"name": "add"}]}),
        (5, {"tool_choice": "auto"}),
        (5, {"tool_choice": {"mode": "all"}}),
    ],
    ids=repr,
)
def test_the_rest_of_a_message_is_checked(tokens: Any, more: dict[str, Any]) -> None:
    """Types and ranges (SAMP-2)."""
    with pytest.raises(UsageError):
        CreateMessage(["Hi"], tokens, **more)


@pytest.mark.parametrize(
    ("ask", "needs"),
    [
        (ElicitForm("m", FORM), {"elicitation": {"form": {}}}),
        (ElicitUrl("m", "https://example.org"), {"elicitation": {"url": {}}}),
        (ListRoots(), {"roots": {}}),
        (CreateMessage(["Hi"], 5), {"sampling": {}}),
        (CreateMessage(["Hi"], 5, include_context="none"), {"sampling": {}}),
        (CreateMessage(["Hi"], 5, tools=[]), {"sampling": {"tools": {}}}),
        (CreateMessage(["Hi"], 5, tool_choice={}), {"sampling": {"tools": {}}}),
        (CreateMessage(["Hi"], 5, include_context="thisServer"), {"sampling": {"context": {}}}),
    ],
)
def test_what_a_request_needs(ask: Any, needs: dict[str, Any]) -> None:
    """Modes and parts of a capability count (ELIC-1, SAMP-1, ROOT-1)."""
    assert needed(ask) == needs
    assert undeclared(needs, {}) == needs
    assert undeclared(needs, needs) == {}


@pytest.mark.parametrize(
    ("needs", "declared", "missing"),
    [
        ({"elicitation": {"form": {}}}, {"elicitation": {}}, {}),
        ({"elicitation": {"url": {}}}, {"elicitation": {}}, {"elicitation": {"url": {}}}),
        ({"elicitation": {"form": {}}}, {"elicitation": {"url": {}}}, {"elicitation": {"form": {}}}),
        ({"elicitation": {"form": {}}}, {"elicitation": {"form": {"more": 1}}}, {}),
        ({"elicitation": {"form": {}}}, {"elicitation": True}, {"elicitation": {"form": {}}}),
        ({"sampling": {"tools": {}}}, {"sampling": {}}, {"sampling": {"tools": {}}}),
        ({"sampling": {}}, {"sampling": {"tools": {}}}, {}),
        ({"roots": {}}, {"roots": {"listChanged": True}}, {}),
        ({"roots": True}, {"roots": {}}, {}),
        ({"extensions": {"a/b": {}}}, {"extensions": {}}, {"extensions": {"a/b": {}}}),
    ],
)
def test_what_was_not_declared(
    needs: dict[str, Any], declared: dict[str, Any], missing: dict[str, Any]
) -> None:
    """An empty elicitation means forms alone; anything but an object declares nothing (ELIC-1, META-11)."""
    assert undeclared(needs, declared) == missing
