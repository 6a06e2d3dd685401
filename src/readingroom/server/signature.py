"""What a handler takes and gives, read from its hints and its docstring. Knows no schema and no protocol.

`inspect` is used only for callables that are not plain functions: importing it costs more than the rest of a start.
"""

from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any, get_args, get_type_hints

import msgspec

from ..errors import UsageError
from .context import Context

_VARARGS, _VARKEYWORDS, _COROUTINE = 0x04, 0x08, 0x80


class Parameter(msgspec.Struct, frozen=True):
    """One parameter that a request fills; `default` is UNSET when it is required."""

    name: str
    hint: Any
    default: Any = msgspec.UNSET
    description: str = ""


class Signature(msgspec.Struct, frozen=True):
    """A handler's parameters, without the context; where the context goes; what it returns; its own words."""

    parameters: tuple[Parameter, ...]
    context: str | None
    returns: Any
    is_async: bool
    summary: str


def read_signature(function: Callable[..., Any]) -> Signature:
    """Read the signature of a handler.

    Raises: UsageError for what is no function, and for parameters that no JSON object can fill: `*args`, `**kwargs`,
    positional-only ones, ones without a type hint, and a second context.
    """
    if isinstance(function, type) or not callable(function):
        what = (
            f"the class {function.__name__}" if isinstance(function, type) else f"a {type(function).__name__}"
        )
        raise UsageError(f"a handler is a function, a method or an object that can be called, not {what}")
    names, defaults, is_async = _names_and_defaults(function)
    try:
        hints = get_type_hints(_annotated(function), include_extras=True)
    except NameError as error:
        raise UsageError(
            f"{name_of(function)}: a type hint names something that is not defined: {error}"
        ) from error
    summary, described = read_docstring(function.__doc__ or "")
    parameters, context = [], None
    for name in names:
        if name not in hints:
            raise UsageError(
                f"{name_of(function)}: parameter {name!r} has no type hint; every parameter needs one"
            )
        if hints[name] is Context:
            if context is not None:
                raise UsageError(
                    f"{name_of(function)}: {context!r} and {name!r} are both the context; one is enough"
                )
            context = name
            continue
        if Context in get_args(hints[name]):
            raise UsageError(
                f"{name_of(function)}: parameter {name!r} is always given; its hint is Context alone"
            )
        default = defaults.get(name, msgspec.UNSET)
        parameters.append(Parameter(name, hints[name], default, described.get(name, "")))
    return Signature(tuple(parameters), context, hints.get("return", Any), is_async, summary)


def _annotated(function: Callable[..., Any]) -> Any:
    """Give what carries the type hints: the function itself, what `functools.partial` wraps, or a class's `__call__`."""
    if isinstance(function, FunctionType | MethodType):
        return function
    return getattr(function, "func", None) or type(function).__call__


def name_of(function: Callable[..., Any]) -> str:
    """Give the name of a function, or that of the class of an object that can be called."""
    return getattr(function, "__name__", type(function).__name__)


def _names_and_defaults(function: Callable[..., Any]) -> tuple[list[str], dict[str, Any], bool]:
    """Give the names in order, the defaults by name, and whether calling gives a coroutine."""
    bound = isinstance(function, MethodType)
    plain = function.__func__ if isinstance(function, MethodType) else function
    if not isinstance(plain, FunctionType) or hasattr(plain, "__wrapped__"):
        return _by_inspection(function)
    code = plain.__code__
    if code.co_flags & (_VARARGS | _VARKEYWORDS) or code.co_posonlyargcount:
        raise UsageError(
            f"{name_of(function)}: *args, **kwargs and positional-only parameters cannot be filled from JSON"
        )
    positional = list(code.co_varnames[: code.co_argcount])
    keyword = list(code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount])
    given = plain.__defaults__ or ()
    defaults = dict(zip(positional[len(positional) - len(given) :], given, strict=True))
    defaults.update(plain.__kwdefaults__ or {})
    return positional[bound:] + keyword, defaults, bool(code.co_flags & _COROUTINE)


def _by_inspection(function: Callable[..., Any]) -> tuple[list[str], dict[str, Any], bool]:
    import inspect

    names, defaults = [], {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise UsageError(
                f"{name_of(function)}: *args, **kwargs and positional-only parameters cannot be filled from JSON"
            )
        names.append(name)
        if parameter.default is not parameter.empty:
            defaults[name] = parameter.default
    called = getattr(function, "__call__", function)  # noqa: B004  -- the method itself is wanted, not whether it is there
    return names, defaults, inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(called)


def read_docstring(text: str) -> tuple[str, dict[str, str]]:
    """Split a docstring into its own words and the descriptions under `Args:`, by parameter.

    What follows the arguments (`Returns:`, `Raises:` and the like) is for people who read the code, and is left out.
    """
    lines = _dedent(text)
    summary: list[str] = []
    described: dict[str, str] = {}
    section, current = "", ""
    for line in lines:
        stripped = line.strip()
        if stripped in _SECTIONS and not line.startswith(" "):
            section, current = stripped, ""
        elif not section:
            summary.append(line)
        elif section in _ARGUMENTS and stripped:
            name, colon, rest = stripped.partition(":")
            name = name.split("(")[0].strip()
            if colon and name.isidentifier() and _indent(line) <= _FIELD_INDENT:
                described[name] = rest.strip()
                current = name
            elif current:
                described[current] += " " + stripped
    return _reflowed(summary), described


def _reflowed(lines: list[str]) -> str:
    """Join the lines of each paragraph, for they were broken to fit the source; indented lines and lists stay."""
    text = ""
    for line in lines:
        if text and not text.endswith("\n") and line[:1].isalnum():
            text += " " + line
        else:
            text += "\n" * bool(text) + line
    return text.strip()


_ARGUMENTS = frozenset(("Args:", "Arguments:", "Parameters:"))
_SECTIONS = _ARGUMENTS | {"Returns:", "Raises:", "Yields:", "Example:", "Examples:", "Note:", "Notes:"}
_FIELD_INDENT = 4


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _dedent(text: str) -> list[str]:
    """Take the common indent from all lines but the first, as docstrings are written."""
    first, *rest = text.expandtabs().splitlines() or [""]
    margin = min((_indent(line) for line in rest if line.strip()), default=0)
    return [first.strip(), *(line[margin:].rstrip() for line in rest)]
