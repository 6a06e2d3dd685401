"""Schemas given by hand: checked as they are, without any way to the network."""

from typing import Any

import pytest

from readingroom import CallResult, InvalidParams, UsageError
from readingroom.server.given_schema import GivenArguments, GivenOutput
from readingroom.server.schema import BadArguments

SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer"}, "k": {"$ref": "#/$defs/k"}},
    "required": ["n"],
    "if": {"properties": {"n": {"const": 1}}},
    "then": {"required": ["k"]},
    "$defs": {"k": {"type": "string", "minLength": 2}},
}


def test_arguments_are_handed_on_as_one_object() -> None:
    """When they keep the schema, which is published unchanged (SCH-6)."""
    given = GivenArguments("t", SCHEMA)
    assert given.decode(b'{"n":2,"more":[1]}') == {"n": 2, "more": [1]}
    assert given.decode(b'{"n":1.0,"k":"xx"}') == {"n": 1.0, "k": "xx"}
    assert given.schema is SCHEMA


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"{}", "n"),
        (b'{"n":"x"}', "^n: "),
        (b'{"n":true}', "^n: "),
        (b'{"n":1}', "k"),
        (b'{"n":2,"k":"x"}', "^k: "),
        (b'{"n":1e999}', "range"),
    ],
)
def test_a_fault_is_told_where_it_is(text: bytes, told: str) -> None:
    """With the words of the library."""
    with pytest.raises(BadArguments, match=told):
        GivenArguments("t", SCHEMA).decode(text)


def test_many_faults_are_told_at_once_but_not_all() -> None:
    """Ten are enough for a model to go on."""
    schema = {"type": "object", "additionalProperties": {"type": "string"}}
    text = b"{" + b",".join(b'"k%d":1' % number for number in range(50)) + b"}"
    with pytest.raises(BadArguments) as caught:
        GivenArguments("t", schema).decode(text)
    assert len(str(caught.value).splitlines()) == 10


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "array"},
        {"type": ["object", "null"]},
        {"type": "object", "properties": {"a": {"type": "no such type"}}},
        {"type": "object", "properties": {"a": {"$ref": "https://example.org/schema.json"}}},
        {"type": "object", "properties": {"a": {"$ref": "file:///etc/passwd"}}},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}},
        {"type": "object", "properties": {"a": {"pattern": "("}}},
    ],
)
@pytest.mark.parametrize("made", [GivenArguments, GivenOutput])
def test_a_schema_that_cannot_be_used_is_refused(schema: dict[str, Any], made: Any) -> None:
    """When the tool is registered; references to other places are never followed (SCH-2 to SCH-4)."""
    with pytest.raises(UsageError, match=r"^t: "):
        made("t", schema)


def test_output_is_checked_by_the_schema() -> None:
    """And is not wrapped, for it is an object (TOOL-8)."""
    output = GivenOutput("t", SCHEMA)
    assert (output.schema, output.wraps) == (SCHEMA, False)
    assert output.encode({"n": 2}) == b'{"n":2}'
    with pytest.raises(ValueError, match="required"):
        output.encode({})
    assert output.checked(CallResult((), structured={"n": 2}))
    with pytest.raises(ValueError, match="properties/n/type"):
        output.checked(CallResult((), structured={"n": "x"}))


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The base installation does not have it."""
    import sys

    monkeypatch.setitem(sys.modules, "jsonschema_rs", None)
    with pytest.raises(UsageError, match=r"readingroom\[schema\]"):
        GivenArguments("t", SCHEMA)


def test_arguments_that_are_no_object_are_no_arguments() -> None:
    """They are refused as parameters, not shown to a model as something to mend (D-4)."""
    with pytest.raises(InvalidParams):
        GivenArguments("t", SCHEMA).decode(b"[]")
