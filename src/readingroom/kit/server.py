"""`Server`: what a program registers its tools, resources and prompts with (`registering`), and serves them by."""

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Literal, NoReturn, TypeAlias

from ..errors import TransportError, UsageError
from ..limits import DEFAULT_LIMITS, Limits
from ..protocol import Icon, Implementation, Sealer
from ..server import Dispatcher, Failures, Registry
from .registering import Function, Registering

if TYPE_CHECKING:
    from ..protocol.authorization import Authenticator
    from ..server import Tasks, TaskStore
    from ..server.rounds import Rounds
    from ..transport.http_server import HttpServer
    from .notices import Notices

Notice: TypeAlias = Literal["tools", "prompts", "resources", "updates"]


class Server(Registering):
    """An MCP server of revision 2026-07-28.

    `name` and `version` are how it names itself; `instructions` tell a model how to use it. `logging` declares that
    handlers send log lines to clients that ask for them. `cursor_key`, at least 16 bytes, seals cursors: give one when
    several processes serve the same lists, else each process makes its own. `state_keys`, the newest first, seal what
    handlers that ask for input send along (`Context.ask`): give the same ones to all processes that serve the same clients,
    else each server makes one at random. With `debug` the log shows the texts of exceptions, which may hold what users sent.
    `notices` are the kinds of changes that clients may listen to. `tasks` keeps the tasks that some tools may become.

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
        tasks: "TaskStore | None" = None,
    ) -> None:
        for what, text in (("name", name), ("version", version)):
            if not isinstance(text, str) or not text:
                raise UsageError(f"the {what} of a server is a text that is not empty")
        if cursor_key is not None or state_keys is not None:
            from .rounds import check_keys

            check_keys(cursor_key, state_keys)
        self._identity = Implementation(
            name, version, title=title, description=description, website_url=website_url, icons=icons
        )
        self._features = Registry()
        self._instructions = instructions
        self._logging = logging
        self._cursor_key = cursor_key
        self._state_keys = tuple(state_keys or (os.urandom(32),))
        self._limits = limits
        self._debug = debug
        self._notices = self._declared_notices(notices) if notices != () or tasks is not None else None
        self._tasks = None if tasks is None else self._joined_tasks(tasks)

    def dispatcher(self) -> Dispatcher:
        """Give what answers requests with the features registered so far; carriers are joined to it."""
        dispatcher = Dispatcher(
            self._features,
            self._identity,
            sealer=Sealer(self._cursor_key or os.urandom(32)),
            failures=Failures(lambda: os.urandom(4).hex(), self._report),
            instructions=self._instructions,
            logging=self._logging,
            rounds=self._rounds,
            limits=self._limits,
            hub=self._notices.hub if self._notices else None,
            tasks=self._tasks,
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

    def resource_updated(self, uri: str, *, principal: str | None = None) -> None:
        """Tell the clients that listen to this very resource that it has changed. Raises: UsageError.

        With `principal` only those that speak for it are told: for what is a principal's own, whoever knows its address.
        """
        self._noticed("updates").resource_updated(uri, principal)

    def on_watch(self, function: Function) -> Function:
        """Call `function(uri, is_watched)` when the first listener of a resource comes, and when the last one goes.

        Calls come one at a time, in order, on a thread that serves requests: it should return at once. What it raises
        goes to the log. Raises: UsageError.
        """
        self._noticed("updates").on_watch(function)
        return function

    def share_tasks(self) -> None:
        """Give no principal more than half of the tasks that may run: for carriers that know principals by their tokens."""
        if self._tasks:
            self._tasks.has_shares = True

    def close_tasks(self) -> None:
        """End the tasks that run in this process, as failed, and tell their handlers to end: for when serving ends."""
        if self._tasks:
            self._tasks.close()

    def close_subscriptions(self) -> None:
        """End all subscriptions that are open, each with its result; clients may listen anew (SUB-11)."""
        if self._notices:
            self._notices.hub.close()

    def _declared_notices(self, notices: tuple[Notice, ...]) -> "Notices":
        from .notices import Notices

        return Notices(notices, self._limits, self._report_anew)

    def _joined_tasks(self, store: "TaskStore") -> "Tasks":
        from .tasks import tasks_of

        return tasks_of(store, self._limits, self._notices, self._report_anew)

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
        try:
            return server.serve()
        finally:
            self.close_tasks()

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
        older_era: bool = True,
    ) -> "HttpServer":
        """Give an ASGI application that serves at `path`, and tells at `/healthz` that it lives.

        `auth` says whom a request speaks for; without it everybody is served. `allowed_hosts` are the names under which it
        is reached: without them those of the address that a request came in at, so name them when another application or a
        proxy stands before it. `allowed_origins` are web pages' origins that may ask besides. An application that mounts
        it calls its `stop()` when it ends. Without `older_era` only clients of revision 2026-07-28 and later are served.

        Raises: UsageError for a path that is none.
        """
        from .http import asgi_of

        return asgi_of(
            {"*": self},
            path=path,
            auth=auth,
            allowed_hosts=allowed_hosts,
            allowed_origins=allowed_origins,
            older_era=older_era,
            limits=self._limits,
        )

    def serve_http(
        self,
        host: str = "127.0.0.1",
        port: int = 8000,
        *,
        path: str = "/mcp",
        auth: "Authenticator | None" = None,
        allowed_hosts: Iterable[str] | None = None,
        allowed_origins: Iterable[str] = (),
        tls: tuple[str, str] | None = None,
        behind_proxy: bool = False,
        shares_port: bool = False,
        older_era: bool = True,
        started: Callable[[str], None] | None = None,
    ) -> int:
        """Serve over HTTP until SIGINT or SIGTERM; give the exit code. Call it from the main thread; needs the extra `http`.

        `tls` names the files of a certificate and its key. `behind_proxy` says that only a proxy can connect, whose word on
        the address of a client is taken. With `shares_port` several processes may serve one port. `started` is called with
        the origin; without it a line on stderr tells it. Port 0 takes a free one. The rest is as in `asgi`.

        Raises: UsageError for an address that other machines can reach without `auth`, or without one of `tls` and
        `behind_proxy`; TransportError, which says what to do, for one that cannot be listened at.
        """
        from .http_serving import Address, serve_http

        app = self.asgi(
            path=path,
            auth=auth,
            allowed_hosts=allowed_hosts,
            allowed_origins=allowed_origins,
            older_era=older_era,
        )
        address = Address(
            host=host,
            port=port,
            tls_certificate=tls[0] if tls else None,
            tls_key=tls[1] if tls else None,
            behind_proxy=behind_proxy,
            shares_port=shares_port,
        )
        return serve_http(
            app,
            address,
            name=self._identity.name,
            path=path,
            has_authorization=auth is not None,
            limits=self._limits,
            started=started,
        )

    def _report(self, incident: str, error: BaseException, feature: str) -> None:
        from .incidents import report

        report(self._identity.name, incident, error, feature, debug=self._debug)
