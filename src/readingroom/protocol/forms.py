"""Forms: the flat schemas that a person may be asked to fill in, and whether what they filled in fits (ELIC-3 to ELIC-6).

Strict and small: nothing is converted, and what the form does not ask for is refused. Pure; knows nothing of requests.
"""

from collections.abc import Callable
from typing import Any

from ..errors import UsageError
from .form_formats import FORMATS

Object = dict[str, Any]

EVERYWHERE = frozenset(("type", "title", "description", "default"))
"""What a field of any type may say of itself."""

FORM = frozenset(("type", "properties", "required", "$schema"))
"""What a form may say of itself."""

KEYWORDS = {
    "string": frozenset(("minLength", "maxLength", "format", "enum", "enumNames", "oneOf")),
    "number": frozenset(("minimum", "maximum")),
    "integer": frozenset(("minimum", "maximum")),
    "boolean": frozenset(),
    "array": frozenset(("items", "minItems", "maxItems")),
}
"""What a field may say besides, by its type."""

_COUNTS = ("minLength", "maxLength", "minItems", "maxItems")
# As names are compared: in small letters, without what is neither a letter nor a digit.
_SECRETS = frozenset(
    (
        *("password", "passwd", "passphrase", "passcode", "secret", "clientsecret"),
        *("apikey", "accesskey", "privatekey", "secretkey", "accesstoken", "refreshtoken", "authtoken"),
        *("creditcard", "creditcardnumber", "cardnumber", "cvv", "cvc"),
    )
)


def check_form(schema: object) -> None:
    """Raise UsageError unless `schema` is a form that a client can show (ELIC-3) and asks for no secret (ELIC-6)."""
    if not isinstance(schema, dict) or schema.get("type") != "object":
        raise UsageError('the schema of a form is an object with "type": "object"')
    properties = schema.get("properties")
    if not isinstance(properties, dict) or not _are_texts(tuple(properties)):
        raise UsageError("the schema of a form has properties, by name")
    _check_keys(schema, FORM, "the form")
    required = schema.get("required", [])
    if not _are_texts(required) or not all(name in properties for name in required):
        raise UsageError("required names properties of the form")
    for name, field in properties.items():
        _check_field(name, field)


def names_secret(name: str) -> bool:
    """Say whether a field is named like something that a form may not ask for (ELIC-6)."""
    return "".join(filter(str.isalnum, name.casefold())) in _SECRETS


def _check_field(name: str, field: object) -> None:
    if names_secret(name):
        raise UsageError(
            f"{name}: a secret is never asked for in a form, which passes through the client; use ElicitUrl"
        )
    kind = field.get("type") if isinstance(field, dict) else None
    if not isinstance(field, dict) or not isinstance(kind, str) or kind not in KEYWORDS:
        raise UsageError(
            f"{name}: a field is a string, number, integer, boolean or array of choices; nothing nests"
        )
    _check_keys(field, EVERYWHERE | KEYWORDS[kind], name)
    for keyword in ("title", "description"):
        if not isinstance(field.get(keyword, ""), str):
            raise UsageError(f"{name}: {keyword} is a text")
    _check_bounds(name, field)
    if kind == "string":
        _check_text_field(name, field)
    if kind == "array":
        _check_several(name, field)
    if "default" in field:
        fault = field_fault(field["default"], field)
        if fault:
            raise UsageError(f"{name}: the default does not fit: {fault}")


def _check_keys(schema: Object, known: frozenset[str], where: str) -> None:
    unknown = sorted(map(str, schema.keys() - known))
    if unknown:
        raise UsageError(
            f"{where}: {unknown[0]} is not among what a form may say ({', '.join(sorted(known))})"
        )


def _check_bounds(name: str, field: Object) -> None:
    for keyword in _COUNTS:
        count = field.get(keyword, 0)
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise UsageError(f"{name}: {keyword} is a whole number of at least 0")
    for keyword in ("minimum", "maximum"):
        if not _is_number(field.get(keyword, 0)):
            raise UsageError(f"{name}: {keyword} is a number")
    for least, most in (("minLength", "maxLength"), ("minItems", "maxItems"), ("minimum", "maximum")):
        if least in field and most in field and field[least] > field[most]:
            raise UsageError(f"{name}: nothing lies between {least} and {most}")


def _check_text_field(name: str, field: Object) -> None:
    if "format" in field and (not isinstance(field["format"], str) or field["format"] not in FORMATS):
        raise UsageError(f"{name}: format is one of {', '.join(FORMATS)}")
    if "enum" in field and "oneOf" in field:
        raise UsageError(f"{name}: choices are an enum or a oneOf, not both")
    if "oneOf" in field:
        _check_titled(name, field["oneOf"])
    if "enum" in field:
        _check_choices(name, field["enum"])
    names = field.get("enumNames")
    if names is not None and not (_are_texts(names) and len(names) == len(field.get("enum", ()))):
        raise UsageError(f"{name}: enumNames are as many texts as the enum has")


def _check_several(name: str, field: Object) -> None:
    items = field.get("items")
    if not isinstance(items, dict) or ("enum" in items) == ("anyOf" in items):
        raise UsageError(f"{name}: the items of an array are choices: an enum or an anyOf")
    if "anyOf" in items:
        _check_keys(items, frozenset(("anyOf",)), name)
        _check_titled(name, items["anyOf"])
        return
    _check_keys(items, frozenset(("type", "enum")), name)
    if items.get("type") != "string":
        raise UsageError(f"{name}: the choices of an array are strings")
    _check_choices(name, items["enum"])


def _check_choices(name: str, choices: object) -> None:
    if not _are_texts(choices) or not choices:
        raise UsageError(f"{name}: choices are texts, at least one")


def _check_titled(name: str, choices: object) -> None:
    is_whole = isinstance(choices, list | tuple) and all(
        isinstance(one, dict) and one.keys() == {"const", "title"} and _are_texts(tuple(one.values()))
        for one in choices
    )
    if not is_whole or not choices:
        raise UsageError(f"{name}: choices with titles are objects with const and title, at least one")


def content_fault(content: Object, schema: Object) -> str | None:
    """Say what in the filled-in form does not fit, naming the field; None when all fits (MRTR-14)."""
    properties = schema["properties"]
    for name in schema.get("required", ()):
        if name not in content:
            return f"{name} is missing"
    for name, value in content.items():
        if name not in properties:
            return "there is a field that was not asked for"
        fault = field_fault(value, properties[name])
        if fault:
            return f"{name}: {fault}"
    return None


def field_fault(value: object, field: Object) -> str | None:
    """Say why a value does not fit its field, or None."""
    return _FAULTS[field["type"]](value, field)


def _text_fault(value: Any, field: Object) -> str | None:
    if not isinstance(value, str):
        return "not a text"
    choices = [one["const"] for one in field["oneOf"]] if "oneOf" in field else field.get("enum")
    if choices is not None and value not in choices:
        return "not one of the choices"
    if not field.get("minLength", 0) <= len(value) <= field.get("maxLength", len(value)):
        return "too short or too long"
    if "format" in field and not FORMATS[field["format"]](value):
        return f"no {field['format']}"
    return None


def _number_fault(value: Any, field: Object) -> str | None:
    if not _is_number(value) or (field["type"] == "integer" and not isinstance(value, int)):
        return f"not of the type {field['type']}"
    if not field.get("minimum", value) <= value <= field.get("maximum", value):
        return "out of range"
    return None


def _boolean_fault(value: Any, _field: Object) -> str | None:
    return None if isinstance(value, bool) else "not true or false"


def _several_fault(value: Any, field: Object) -> str | None:
    if not _are_texts(value):
        return "not an array of texts"
    items = field["items"]
    choices = items["enum"] if "enum" in items else [one["const"] for one in items["anyOf"]]
    if not all(one in choices for one in value):
        return "not among the choices"
    if not field.get("minItems", 0) <= len(value) <= field.get("maxItems", len(value)):
        return "too few or too many"
    return None


_FAULTS: dict[str, Callable[[Any, Object], str | None]] = {
    "string": _text_fault,
    "number": _number_fault,
    "integer": _number_fault,
    "boolean": _boolean_fault,
    "array": _several_fault,
}


def _are_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value - value == 0
