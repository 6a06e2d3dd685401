"""The public client: calls and their answers, over one server.

`Client` is synchronous; `async with` it gives an `AsyncClient`, whose methods have the same names and are awaited. Both
use one engine: a thread that reads, and pending requests that either kind of caller waits for.
"""

import math
import os
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeVar, Unpack

from ..client import (
    Answer,
    CallToolAnswer,
    CompleteAnswer,
    Discovery,
    Operation,
    PromptAnswer,
    PromptInfo,
    ReadAnswer,
    ResourceInfo,
    Rounds,
    TemplateInfo,
    ToolInfo,
    notices,
    operations,
)
from ..errors import InputRequired, PeerProtocolError, RemoteError, UsageError
from ..transport.connection import Connection
from ..transport.pending import InFlight, OnProgress, Pending
from ..transport.processes import default_environment
from ..transport.stderr_lines import StderrSink
from ..transport.stdio_client import StdioConnection
from .callbacks import answer_of, plain
from .engine import Engine
from .listener import Listener, OnLost
from .listing import Listing
from .settings import Options, Settings
from .subscription import Subscription

if TYPE_CHECKING:
    from types import TracebackType

    from ..client.authorization import Authorization
    from .async_client import AsyncClient

A = TypeVar("A", bound=Answer)

_SHOWN = 200


class Client:
    """A client of one server. Open it with `with`, with `async with`, or with `open` and `close` from any thread.

    Every call waits for its answer, verified, and raises one of `readingroom.errors`: RemoteError for the server's own
    error, PeerProtocolError for an answer that breaks the protocol, Closed when the server has ended, TimedOut when it
    takes too long, InputRequired when it asks for input, UsageError for what cannot be asked. Calls may be made from
    many threads at once.
    """

    def __init__(self, engine: Engine) -> None:
        """Used by the constructors that are named after a carrier, such as `stdio`."""
        self._engine = engine

    @classmethod
    def stdio(
        cls,
        command: Sequence[str],
        *,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        stderr: StderrSink | None = None,
        **options: Unpack[Options],
    ) -> Self:
        """Make a client for a server that is started as a process and spoken to over its stdin and stdout.

        `command` is a program and its arguments; there is no shell. The process gets the variables of
        `default_environment()` and those of `env`; `env=os.environ` passes all. `stderr` is a callable that gets each
        line, or a file; without it the server shares this program's stderr, and errors cannot quote it. The `options`
        are those of every client, and `Settings` says what they mean.
        """
        environment = default_environment() | dict(env or {})
        settings = Settings(target=" ".join(map(str, command))[:_SHOWN], **options)

        def connect(engine: Engine) -> Connection:
            return StdioConnection(
                command,
                engine.builder,
                cwd=cwd,
                env=environment,
                stderr=stderr,
                limits=settings.limits,
                strict=settings.strict,
                violations=engine.violations,
            )

        return cls(Engine(connect, settings))

    @classmethod
    def http(
        cls,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        auth: "Authorization | str | None" = None,
        verify: bool | str = True,
        **options: Unpack[Options],
    ) -> Self:
        """Make a client for a server at an address, `https://…` or `http://…`, that is spoken to over Streamable HTTP.

        `headers` go with every request. `auth` is an access token, or what gets one: an `OAuthLogin`, a `BearerToken` or
        your own `Authorization`. `verify` is the file of the certificates to trust in place of the system's. The
        proxies that the environment names are used. The `options` are those of every client; a server over HTTP may be
        silent for `timeout` before it is given up, whatever `probe_seconds` says.

        Raises: UsageError for an address or a header that cannot be used.
        """
        from .http_client import connector

        options["probe_seconds"] = math.inf
        settings = Settings(target=url[:_SHOWN], **options)
        return cls(Engine(connector(url, settings, headers=headers, auth=auth, verify=verify), settings))

    def open(self) -> Self:
        """Start the server and ask what it is; a client that has been closed may be opened anew.

        Raises: ConnectFailed when it cannot be started, does not answer or speaks no version of ours;
        PeerProtocolError; UsageError when it is open, or its command is none.
        """
        self._engine.open()
        return self

    def close(self) -> None:
        """End the server and all it has started, and fail what is in flight with Closed.

        May be called at any time, again, and from any thread; it returns when nothing is left.
        """
        self._engine.close()

    def __enter__(self) -> Self:
        return self.open()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None"
    ) -> None:
        self.close()

    async def __aenter__(self) -> "AsyncClient":
        client = self.aio
        await client.open()
        return client

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None"
    ) -> None:
        await self.aio.close()

    @property
    def aio(self) -> "AsyncClient":
        """The same client for coroutines: the same methods, to be awaited."""
        from .async_client import AsyncClient

        return AsyncClient(self, self._engine)

    @property
    def server(self) -> Discovery:
        """What the server said of itself when the client was opened.

        Raises: UsageError before that.
        """
        return self._engine.server

    @property
    def violations(self) -> tuple[int, list[PeerProtocolError]]:
        """How many times the server broke a rule since the client was last opened, and the last hundred of them.

        Raises: UsageError before the client has been opened.
        """
        if not self._engine.has_begun:
            raise UsageError("the client has not been opened")
        found = self._engine.violations
        return found.count, list(found.last)

    def discover(self, *, timeout: float | None = None) -> Discovery:
        """Ask the server what it is and can; of one of the older era, what it said in the handshake.

        Raises: ConnectFailed when it speaks no version of ours.
        """
        if self._engine.is_older:
            return self._engine.server
        return self._engine.checked(self._ask(operations.discover(), Discovery, timeout, keep=True))

    def list_tools(self, *, timeout: float | None = None) -> list[ToolInfo]:
        """List the tools, all pages; `timeout` is for each page, its ceiling for all.

        Raises, as every list: TimedOut, and PeerProtocolError for one that does not end (PAGE-4), or not within
        `limits.answer_bytes`.
        """
        return self._list("tools", timeout)

    def call_tool(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        on_progress: OnProgress | None = None,
    ) -> CallToolAnswer:
        """Call a tool. A failure of the tool itself is an answer with `is_error`, not an exception (TOOL-7).

        If the tool has been listed with an output schema, the structured content is checked by it (TOOL-10), provided that
        `jsonschema-rs` is installed; a schema that cannot be used is a PeerProtocolError before anything is sent.
        `on_progress` is called in this thread while it waits.
        """
        operation = operations.call_tool(name, arguments)
        check = self._engine.check_of(name)
        answer = self._ask(operation, CallToolAnswer, timeout, on_progress)
        check(answer)
        return answer

    def list_resources(self, *, timeout: float | None = None) -> list[ResourceInfo]:
        """List the resources, all pages."""
        return self._list("resources", timeout)

    def list_templates(self, *, timeout: float | None = None) -> list[TemplateInfo]:
        """List the resource templates, all pages."""
        return self._list("templates", timeout)

    def read_resource(self, uri: str, *, timeout: float | None = None) -> ReadAnswer:
        """Read a resource."""
        return self._ask(operations.read_resource(uri), ReadAnswer, timeout, keep=True)

    def list_prompts(self, *, timeout: float | None = None) -> list[PromptInfo]:
        """List the prompts, all pages."""
        return self._list("prompts", timeout)

    def get_prompt(
        self, name: str, arguments: Mapping[str, str] | None = None, *, timeout: float | None = None
    ) -> PromptAnswer:
        """Fill in a prompt."""
        return self._ask(operations.get_prompt(name, arguments), PromptAnswer, timeout)

    def complete(
        self,
        ref: Mapping[str, str],
        name: str,
        value: str,
        *,
        arguments: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> CompleteAnswer:
        """Ask for values of the argument `name` of a prompt or template that go on from `value`.

        `ref` is `{"type": "ref/prompt", "name": …}` or `{"type": "ref/resource", "uri": …}`; `arguments` are those
        chosen already.
        """
        return self._ask(operations.complete(ref, name, value, arguments), CompleteAnswer, timeout)

    def listen(
        self,
        *,
        tools: bool = False,
        prompts: bool = False,
        resources: bool = False,
        uris: Sequence[str] = (),
        timeout: float | None = None,
        on_lost: OnLost | None = None,
    ) -> Subscription:
        """Listen to changes: of the lists that are named, and of the resources in `uris`. Several may be open at once.

        `timeout` is for the acknowledgement. When the connection is lost, the subscription is made anew, and the iteration
        gives Resumed; `on_lost` is told of the error before that, and may raise it.
        """
        operation = notices.listen(tools=tools, prompts=prompts, resources=resources, uris=uris)
        return Subscription(Listener(self._engine, operation, timeout, on_lost))

    def request(
        self, method: str, params: Mapping[str, Any] | None = None, *, timeout: float | None = None
    ) -> dict[str, Any]:
        """Make any request and give its result as it came; the metadata is added to `params`."""
        return self._settled(Operation(method, params), timeout).result()

    def submit(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        on_progress: OnProgress | None = None,
    ) -> Pending:
        """Send any request without waiting for its answer, so that many can be under way at once.

        No callback is called for it: where the server asks for input, its result raises InputRequired.
        """
        return self._engine.send(Operation(method, params), timeout, on_progress)

    def _ask(
        self,
        operation: Operation,
        kind: type[A],
        timeout: float | None,
        on_progress: OnProgress | None = None,
        *,
        keep: bool = False,
    ) -> A:
        """Make a request and give its answer; with `keep`, one that is fresh is given without asking (CACHE-4)."""
        if keep:
            answer = self._engine.fresh(operation) or self._kept(operation, timeout)
        else:
            answer = self._settled(operation, timeout, on_progress).value
        assert isinstance(answer, kind)  # noqa: S101  -- each method has one reader; for the type checker
        return answer

    def _kept(
        self, operation: Operation, timeout: float | None, ceiling: float | None = None
    ) -> Answer | None:
        """Make a request and keep its answer."""
        keep = self._engine.keeper(operation)
        pending = self._engine.send(operation, timeout, ceiling=ceiling)
        try:
            pending.result()
        except InputRequired as asked:
            return self._in_rounds(operation, asked, timeout).value
        keep(pending)
        return pending.value

    def _settled(
        self, operation: Operation, timeout: float | None, on_progress: OnProgress | None = None
    ) -> InFlight:
        """Make a request, in as many rounds as it takes, and give the last one when it has ended."""
        pending = self._engine.send(operation, timeout, on_progress)
        try:
            pending.result()
        except InputRequired as asked:
            return self._in_rounds(operation, asked, timeout, on_progress)
        return pending

    def _in_rounds(
        self,
        operation: Operation,
        asked: InputRequired,
        timeout: float | None,
        on_progress: OnProgress | None = None,
    ) -> InFlight:
        """Answer what is asked and make the request again, until it has ended."""
        rounds = Rounds(operation, self._engine.builder.capabilities, self._engine.settings.max_rounds)
        while True:
            pending = self._engine.send(self._answered(rounds, asked), timeout, on_progress)
            try:
                pending.result()
            except InputRequired as again:
                asked = again
            else:
                return pending

    def _answered(self, rounds: Rounds, asked: InputRequired) -> Operation:
        """Have what is asked answered, in this thread, and give the request of the next round."""
        asks = rounds.asks(asked)
        calls = self._engine.calls_for(asks, asked)
        answers = {key: answer_of(asks[key], plain(call())) for key, call in calls.items()}
        time.sleep(rounds.pause())
        return rounds.retry(answers)

    def _list(self, kind: str, timeout: float | None) -> list[Any]:
        listing = Listing(self._engine, kind, timeout)
        while (operation := listing.next()) is not None:
            page = listing.fresh(operation)
            if page is None:
                try:
                    page = self._kept(operation, *listing.times())
                except RemoteError as error:
                    listing.mend(error, operation)
                    continue
            listing.take(page)
        return listing.items()
