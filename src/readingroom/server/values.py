"""What handlers return, turned into results of the protocol: content, contents of resources, messages of prompts."""

from collections.abc import Iterable
from typing import Any

from ..protocol import (
    CallResult,
    Completion,
    CompletionResult,
    Content,
    PromptMessage,
    PromptResult,
    ReadResult,
    ResourceContents,
    TextContent,
    Value,
)
from ..wire import encode_value
from .faults import WrongReturn, unspeakable

_COMPLETIONS = 100


def content_of(value: Any) -> tuple[Content, ...]:
    """Give the content blocks for what a tool without structured output returned: text as it is, blocks as they are.

    Raises: WrongReturn for what JSON cannot say.
    """
    if value is None:
        return ()
    if isinstance(value, str):
        return (TextContent(value),)
    if isinstance(value, Value):
        return (_block(value),)
    if isinstance(value, list | tuple) and value and all(isinstance(item, Value | str) for item in value):
        return tuple(TextContent(item) if isinstance(item, str) else _block(item) for item in value)
    try:
        return (TextContent(encode_value(value).decode()),)
    except (TypeError, ValueError, RecursionError) as error:
        raise unspeakable(error) from error


def _block(value: Value) -> Content:
    if isinstance(value, Content):
        return value
    raise WrongReturn(f"a tool returned a {type(value).__name__}, which is no content block")


def failed_call(text: str) -> CallResult:
    """Give the result that tells a model what went wrong (TOOL-7)."""
    return CallResult((TextContent(text),), is_error=True)


def contents_of(value: Any, uri: str, mime_type: str | None) -> ReadResult:
    """Give the contents for what a resource's handler returned: text, bytes, contents, or several of them.

    Raises: WrongReturn for anything else.
    """
    values = value if isinstance(value, list | tuple) else (value,)
    return ReadResult(tuple(_contents(item, uri, mime_type) for item in values))


def _contents(value: Any, uri: str, mime_type: str | None) -> ResourceContents:
    if isinstance(value, ResourceContents):
        return value
    if isinstance(value, str):
        return ResourceContents(uri=uri, mime_type=mime_type or "text/plain", text=value)
    if isinstance(value, bytes):
        import base64

        mime_type = mime_type or "application/octet-stream"
        return ResourceContents(uri=uri, mime_type=mime_type, blob=base64.b64encode(value).decode())
    raise WrongReturn(
        f"a resource returned a {type(value).__name__}; it gives text, bytes or ResourceContents"
    )


def messages_of(value: Any, description: str | None) -> PromptResult:
    """Give the messages for what a prompt's handler returned: a text, messages, or several of either.

    Raises: WrongReturn for anything else.
    """
    values = value if isinstance(value, list | tuple) else (value,)
    return PromptResult(tuple(_message(item) for item in values), description=description)


def _message(value: Any) -> PromptMessage:
    if isinstance(value, PromptMessage):
        return value
    if isinstance(value, str):
        return PromptMessage("user", TextContent(value))
    raise WrongReturn(f"a prompt returned a {type(value).__name__}; it gives texts or PromptMessages")


def completion_of(value: Any) -> CompletionResult:
    """Give the completion for the values that a source gave, best first; only the first hundred are sent (COMP-2).

    Raises: WrongReturn for anything but texts.
    """
    if isinstance(value, Completion):
        return CompletionResult(value)
    # A text holds texts, its characters, and is meant as one.
    is_several = isinstance(value, Iterable) and not isinstance(value, str)
    values = tuple(value) if is_several else (None,)
    if not all(isinstance(item, str) for item in values):
        raise WrongReturn(
            f"a completion returned a {type(value).__name__}; it gives several texts, or a Completion"
        )
    return CompletionResult(
        Completion(values[:_COMPLETIONS], total=len(values), has_more=len(values) > _COMPLETIONS)
    )
