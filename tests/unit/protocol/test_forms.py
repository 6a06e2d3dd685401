"""Forms: which schemas are forms, and which contents fit them."""

from typing import Any

import pytest

from readingroom.errors import UsageError
from readingroom.protocol.form_formats import FORMATS
from readingroom.protocol.forms import check_form, content_fault, field_fault

TITLED = [{"const": "a", "title": "A"}, {"const": "b", "title": "B"}]
FIELDS: list[dict[str, Any]] = [
    {"type": "string"},
    {"type": "string", "title": "T", "description": "D", "minLength": 1, "maxLength": 3, "default": "abc"},
    {"type": "string", "format": "email", "default": "a@b.c"},
    {"type": "string", "enum": ["a", "b"], "default": "b"},
    {"type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"]},
    {"type": "string", "oneOf": TITLED, "default": "a"},
    {"type": "number", "minimum": 0.5, "maximum": 2, "default": 1},
    {"type": "integer", "minimum": 1, "maximum": 1, "default": 1},
    {"type": "boolean", "default": False},
    {
        "type": "array",
        "items": {"type": "string", "enum": ["a"]},
        "minItems": 0,
        "maxItems": 1,
        "default": [],
    },
    {"type": "array", "items": {"anyOf": TITLED}, "default": ["b", "a"]},
]
BAD_FIELDS: list[Any] = [
    None,
    "string",
    {},
    {"type": "object"},
    {"type": "null"},
    {"type": ["string"]},
    {"type": {}},
    {"type": "string", "pattern": "a"},
    {"type": "string", "minimum": 1},
    {"type": "string", "title": 1},
    {"type": "string", "description": None},
    {"type": "string", "minLength": -1},
    {"type": "string", "minLength": 1.5},
    {"type": "string", "maxLength": True},
    {"type": "string", "minLength": 2, "maxLength": 1},
    {"type": "string", "format": "ipv4"},
    {"type": "string", "format": ["email"]},
    {"type": "string", "enum": []},
    {"type": "string", "enum": [1]},
    {"type": "string", "enum": "ab"},
    {"type": "string", "enum": ["a"], "oneOf": TITLED},
    {"type": "string", "enumNames": ["A"]},
    {"type": "string", "enum": ["a"], "enumNames": ["A", "B"]},
    {"type": "string", "enum": ["a"], "enumNames": "A"},
    {"type": "string", "oneOf": []},
    {"type": "string", "oneOf": [{"const": "a"}]},
    {"type": "string", "oneOf": [{"const": 1, "title": "A"}]},
    {"type": "string", "oneOf": {"const": "a", "title": "A"}},
    {"type": "string", "default": 1},
    {"type": "string", "enum": ["a"], "default": "b"},
    {"type": "number", "minimum": "1"},
    {"type": "number", "maximum": float("nan")},
    {"type": "number", "minimum": 2, "maximum": 1},
    {"type": "number", "default": float("inf")},
    {"type": "integer", "default": 1.5},
    {"type": "boolean", "default": 1},
    {"type": "boolean", "enum": [True]},
    {"type": "array"},
    {"type": "array", "items": []},
    {"type": "array", "items": {"type": "string"}},
    {"type": "array", "items": {"type": "integer", "enum": ["a"]}},
    {"type": "array", "items": {"type": "string", "enum": ["a"], "minLength": 1}},
    {"type": "array", "items": {"type": "string", "enum": ["a"], "anyOf": TITLED}},
    {"type": "array", "items": {"type": "string", "anyOf": TITLED}},
    {"type": "array", "items": {"anyOf": [1]}},
    {"type": "array", "items": {"anyOf": TITLED}, "minItems": 2, "maxItems": 1},
    {"type": "array", "items": {"anyOf": TITLED}, "default": "a"},
]


def form(**properties: Any) -> dict[str, Any]:
    """A schema with these fields."""
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize("field", FIELDS, ids=repr)
def test_what_may_be_in_a_form(field: dict[str, Any]) -> None:
    """Every field that the protocol names, with its default (ELIC-3)."""
    check_form(form(a=field))
    check_form(
        {**form(a=field), "required": ["a"], "$schema": "https://json-schema.org/draft/2020-12/schema"}
    )


@pytest.mark.parametrize("field", BAD_FIELDS, ids=repr)
def test_what_may_not(field: Any) -> None:
    """It is refused when the form is made, with the field's name (ELIC-3)."""
    with pytest.raises(UsageError, match=r"^a_field: "):
        check_form(form(a_field=field))


@pytest.mark.parametrize(
    "schema",
    [
        None,
        [],
        {},
        {"type": "array"},
        {"type": "object"},
        {"type": "object", "properties": []},
        {"type": "object", "properties": {1: {"type": "string"}}},
        {"type": "object", "properties": {}, "required": ["a"]},
        {"type": "object", "properties": {}, "required": "a"},
        {"type": "object", "properties": {}, "required": [[]]},
        {"type": "object", "properties": {}, "additionalProperties": False},
        {"type": "object", "properties": {}, "title": "T"},
    ],
    ids=repr,
)
def test_what_is_no_form(schema: Any) -> None:
    """A form is an object with properties, and says which of them are required."""
    with pytest.raises(UsageError):
        check_form(schema)


@pytest.mark.parametrize(
    "name", ["password", "Password", "pass_phrase", "API-Key", "apiKey", "access_token", "CVV", "card number"]
)
def test_a_secret_is_not_asked_for(name: str) -> None:
    """A form passes through the client (ELIC-6)."""
    with pytest.raises(UsageError, match="use ElicitUrl"):
        check_form(form(**{name: {"type": "string"}}))
    check_form(form(password_policy={"type": "string"}, tokens={"type": "integer"}))


def check(field: dict[str, Any], good: list[Any], bad: list[Any]) -> None:
    """Each of the good ones fits and none of the bad ones does."""
    assert [value for value in good if field_fault(value, field)] == []
    assert [value for value in bad if not field_fault(value, field)] == []


def test_texts() -> None:
    """Nothing else is a text, and its length is counted in characters."""
    field = {"type": "string", "minLength": 2, "maxLength": 3}
    check(field, ["ab", "日本語"], ["a", "abcd", 12, None, True, ["ab"], {}])
    check({"type": "string"}, [""], [0, b"a"])


def test_numbers() -> None:
    """True is none, and an integer has no point."""
    check(
        {"type": "number", "minimum": -1, "maximum": 2},
        [-1, 0.5, 2.0],
        [3, -1.5, "1", True, None, float("nan")],
    )
    check({"type": "integer", "minimum": 1}, [1, 10**30], [0, 1.0, 1.5, "1", True])


def test_booleans() -> None:
    """Neither a number nor a word is one."""
    check({"type": "boolean"}, [True, False], [0, 1, "true", None])


def test_choices() -> None:
    """One of them, spelled the same."""
    check({"type": "string", "enum": ["a", "b"]}, ["a", "b"], ["A", "", "c", ["a"]])
    check({"type": "string", "oneOf": TITLED}, ["a", "b"], ["A"])


def test_several_choices() -> None:
    """An array of choices, neither too few nor too many."""
    field = {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "minItems": 1, "maxItems": 2}
    check(field, [["a"], ["b", "a"]], [[], ["a", "b", "a"], ["c"], "a", [1], None, {"a": 1}])
    check({"type": "array", "items": {"anyOf": TITLED}}, [[], ["b"]], [["A"]])


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        (
            "email",
            ["a@b", "first.last+tag@sub.example.org", "ü@bücher.example"],
            [
                "",
                "a",
                "@b",
                "a@",
                "a@b@c",
                "a b@c",
                "a@b..c",
                "a@-b",
                "a@b-",
                ".a@b",
                "a.@b",
                "a..b@c",
                "a@b/c",
                "a\n@b",
                "a" * 250 + "@b.cd",
            ],
        ),
        (
            "uri",
            ["https://example.org/a?b#c", "mailto:a@b", "urn:x:y", "a:%20"],
            ["", "example.org", "/a", "https:", "http://a b", "1a:b", "a:%2", "https://ü.example", "a:b\n"],
        ),
        (
            "date",
            ["2026-11-30", "2024-02-29"],
            [
                "",
                "2026-2-3",
                "2026-13-01",
                "2025-02-29",
                "20261130",
                "2026-W01-1",
                "2026-11-30 ",
                "２０２６-11-30",
            ],
        ),
        (
            "date-time",
            ["2026-11-30T09:30:00Z", "2026-11-30t23:59:60.123z", "2026-11-30T00:00:00+14:00"],
            [
                "",
                "2026-11-30",
                "2026-11-30T09:30:00",
                "2026-11-30 09:30:00Z",
                "2026-11-30T24:00:00Z",
                "2026-11-31T09:30:00Z",
                "2026-11-30T09:30Z",
                "2026-11-30T09:30:00+1400",
                "2026-11-30T09:30:00Z\n",
            ],
        ),
    ],
)
def test_formats(name: str, good: list[str], bad: list[str]) -> None:
    """As people write them, and as the standards do (ELIC-3)."""
    assert [text for text in good if not FORMATS[name](text)] == []
    assert [text for text in bad if FORMATS[name](text)] == []
    check({"type": "string", "format": name}, good, bad)


def test_content() -> None:
    """Fields are checked by name; what is required is there, and what was not asked for is not."""
    schema = {**form(a={"type": "string"}, b={"type": "integer"}), "required": ["a"]}
    check_form(schema)
    assert content_fault({"a": "x"}, schema) is None
    assert content_fault({"a": "x", "b": 1}, schema) is None
    assert content_fault({"b": 1}, schema) == "a is missing"
    assert content_fault({"a": "x", "b": "1"}, schema) == "b: not of the type integer"
    assert content_fault({"a": "x", "c": "secret"}, schema) == "there is a field that was not asked for"
    assert content_fault({}, form()) is None
