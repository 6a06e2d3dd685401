"""The fields of a form that a server asks for, as a person sees them at a terminal, and what is typed read into a value.

Pure. Texts of the server are shown harmlessly; a value is checked by the form's own rules before it is taken.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from ..protocol.forms import field_fault
from .characters import one_line

Object = dict[str, Any]
_YES, _NO = ("yes", "y", "true"), ("no", "n", "false")


class Unreadable(ValueError):
    """What was typed is no value of the field; the text says what is."""


def choices_of(field: Object) -> list[tuple[str, str]]:
    """Give the values that a field may take, each with what it is called; none where any may be typed."""
    source = field.get("items", field) if field["type"] == "array" else field
    titled = source.get("oneOf") or source.get("anyOf")
    if titled:
        return [(one["const"], one["title"]) for one in titled]
    values = source.get("enum", [])
    return list(zip(values, source.get("enumNames", values), strict=False))


def told(name: str, field: Object, *, is_required: bool) -> list[str]:
    """Give the lines that say what a field is: its name, what is said of it, its choices and its default."""
    title = one_line(field.get("title") or name)
    called = title if title == one_line(name) else f"{title} ({one_line(name)})"
    lines = [f"{called}: {_kind(field)}{'' if is_required else ', may be left out'}"]
    if field.get("description"):
        lines.append(f"  {one_line(field['description'])}")
    for number, (value, said) in enumerate(choices_of(field), 1):
        shown = one_line(said) if said == value else f"{one_line(said)} ({one_line(value)})"
        lines.append(f"  {number}  {shown}")
    return lines


def value_text(value: Any) -> str:
    """Give a value as a person would type it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(value_text, value)) or "none"
    return one_line(value) if isinstance(value, str) else msgspec.json.encode(value).decode()


def value_from(typed: str, field: Object) -> Any:
    """Read what was typed. Raises: Unreadable."""
    value = _read(typed, field)
    fault = field_fault(value, field)
    if fault:
        raise Unreadable(f"that is {fault}{_bounds(field)}")
    return value


def _read(typed: str, field: Object) -> Any:
    kind = field["type"]
    if kind == "boolean":
        return _boolean(typed)
    if kind == "array":
        words = [] if typed.strip().casefold() == "none" else [word.strip() for word in typed.split(",")]
        return [_chosen(word, choices_of(field)) for word in words]
    if kind == "string":
        choices = choices_of(field)
        return _chosen(typed, choices) if choices else typed
    try:
        return msgspec.json.decode(typed.strip(), type=int | float)
    except (msgspec.DecodeError, UnicodeEncodeError):
        raise Unreadable(f"that is not of the type {kind}{_bounds(field)}") from None


def _boolean(typed: str) -> bool:
    word = typed.strip().casefold()
    if word in _YES:
        return True
    if word in _NO:
        return False
    raise Unreadable("type yes or no")


def _chosen(typed: str, choices: Sequence[tuple[str, str]]) -> str:
    """Give the choice of a number, or the one that was written out."""
    word = typed.strip()
    for value, said in choices:
        if typed == value or word in (value, said):
            return value
    if word.isascii() and word.isdecimal() and len(word) < 8 and 1 <= int(word) <= len(choices):
        return choices[int(word) - 1][0]
    raise Unreadable(f"type a number from 1 to {len(choices)}")


def _kind(field: Object) -> str:
    kind = str(field["type"])
    if kind == "array":
        return "several of these, as numbers with commas, or none" + _bounds(field)
    if choices_of(field):
        return "one of these, by number"
    names = {"string": "text", "boolean": "yes or no", "integer": "whole number"}
    return str(field.get("format") or names.get(kind, kind)) + _bounds(field)


def _bounds(field: Object) -> str:
    units = {"minLength": "characters", "minItems": "of them", "minimum": ""}
    for least, most in (("minLength", "maxLength"), ("minItems", "maxItems"), ("minimum", "maximum")):
        low, high = field.get(least), field.get(most)
        if low is None and high is None:
            continue
        span = (
            f"{low} to {high}"
            if None not in (low, high)
            else f"at least {low}"
            if high is None
            else f"at most {high}"
        )
        return f" ({span} {units[least]}".rstrip() + ")"
    return ""
