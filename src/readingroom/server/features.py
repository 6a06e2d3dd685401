"""What a server offers, as it is kept: a listed description and the handler behind it. Values only."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import msgspec

from ..protocol import CacheHint, Prompt, Resource, ResourceTemplate, Tool
from .schema import Output
from .templates import UriPattern

if TYPE_CHECKING:
    from ..protocol.headers import Mirror

Mode: TypeAlias = Literal["plain", "quick", "async", "listen"]
"""How a handler runs: in a worker thread, inline on the thread that reads, or as a coroutine; a listen has none."""

TaskUse: TypeAlias = Literal["optional", "required"]
"""Whether a tool may become a task, or is only for clients that take tasks."""

Handler: TypeAlias = Callable[..., Any]


class Decodes(Protocol):
    """Reads a handler's arguments from JSON text."""

    schema: dict[str, Any]

    def decode(self, text: bytes) -> Any:
        """Give the arguments. Raises: BadArguments."""
        ...


class ToolEntry(msgspec.Struct, frozen=True):
    """A tool: how it is listed, how its arguments are read, how it is called, how its value is told."""

    listed: Tool
    mode: Mode
    decode: Callable[[Any], Any]
    call: Callable[[Any, Any], Any]
    output: Output | None
    wants_context: bool
    requires: dict[str, Any] | None = None
    scopes: frozenset[str] = frozenset()
    mirrors: "tuple[Mirror, ...]" = ()
    task: "TaskUse | None" = None


class ResourceEntry(msgspec.Struct, frozen=True):
    """A resource with a fixed address."""

    listed: Resource
    call: Callable[[dict[str, str], Any], Any]
    mode: Mode
    hint: CacheHint


class TemplateEntry(msgspec.Struct, frozen=True):
    """A family of resources; `variables` are given to the handler as text."""

    listed: ResourceTemplate
    pattern: UriPattern
    call: Callable[[dict[str, str], Any], Any]
    mode: Mode
    hint: CacheHint


class PromptEntry(msgspec.Struct, frozen=True):
    """A prompt and its arguments."""

    listed: Prompt
    call: Callable[[dict[str, str], Any], Any]
    mode: Mode


class CompletionEntry(msgspec.Struct, frozen=True):
    """A source of values for one argument of a prompt, or one variable of a template."""

    call: Callable[[str, dict[str, str], Any], Any]
    mode: Mode


class Page(msgspec.Struct, frozen=True):
    """A page that a provider of resources gives: the items, and where to go on, or None at the end."""

    items: tuple[Resource, ...]
    next: str | None


class ResourceProvider(msgspec.Struct, frozen=True):
    """Lists resources that are not registered one by one: called with the position to go on from, and how many."""

    call: Callable[[str | None, int, Any], Any]
    mode: Mode
