"""TOOL, SCH: tools, their arguments, their results, and their schemas."""

import json
from typing import Any

import jsonschema_rs
import pytest

from readingroom import Server, UsageError
from support.everything import Point
from support.memory import MemoryServer
from support.messages import CLIENT, call

rule = pytest.mark.rule


def words() -> str:
    """Give words."""
    return "x"


def with_schema(**schema: Any) -> MemoryServer:
    """A server with a tool whose schema is given by hand."""

    def echo(value: dict[str, Any]) -> str:
        return json.dumps(value)

    app = Server("srv")
    app.tool(echo, description="d", input_schema={"type": "object", **schema})
    return MemoryServer(app)


def tool_of(server: MemoryServer, name: str) -> dict[str, Any]:
    """A tool as it is listed."""
    (found,) = [tool for tool in server.result("tools/list")["tools"] if tool["name"] == name]
    return found


@rule("TOOL-1", "passing")
@rule("TOOL-2", "passing")
def test_a_server_with_tools_lists_them_in_one_order(server: MemoryServer) -> None:
    """The same bytes, time after time."""
    first = json.dumps(server.result("tools/list"))
    assert first == json.dumps(server.result("tools/list")) == json.dumps(server.result("tools/list"))
    names = [tool["name"] for tool in server.result("tools/list")["tools"]]
    assert names == sorted(names)


@rule("TOOL-1", "violating")
def test_the_list_does_not_depend_on_what_was_asked_before(server: MemoryServer) -> None:
    """Nor on who asks, nor on calls, nor on the connection."""
    before = server.result("tools/list")
    server.call("words")
    server.error("tools/call", {"name": "nobody"})
    assert server.result("tools/list", None, {CLIENT: {"name": "another", "version": "2"}}) == before


@rule("TOOL-2", "violating")
def test_the_order_does_not_depend_on_that_of_registering() -> None:
    """Two servers with the same tools list them alike."""
    lists = []
    for names in (("b", "a", "c"), ("c", "b", "a")):
        app = Server("srv")
        for name in names:
            app.tool(words, name=name)
        lists.append(json.dumps(MemoryServer(app).result("tools/list")))
    assert lists[0] == lists[1]


@rule("TOOL-3", "passing")
@pytest.mark.parametrize("name", ["a", "A", "a_b-c.d", "0", "x" * 128])
def test_a_name_that_hosts_can_take_is_kept(name: str) -> None:
    """Case and all."""
    app = Server("srv")
    app.tool(words, name=name)
    assert MemoryServer(app).call(name)["content"]


@rule("TOOL-3", "violating")
@pytest.mark.parametrize("name", ["a b", "a/b", "søk", "x" * 129, "a,b"])
def test_another_name_is_refused_when_registering(name: str) -> None:
    """And so is one that is taken."""
    app = Server("srv")
    with pytest.raises(UsageError):
        app.tool(words, name=name)
    app.tool(words)
    with pytest.raises(UsageError):
        app.tool(words)


@rule("TOOL-4", "passing")
def test_every_tool_has_a_description(server: MemoryServer) -> None:
    """That of its docstring."""
    assert all(tool["description"] for tool in server.result("tools/list")["tools"])


@rule("TOOL-4", "violating")
def test_a_tool_without_words_is_refused_when_registering() -> None:
    """A model would not know what it is for."""
    with pytest.raises(UsageError, match="description"):
        Server("srv").tool(lambda: "x", name="x")


@rule("TOOL-5", "passing")
def test_input_schemas_are_of_objects(server: MemoryServer) -> None:
    """Valid ones, and closed."""
    for tool in server.result("tools/list")["tools"]:
        schema = tool["inputSchema"]
        assert schema["type"] == "object"
        jsonschema_rs.meta.validate(schema)
    assert tool_of(server, "words")["inputSchema"] == {
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    }


@rule("TOOL-5", "violating")
@pytest.mark.parametrize(
    "schema", [{}, {"type": "array"}, {"type": None}, {"type": "object", "properties": 7}]
)
def test_an_input_schema_of_something_else_is_refused(schema: dict[str, Any]) -> None:
    """When registering."""
    with pytest.raises(UsageError):
        Server("srv").tool(lambda value: value, name="x", description="d", input_schema=schema)


@rule("TOOL-6", "passing")
def test_a_tool_that_is_there_is_called(server: MemoryServer) -> None:
    """By its name or its alias."""
    assert (
        server.call("add", {"a": 1})["structuredContent"]
        == server.call("plus", {"a": 1})["structuredContent"]
    )


@rule("TOOL-6", "violating")
@pytest.mark.parametrize(
    "members",
    [
        {},
        {"name": None},
        {"name": 7},
        {"name": "nobody"},
        {"name": "ADD"},
        {"name": ""},
        {"name": "add", "arguments": [1]},
    ],
)
def test_a_call_that_is_none_is_an_error_of_the_protocol(
    server: MemoryServer, members: dict[str, Any]
) -> None:
    """Not a result, and not an unknown method."""
    assert server.error("tools/call", members)["code"] == -32602


@rule("TOOL-7", "passing")
@pytest.mark.parametrize("arguments", [{}, {"a": "x"}, {"a": 1, "more": 1}, {"a": None}, {"a": 1.5}])
def test_what_a_model_can_mend_is_told_in_a_result(server: MemoryServer, arguments: dict[str, Any]) -> None:
    """With a text that says what it is."""
    result = server.call("add", arguments)
    assert result["isError"] is True
    assert result["content"][0]["text"]


@rule("TOOL-7", "violating")
def test_what_a_model_cannot_mend_is_not_told(server: MemoryServer) -> None:
    """A fault of the server is no result, and its words stay here."""

    def fails() -> str:
        raise ValueError("secret")

    app = Server("srv")
    app.tool(fails, description="d")
    answer = MemoryServer(app).answer(call(1, "fails"))
    assert answer["error"]["code"] == -32603
    assert "secret" not in json.dumps(answer)


@rule("TOOL-8", "passing")
@rule("TOOL-9", "passing")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("add", {"a": 1}), ("later", {"a": 1}), ("words", {}), ("own", {}), ("given", {"n": 1})],
)
def test_structured_content_keeps_the_schema_and_is_told_as_text(
    server: MemoryServer, tool: str, arguments: dict[str, Any]
) -> None:
    """For hosts that read one, and for hosts that read the other."""
    result = server.call(tool, arguments)
    jsonschema_rs.validate(tool_of(server, tool)["outputSchema"], result["structuredContent"])
    assert result["content"][0]["type"] == "text"


@rule("TOOL-8", "violating")
@pytest.mark.parametrize("value", ["x", None, 1.5, [1], {"x": "y"}])
@pytest.mark.parametrize("hint", [int, Point])
def test_a_value_that_breaks_the_schema_is_never_sent(value: Any, hint: Any) -> None:
    """It is an internal error."""

    def breaks() -> Any:
        return value

    breaks.__annotations__["return"] = hint
    app = Server("srv")
    app.tool(breaks, description="d")
    assert MemoryServer(app).error("tools/call", {"name": "breaks"})["code"] == -32603


@rule("TOOL-9", "violating")
@pytest.mark.parametrize("value", [None, 0, False, "", [], [0]])
def test_empty_values_are_told_as_text_too(value: Any) -> None:
    """None of them is taken for nothing."""

    def give() -> int | bool | str | list[int] | None:
        return value

    app = Server("srv")
    app.tool(give, description="d")
    result = MemoryServer(app).call("give")
    assert result["structuredContent"] == {"result": value}
    (block,) = result["content"]
    assert block["text"] == (value if isinstance(value, str) else json.dumps(value))


@rule("TOOL-11", "passing")
def test_all_four_hints_are_given(server: MemoryServer) -> None:
    """So that nobody has to know the defaults."""
    for tool in server.result("tools/list")["tools"]:
        hints = tool["annotations"]
        assert set(hints) == {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
        assert all(type(hint) is bool for hint in hints.values())


@rule("TOOL-11", "violating")
def test_a_tool_that_only_reads_is_never_destructive() -> None:
    """Whatever else it is said to be."""
    app = Server("srv")
    app.tool(words, read_only=True, destructive=True, idempotent=False)
    hints = tool_of(MemoryServer(app), "words")["annotations"]
    assert (hints["readOnlyHint"], hints["destructiveHint"], hints["idempotentHint"]) == (True, False, True)


@rule("TOOL-15", "passing")
def test_arguments_may_be_left_out(server: MemoryServer) -> None:
    """They are an empty object then, and checked as one."""
    assert server.result("tools/call", {"name": "words"})["content"]
    assert server.result("tools/call", {"name": "add"})["isError"] is True


@rule("TOOL-15", "violating")
@pytest.mark.parametrize("arguments", [None, [], [1], "x", 1, True])
def test_arguments_that_are_no_object_are_refused(server: MemoryServer, arguments: Any) -> None:
    """By the protocol."""
    assert server.error("tools/call", {"name": "words", "arguments": arguments})["code"] == -32602


@rule("SCH-1", "passing")
@rule("SCH-2", "passing")
def test_keywords_of_2020_12_are_understood() -> None:
    """In a schema that says nothing of its dialect."""
    server = with_schema(
        properties={"a": {"prefixItems": [{"type": "integer"}], "items": False}},
        dependentRequired={"a": ["b"]},
        unevaluatedProperties=False,
    )
    assert server.call("echo", {})["content"]
    assert "isError" not in server.call("echo", {})


@rule("SCH-1", "violating")
@rule("SCH-2", "violating")
@pytest.mark.parametrize("arguments", [{"a": ["x"], "b": 1}, {"a": [1, 2], "b": 1}, {"a": [1]}, {"c": 1}])
def test_values_that_break_such_a_keyword_are_refused(arguments: dict[str, Any]) -> None:
    """Each of them counts."""
    server = with_schema(
        properties={"a": {"prefixItems": [{"type": "integer"}], "items": False}, "b": {}},
        dependentRequired={"a": ["b"]},
        unevaluatedProperties=False,
    )
    assert server.call("echo", arguments)["isError"] is True


@rule("SCH-2", "violating")
def test_a_schema_that_is_not_valid_is_refused_when_registering() -> None:
    """It would check nothing."""
    with pytest.raises(UsageError):
        with_schema(properties={"a": {"type": "whole number"}})


@rule("SCH-3", "passing")
@rule("SCH-4", "passing")
@rule("SCH-6", "passing")
def test_references_within_a_schema_are_followed() -> None:
    """Pointers, anchors and schemas that are embedded; the schema is listed as it was given."""
    given = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "properties": {
            "a": {"$ref": "#/$defs/a"},
            "b": {"$ref": "#here"},
            "c": {"$ref": "https://example.org/c"},
        },
        "$defs": {
            "a": {"type": "integer"},
            "b": {"$anchor": "here", "type": "string"},
            "c": {"$id": "https://example.org/c", "type": "boolean"},
        },
        "if": {"required": ["a"]},
        "then": {"required": ["b"]},
        "allOf": [{}, {"anyOf": [{}]}],
        "x-org.example": [1, None, 2.5],
    }
    server = with_schema(**given)
    assert tool_of(server, "echo")["inputSchema"] == {"type": "object", **given}
    assert "isError" not in server.call("echo", {"a": 1, "b": "x", "c": True})
    for arguments in ({"a": "x", "b": "x"}, {"a": 1}, {"c": 1}, {"b": 1}):
        assert server.call("echo", arguments)["isError"] is True


@rule("SCH-3", "violating")
@rule("SCH-4", "violating")
@pytest.mark.parametrize(
    "reference",
    [
        "https://example.org/x.json",
        "http://127.0.0.1:1/x",
        "file:///etc/hostname",
        "#/$defs/none",
        "other.json",
    ],
)
def test_a_reference_to_another_place_is_refused_when_registering(reference: str) -> None:
    """It is neither fetched nor taken for one that allows everything."""
    with pytest.raises(UsageError):
        with_schema(properties={"a": {"$ref": reference}})


@rule("SCH-6", "violating")
def test_a_schema_made_from_hints_says_all_that_is_checked(server: MemoryServer) -> None:
    """What it allows is taken, and what it does not is refused, so nothing was lost on the way."""
    schema = tool_of(server, "add")["inputSchema"]
    for arguments in ({}, {"a": 1}, {"a": 1, "b": 2}, {"a": "1"}, {"a": 1, "c": 1}, {"a": 1.0}, {"a": True}):
        is_allowed = jsonschema_rs.is_valid(schema, arguments)
        assert ("isError" not in server.call("add", arguments)) is is_allowed


@rule("SCH-7", "passing")
@pytest.mark.parametrize("arguments", [{"a": 1}, {"a": 1.0}, {"a": 1e2}])
def test_a_whole_number_is_an_integer(server: MemoryServer, arguments: dict[str, Any]) -> None:
    """However it is written."""
    assert server.call("add", arguments)["structuredContent"] == {"result": int(arguments["a"]) + 1}


@rule("SCH-7", "violating")
@pytest.mark.parametrize("value", [True, False, "1", 1.5])
def test_true_is_no_number(server: MemoryServer, value: Any) -> None:
    """And a text is none."""
    assert server.call("add", {"a": value})["isError"] is True
    assert with_schema(properties={"a": {"type": "number"}}).call("echo", {"a": True})["isError"] is True
