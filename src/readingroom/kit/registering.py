"""What a program registers with a server: its tools, resources, prompts and completions."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from ..errors import UsageError
from ..protocol import CacheHint, Icon, ToolAnnotations
from ..server import Described, Handler, Registry, ToolOptions

if TYPE_CHECKING:
    from ..server import Tasks

Function = TypeVar("Function", bound=Callable[..., Any])


class Registering:
    """The part of a server that takes its features; everything is checked when it is registered."""

    _features: Registry
    _tasks: "Tasks | None"

    @overload
    def tool(self, function: Function, /) -> Function: ...

    @overload
    def tool(
        self,
        /,
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        read_only: bool = False,
        destructive: bool = True,
        idempotent: bool = False,
        open_world: bool = True,
        quick: bool = False,
        structured: bool = True,
        aliases: tuple[str, ...] = (),
        input_schema: dict[str, Any] | None = None,
        output_schema: dict[str, Any] | None = None,
        requires: dict[str, Any] | None = None,
        scopes: tuple[str, ...] = (),
        task: Literal["optional", "required"] | None = None,
        icons: tuple[Icon, ...] | None = None,
        meta: dict[str, Any] | None = None,
    ) -> Callable[[Function], Function]: ...

    def tool(
        self,
        function: Any = None,
        /,
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        read_only: bool = False,
        destructive: bool = True,
        idempotent: bool = False,
        open_world: bool = True,
        quick: bool = False,
        structured: bool = True,
        aliases: tuple[str, ...] = (),
        input_schema: dict[str, Any] | None = None,
        output_schema: dict[str, Any] | None = None,
        requires: dict[str, Any] | None = None,
        scopes: tuple[str, ...] = (),
        task: Literal["optional", "required"] | None = None,
        icons: tuple[Icon, ...] | None = None,
        meta: dict[str, Any] | None = None,
    ) -> Any:
        """Register a tool: the function's hints make its schemas, its docstring its description.

        `quick` runs it inline on the thread that reads: for work of microseconds that never blocks. `structured=False`
        gives no structured content. `aliases` are further names that calls may use. `input_schema` and `output_schema`
        replace those made from hints; the function then takes one object. `requires` names client capabilities without
        which a call is refused, e.g. `{"elicitation": {"form": {}}}`. `scopes` are what a token must allow for a call over
        HTTP with authorization. With `task` a call may become a task, by `Context.detach`; one that is "required" to is
        refused to clients that do not take tasks.

        Raises: UsageError, when registering, for whatever could not be served.
        """
        hints = ToolAnnotations(
            read_only_hint=read_only,
            destructive_hint=destructive and not read_only,
            idempotent_hint=idempotent or read_only,
            open_world_hint=open_world,
        )
        options = ToolOptions(
            name=name,
            title=title,
            description=description,
            icons=icons,
            meta=meta,
            hints=hints,
            quick=quick,
            aliases=aliases,
            input_schema=input_schema,
            output_schema=output_schema,
            structured=structured,
            requires=requires,
            scopes=scopes,
            task=task,
        )
        if task is not None and self._tasks is None:
            raise UsageError("give the server a store for its tasks first: Server(..., tasks=MemoryTasks())")
        return _decorate(function, lambda given: self._features.add_tool(given, options))

    def resource(
        self,
        uri: str,
        /,
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        mime_type: str | None = None,
        ttl_ms: int = 0,
        icons: tuple[Icon, ...] | None = None,
        meta: dict[str, Any] | None = None,
    ) -> Callable[[Function], Function]:
        """Register a resource at `uri`, or a family of them when `uri` has variables: `notes:///{id}`, `files:///{+path}`.

        The function takes the variables as texts and gives text, bytes or ResourceContents; None means that there is
        no such resource.

        Raises: UsageError, when registering.
        """
        listed = Described(name=name, title=title, description=description, icons=icons, meta=meta)
        hint = CacheHint(ttl_ms, "private")

        def register(function: Function) -> Function:
            self._features.add_resource(uri, function, listed, mime_type, hint)
            return function

        return register

    def resource_list(self, function: Function) -> Function:
        """Let `function(after: str | None, limit: int) -> Page` list resources that are not registered one by one.

        Raises: UsageError.
        """
        self._features.set_provider(function)
        return function

    @overload
    def prompt(self, function: Function, /) -> Function: ...

    @overload
    def prompt(
        self,
        /,
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        icons: tuple[Icon, ...] | None = None,
        meta: dict[str, Any] | None = None,
    ) -> Callable[[Function], Function]: ...

    def prompt(
        self,
        function: Any = None,
        /,
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        icons: tuple[Icon, ...] | None = None,
        meta: dict[str, Any] | None = None,
    ) -> Any:
        """Register a prompt: the function takes texts and gives a text or messages.

        Raises: UsageError, when registering.
        """
        options = Described(name=name, title=title, description=description, icons=icons, meta=meta)
        return _decorate(function, lambda given: self._features.add_prompt(given, options))

    def completion(self, owner: str, argument: str, /) -> Callable[[Function], Function]:
        """Register the source of values for `argument` of a prompt (its name) or of a template (its URI).

        The function takes `value`, what was typed, and may take `arguments`, those chosen already; it gives values, best
        first. Raises: UsageError, when registering.
        """

        def register(function: Function) -> Function:
            self._features.add_completion(owner, argument, function)
            return function

        return register


def _decorate(function: Handler | None, register: Callable[[Handler], None]) -> Any:
    """Serve both `@app.tool` and `@app.tool(...)`."""

    def decorate(given: Handler) -> Handler:
        register(given)
        return given

    return decorate if function is None else decorate(function)
