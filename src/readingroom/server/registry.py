"""The features of one server, kept by name, listed in one order whatever the order of registration (TOOL-2).

Registering checks everything that can be checked before the first request; a fault is a UsageError at that place.
"""

import threading
from collections.abc import Callable, Collection
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import msgspec

from ..errors import UsageError
from ..protocol import (
    CacheHint,
    Icon,
    Prompt,
    PromptArgument,
    Resource,
    ResourceTemplate,
    Tool,
    ToolAnnotations,
)
from .calling import bind_object, bind_record, bind_texts, mode_of
from .features import (
    CompletionEntry,
    Decodes,
    Handler,
    PromptEntry,
    ResourceEntry,
    ResourceProvider,
    TaskUse,
    TemplateEntry,
    ToolEntry,
)
from .schema import Arguments, Output, check_default, told_not_done, told_structure
from .signature import Signature, name_of, read_signature
from .templates import UriPattern

Given = ParamSpec("Given")
Gives = TypeVar("Gives")

_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")
_NAME_LENGTH = 128


class Described(msgspec.Struct, frozen=True, kw_only=True):
    """How a feature is shown to people and models, where its function does not say it already."""

    name: str | None = None
    title: str | None = None
    description: str | None = None
    icons: tuple[Icon, ...] | None = None
    meta: dict[str, Any] | None = None


class ToolOptions(Described, frozen=True, kw_only=True):
    """What a tool is besides its function."""

    hints: ToolAnnotations = ToolAnnotations()
    quick: bool = False
    aliases: tuple[str, ...] = ()
    input_schema: dict[str, Any] | None = None
    output_schema: dict[str, Any] | None = None
    structured: bool = True
    requires: dict[str, Any] | None = None
    scopes: tuple[str, ...] = ()
    task: TaskUse | None = None


def _alone(method: Callable[Given, Gives]) -> Callable[Given, Gives]:
    """Let a method of a registry run while no other of these does, so that nothing is seen half registered."""

    @wraps(method)
    def run(*args: Given.args, **kwargs: Given.kwargs) -> Gives:
        registry: Any = args[0]
        with registry._lock:  # noqa: SLF001  -- it is the registry's own
            return method(*args, **kwargs)

    return run


class Registry:
    """Keeps what a server offers. Any thread may register; whoever serves does so from a snapshot."""

    def __init__(self) -> None:
        self.tools: dict[str, ToolEntry] = {}
        self.aliases: dict[str, ToolEntry] = {}
        self.resources: dict[str, ResourceEntry] = {}
        self.templates: dict[str, TemplateEntry] = {}
        self.prompts: dict[str, PromptEntry] = {}
        self.completions: dict[tuple[str, str], CompletionEntry] = {}
        self.provider: ResourceProvider | None = None
        self._lock = threading.Lock()

    @_alone
    def snapshot(self) -> "Registry":
        """Give a copy of what is registered by now: all of it, or nothing of what is being registered at the moment."""
        copy = Registry()
        copy.tools, copy.aliases = self.tools.copy(), self.aliases.copy()
        copy.resources, copy.templates = self.resources.copy(), self.templates.copy()
        copy.prompts, copy.completions = self.prompts.copy(), self.completions.copy()
        copy.provider = self.provider
        return copy

    def find_tool(self, name: str) -> ToolEntry | None:
        """Give the tool of that name, or of that alias."""
        return self.tools.get(name) or self.aliases.get(name)

    def capabilities(self, *, logging: bool, notices: Collection[str] = ()) -> dict[str, Any]:
        """Give exactly what is there (DISC-2), and of what changes are told: a list that may change is there, if empty."""
        found: dict[str, Any] = {}
        if self.completions:
            found["completions"] = {}
        if logging:
            found["logging"] = {}
        if self.prompts:
            found["prompts"] = {}
        if self.resources or self.templates or self.provider:
            found["resources"] = {}
        if self.tools:
            found["tools"] = {}
        for notice in notices:
            name, change = ("resources", "subscribe") if notice == "updates" else (notice, "listChanged")
            found.setdefault(name, {})[change] = True
        return found

    @_alone
    def add_tool(self, function: Handler, options: ToolOptions) -> None:
        """Register a tool. Raises: UsageError for a name, a hint or a schema that cannot be served."""
        signature = read_signature(function)
        name, *aliases = self._checked_tool_names(options.name or name_of(function), *options.aliases)
        arguments: Decodes
        if options.input_schema is None:
            arguments, call = Arguments(name, signature.parameters), bind_record(function, signature)
        else:
            from .given_schema import GivenArguments

            arguments, call = (
                GivenArguments(name, options.input_schema),
                bind_object(function, signature, name),
            )
        output = _output_of(name, signature, options)
        listed = Tool(
            name=name,
            title=options.title,
            description=_description(options, signature, name),
            input_schema=arguments.schema,
            output_schema=output.schema if output else None,
            annotations=options.hints,
            icons=options.icons,
            meta=options.meta,
        )
        entry = ToolEntry(
            listed,
            mode_of(signature, name, quick=options.quick),
            arguments.decode if options.hints.read_only_hint else told_not_done(arguments.decode),
            call,
            output,
            signature.context is not None,
            options.requires,
            frozenset(options.scopes),
            _mirrors_of(name, arguments.schema),
            _checked_use(name, signature, options),
        )
        self.tools[name] = entry
        self.aliases.update(dict.fromkeys(aliases, entry))

    def _checked_tool_names(self, *names: str) -> list[str]:
        """Give names that calls may use, when hosts can take them and none means another tool. Raises: UsageError."""
        taken: dict[str, Any] = {**self.tools, **self.aliases}
        for name in names:
            taken[_checked_name(name, taken)] = None
        return list(names)

    @_alone
    def add_resource(
        self, uri: str, function: Handler, listed: Described, mime_type: str | None, hint: CacheHint
    ) -> None:
        """Register a resource, or a family of them when `uri` has variables. Raises: UsageError."""
        _checked_uri(uri)
        signature = read_signature(function)
        mode = mode_of(signature, uri, quick=False)
        call = bind_texts(function, signature)
        name = listed.name or name_of(function)
        described: dict[str, Any] = {
            "name": name,
            "title": listed.title,
            "description": listed.description or signature.summary or None,
            "mime_type": mime_type,
            "icons": listed.icons,
            "meta": listed.meta,
        }
        if "{" not in uri:
            _same_names(uri, (), signature)
            _absent(uri, self.resources)
            self.resources[uri] = ResourceEntry(Resource(uri=uri, **described), call, mode, hint)
            return
        pattern = UriPattern(uri)
        _same_names(uri, pattern.variables, signature)
        _absent(uri, self.templates)
        entry = ResourceTemplate(uri_template=uri, **described)
        self.templates[uri] = TemplateEntry(entry, pattern, call, mode, hint)

    @_alone
    def add_prompt(self, function: Handler, options: Described) -> None:
        """Register a prompt; its parameters are texts. Raises: UsageError."""
        signature = read_signature(function)
        name = _checked_name(options.name or name_of(function), self.prompts)
        arguments = tuple(
            PromptArgument(
                name=parameter.name,
                description=parameter.description or None,
                required=True if parameter.default is msgspec.UNSET else None,
            )
            for parameter in signature.parameters
        )
        for parameter in signature.parameters:
            if parameter.hint not in (str, str | None):
                raise UsageError(
                    f"{name}: parameter {parameter.name!r} must be str; a prompt's arguments are texts"
                )
            check_default(name, parameter)
        listed = Prompt(
            name=name,
            title=options.title,
            description=_description(options, signature, name),
            arguments=arguments or None,
            icons=options.icons,
            meta=options.meta,
        )
        mode = mode_of(signature, name, quick=False)
        self.prompts[name] = PromptEntry(listed, bind_texts(function, signature), mode)

    @_alone
    def add_completion(self, owner: str, argument: str, function: Handler) -> None:
        """Register the source of values for a prompt's argument or a template's variable. Raises: UsageError."""
        signature = read_signature(function)
        names = tuple(parameter.name for parameter in signature.parameters)
        if names not in (("value",), ("value", "arguments")):
            raise UsageError(
                f"{owner}: a completion takes `value`, and `arguments` if it wants those chosen already"
            )
        context, wants = signature.context, len(names) > 1

        def call(value: str, arguments: dict[str, str], ctx: Any) -> Any:
            more = {"arguments": arguments} if wants else {}
            return function(value, **more, **({context: ctx} if context else {}))

        self.completions[owner, argument] = CompletionEntry(call, mode_of(signature, owner, quick=False))

    @_alone
    def set_provider(self, function: Handler) -> None:
        """Let `function(after, limit)` list the resources that are not registered one by one. Raises: UsageError."""
        if self.provider is not None:
            raise UsageError("a server has one provider of resources")
        signature = read_signature(function)
        if tuple(parameter.name for parameter in signature.parameters) != ("after", "limit"):
            raise UsageError("a provider of resources takes `after` and `limit`")
        context = signature.context

        def call(after: str | None, limit: int, ctx: Any) -> Any:
            return function(after, limit, **({context: ctx} if context else {}))

        self.provider = ResourceProvider(call, mode_of(signature, "resources", quick=False))


def _checked_name(name: str, taken: dict[str, Any]) -> str:
    """Give `name` when hosts can take it (TOOL-3). Raises: UsageError."""
    if not 0 < len(name) <= _NAME_LENGTH or not set(name) <= _NAME_CHARACTERS:
        raise UsageError(f"{name!r}: a name has 1 to {_NAME_LENGTH} characters of A-Z a-z 0-9 _ - .")
    _absent(name, taken)
    return name


def _checked_use(name: str, signature: Signature, options: ToolOptions) -> TaskUse | None:
    """Give whether a tool may become a task. Raises: UsageError when it never could."""
    if options.task not in (None, "optional", "required"):
        raise UsageError(f'{name}: task is "optional", "required" or None')
    if options.task and (options.quick or signature.context is None):
        raise UsageError(
            f"{name}: a tool becomes a task by its Context, and is not quick; it takes one by its type"
        )
    return options.task


def _absent(name: str, taken: dict[str, Any]) -> None:
    if name in taken:
        raise UsageError(f"{name}: registered twice")


def _checked_uri(uri: str) -> None:
    scheme, colon, _rest = uri.partition(":")
    if not colon or not scheme.isascii() or not scheme[:1].isalpha() or not uri.isascii() or " " in uri:
        raise UsageError(f"{uri!r} is not a URI: it begins with a scheme and is percent-encoded ASCII")


def _same_names(uri: str, variables: tuple[str, ...], signature: Signature) -> None:
    names = {parameter.name for parameter in signature.parameters}
    if names != set(variables):
        raise UsageError(f"{uri}: the function takes {sorted(names)}, the address has {sorted(variables)}")
    for parameter in signature.parameters:
        if parameter.hint is not str:
            raise UsageError(
                f"{uri}: parameter {parameter.name!r} must be str; the variables of an address are texts"
            )


def _description(options: Described, signature: Signature, name: str) -> str:
    text = options.description or signature.summary
    if not text:
        raise UsageError(f"{name}: needs a description or a docstring: a model chooses by it")
    return text


def _mirrors_of(name: str, schema: dict[str, Any]) -> Any:
    """Give the arguments that headers mirror over HTTP; hardly any tool has some. Raises: UsageError."""
    if '"x-mcp-header"' not in msgspec.json.encode(schema).decode():
        return ()
    from ..protocol.headers import BadAnnotation, mirrors_of

    try:
        return mirrors_of(schema)
    except BadAnnotation as error:
        raise UsageError(f"{name}: {error}") from error


def _output_of(name: str, signature: Signature, options: ToolOptions) -> Output | None:
    if options.output_schema is not None:
        from .given_schema import GivenOutput

        return GivenOutput(name, options.output_schema)
    told = told_structure(signature.returns)
    if not options.structured or told is None:
        return None
    return Output(name, told)
