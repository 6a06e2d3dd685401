"""`Server`: what a program registers its tools, resources and prompts with, and serves them by."""

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeAlias, TypeVar, overload

from ..errors import TransportError, UsageError
from ..limits import DEFAULT_LIMITS, Limits
from ..protocol import CacheHint, Icon, Implementation, Sealer, ToolAnnotations
from ..server import Described, Dispatcher, Failures, Handler, Registry, ToolOptions

if TYPE_CHECKING:
    from ..protocol.authorization import Authenticator
    from ..server.rounds import Rounds
    from ..transport.http_server import HttpServer
    from .notices import Notices

Function = TypeVar("Function", bound=Callable[..., Any])
Notice: TypeAlias = Literal["tools", "prompts", "resources", "updates"]


class Server:
    """An MCP server of revision 2026-07-28.

    `name` and `version` are how it names itself; `instructions` tell a model how to use it. `logging` declares that
    handlers send log lines to clients that ask for them. `cursor_key`, at least 16 bytes, seals cursors: give one when
    several processes serve the same lists, else each process makes its own. `state_keys`, the newest first, seal what
    handlers that ask for input send along (`Context.ask`): give the same ones to all processes that serve the same clients,
    else each server makes one at random. With `debug` the log shows the texts of
    exceptions, which may hold what users sent. `notices` are the kinds of changes that clients may listen to.

    Raises: UsageError for an empty name or version, for notices that there are not, and for keys that are too short.
    """

    def __init__(
        self,
        name: str,
        *,
        version: str = "0.0.0",
        title: str | None = None,
        description: str | None = None,
        website_url: str | None = None,
        icons: tuple[Icon, ...] | None = None,
        instructions: str | None = None,
        logging: bool = False,
        cursor_key: bytes | None = None,
        state_keys: tuple[bytes, ...] | None = None,
        limits: Limits = DEFAULT_LIMITS,
        debug: bool = False,
        notices: tuple[Notice, ...] = (),
    ) -> None:
        for what, text in (("name", name), ("version", version)):
            if not isinstance(text, str) or not text:
                raise UsageError(f"the {what} of a server is a text that is not empty")
        if cursor_key is not None:
            _check_key(cursor_key)
        self._identity = Implementation(
            name, version, title=title, description=description, website_url=website_url, icons=icons
        )
        self._registry = Registry()
        self._instructions = instructions
        self._logging = logging
        self._cursor_key = cursor_key
        self._state_keys = (os.urandom(32),) if state_keys is None else _checked_keys(state_keys)
        self._limits = limits
        self._debug = debug
        self._notices = self._declared_notices(notices) if notices != () else None

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
        icons: tuple[Icon, ...] | None = None,
        meta: dict[str, Any] | None = None,
    ) -> Any:
        """Register a tool: the function's hints make its schemas, its docstring its description.

        `quick` runs it inline on the thread that reads: for work of microseconds that never blocks. `structured=False`
        gives no structured content. `aliases` are further names that calls may use. `input_schema` and `output_schema`
        replace those made from hints; the function then takes one object. `requires` names client capabilities without
        which a call is refused, e.g. `{"elicitation": {"form": {}}}`. `scopes` are what a token must allow for a call over
        HTTP with authorization.

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
        )
        return _decorate(function, lambda given: self._registry.add_tool(given, options))

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
            self._registry.add_resource(uri, function, listed, mime_type, hint)
            return function

        return register

    def resource_list(self, function: Function) -> Function:
        """Let `function(after: str | None, limit: int) -> Page` list resources that are not registered one by one.

        Raises: UsageError.
        """
        self._registry.set_provider(function)
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
        return _decorate(function, lambda given: self._registry.add_prompt(given, options))

    def completion(self, owner: str, argument: str, /) -> Callable[[Function], Function]:
        """Register the source of values for `argument` of a prompt (its name) or of a template (its URI).

        The function takes `value`, what was typed, and may take `arguments`, those chosen already; it gives values, best
        first. Raises: UsageError, when registering.
        """

        def register(function: Function) -> Function:
            self._registry.add_completion(owner, argument, function)
            return function

        return register

    def dispatcher(self) -> Dispatcher:
        """Give what answers requests with the features registered so far; carriers are joined to it."""
        hub = self._notices.hub if self._notices else None
        dispatcher = Dispatcher(
            self._registry,
            self._identity,
            sealer=Sealer(self._cursor_key or os.urandom(32)),
            failures=Failures(lambda: os.urandom(4).hex(), self._report),
            instructions=self._instructions,
            logging=self._logging,
            rounds=self._rounds,
            limits=self._limits,
            hub=hub,
        )
        if self._notices:
            self._notices.follow(dispatcher)
        return dispatcher

    def _rounds(self) -> "Rounds":
        from .rounds import rounds_of

        return rounds_of(self._identity.name, self._state_keys, self._limits)

    def tools_changed(self) -> None:
        """Take up the tools registered since serving began, and tell the clients that listen (SUB-9).

        This and the next five may be called from any thread. Raises: UsageError unless `notices` has "tools".
        """
        self._noticed("tools").list_changed("tools")

    def prompts_changed(self) -> None:
        """Take up the prompts registered since, and tell the clients that listen. Raises: UsageError."""
        self._noticed("prompts").list_changed("prompts")

    def resources_changed(self) -> None:
        """Take up the resources registered since, and tell the clients that listen. Raises: UsageError."""
        self._noticed("resources").list_changed("resources")

    def resource_updated(self, uri: str) -> None:
        """Tell the clients that listen to this very resource that it has changed. Raises: UsageError."""
        self._noticed("updates").resource_updated(uri)

    def on_watch(self, function: Function) -> Function:
        """Call `function(uri, is_watched)` when the first listener of a resource comes, and when the last one goes.

        Calls come one at a time, in order, on a thread that serves requests: it should return at once. What it raises
        goes to the log. Raises: UsageError.
        """
        self._noticed("updates").on_watch(function)
        return function

    def close_subscriptions(self) -> None:
        """End all subscriptions that are open, each with its result; clients may listen anew (SUB-11)."""
        if self._notices:
            self._notices.hub.close()

    def _declared_notices(self, notices: tuple[Notice, ...]) -> "Notices":
        from .notices import Notices

        return Notices(notices, self._limits, self._report_anew)

    def _noticed(self, kind: Notice) -> "Notices":
        if self._notices is None:
            raise UsageError(f"declare it first: Server(..., notices=({kind!r},))")
        return self._notices

    def run(self, *, principal: str = "local", older_era: bool = True) -> NoReturn:
        """Serve on stdin and stdout until the client closes its side, then exit the process (docs/reference/exit-codes.md).

        Call it from the main thread, so that signals are heard. stdout belongs to the protocol from here on: what else
        writes to it lands on stderr.
        """
        from ..transport.handles import leave
        from ..transport.supervisor import EXIT_FAILED

        try:
            code = self.serve_stdio(principal=principal, older_era=older_era)
        except TransportError as error:
            from .incidents import tell

            tell(f"{self._identity.name}: {error}")
            code = EXIT_FAILED
        leave(code)

    def serve_stdio(self, *, principal: str = "local", older_era: bool = True) -> int:
        """Serve like `run`, and give the exit code instead of exiting.

        Without `older_era` only clients of revision 2026-07-28 and later are served; others may begin with `initialize`.

        Raises: TransportError when stdin or stdout is not open.
        """
        from ..transport.handles import take_over
        from ..transport.stdio_server import StdioServer

        server = StdioServer(
            self.dispatcher(), take_over(), principal=principal, limits=self._limits, older_era=older_era
        )
        return server.serve()

    def _report_anew(self, error: BaseException, feature: str) -> None:
        """Write an error that no request has to answer for to the log, under an incident id of its own."""
        self._report(os.urandom(4).hex(), error, feature)

    def asgi(
        self,
        *,
        path: str = "/mcp",
        auth: "Authenticator | None" = None,
        allowed_hosts: Iterable[str] | None = None,
        allowed_origins: Iterable[str] = (),
    ) -> "HttpServer":
        """Give an ASGI application that serves at `path`, and tells at `/healthz` that it lives.

        `auth` says whom a request speaks for; without it everybody is served. `allowed_hosts` are the names under which it
        is reached: without them those of the address that a request came in at, so name them when another application or a
        proxy stands before it. `allowed_origins` are web pages' origins that may ask besides. An application that mounts
        it calls its `stop()` when it ends. Raises: UsageError for a path that is none.
        """
        from .http import asgi_of

        return asgi_of(
            {"*": self},
            path=path,
            auth=auth,
            allowed_hosts=allowed_hosts,
            allowed_origins=allowed_origins,
            limits=self._limits,
        )

    def _report(self, incident: str, error: BaseException, feature: str) -> None:
        from .incidents import report

        report(self._identity.name, incident, error, feature, debug=self._debug)


def _check_key(key: bytes) -> None:
    if not isinstance(key, bytes):
        raise UsageError("cursor_key is bytes")
    try:
        Sealer(key)
    except ValueError as error:
        raise UsageError(f"cursor_key: {error}") from error


def _checked_keys(keys: tuple[bytes, ...]) -> tuple[bytes, ...]:
    from .rounds import checked_keys

    return checked_keys(keys)


def _decorate(function: Handler | None, register: Callable[[Handler], None]) -> Any:
    """Serve both `@app.tool` and `@app.tool(...)`."""

    def decorate(given: Handler) -> Handler:
        register(given)
        return given

    return decorate if function is None else decorate(function)
