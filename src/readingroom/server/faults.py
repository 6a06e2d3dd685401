"""Faults of a handler that the kit itself has found, and what may be said of them in the log.

Their texts are made of hints, schemas and the names of types: they hold nothing that a handler was given or gave.
"""

import msgspec

from ..errors import Refused, UsageError

_BY_THE_SCHEMA = ("Expected ", "Object missing ")


class WrongReturn(TypeError, ValueError):
    """A handler gave what its kind of feature cannot give, or what breaks its output schema."""


class Misuse(UsageError, ValueError):
    """A handler called a method of its context with a value that the protocol does not have."""


class Abandoned(Exception):
    """A handler ended as if its request had been cancelled, and nobody had cancelled it."""


def told(error: BaseException) -> str | None:
    """Give the text of a fault that the kit found, and None for an error whose text may be anybody's."""
    if isinstance(error, WrongReturn | UsageError):
        return str(error)
    if isinstance(error, Abandoned):
        return "it ended as if its request had been cancelled, and nobody had cancelled it"
    if isinstance(error, BaseExceptionGroup) and _has_asked(error):
        return "it called ctx.ask in a task group, which does not let it leave the handler; call it in the handler itself"
    if isinstance(error, Refused):
        return "it refused with a code that the protocol keeps for others"
    return None


def _has_asked(group: "BaseExceptionGroup[BaseException]") -> bool:
    """Whether the question of a handler is caught in a group, where it is no question any more."""
    from .context import Asking

    return group.subgroup(Asking) is not None


def broken_output(error: msgspec.ValidationError) -> WrongReturn:
    """Say which part of what a tool returned breaks its output schema, in the schema's words, never the value's."""
    what, _, where = str(error).rpartition(" - at `")
    what, where = (what, where.rstrip("`")) if what else (where, "$")
    part = "it" if where == "$" else f"its part `{where.removeprefix('$.').removeprefix('$')}`"
    reason = what[:1].lower() + what[1:] if what.startswith(_BY_THE_SCHEMA) else "a value that is not allowed"
    return WrongReturn(f"what the tool returned breaks its output schema: {part}: {reason}")


def unspeakable(error: Exception) -> WrongReturn:
    """Say that JSON has no form for what a tool returned."""
    return WrongReturn(f"what the tool returned cannot be told as JSON ({type(error).__name__})")
