"""What is allowed where an argument was refused, in words for the model: the fields that there are, the values of a choice.

Loaded with the first refusal. Reads the schema that was published, and says nothing that is not in it.
"""

import re
from collections.abc import Iterator
from typing import Any

_REFUSED = re.compile(
    r"(?P<where>.*?): (?P<what>object contains unknown field|invalid enum value)", re.DOTALL
)
_STEPS = re.compile(r"\[(?P<number>\d+|\.\.\.)\]|(?P<name>[^.\[\]]+)")
_NAMED = 40


def with_allowed(told: str, schema: dict[str, Any]) -> str:
    """Add to what is told of a refusal which fields or values there are, where it is about one that there is not."""
    found = _REFUSED.match(told)
    if found is None:
        return told
    places = [schema]
    if found["where"] != "arguments":
        for step in _STEPS.finditer(found["where"]):
            places = [part for place in places for part in _below(place, step, schema)]
    is_field = found["what"].startswith("object")
    allowed = list(
        dict.fromkeys(name for place in places for name in _allowed(place, schema, is_field=is_field))
    )
    if not allowed:
        return told
    more = ", …" if len(allowed) > _NAMED else ""
    return f"{told}; {'its fields are' if is_field else 'it is one of'} {', '.join(allowed[:_NAMED])}{more}"


def _parts(place: dict[str, Any], schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A schema without references, each part of a union by itself."""
    reference = place.get("$ref")
    if reference is not None:
        yield from _parts(schema["$defs"][reference.rpartition("/")[2]], schema)
        return
    if "anyOf" in place:
        for part in place["anyOf"]:
            yield from _parts(part, schema)
        return
    yield place


def _below(place: dict[str, Any], step: re.Match[str], schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What stands at the next step of a path: the member of a name, or the items; of a mapping, any."""
    for part in _parts(place, schema):
        named = part.get("properties", {}).get(step["name"])
        inner = [named, part.get("additionalProperties")]
        if step["number"] is not None:
            inner = [part.get("items"), *part.get("prefixItems", ()), part.get("additionalProperties")]
        yield from (schema_of for schema_of in inner if isinstance(schema_of, dict))


def _allowed(place: dict[str, Any], schema: dict[str, Any], *, is_field: bool) -> Iterator[str]:
    for part in _parts(place, schema):
        yield from part.get("properties", {}) if is_field else map(str, part.get("enum", ()))
