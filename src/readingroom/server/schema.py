"""Handlers' hints to JSON Schema and to compiled decoders: closed, strict, without coercion (TOOL-5, SCH-7).

What the schema says and what the decoder takes come from one record, so that they cannot differ.
"""

from collections.abc import Callable
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec

from ..errors import InvalidParams, UsageError
from ..protocol import CallResult, Value
from ..wire import encode_value
from .faults import WrongReturn, broken_output, unspeakable
from .signature import Parameter


class BadArguments(ValueError):
    """Arguments that do not keep the published schema; the text says which, for the model to read."""


def told_not_done(decode: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Have refusals of arguments say first that nothing was done, for a tool that changes something."""

    def decode_or_tell(text: Any) -> Any:
        try:
            return decode(text)
        except BadArguments as error:
            raise BadArguments(f"NOT DONE. {error}") from error

    return decode_or_tell


class Arguments:
    """Decodes the arguments of one handler, and knows the schema that is published for them."""

    __slots__ = ("_decode", "_record", "_shape", "schema")

    def __init__(self, name: str, parameters: tuple[Parameter, ...]) -> None:
        fields = [_field(parameter) for parameter in parameters]
        try:
            self._record = msgspec.defstruct(
                name, fields, forbid_unknown_fields=True, kw_only=True, omit_defaults=True
            )
            self.schema = _without_null_defaults(inline_schema(self._record))
            self._decode: Callable[[bytes], msgspec.Struct] = msgspec.json.Decoder(self._record).decode
            self._shape: Any = None
            if "$defs" in self.schema:
                self._close_records()
        except (TypeError, ValueError, RecursionError) as error:
            raise _unusable_hint(name, parameters) from error
        for parameter in parameters:
            check_default(name, parameter)

    def _close_records(self) -> None:
        """Have the records inside the arguments closed as well; only a handler that has some pays for it."""
        from .closing import close_records, open_records

        close_records(self.schema)
        self._shape = open_records(self._record)
        if self._shape is None:
            return
        decode = self._decode

        def decode_closed(text: bytes) -> msgspec.Struct:
            record = decode(text)
            self._refuse_unknown(msgspec.json.decode(text))
            return record

        self._decode = decode_closed

    def _refuse_unknown(self, value: Any) -> None:
        if self._shape is not None:
            from .closing import unknown_member

            found = unknown_member(value, self._shape)
            if found is not None:
                raise self._refused(found)

    def _refused(self, told: str) -> BadArguments:
        from .argument_words import with_allowed

        return BadArguments(with_allowed(told, self.schema))

    def decode(self, text: bytes) -> msgspec.Struct:
        """Give the arguments as a record whose fields are the handler's parameters, in their order.

        Raises: BadArguments when they do not keep the schema, InvalidParams when they are no object at all.
        """
        try:
            return self._decode(text)
        except msgspec.ValidationError as error:
            if not bytes(text).startswith(b"{"):
                raise InvalidParams("arguments must be an object") from error
            return self._decode_whole_floats(text, error)
        except (msgspec.DecodeError, RecursionError) as error:
            raise BadArguments(str(error)) from error

    def _decode_whole_floats(self, text: bytes, first: msgspec.ValidationError) -> msgspec.Struct:
        """Try once more with `1.0` read as the integer it is to JSON Schema (SCH-7)."""
        try:
            value = _whole(msgspec.json.decode(text))
            record: msgspec.Struct = msgspec.convert(value, self._record)
            self._refuse_unknown(value)
            return record
        except msgspec.ValidationError:
            raise self._refused(explain(str(first))) from first
        except (msgspec.DecodeError, RecursionError) as error:
            raise BadArguments(str(error)) from error


_USABLE = (
    "str, int, float, bool, None, Any, list, dict, tuple, set, Literal, Enum, datetime, date, time, timedelta, UUID, "
    "Decimal, bytes, msgspec.Struct, dataclass, TypedDict, NamedTuple, Annotated, or a union of these"
)


def _unusable_hint(name: str, parameters: tuple[Parameter, ...]) -> UsageError:
    """Say which parameter has a hint that JSON cannot fill, and what can be used instead."""
    for parameter in parameters:
        why = _why_unusable(parameter.hint)
        if why is not None:
            return UsageError(f"{name}: parameter {parameter.name!r}: {why}")
    for parameter in parameters:
        check_default(name, parameter)
    return UsageError(f"{name}: its parameters cannot be read from JSON")


def _why_unusable(hint: Any) -> str | None:
    """Say why a hint can be neither read from JSON nor described by a schema; None when it can be both."""
    try:
        msgspec.json.Decoder(hint)
        msgspec.json.schema(hint)
    except (TypeError, ValueError, RecursionError) as error:
        # The library's advice is about hooks that a handler's author has no way to give; what it says of unions is not.
        reason = str(error).partition(" - ")[0].partition("\n")[0]
        more = f" ({reason})" if reason.startswith("Type unions") else ""
        return f"the hint {_shown(hint)} cannot be used with JSON{more}; what can be used: {_USABLE}"
    return None


def _shown(hint: Any) -> str:
    return hint.__qualname__ if isinstance(hint, type) and not get_args(hint) else str(hint)


def check_default(name: str, parameter: Parameter) -> None:
    """Check that a parameter's default is one that its hint allows. Raises: UsageError."""
    default = parameter.default
    if default is msgspec.UNSET:
        return
    try:
        msgspec.json.decode(encode_value(default), type=parameter.hint)
    except (TypeError, ValueError, RecursionError) as error:
        why = explain(str(error)) if isinstance(error, msgspec.ValidationError) else "JSON has no form for it"
        raise UsageError(
            f"{name}: parameter {parameter.name!r}: its default {default!r} does not fit its hint: {why}"
        ) from error


def _without_null_defaults(schema: dict[str, Any]) -> dict[str, Any]:
    """Leave out defaults of null: that a parameter may be left out is said by its not being required."""
    for described in schema.get("properties", {}).values():
        if "default" in described and described["default"] is None:
            del described["default"]
    return schema


def _field(parameter: Parameter) -> Any:
    hint = parameter.hint
    if parameter.description and not _is_described(hint):
        hint = Annotated[hint, msgspec.Meta(description=parameter.description)]
    hint = _with_words(hint)
    if parameter.default is msgspec.UNSET:
        return (parameter.name, hint)
    default = parameter.default
    if isinstance(default, list | dict | set):
        return (parameter.name, hint, msgspec.field(default_factory=lambda: type(default)(default)))
    if isinstance(default, msgspec.Struct):
        return (parameter.name, hint, msgspec.field(default_factory=lambda: msgspec.structs.replace(default)))
    return (parameter.name, hint, default)


def _is_described(hint: Any) -> bool:
    return any(
        isinstance(note, str) or (isinstance(note, msgspec.Meta) and note.description is not None)
        for note in _notes(hint)
    )


def _notes(hint: Any) -> tuple[Any, ...]:
    """What stands beside the type in `Annotated`; what any other hint is made of says nothing of it."""
    return get_args(hint)[1:] if get_origin(hint) is Annotated else ()


def _with_words(hint: Any) -> Any:
    """Read `Annotated[int, "how many"]` as a description, and that of a part of a union as the whole's."""
    if isinstance(hint, UnionType) or get_origin(hint) is Union:
        words = [note for part in get_args(hint) for note in _notes(part) if isinstance(note, str)]
        return Annotated[hint, msgspec.Meta(description=words[0])] if words else hint
    if get_origin(hint) is not Annotated:
        return hint
    inner, *notes = get_args(hint)
    for note in notes:
        if isinstance(note, str):
            inner = Annotated[inner, msgspec.Meta(description=note)]
        elif isinstance(note, msgspec.Meta):
            inner = Annotated[inner, note]
    return inner


def _whole(value: Any) -> Any:
    """Turn every whole float into an integer; both are the same number in JSON."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return value


def explain(message: str) -> str:
    """Put the decoder's words in the order people read them: where, then what."""
    what, separator, where = message.rpartition(" - at `")
    if not separator:
        return (
            message.replace("Object ", "arguments: object ", 1) if message.startswith("Object ") else message
        )
    return f"{where.rstrip('`').removeprefix('$.').replace('$', 'arguments')}: {what[:1].lower()}{what[1:]}"


def inline_schema(type_: Any) -> dict[str, Any]:
    """Give the JSON Schema of `type_` with its root in place of a reference; parts used by name stay in `$defs`.

    A type that holds itself is such a part as well.

    Titles that only repeat a record's name are left out: they cost a model's attention and say nothing.
    """
    schema = _with_plain_tuples(msgspec.json.schema(type_))
    definitions = schema.pop("$defs", {})
    for definition in definitions.values():
        definition.pop("title", None)
    reference = schema.pop("$ref", None)
    root: dict[str, Any] = schema
    if reference is not None:
        name = reference.rpartition("/")[2]
        root = dict(definitions[name])
        if msgspec.json.encode(reference) not in msgspec.json.encode(definitions):
            del definitions[name]
    if not root.get("required", True):
        del root["required"]
    if definitions:
        root["$defs"] = definitions
    return root


_HOLD_NAMES = frozenset(("properties", "$defs"))
_HOLD_VALUES = frozenset(("default", "enum", "const", "examples"))


def _with_plain_tuples(schema: Any) -> Any:
    """Say what a tuple is without `"items": false`, which several hosts cannot take; its length is bounded without it."""
    if isinstance(schema, list):
        return [_with_plain_tuples(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    told: dict[str, Any] = {}
    for name, part in schema.items():
        if name in _HOLD_NAMES:
            told[name] = {key: _with_plain_tuples(inner) for key, inner in part.items()}
        else:
            told[name] = part if name in _HOLD_VALUES else _with_plain_tuples(part)
    places = told.get("prefixItems")
    if isinstance(places, list) and told.get("items") is False and told.get("maxItems") == len(places):
        del told["items"]
        if all(place == places[0] for place in places):
            told["items"] = told.pop("prefixItems")[0]
    return told


class Output:
    """Turns what a tool returns into JSON that keeps the published output schema (TOOL-8).

    Values that are no objects are wrapped as `{"result": value}`, since hosts of the older era take only objects.
    """

    __slots__ = ("_check", "schema", "wraps")

    def __init__(self, name: str, type_: Any) -> None:
        try:
            schema = inline_schema(type_)
            self._check: Callable[[bytes], Any] = msgspec.json.Decoder(type_).decode
        except (TypeError, ValueError, RecursionError) as error:
            why = _why_unusable(type_) or "its schema cannot be made"
            raise UsageError(f"{name}: the return type: {why}") from error
        self.wraps = schema.get("type") != "object"
        self.schema = _wrapped(schema) if self.wraps else schema

    def encode(self, value: Any) -> bytes:
        """Encode `value`, before wrapping.

        Raises: WrongReturn when it cannot be encoded or breaks the schema.
        """
        try:
            text = encode_value(value)
            self._check(text)
        except WrongReturn:
            raise
        except msgspec.ValidationError as error:
            raise broken_output(error) from error
        except (TypeError, ValueError, RecursionError) as error:
            raise unspeakable(error) from error
        return text

    def checked(self, result: CallResult) -> CallResult:
        """Give a result that a handler made itself, once its structured content keeps the schema (TOOL-8).

        Raises: WrongReturn when it breaks the schema, or has no structured content and is no failure.
        """
        if result.is_error:
            return result
        if result.structured is msgspec.UNSET:
            raise WrongReturn("a tool with an output schema gave a result without structured content")
        self.encode(_unwrapped(result.structured) if self.wraps else result.structured)
        return result


def _unwrapped(structured: Any) -> Any:
    try:
        return msgspec.to_builtins(structured)["result"]
    except (TypeError, ValueError, KeyError, RecursionError) as error:
        raise WrongReturn('a value that is no object is given as structured={"result": value}') from error


def _wrapped(schema: dict[str, Any]) -> dict[str, Any]:
    definitions = schema.pop("$defs", None)
    root: dict[str, Any] = {"type": "object", "properties": {"result": schema}, "required": ["result"]}
    if definitions:
        root["$defs"] = definitions
    return root


def told_structure(hint: Any) -> Any:
    """Give the type of a tool's structured output by its return hint, or None when it gives none.

    Nothing, content and no hint at all give none; `Annotated[CallResult, Type]` is a tool that makes its result itself.
    """
    if get_origin(hint) is Annotated and get_args(hint)[0] is CallResult:
        return get_args(hint)[1]
    if hint is Any or hint is None or hint is type(None) or hint is CallResult:
        return None
    parts = (get_args(hint) or (hint,)) if get_origin(hint) is not Annotated else (get_args(hint)[0],)
    if any(isinstance(part, type) and issubclass(part, Value) for part in parts):
        return None
    return hint
