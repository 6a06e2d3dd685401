"""What a tool gives, and the schema that it said its output has."""

from typing import Annotated, Any

import msgspec
import pytest

from readingroom import CallResult, TextContent, UsageError
from readingroom.server.faults import WrongReturn
from readingroom.server.schema import Output, told_structure


class Point(msgspec.Struct):
    """A place."""

    x: int
    y: float = 0.0


class Tree(msgspec.Struct):
    """A thing that holds others of its kind."""

    children: list["Tree"] = []


@pytest.mark.parametrize(
    ("hint", "value", "schema"),
    [
        (int, 3, {"type": "integer"}),
        (list[str], ["x"], {"type": "array", "items": {"type": "string"}}),
        (int | None, None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
    ],
)
def test_output_that_is_no_object_is_wrapped(hint: Any, value: Any, schema: dict[str, Any]) -> None:
    """For hosts of the older era take only objects."""
    output = Output("t", hint)
    assert output.wraps
    assert output.schema == {"type": "object", "properties": {"result": schema}, "required": ["result"]}
    assert msgspec.json.decode(output.encode(value)) == value


def test_output_that_is_an_object_is_told_as_it_is() -> None:
    """Its schema stands at the root; a type that holds itself stays a named part as well."""
    output = Output("t", Point)
    assert not output.wraps
    assert output.encode(Point(1)) == b'{"x":1,"y":0.0}'
    assert "$defs" not in output.schema
    tree = Output("t", Tree).schema
    assert tree["properties"]["children"]["items"] == {"$ref": "#/$defs/Tree"}
    assert tree["$defs"]["Tree"]["properties"] == tree["properties"]
    assert Output("t", list[Point]).schema["$defs"].keys() == {"Point"}


@pytest.mark.parametrize("value", ["x", None, 1.5, True, float("nan")])
def test_output_that_breaks_the_schema_is_noticed(value: Any) -> None:
    """Before it is sent (TOOL-8)."""
    with pytest.raises((TypeError, ValueError)):
        Output("t", int).encode(value)


def test_output_that_json_does_not_have_is_refused() -> None:
    """When the tool is registered."""
    with pytest.raises(UsageError, match="return type"):
        Output("t", object)


def test_a_result_that_a_handler_made_itself_keeps_the_schema() -> None:
    """Failures are exempt (TOOL-8)."""
    output = Output("t", int)
    good = CallResult((), structured={"result": 1})
    assert output.checked(good) is good
    failure = CallResult((), is_error=True)
    assert output.checked(failure) is failure
    for bad in (CallResult(()), CallResult((), structured={"result": "x"}), CallResult((), structured=None)):
        with pytest.raises((TypeError, ValueError)):
            output.checked(bad)
    with pytest.raises(WrongReturn):
        output.checked(CallResult((), structured={}))
    whole = CallResult((), structured={"x": 1})
    assert Output("t", Point).checked(whole) is whole


@pytest.mark.parametrize(
    "hint",
    [
        Any,
        None,
        type(None),
        CallResult,
        TextContent,
        list[TextContent],
        TextContent | None,
        Annotated[TextContent, "x"],
    ],
)
def test_content_and_nothing_are_no_structure(hint: Any) -> None:
    """Such a tool has no output schema."""
    assert told_structure(hint) is None


@pytest.mark.parametrize(
    ("hint", "told"), [(int, int), (list[int], list[int]), (Annotated[CallResult, Point], Point)]
)
def test_other_hints_are_the_structure(hint: Any, told: Any) -> None:
    """A tool may make its result itself and still say what its structure is."""
    assert told_structure(hint) is told or told_structure(hint) == told
