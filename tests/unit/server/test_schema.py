"""Hints to schemas and decoders that agree: closed, strict, without coercion."""

import dataclasses
import re
from typing import Annotated, Any, Literal, TypedDict

import msgspec
import pytest

from readingroom import UsageError
from readingroom.server.schema import Arguments, BadArguments, explain
from readingroom.server.signature import Parameter


class Point(msgspec.Struct):
    """A place."""

    x: int
    y: float = 0.0


def arguments(**hints: Any) -> Arguments:
    """Arguments with those hints, all required."""
    return Arguments("t", tuple(Parameter(name, hint) for name, hint in hints.items()))


@pytest.mark.parametrize(
    "hint",
    [
        Literal["a", "b"] | None,
        Literal["a", "b"],
        dict[str, str] | None,
        list[Literal["x", "y"]] | Literal["p", "q"],
    ],
)
def test_what_a_hint_is_made_of_does_not_describe_it(hint: Any) -> None:
    """Only `Annotated` has words beside the type; the parameter's own description counts with any hint."""
    assert "description" not in arguments(a=hint).schema["properties"]["a"]
    described = Arguments("t", (Parameter("a", hint, description="Which."),)).schema["properties"]["a"]
    assert described["description"] == "Which."


def test_the_schema_is_closed_and_names_what_is_required() -> None:
    """With descriptions and defaults where there are any, and no titles (TOOL-5)."""
    parameters = (
        Parameter("a", int, description="A number."),
        Parameter("b", Annotated[str, "Some text."], "x"),
        Parameter("c", Annotated[int, msgspec.Meta(ge=0, description="At least none.")], 3, "Not this."),
        Parameter("d", list[str], ["y"]),
        Parameter("e", int | None, None),
        Parameter("f", Annotated[Annotated[int, msgspec.Meta(le=9)], object()]),
    )
    assert Arguments("t", parameters).schema == {
        "type": "object",
        "properties": {
            "a": {"type": "integer", "description": "A number."},
            "b": {"type": "string", "description": "Some text.", "default": "x"},
            "c": {"type": "integer", "minimum": 0, "description": "At least none.", "default": 3},
            "d": {"type": "array", "items": {"type": "string"}},
            "e": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "f": {"type": "integer", "maximum": 9},
        },
        "required": ["a", "f"],
        "additionalProperties": False,
    }


def test_tuples_are_said_without_a_bare_false() -> None:
    """The schema of a tuple bounds its length, and names its parts once when they are alike; values are left alone."""
    described = Arguments(
        "t",
        (
            Parameter("alike", tuple[int, int]),
            Parameter("mixed", list[tuple[int, str]]),
            Parameter("default", dict[str, tuple[Point, Point]]),
            Parameter("any_length", tuple[int, ...]),
            Parameter("settings", dict[str, Any], {"prefixItems": [1], "items": False, "maxItems": 1}),
        ),
    )
    found = described.schema["properties"]
    pair = {"type": "array", "minItems": 2, "maxItems": 2}
    assert found["alike"] == {**pair, "items": {"type": "integer"}}
    assert found["mixed"]["items"] == {**pair, "prefixItems": [{"type": "integer"}, {"type": "string"}]}
    assert found["default"]["additionalProperties"] == {**pair, "items": {"$ref": "#/$defs/Point"}}
    assert found["any_length"] == {"type": "array", "items": {"type": "integer"}}
    record: Any = described.decode(b'{"alike":[1,2],"mixed":[[1,"a"]],"default":{},"any_length":[]}')
    assert record.settings == {"prefixItems": [1], "items": False, "maxItems": 1}
    for broken in (b"[1]", b"[1,2,3]"):
        with pytest.raises(BadArguments):
            described.decode(b'{"alike":' + broken + b',"mixed":[],"default":{},"any_length":[]}')


def test_a_tool_without_arguments_takes_an_empty_object() -> None:
    """And nothing else (TOOL-5)."""
    none = arguments()
    assert none.schema == {"type": "object", "properties": {}, "additionalProperties": False}
    assert msgspec.structs.astuple(none.decode(b"{}")) == ()
    with pytest.raises(BadArguments):
        none.decode(b'{"a":1}')


def test_records_are_named_parts_of_the_schema() -> None:
    """Without the titles that only repeat their names."""
    assert arguments(p=Point).schema["$defs"] == {
        "Point": {
            "description": "A place.",
            "type": "object",
            "properties": {"x": {"type": "integer"}, "y": {"type": "number", "default": 0.0}},
            "required": ["x"],
            "additionalProperties": False,
        }
    }


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (int, b'"7"'),
        (int, b"true"),
        (int, b"1.5"),
        (int, b"null"),
        (str, b"7"),
        (bool, b"1"),
        (bool, b'"yes"'),
        (float, b'"1.5"'),
        (float, b"true"),
        (list[int], b'[1,"2"]'),
        (list[int], b"{}"),
        (Point, b'{"x":1,"y":"2"}'),
        (Annotated[int, msgspec.Meta(ge=0)], b"-1"),
        (str | None, b"7"),
    ],
)
def test_nothing_is_coerced(hint: Any, text: bytes) -> None:
    """A value of another type is told where it stands, and what was expected (TOOL-7)."""
    with pytest.raises(BadArguments, match=r"^v"):
        arguments(v=hint).decode(b'{"v":' + text + b"}")


@pytest.mark.parametrize(
    ("hint", "text", "value"),
    [
        (int, b"1.0", 1),
        (int, b"-2e2", -200),
        (int | None, b"1.0", 1),
        (list[int], b"[1.0,2]", [1, 2]),
        (float, b"1", 1.0),
        (dict[str, int], b'{"a":3.0}', {"a": 3}),
        (str | int, b"1.0", 1),
        (float, b"1.0", 1.0),
    ],
)
def test_a_whole_number_is_an_integer_however_it_is_written(hint: Any, text: bytes, value: Any) -> None:
    """As JSON Schema says (SCH-7)."""
    (found,) = msgspec.structs.astuple(arguments(v=hint).decode(b'{"v":' + text + b"}"))
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"{}", "arguments: object missing required field `a`"),
        (b'{"a":1,"z":1}', "arguments: object contains unknown field `z`"),
        (b'{"a":"x"}', "a: expected `int`, got `str`"),
        (b'{"a":1e999}', "out of range"),
        (b'{"a":[1e999]}', "got `array`"),
    ],
)
def test_a_fault_is_told_where_it_is_and_what_it_is(text: bytes, told: str) -> None:
    """In words that a model can act on."""
    with pytest.raises(BadArguments, match=told.replace("[", r"\[")):
        arguments(a=int).decode(text)


def test_text_that_is_no_json_is_told_too() -> None:
    """The frame has been read before, so only depth and ranges are left; whatever it is, it is a fault of the arguments."""
    with pytest.raises(BadArguments):
        arguments(a=Any).decode(b'{"a":')
    with pytest.raises(BadArguments):
        arguments(a=Any).decode(b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}")
    with pytest.raises(BadArguments):
        arguments(a=int).decode(b'{"a":"x"')


def test_mutable_defaults_are_not_shared() -> None:
    """Each call gets its own."""
    given = Arguments("t", (Parameter("a", list[int], [1]),))
    (first,) = msgspec.structs.astuple(given.decode(b"{}"))
    first.append(2)
    assert msgspec.structs.astuple(given.decode(b"{}")) == ([1],)


@pytest.mark.parametrize("hint", [object, complex, type, int | list[int] | set[int]])
def test_a_hint_that_json_does_not_have_is_refused(hint: Any) -> None:
    """When the tool is registered."""
    with pytest.raises(UsageError, match=r"^t: parameter 'a': the hint"):
        arguments(a=hint)


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("Expected `int`, got `str` - at `$.a`", "a: expected `int`, got `str`"),
        ("Expected `int`, got `str` - at `$.a[0].b`", "a[0].b: expected `int`, got `str`"),
        ("Expected `int`, got `str` - at `$[...]`", "arguments[...]: expected `int`, got `str`"),
        ("Object missing required field `a`", "arguments: object missing required field `a`"),
        ("Something else", "Something else"),
    ],
)
def test_the_decoders_words_are_put_in_order(message: str, told: str) -> None:
    """Where, then what."""
    assert explain(message) == told


class Inner(msgspec.Struct):
    """A record that forbids nothing by itself."""

    n: int
    inner: "list[Inner]" = []


class InnerNames(TypedDict):
    """The same as a dict."""

    n: int


@dataclasses.dataclass
class InnerData:
    """The same of the standard library."""

    n: int


class Choice(msgspec.Struct, forbid_unknown_fields=True):
    """A record with a choice in it."""

    way: Literal["in", "out"] = "in"
    places: list[Point] = []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b'{"op":1}', "arguments: object contains unknown field `op`; its fields are a, b, c, d, e"),
        (b'{"a":"merge"}', "a: invalid enum value 'merge'; it is one of x, y"),
        (b'{"a":3}', "a: expected `str | null`, got `int`"),
        (b'{"b":[{"wy":1}]}', "b[0]: object contains unknown field `wy`; its fields are way, places"),
        (b'{"b":[{},{"way":"up"}]}', "b[1].way: invalid enum value 'up'; it is one of in, out"),
        (
            b'{"b":[{"places":[{"x":1,"z":1}]}]}',
            "b[0].places[0]: object contains unknown field `z`; its fields are x, y",
        ),
        (b'{"c":{"k":{"wy":1}}}', "c[...]: object contains unknown field `wy`; its fields are way, places"),
        (b'{"d":[1,{"wy":1}]}', "d[1]: object contains unknown field `wy`; its fields are way, places"),
        (b'{"e":5}', "e: invalid enum value 5; it is one of 1, 2"),
    ],
)
def test_a_refusal_names_what_is_allowed_there(text: bytes, told: str) -> None:
    """The fields of the record, or the values of the choice, wherever in the arguments it is."""
    made = Arguments(
        "t",
        (
            Parameter("a", Literal["x", "y"] | None, None),
            Parameter("b", tuple[Choice, ...], ()),
            Parameter("c", dict[str, Choice], {}),
            Parameter("d", tuple[int, Choice] | None, None),
            Parameter("e", Literal[1, 2], 1),
        ),
    )
    with pytest.raises(BadArguments) as caught:
        made.decode(text)
    assert str(caught.value) == told


def test_of_many_values_some_are_named() -> None:
    """A model needs no page of them; and a mapping has no fields to name."""
    fields = tuple(Parameter(f"p{number}", int, 0) for number in range(50))
    with pytest.raises(BadArguments) as caught:
        Arguments("t", fields).decode(b'{"op":1}')
    assert str(caught.value).endswith("p38, p39, …")
    with pytest.raises(BadArguments, match=r"unknown field `op`$"):
        Arguments("t", ()).decode(b'{"op":1}')


@pytest.mark.parametrize("hint", [Inner, InnerNames, InnerData])
@pytest.mark.parametrize(
    ("shape", "text", "where"),
    [
        (lambda hint: hint, b'{"v":%b}', "v"),
        (lambda hint: list[hint], b'{"v":[%b]}', "v[0]"),
        (lambda hint: hint | None, b'{"v":%b}', "v"),
        (lambda hint: Annotated[hint, msgspec.Meta(description="d")], b'{"v":%b}', "v"),
        (lambda hint: dict[str, hint], b'{"v":{"key":%b}}', "v.key"),
        (lambda hint: tuple[int, hint], b'{"v":[1,%b]}', "v[1]"),
    ],
)
def test_records_inside_are_closed_as_well(hint: Any, shape: Any, text: bytes, where: str) -> None:
    """By the schema and by the decoder, which gives the handler's own classes all the same (TOOL-5)."""
    made = Arguments("t", (Parameter("v", shape(hint)),))
    assert made.schema["$defs"][hint.__name__]["additionalProperties"] is False
    assert made.decode(text % b'{"n":1}')
    for number in (b"1", b"1.0"):
        with pytest.raises(BadArguments, match=re.escape(f"{where}: object contains unknown field `zz`")):
            made.decode(text % (b'{"n":%b,"zz":2}' % number))


def test_a_class_is_left_as_it_is() -> None:
    """What a handler gets equals what it makes itself."""
    (value,) = msgspec.structs.astuple(Arguments("t", (Parameter("v", Inner),)).decode(b'{"v":{"n":1}}'))
    assert (type(value), value) == (Inner, Inner(1))
    assert msgspec.json.decode(b'{"n":1,"zz":2}', type=Inner) == Inner(1)


def test_parameters_that_no_record_has_are_refused() -> None:
    """Each could be used by itself."""
    with pytest.raises(UsageError, match="its parameters cannot be read from JSON"):
        Arguments("t", (Parameter("a b", int),))
