"""Fields of a form as a person sees them, and what is typed read into values that fit."""

from typing import Any

import pytest

from readingroom.apps import form_fields

TITLED = {"type": "string", "oneOf": [{"const": "r", "title": "Red"}, {"const": "g", "title": "Green\x1b"}]}
SEVERAL = {
    "type": "array",
    "items": {"type": "string", "enum": ["a", "b", "c"]},
    "minItems": 1,
    "maxItems": 2,
}


@pytest.mark.parametrize(
    ("field", "typed", "value"),
    [
        ({"type": "string"}, " as it is ", " as it is "),
        ({"type": "integer"}, " 5 ", 5),
        ({"type": "number"}, "2.5", 2.5),
        ({"type": "boolean"}, "Yes", True),
        ({"type": "boolean"}, "n", False),
        ({"type": "string", "enum": ["a", "b"]}, "2", "b"),
        ({"type": "string", "enum": ["a", "b"]}, "a", "a"),
        ({"type": "string", "enum": ["2", "1"]}, "1", "1"),
        (TITLED, "Red", "r"),
        (TITLED, "2", "g"),
        (SEVERAL, "1, c", ["a", "c"]),
        ({**SEVERAL, "minItems": 0}, "none", []),
    ],
)
def test_values(field: dict[str, Any], typed: str, value: Any) -> None:
    """Text as it is, numbers, yes or no, choices by number or written out."""
    assert form_fields.value_from(typed, field) == value


@pytest.mark.parametrize(
    ("field", "typed", "told"),
    [
        ({"type": "integer"}, "5.5", "not of the type integer"),
        ({"type": "integer"}, "five", "not of the type integer"),
        ({"type": "integer", "minimum": 1, "maximum": 3}, "9", r"out of range \(1 to 3\)"),
        ({"type": "number", "minimum": 1}, "0", r"out of range \(at least 1\)"),
        ({"type": "number", "maximum": 1}, "NaN", "not of the type number"),
        ({"type": "number", "maximum": 1}, "1e999", "not of the type number"),
        ({"type": "number"}, "\ud800", "not of the type number"),
        ({"type": "boolean"}, "maybe", "yes or no"),
        ({"type": "string", "maxLength": 3}, "long", r"too short or too long \(at most 3 characters\)"),
        ({"type": "string", "format": "email"}, "x", "no email"),
        ({"type": "string", "enum": ["a", "b"]}, "3", "a number from 1 to 2"),
        ({"type": "string", "enum": ["a", "b"]}, "٢", "a number from 1 to 2"),
        ({"type": "string", "enum": ["a", "b"]}, "0", "a number from 1 to 2"),
        (SEVERAL, "1,2,3", r"too few or too many \(1 to 2 of them\)"),
        (SEVERAL, "x", "a number from 1 to 3"),
    ],
)
def test_what_does_not_fit(field: dict[str, Any], typed: str, told: str) -> None:
    """It is refused with what would fit."""
    with pytest.raises(form_fields.Unreadable, match=told):
        form_fields.value_from(typed, field)


def test_what_is_told_of_a_field() -> None:
    """Name, title, kind, description, choices by number; all harmless."""
    lines = form_fields.told(
        "colour", {**TITLED, "title": "Colour", "description": "Any\u202e"}, is_required=False
    )
    assert lines == [
        "Colour (colour): one of these, by number, may be left out",
        "  Any⟨U+202E⟩",
        "  1  Red (r)",
        "  2  Green⟨U+001B⟩ (g)",
    ]
    assert form_fields.told("n", {"type": "integer", "minimum": 1}, is_required=True) == [
        "n: whole number (at least 1)"
    ]
    assert form_fields.told("x", SEVERAL, is_required=True)[0].startswith("x: several of these")


def test_names_of_choices() -> None:
    """enumNames are what choices are called."""
    field = {"type": "string", "enum": ["a", "b"], "enumNames": ["A!", "B!"]}
    assert form_fields.choices_of(field) == [("a", "A!"), ("b", "B!")]


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "yes"), (False, "no"), (["a", "b"], "a, b"), ([], "none"), (1.5, "1.5"), ("\x1b", "⟨U+001B⟩")],
)
def test_values_as_texts(value: Any, text: str) -> None:
    """A value is shown as it would be typed."""
    assert form_fields.value_text(value) == text
