"""JSON Schemas of a server: whether they can be used, arguments that fit one, and values against one.

Nothing is ever fetched. Needs jsonschema-rs, which the extra `schema` installs.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from ...errors import UsageError
from .frames import as_list, as_object

_DEPTH = 32
# What the library says of a reference that it cannot follow.
_LEADS_NOWHERE = ("does not exist", "references to other places", "is not present in a registry")


class Fault(msgspec.Struct, frozen=True):
    """Why a schema cannot be used."""

    detail: str
    is_reference: bool


def fault_of(schema: dict[str, Any]) -> Fault | None:
    """Say why a schema cannot be used, or None. Raises: UsageError when it cannot be compiled here at all."""
    jsonschema_rs = _library()
    try:
        jsonschema_rs.validator_for(schema, retriever=_refuse)
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        told = str(error).partition("\n")[0]
        if "Unknown meta-schema" in told:
            raise UsageError(told) from error
        return Fault(told, is_reference=any(words in told for words in _LEADS_NOWHERE))
    return None


def broken_by(schema: dict[str, Any], value: Any) -> str | None:
    """Say what of a value breaks a schema that can be used, or None. Raises: UsageError."""
    jsonschema_rs = _library()
    error = next(iter(jsonschema_rs.validator_for(schema, retriever=_refuse).iter_errors(value)), None)
    return None if error is None else str(error.message)


def foreign_reference(schema: Any) -> str | None:
    """Give a reference in a schema that leads to the network, if there is one."""
    return next(
        (found for found in _references(schema, 0) if found.lower().startswith(("http:", "https:", "//"))),
        None,
    )


def _references(schema: Any, depth: int) -> Iterator[str]:
    if depth > _DEPTH:
        return
    for inner in schema if isinstance(schema, list) else as_object(schema).values():
        yield from _references(inner, depth + 1)
    found = as_object(schema).get("$ref")
    if isinstance(found, str):
        yield found


def fitting(schema: Any, depth: int = 0) -> Any:
    """Give a small value that is likely to keep a schema: what it must have, and nothing else."""
    told = as_object(schema)
    for name in ("const", "default"):
        if name in told:
            return told[name]
    for name in ("enum", "examples"):
        if as_list(told.get(name)):
            return told[name][0]
    for name in ("anyOf", "oneOf", "allOf"):
        if as_list(told.get(name)) and depth < _DEPTH:
            return fitting(told[name][0], depth + 1)
    return _of_type(told, depth)


def _of_type(told: dict[str, Any], depth: int) -> Any:
    kind = told.get("type")
    kind = kind[0] if isinstance(kind, list) and kind else kind
    if kind == "object":
        properties = as_object(told.get("properties"))
        needed = (
            [name for name in as_list(told.get("required")) if isinstance(name, str)]
            if depth < _DEPTH
            else []
        )
        return {name: fitting(properties.get(name), depth + 1) for name in needed}
    if kind in ("integer", "number"):
        least = told.get("minimum", told.get("exclusiveMinimum", 0))
        return max(1, int(least) + 1) if isinstance(least, int | float) else 1
    if kind == "array":
        least = told.get("minItems")
        return [fitting(told.get("items"), depth + 1)] * (min(least, 10) if isinstance(least, int) else 0)
    if kind in ("boolean", "null"):
        return False if kind == "boolean" else None
    least = told.get("minLength")
    return "a" * (min(max(least, 1), 1000) if isinstance(least, int) else 1)


def _library() -> Any:
    try:
        import jsonschema_rs
    except ImportError as error:
        raise UsageError('schemas are looked at with: pip install "readingroom[schema]"') from error
    return jsonschema_rs


def _refuse(uri: str) -> Any:
    raise ValueError(f"references to other places are not followed: {uri}")
