"""Closes the records inside arguments: their published schemas, and what is taken for them (TOOL-5).

The decoder drops members of a nested record that it does not know, unless the record's class forbids them. The class is the
handler's own and stays as it is; what was sent is looked through a second time instead, where a handler has such records.
"""

from typing import Any

import msgspec
from msgspec import inspect


class Shape(msgspec.Struct):
    """Where records are inside a value: in the members of an object, by its tag, or in the items of an array, by its tag."""

    members: dict[Any, dict[str, "Shape"]] = {}
    tag_field: str | None = None
    values: "Shape | None" = None
    places: dict[Any, list["Shape"]] = {}
    items: "Shape | None" = None


def close_records(schema: dict[str, Any]) -> None:
    """Forbid further members in the schema of every record that is a part of `schema`, in place."""
    for definition in schema.get("$defs", {}).values():
        if definition.get("type") == "object" and "properties" in definition:
            definition["additionalProperties"] = False


def open_records(record: type[msgspec.Struct]) -> Shape | None:
    """Give where there are records inside of `record`; None when there are none that the decoder leaves open."""
    reader = _Reader()
    shape = reader.read(inspect.type_info(record))
    return shape if reader.has_open else None


def unknown_member(value: Any, shape: Shape, where: str = "") -> str | None:
    """Say, in the decoder's words, which member of `value` its record lacks or does not have; None when all is well."""
    if isinstance(value, dict):
        return _unknown_in_object(value, shape, where)
    if isinstance(value, list):
        tag = value[0] if value and isinstance(value[0], str | int) else None
        places = shape.places.get(tag) or shape.places.get(None) or []
        for number, item in enumerate(value):
            inner = places[number] if number < len(places) else shape.items
            found = inner and unknown_member(item, inner, f"{where}[{number}]")
            if found:
                return found
    return None


def _unknown_in_object(value: dict[str, Any], shape: Shape, where: str) -> str | None:
    members = _members_of(value, shape)
    if shape.tag_field is not None and shape.tag_field not in value:
        return f"{where}: object missing required field `{shape.tag_field}`"
    for name, item in value.items():
        path = f"{where}.{name}" if where else name
        inner = shape.values if members is None else members.get(name)
        if members is not None and inner is None:
            return f"{where}: object contains unknown field `{name}`"
        found = inner and unknown_member(item, inner, path)
        if found:
            return found
    return None


def _members_of(value: dict[str, Any], shape: Shape) -> dict[str, Shape] | None:
    return shape.members.get(None if shape.tag_field is None else value.get(shape.tag_field))


class _Reader:
    """Reads shapes from types; a type that holds itself has a shape that holds itself."""

    def __init__(self) -> None:
        self.has_open = False
        self._known: dict[int, dict[str, Shape]] = {}

    def read(self, type_: inspect.Type) -> Shape:
        """Give the shape of a type."""
        shape = Shape()
        self._add(shape, type_)
        return shape

    def _add(self, shape: Shape, type_: Any) -> None:
        """Add to a shape what values of the type may hold besides."""
        if isinstance(type_, inspect.UnionType):
            for part in type_.types:
                self._add(shape, part)
        elif isinstance(type_, inspect.Metadata):
            self._add(shape, type_.type)
        elif isinstance(type_, inspect.StructType):
            self._add_struct(shape, type_)
        elif isinstance(type_, inspect.TypedDictType | inspect.DataclassType):
            self.has_open = True
            shape.members[None] = self._members(type_)
        elif isinstance(type_, inspect.NamedTupleType):
            shape.places[None] = [self.read(field.type) for field in type_.fields]
        elif isinstance(type_, inspect.TupleType):
            shape.places[None] = [self.read(item) for item in type_.item_types]
        elif isinstance(type_, inspect.DictType):
            shape.values = self.read(type_.value_type)
        elif isinstance(type_, inspect.CollectionType):
            shape.items = self.read(type_.item_type)

    def _add_struct(self, shape: Shape, type_: inspect.StructType) -> None:
        if type_.array_like:
            tag = [] if type_.tag is None else [Shape()]
            shape.places[type_.tag] = [*tag, *(self.read(field.type) for field in type_.fields)]
            return
        self.has_open = self.has_open or not type_.forbid_unknown_fields
        members = self._members(type_)
        shape.members[type_.tag] = members
        if type_.tag_field is not None:
            self.has_open = True  # the decoder lets the tag be left out where there is nothing to tell apart
            members[type_.tag_field] = Shape()
            shape.tag_field = type_.tag_field

    def _members(self, type_: Any) -> dict[str, Shape]:
        known = self._known.get(id(type_))
        if known is None:
            known = self._known[id(type_)] = {}
            known.update((field.encode_name, self.read(field.type)) for field in type_.fields)
        return known
