"""Structured content against the schema that its tool was listed with, and schemas that are no good."""

import builtins
import http.server
import threading
from typing import Any

import msgspec
import pytest

from readingroom.client import CallToolAnswer, KnownTools, ToolInfo
from readingroom.client.output_schema import compile_check
from readingroom.client.shapes import Violation

NUMBER: dict[str, Any] = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def answer(structured: Any = msgspec.UNSET, *, is_error: bool = False) -> CallToolAnswer:
    """An answer of a tool."""
    return CallToolAnswer(raw={}, content=[], structured=structured, is_error=is_error)


def rule_of(schema: dict[str, Any], given: CallToolAnswer | None = None) -> str | None:
    """Give the rule that a schema, or an answer to it, breaks."""
    try:
        check = compile_check("t", schema)
        assert check is not None
        if given is not None:
            check(given)
    except Violation as fault:
        return fault.rule
    return None


@pytest.mark.parametrize(
    ("schema", "given", "rule"),
    [
        (NUMBER, answer({"n": 1}), None),
        (NUMBER, answer({"n": 1.0}), None),
        (NUMBER, answer({"n": True}), "TOOL-8"),
        (NUMBER, answer({"n": "1"}), "TOOL-8"),
        (NUMBER, answer([]), "TOOL-8"),
        (NUMBER, answer(), "TOOL-8"),
        (NUMBER, answer(is_error=True), None),
        (NUMBER, answer({"n": "x"}, is_error=True), None),
        ({"type": "null"}, answer(None), None),
        ({"type": "null"}, answer(), "TOOL-8"),
        ({"type": "array"}, answer([1]), None),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "type": "string"}, answer("x"), None),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}, answer(1), "TOOL-8"),
    ],
)
def test_answers(schema: dict[str, Any], given: CallToolAnswer, rule: str | None) -> None:
    """What succeeded is held against the schema, whatever it is; null is content, and none is none (TOOL-8, TOOL-10)."""
    assert rule_of(schema, given) == rule


@pytest.mark.parametrize(
    ("schema", "rule"),
    [
        ({"type": 5}, "SCH-2"),
        ({"$schema": "http://json-schema.org/draft-99/schema#"}, "SCH-2"),
        ({"pattern": "("}, "SCH-2"),
        ({"$ref": "#/$defs/none"}, "SCH-2"),
        ({"$ref": "https://nowhere.example/schema"}, "SCH-4"),
        ({"properties": {"a": {"$ref": "file:///etc/passwd"}}}, "SCH-4"),
        ({"anyOf": [{"enum": [[n]]} for n in range(6000)]}, "SCH-5"),
    ],
)
def test_schemas_that_cannot_be_used(schema: dict[str, Any], rule: str) -> None:
    """Are named by what is wrong with them (SCH-2, SCH-4, SCH-5)."""
    assert rule_of(schema) == rule


def test_nothing_is_fetched() -> None:
    """Not even from next door (SCH-3)."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        """Remembers what it was asked for."""

        def do_GET(self) -> None:
            """Answer with a schema that takes everything."""
            asked.append(self.path)

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        assert rule_of({"$ref": f"http://127.0.0.1:{server.server_port}/schema"}) == "SCH-4"
        server.shutdown()
        thread.join()
    assert asked == []


def test_a_pattern_that_never_ends() -> None:
    """Is given up, and the answer does not pass (SCH-5)."""
    assert rule_of({"pattern": "^(a+)+\\1$"}, answer("a" * 60 + "!")) == "TOOL-8"


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is checked."""
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "jsonschema_rs":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    assert compile_check("t", NUMBER) is None


def tool(name: str, output: dict[str, Any] | None = None, **properties: Any) -> ToolInfo:
    """A tool as it was listed."""
    schema = {"type": "object", "properties": properties}
    return ToolInfo(raw={}, name=name, input_schema=schema, output_schema=output)


def test_what_is_known_of_tools() -> None:
    """Is what the last list said; checks are made when they are needed, and kept while they are the same."""
    tools = KnownTools()
    assert (tools.get("a"), tools.check_of("a")) == (None, None)
    tools.learn([tool("a", NUMBER), tool("b")])
    assert tools.check_of("b") is None
    first = tools.check_of("a")
    tools.learn([tool("a", dict(NUMBER))])
    assert tools.get("b") is None
    assert tools.check_of("a") is first
    tools.learn_more([tool("b", {"type": "string"}), tool("a", {"type": "string"})])
    assert tools.check_of("a") is not first
    assert tools.check_of("b") is not None


def test_mirrored_arguments_are_known() -> None:
    """Those whose annotations are by the rules (XH-5)."""
    tools = KnownTools()
    city = {"type": "string", "x-mcp-header": "City"}
    tools.learn([tool("a", city=city), tool("b", city={**city, "type": "array"}), tool("c")])
    found = {name: known.mirrors for name in "abc" if (known := tools.get(name)) is not None}
    assert [mirror.path for mirror in found["a"]] == [("city",)]
    assert (found["b"], found["c"]) == ((), ())
