"""A tool's arguments from `key=value` words: what a value means is decided by the tool's input schema.

`key=value` is text where the schema allows text or says nothing; else the value is JSON of a type that the schema allows.
`key:=json` is always JSON. A key of an array may be given several times, once for each item. Pure.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from .faults import UsageFault

_WORD = re.compile(r"([^=]+?)(:?=)(.*)", re.DOTALL)
_NAMES = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    type(None): "null",
    list: "array",
    dict: "object",
}
_ALTERNATIVES = ("anyOf", "oneOf", "allOf")
_DEPTH = 16


def arguments_from(words: Sequence[str], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Read the words as one object.

    Raises: UsageFault, which names the key and what it takes.
    """
    arguments: dict[str, Any] = {}
    growing: set[str] = set()
    for word in words:
        found = _WORD.fullmatch(word)
        if found is None:
            raise UsageFault(f"an argument is written key=value, or key:=json; {word!r} is neither")
        key, sign, text = found.groups()
        value, is_item = _read(key, text, schema, is_json=sign == ":=")
        if key in arguments and not (is_item and key in growing):
            raise UsageFault(f"{key} is given twice")
        if is_item:
            growing.add(key)
            arguments.setdefault(key, []).append(value)
        else:
            arguments[key] = value
    return arguments


def _read(key: str, text: str, schema: Mapping[str, Any], *, is_json: bool) -> tuple[Any, bool]:
    """Give the value, and whether it is one item of a list that is given item by item."""
    if is_json:
        return _json(key, text), False
    described = _property(schema, key)
    kinds = types_of(described, schema)
    if "array" in kinds and "string" not in kinds and not text.lstrip().startswith("["):
        return _value(key, text, types_of(_items(described, schema), schema)), True
    return _value(key, text, kinds), False


def _json(key: str, text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise UsageFault(f"{key} must be JSON: {error}") from None


def _value(key: str, text: str, kinds: frozenset[str]) -> Any:
    if not kinds or "string" in kinds:
        return text
    expected = " or ".join(sorted(kinds))
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError):
        raise UsageFault(f"{key} takes JSON of type {expected}, not {text!r}") from None
    kind = _NAMES[type(value)]
    if (
        kind in kinds
        or (kind == "integer" and "number" in kinds)
        or (kind == "number" and "integer" in kinds)
    ):
        return value
    raise UsageFault(f"{key} takes JSON of type {expected}, not {kind}")


def types_of(described: Any, root: Mapping[str, Any], depth: int = _DEPTH) -> frozenset[str]:
    """Give the JSON types that a schema allows, as far as it says so plainly; empty when it does not."""
    if not isinstance(described, dict) or not depth:
        return frozenset()
    kind = described.get("type")
    if isinstance(kind, str):
        return frozenset((kind,))
    if isinstance(kind, list):
        return frozenset(name for name in kind if isinstance(name, str))
    values = described.get("enum", [described["const"]] if "const" in described else None)
    if isinstance(values, list):
        return frozenset(_NAMES[type(value)] for value in values)
    if isinstance(described.get("$ref"), str):
        return types_of(_referred(root, described["$ref"]), root, depth - 1)
    for name in _ALTERNATIVES:
        if isinstance(described.get(name), list):
            return frozenset().union(*(types_of(part, root, depth - 1) for part in described[name]))
    return frozenset()


def _property(schema: Mapping[str, Any], key: str) -> Any:
    properties = schema.get("properties")
    return properties.get(key) if isinstance(properties, dict) else None


def _items(described: Any, root: Mapping[str, Any], depth: int = _DEPTH) -> Any:
    """Give the schema of an array's items, wherever the description keeps it."""
    if not isinstance(described, dict) or not depth:
        return None
    if "items" in described:
        return described["items"]
    if isinstance(described.get("$ref"), str):
        return _items(_referred(root, described["$ref"]), root, depth - 1)
    parts = [part for name in _ALTERNATIVES for part in _parts(described, name)]
    return next((found for part in parts if (found := _items(part, root, depth - 1)) is not None), None)


def _parts(described: Mapping[str, Any], name: str) -> list[Any]:
    parts = described.get(name)
    return parts if isinstance(parts, list) else []


def _referred(root: Mapping[str, Any], reference: str) -> Any:
    """Follow a reference within the document (`#/$defs/Note`); nothing is ever fetched."""
    if not reference.startswith("#"):
        return None
    found: Any = root
    for part in reference.removeprefix("#").split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        found = found.get(name) if isinstance(found, dict) else None
    return found
