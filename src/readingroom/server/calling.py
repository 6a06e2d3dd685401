"""Binds a request's values to a handler's parameters, once, when the handler is registered."""

from collections.abc import Callable
from typing import Any

import msgspec

from ..errors import UsageError
from .features import Handler, Mode
from .signature import Signature


def mode_of(signature: Signature, name: str, *, quick: bool) -> Mode:
    """Say how a handler runs. Raises: UsageError for a coroutine marked quick."""
    if signature.is_async:
        if quick:
            raise UsageError(f"{name}: a coroutine cannot be quick; quick handlers run inline")
        return "async"
    return "quick" if quick else "plain"


def bind_record(handler: Handler, signature: Signature) -> Callable[[Any, Any], Any]:
    """Call `handler` with the fields of a record: by place where it can be, for that is the shortest way."""
    context = signature.context
    astuple = msgspec.structs.astuple
    if context is None and not _has_keyword_only(handler):
        return lambda record, ctx: handler(*astuple(record))
    names = tuple(parameter.name for parameter in signature.parameters)
    if context is None:
        return lambda record, ctx: handler(**dict(zip(names, astuple(record), strict=True)))
    return lambda record, ctx: handler(**dict(zip(names, astuple(record), strict=True)), **{context: ctx})


def bind_object(handler: Handler, signature: Signature, name: str) -> Callable[[Any, Any], Any]:
    """Call `handler` with one object. Raises: UsageError unless it has exactly one parameter besides the context."""
    if len(signature.parameters) != 1:
        raise UsageError(
            f"{name}: a tool with a schema given by hand takes one parameter: the object of its arguments"
        )
    parameter, context = signature.parameters[0].name, signature.context
    if context is None:
        return lambda value, ctx: handler(**{parameter: value})
    return lambda value, ctx: handler(**{parameter: value, context: ctx})


def bind_texts(handler: Handler, signature: Signature) -> Callable[[dict[str, str], Any], Any]:
    """Call `handler` with named texts: the variables of a template, the arguments of a prompt."""
    context = signature.context
    if context is None:
        return lambda texts, ctx: handler(**texts)
    return lambda texts, ctx: handler(**texts, **{context: ctx})


def _has_keyword_only(handler: Handler) -> bool:
    code = getattr(handler, "__code__", None)
    return code is None or code.co_kwonlyargcount > 0
