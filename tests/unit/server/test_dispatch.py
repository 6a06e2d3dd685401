"""From a request to the answer of its handler: what is found, how it is called, how its value is told."""

from typing import Any

import pytest

from readingroom import Server, ToolError
from support.everything import app
from support.memory import MemoryServer
from support.messages import CAPABILITIES, LATEST, LOG_LEVEL, SERVER, call


@pytest.fixture(scope="module")
def server() -> MemoryServer:
    """It keeps nothing between requests."""
    return MemoryServer(app, principal="me")


def test_discovery_tells_what_is_there(server: MemoryServer) -> None:
    """Versions, capabilities, instructions, and how long that holds (DISC-1)."""
    assert server.result("server/discover") == {
        "resultType": "complete",
        "capabilities": {
            "completions": {},
            "logging": {},
            "prompts": {"listChanged": True},
            "resources": {"listChanged": True, "subscribe": True},
            "tools": {"listChanged": True},
        },
        "supportedVersions": [LATEST],
        "instructions": "Ask.",
        "ttlMs": 60_000,
        "cacheScope": "public",
        "_meta": {SERVER: {"name": "srv", "version": "1"}},
    }


@pytest.mark.parametrize(
    ("tool", "arguments", "text", "structured"),
    [
        ("add", {"a": 1}, "2", {"result": 2}),
        ("add", {"a": 1.0, "b": 2}, "3", {"result": 3}),
        ("plus", {"a": 1, "b": 5}, "6", {"result": 6}),
        ("keyword", {"a": 3}, "3 me", {"result": "3 me"}),
        ("only_keyword", {"a": 3}, "3", {"result": 3}),
        ("later", {"a": 3}, '{"x":3,"y":0}', {"x": 3, "y": 0}),
        ("words", {}, "читать", {"result": "читать"}),
        ("loose", {}, '{"a":1}', None),
        ("own", {}, "here", {"x": 1}),
        ("given", {"n": 7}, '{"m":7,"who":"me"}', {"m": 7, "who": "me"}),
        ("given_alone", {"a": 1}, '{"a": 1}', {"result": '{"a": 1}'}),
        ("tells", {}, "done", {"result": "done"}),
    ],
)
def test_a_tool_is_called_with_its_arguments(
    server: MemoryServer, tool: str, arguments: dict[str, Any], text: str, structured: Any
) -> None:
    """By place, by name, with a context, as a coroutine, by a schema; its value is told twice (TOOL-9)."""
    result = server.call(tool, arguments)
    assert result["content"] == [{"type": "text", "text": text}]
    assert result.get("structuredContent") == structured
    assert result.get("isError") is None
    assert not {"ttlMs", "cacheScope"} & result.keys()


def test_results_of_every_form_are_told(server: MemoryServer) -> None:
    """Several blocks; a failure that a handler made itself; what it says in `_meta`."""
    assert server.call("blocks")["content"] == [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    assert server.call("untyped")["isError"] is True
    assert server.call("own")["_meta"] == {"org.example/a": 1, SERVER: {"name": "srv", "version": "1"}}


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"name": "nobody"}, -32602),
        ({"name": "add", "arguments": [1]}, -32602),
        ({"name": "add", "arguments": None}, -32602),
        ({"name": "add", "arguments": "x"}, -32602),
    ],
)
def test_a_call_that_cannot_be_made_is_an_error(
    server: MemoryServer, members: dict[str, Any], code: int
) -> None:
    """Of the protocol (TOOL-6, TOOL-15)."""
    assert server.error("tools/call", members)["code"] == code


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("add", {}),
        ("add", {"a": "1"}),
        ("add", {"a": True}),
        ("add", {"a": 1, "c": 1}),
        ("given", {}),
        ("later", {"a": None}),
    ],
)
def test_arguments_that_break_the_schema_are_a_result(
    server: MemoryServer, tool: str, arguments: dict[str, Any]
) -> None:
    """That a model can read and mend (TOOL-7, D-4)."""
    result = server.call(tool, arguments)
    assert result["isError"] is True
    assert result["content"][0]["text"]
    assert "structuredContent" not in result


def test_arguments_may_be_left_out(server: MemoryServer) -> None:
    """They are an empty object then (TOOL-15)."""
    assert server.result("tools/call", {"name": "words"})["structuredContent"] == {"result": "читать"}
    assert server.result("tools/call", {"name": "add"})["isError"] is True


@pytest.mark.parametrize(
    ("declared", "missing"),
    [
        ({}, {"elicitation": {"form": {}}, "sampling": {}}),
        ({"sampling": {}}, {"elicitation": {"form": {}}}),
        ({"sampling": {}, "elicitation": {"else": {}}}, {"elicitation": {"form": {}}}),
        ({"sampling": {}, "elicitation": {"url": {}}}, {"elicitation": {"form": {}}}),
        ({"sampling": True, "elicitation": {"form": {}}}, {"sampling": {}}),
    ],
)
def test_a_capability_that_was_not_declared_is_missing(
    server: MemoryServer, declared: dict[str, Any], missing: dict[str, Any]
) -> None:
    """On this very request; what was declared before counts for nothing (META-11)."""
    complete = {"sampling": {"tools": {}}, "elicitation": {"form": {}, "url": {}}}
    assert server.call("asks", None, {CAPABILITIES: complete})["structuredContent"] == {"result": "asked"}
    for arguments in ({}, [1]):
        error = server.error("tools/call", {"name": "asks", "arguments": arguments}, {CAPABILITIES: declared})
        assert (error["code"], error["data"]) == (-32021, {"requiredCapabilities": missing})


def test_an_empty_elicitation_declares_forms(server: MemoryServer) -> None:
    """As it did before there was anything else to declare (ELIC-1)."""
    declared = {"sampling": {}, "elicitation": {}}
    assert server.call("asks", None, {CAPABILITIES: declared})["structuredContent"] == {"result": "asked"}


def test_a_requirement_that_is_no_object_is_met_by_any_object() -> None:
    """Only whether it was declared counts."""
    other = Server("srv")
    other.tool(lambda: "x", name="x", description="d", requires={"roots": True})
    server = MemoryServer(other)
    assert server.error("tools/call", {"name": "x"})["code"] == -32021
    assert server.call("x", None, {CAPABILITIES: {"roots": {}}})["content"]


def test_a_handler_that_ends_as_if_cancelled_is_answered(server: MemoryServer) -> None:
    """Nobody had cancelled it, so an answer is owed."""
    answer = server.answer(call(7, "gives_up"))
    assert (answer["id"], answer["error"]["code"]) == (7, -32603)
    assert answer["error"]["data"]["incident"]


class Unspeakable(ToolError):
    """A failure that cannot be told."""

    def __str__(self) -> str:
        raise ValueError("no words")


@pytest.mark.parametrize("error", [Unspeakable(), ToolError("lone \ud800")])
def test_a_failure_that_cannot_be_told_is_masked(error: ToolError) -> None:
    """What it says of itself may be as broken as the handler."""

    def fails() -> str:
        raise error

    other = Server("srv")
    other.tool(fails, description="d")
    told = MemoryServer(other).error("tools/call", {"name": "fails"})
    assert (told["code"], told["message"]) == (-32603, "Internal error")


@pytest.mark.parametrize("hint", [dict[str, Any], Any, list[float | None], float])
@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_number_that_json_does_not_have_is_an_internal_error(hint: Any, number: float) -> None:
    """It is not sent as null, whether the tool has a schema or not."""

    def give() -> Any:
        return {"a": [number]} if hint in (dict[str, Any], Any) else [number] if hint is not float else number

    give.__annotations__["return"] = hint
    other = Server("srv")
    other.tool(give, description="d")
    assert MemoryServer(other).error("tools/call", {"name": "give"})["message"] == "Internal error"


def test_what_a_handler_tells_comes_before_its_answer(server: MemoryServer) -> None:
    """Progress and log lines, when the client asked for them."""
    told = server.take(call(7, "tells", None, {"progressToken": 1, LOG_LEVEL: "debug"}))
    assert [message.get("method") for message in told] == [
        "notifications/progress",
        "notifications/message",
        None,
    ]


@pytest.mark.parametrize(
    ("uri", "contents"),
    [
        ("a:///fixed", {"uri": "a:///fixed", "mimeType": "text/markdown", "text": "fixed"}),
        ("a:///bytes", {"uri": "a:///bytes", "mimeType": "application/octet-stream", "blob": "aGk="}),
        ("a:///x/y", {"uri": "a:///x/y", "text": "me"}),
        ("b:///z", {"uri": "b:///z", "mimeType": "text/plain", "text": "z"}),
    ],
)
def test_a_resource_is_read_by_its_address(server: MemoryServer, uri: str, contents: dict[str, Any]) -> None:
    """An address that is registered wins over a template (RSRC-2, RSRC-6)."""
    result = server.result("resources/read", {"uri": uri})
    assert result["contents"] == [contents]
    assert (result["ttlMs"], result["cacheScope"]) == (1000 if uri == "a:///fixed" else 0, "private")


@pytest.mark.parametrize("uri", ["a:///none", "c:///x", "", "a:///"])
def test_a_resource_that_is_not_there_is_an_error(server: MemoryServer, uri: str) -> None:
    """With its address; never an empty answer (RSRC-3)."""
    assert server.error("resources/read", {"uri": uri}) == {
        "code": -32602,
        "message": "Resource not found",
        "data": {"uri": uri},
    }


def test_a_resource_that_fails_is_an_error(server: MemoryServer) -> None:
    """There are no failed results outside of tools (RSRC-3)."""
    assert server.error("resources/read", {"uri": "a:///fails"}) == {"code": -32603, "message": "it failed"}
    assert server.error("resources/read", {"uri": "a:///odd"})["code"] == -32603


def test_a_prompt_is_filled_in(server: MemoryServer) -> None:
    """With its description, and no cache hints (PRO-2)."""
    result = server.result("prompts/get", {"name": "review", "arguments": {"topic": "t"}})
    assert result["messages"] == [{"role": "user", "content": {"type": "text", "text": "t None"}}]
    assert result["description"] == "Review a topic."
    assert not {"ttlMs", "cacheScope"} & result.keys()


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ({"name": "nobody"}, "Unknown prompt"),
        ({"name": "review"}, "Missing argument: topic"),
        ({"name": "review", "arguments": {"tone": "x"}}, "Missing argument: topic"),
        ({"name": "review", "arguments": {"topic": "t", "b": "x", "a": "x"}}, "Unknown argument: a"),
    ],
)
def test_a_prompt_that_cannot_be_filled_in_is_an_error(
    server: MemoryServer, members: dict[str, Any], told: str
) -> None:
    """In words that name what is wrong (PRO-3)."""
    error = server.error("prompts/get", members)
    assert error["code"] == -32602
    assert told in error["message"]


PROMPT, TEMPLATE = {"type": "ref/prompt", "name": "review"}, {"type": "ref/resource", "uri": "a:///{+path}"}


@pytest.mark.parametrize(
    ("ref", "name", "chosen", "completion"),
    [
        (PROMPT, "topic", None, {"values": ["ts"], "total": 1, "hasMore": False}),
        (PROMPT, "topic", {"tone": "dry"}, {"values": ["ts", "dry"], "total": 2, "hasMore": False}),
        (PROMPT, "tone", None, {"values": [], "total": 0, "hasMore": False}),
        (TEMPLATE, "path", None, {"values": ["t"], "total": 7}),
        (
            {"type": "ref/resource", "uri": "a:///fixed"},
            "x",
            None,
            {"values": ["t", "me"], "total": 2, "hasMore": False},
        ),
    ],
)
def test_an_argument_is_completed(
    server: MemoryServer, ref: Any, name: str, chosen: Any, completion: Any
) -> None:
    """By its source; an argument without one has no values (COMP-2)."""
    members = {"ref": ref, "argument": {"name": name, "value": "t"}}
    if chosen is not None:
        members["context"] = {"arguments": chosen}
    assert server.result("completion/complete", members)["completion"] == completion
    assert server.result(
        "completion/complete", {**members, "context": {"arguments": chosen or {}, "more": 1}}
    )


@pytest.mark.parametrize(
    "ref", [{"type": "ref/prompt", "name": "nobody"}, {"type": "ref/resource", "uri": "a:///other"}]
)
def test_a_reference_to_nothing_is_an_error(server: MemoryServer, ref: dict[str, str]) -> None:
    """With what was asked for (COMP-3)."""
    error = server.error("completion/complete", {"ref": ref, "argument": {"name": "a", "value": ""}})
    assert error["code"] == -32602
