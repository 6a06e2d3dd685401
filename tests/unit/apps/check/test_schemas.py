"""Schemas of a server: whether they can be used, small values that fit them, and values against them."""

import sys
from typing import Any

import pytest

from readingroom.apps.check.schemas import broken_by, fault_of, fitting, foreign_reference
from readingroom.errors import UsageError


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {
            "type": "object",
            "properties": {"a": {"type": "string", "minLength": 3}, "b": {}},
            "required": ["a"],
        },
        {"type": "object", "properties": {"a": {"const": 5}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"enum": ["x", "y"]}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"type": "integer", "minimum": 7}}, "required": ["a"]},
        {
            "type": "object",
            "properties": {"a": {"type": "number", "exclusiveMinimum": 0.5}},
            "required": ["a"],
        },
        {"type": "array", "items": {"type": "boolean"}, "minItems": 2},
        {"anyOf": [{"type": "null"}, {"type": "string"}]},
        {"type": ["integer", "null"]},
        {"type": "string", "examples": ["2026-11-30"], "format": "date"},
        {"default": 3, "type": "integer"},
    ],
)
def test_fitting_values(schema: dict[str, Any]) -> None:
    """What is made from a schema keeps it."""
    assert broken_by(schema, fitting(schema)) is None


def test_fitting_ends() -> None:
    """Also for what has no end, and for what is no schema."""
    endless: dict[str, Any] = {"type": "object", "required": ["a"]}
    endless["properties"] = {"a": endless}
    assert isinstance(fitting(endless), dict)
    assert fitting(None) == "a"


def test_faults() -> None:
    """A schema that is not valid, and one whose reference leads nowhere, are told apart."""
    assert fault_of({"type": "object"}) is None
    assert fault_of({"$ref": "#/$defs/a", "$defs": {"a": {"type": "null"}}}) is None
    wrong, lost = fault_of({"type": "text"}), fault_of({"$ref": "#/$defs/none"})
    assert wrong is not None
    assert not wrong.is_reference
    assert lost is not None
    assert lost.is_reference
    with pytest.raises(UsageError, match="meta-schema"):
        fault_of({"$schema": "https://x.example/dialect", "type": "object"})


def test_broken_values() -> None:
    """The first fault is told."""
    assert "integer" in str(broken_by({"type": "integer"}, "1"))


def test_references_to_the_network() -> None:
    """Found wherever they stand, and never fetched."""
    schema = {"anyOf": [{"properties": {"a": {"$ref": "https://x.example/a"}}}]}
    assert foreign_reference(schema) == "https://x.example/a"
    assert foreign_reference({"$ref": "#/a", "enum": ["https://x.example"]}) is None
    deep: dict[str, Any] = {"$ref": "http://x.example"}
    for _ in range(50):
        deep = {"not": deep}
    assert foreign_reference(deep) is None


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what to install."""
    monkeypatch.setitem(sys.modules, "jsonschema_rs", None)
    with pytest.raises(UsageError, match=r"readingroom\[schema\]"):
        fault_of({})
