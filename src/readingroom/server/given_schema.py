"""Arguments by a JSON Schema given by hand: checked with jsonschema-rs, imported only here (SCH-1 to SCH-4).

The library would fetch remote references by itself; the retriever given to it refuses every one.
"""

from typing import Any

import msgspec

from ..errors import InvalidParams, UsageError
from .faults import WrongReturn
from .schema import BadArguments, Output


class GivenArguments:
    """Checks arguments by a schema of the caller's, and hands them on as one object."""

    __slots__ = ("_validator", "schema")

    def __init__(self, name: str, schema: dict[str, Any]) -> None:
        if schema.get("type") != "object":
            raise UsageError(f'{name}: the root of an input schema must have "type": "object"')
        self._validator = compile_schema(name, schema)
        self.schema = schema

    def decode(self, text: bytes) -> dict[str, Any]:
        """Give the arguments. Raises: BadArguments when they break the schema, InvalidParams when they are no object."""
        try:
            value = msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError) as error:
            raise BadArguments(str(error)) from error
        if not isinstance(value, dict):
            raise InvalidParams("arguments must be an object")
        faults = [f"{_where(error)}: {error.message}" for error in self._validator.iter_errors(value)]
        if faults:
            raise BadArguments("\n".join(faults[:10]))
        return value


class GivenOutput(Output):
    """Checks what a tool returns by a schema of the caller's."""

    __slots__ = ()

    def __init__(self, name: str, schema: dict[str, Any]) -> None:
        if schema.get("type") != "object":
            raise UsageError(f'{name}: the root of an output schema must have "type": "object"')
        validator = compile_schema(name, schema)

        def check(text: bytes) -> None:
            for error in validator.iter_errors(msgspec.json.decode(text)):
                where = "/".join(map(str, error.schema_path))
                raise WrongReturn(f"what the tool returned breaks its output schema at {where}")

        self._check = check
        self.wraps = False
        self.schema = schema


def compile_schema(name: str, schema: dict[str, Any]) -> Any:
    """Compile a schema of JSON Schema 2020-12 (or the draft its `$schema` names), without any access to the network.

    Raises: UsageError when the library is not installed, or the schema is not valid or refers to something outside.
    """
    try:
        import jsonschema_rs
    except ImportError as error:
        raise UsageError(
            f'{name}: a schema given by hand needs: pip install "readingroom[schema]"'
        ) from error
    try:
        return jsonschema_rs.validator_for(schema, retriever=_refuse)
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        raise UsageError(f"{name}: the schema cannot be used: {error}") from error


def _refuse(uri: str) -> Any:
    raise ValueError(f"references to other places are not followed: {uri}")


def _where(error: Any) -> str:
    return ".".join(str(step) for step in error.instance_path) or "arguments"
