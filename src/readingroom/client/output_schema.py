"""Structured content against the schema that its tool was listed with, checked by jsonschema-rs, imported only here.

A schema comes from a server and is not trusted: it is bounded, its patterns are, and what it refers to elsewhere is never
fetched (SCH-3 to SCH-5).
"""

from collections.abc import Callable
from typing import Any

from .shapes import Violation
from .values import CallToolAnswer, Object

MOST_PARTS = 10_000
"""Objects and arrays that a schema may be made of."""

_BACKTRACKS = 100_000
_SHOWN = 200

Check = Callable[[CallToolAnswer], None]
"""Checks an answer. Raises: Violation."""


def compile_check(tool: str, schema: Object) -> Check | None:
    """Give what checks the answers of a tool; None when the library is not installed.

    Raises: Violation for a schema that cannot be used: not valid, of an unknown dialect (SCH-1, SCH-2), one that refers to
    something elsewhere (SCH-4), or too large (SCH-5).
    """
    try:
        import jsonschema_rs
    except ImportError:
        return None
    if _parts(schema) > MOST_PARTS:
        raise Violation("SCH-5", f"the outputSchema of {tool} has more than {MOST_PARTS} parts")
    elsewhere: list[str] = []

    def refuse(uri: str) -> Any:
        elsewhere.append(uri)
        raise ValueError("references to other places are not followed")

    patterns = jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACKS)
    try:
        validator = jsonschema_rs.validator_for(schema, retriever=refuse, pattern_options=patterns)
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        if elsewhere:
            raise Violation("SCH-4", f"the outputSchema of {tool} refers to {elsewhere[0]:.100}") from None
        raise Violation("SCH-2", f"the outputSchema of {tool} cannot be used: {_first_line(error)}") from None

    def check(answer: CallToolAnswer) -> None:
        # What failed has nothing to show (TOOL-8).
        if answer.is_error:
            return
        if not answer.has_structured:
            raise Violation("TOOL-8", f"{tool} has an outputSchema, and gave no structuredContent")
        for error in validator.iter_errors(answer.structured):
            where = "/".join(str(step) for step in error.instance_path)
            raise Violation("TOOL-8", f"the structuredContent of {tool} breaks its outputSchema at /{where}")

    return check


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:_SHOWN]


def _parts(value: Any) -> int:
    """Count the objects and arrays of a schema."""
    if isinstance(value, dict):
        return 1 + sum(map(_parts, value.values()))
    return 1 + sum(map(_parts, value)) if isinstance(value, list) else 0
