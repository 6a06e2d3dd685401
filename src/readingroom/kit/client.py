"""The public client: calls and their answers, over one server.

`Client` is synchronous; `async with` it gives an `AsyncClient`, whose methods have the same names and are awaited. Both
use one engine: a thread that reads, and pending requests that either kind of caller waits for.
"""

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeVar

from .. import __version__
from ..client import (
    Answer,
    CallToolAnswer,
    CompleteAnswer,
    Discovery,
    Operation,
    Pages,
    PromptAnswer,
    PromptInfo,
    ReadAnswer,
    RequestBuilder,
    ResourceInfo,
    TemplateInfo,
    ToolInfo,
    operations,
)
from ..errors import Closed, ConnectFailed, PeerProtocolError, RemoteError, TimedOut, UsageError
from ..limits import DEFAULT_LIMITS, Limits
from ..protocol import SUPPORTED, Identity
from ..transport.pending import InFlight, OnProgress, Pending
from ..transport.processes import default_environment
from ..transport.stderr_lines import StderrSink
from ..transport.stdio_client import StdioConnection

if TYPE_CHECKING:
    from types import TracebackType

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

    def __init__(
        self,
        connect: Callable[[], StdioConnection],
        builder: RequestBuilder,
        *,
        target: str,
        timeout: float,
        close_seconds: float,
    ) -> None:
        """Used by the constructors that are named after a carrier, such as `stdio`."""
        self._connect = connect
        self._builder = builder
        self._target = target
        self._timeout = _seconds(timeout)
        self._close_seconds = close_seconds
        self._lock = threading.Lock()
        self._connection: StdioConnection | None = None
        self._latest: StdioConnection | None = None
        self._server: Discovery | None = None

    @classmethod
    def stdio(  # noqa: PLR0913  -- each is a choice that some caller has to make
        cls,
        command: Sequence[str],
        *,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        stderr: StderrSink | None = None,
        timeout: float = 60.0,
        limits: Limits = DEFAULT_LIMITS,
        name: str = "readingroom",
        version: str = __version__,
        capabilities: Mapping[str, Any] | None = None,
        strict: bool = True,
        close_seconds: float = 5.0,
    ) -> Self:
        """Make a client for a server that is started as a process and spoken to over its stdin and stdout.

        `command` is a program and its arguments; there is no shell. The process gets the variables of
        `default_environment()` and those of `env`; `env=os.environ` passes all. `stderr` is a callable that gets each
        line, or a file; without it the server shares this program's stderr, and errors cannot quote it. `timeout` is
        for one request, in seconds; `math.inf` turns it off. `close_seconds` is how long the server may take to end by
        itself. With `strict` off, junk on stdout and missing cache hints are counted in `violations` and fail nothing.
        """
        builder = RequestBuilder(Identity(name, version), capabilities or {})
        environment = default_environment() | dict(env or {})

        def connect() -> StdioConnection:
            return StdioConnection(
                command, builder, cwd=cwd, env=environment, stderr=stderr, limits=limits, strict=strict
            )

        target = " ".join(map(str, command))[:_SHOWN]
        return cls(connect, builder, target=target, timeout=timeout, close_seconds=close_seconds)

    def open(self) -> Self:
        """Start the server and ask what it is; a client that has been closed may be opened anew.

        Raises: ConnectFailed when it cannot be started, does not answer or speaks no version of ours;
        PeerProtocolError; UsageError when it is open, or its command is none.
        """
        with self._lock:
            if self._connection is not None:
                raise UsageError("the client is open")
            self._connection = self._latest = self._connect()
        try:
            self._server = self._first_discovery()
        except BaseException:
            self.close()
            raise
        return self

    def close(self) -> None:
        """End the server and all it has started, and fail what is in flight with Closed.

        May be called at any time, again, and from any thread; it returns when nothing is left.
        """
        connection = self._connection
        if connection is not None:
            connection.close(self._close_seconds)
            with self._lock:
                if self._connection is connection:
                    self._connection = None

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

        return AsyncClient(self, self._send, self._has_room, self._checked)

    @property
    def server(self) -> Discovery:
        """What the server said of itself when the client was opened.

        Raises: UsageError before that.
        """
        if self._server is None:
            raise UsageError("the client has not been opened")
        return self._server

    @property
    def violations(self) -> tuple[int, list[PeerProtocolError]]:
        """How many times the server broke a rule since the client was last opened, and the last hundred of them.

        Raises: UsageError before the client has been opened.
        """
        if self._latest is None:
            raise UsageError("the client has not been opened")
        return self._latest.violations

    def discover(self, *, timeout: float | None = None) -> Discovery:
        """Ask the server what it is and can.

        Raises: ConnectFailed when it speaks no version of ours.
        """
        return self._checked(self._ask(operations.discover(), Discovery, timeout))

    def _checked(self, found: Discovery) -> Discovery:
        """Give what was discovered, if the server speaks our version.

        Raises: ConnectFailed.
        """
        if not set(SUPPORTED) & set(found.supported_versions):
            raise ConnectFailed(f"{self._target} speaks {found.supported_versions}, not {SUPPORTED[0]}")
        return found

    def list_tools(self, *, timeout: float | None = None) -> list[ToolInfo]:
        """List the tools, all pages; `timeout` is for each page."""
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

        `on_progress` is called in this thread while it waits.
        """
        return self._ask(operations.call_tool(name, arguments), CallToolAnswer, timeout, on_progress)

    def list_resources(self, *, timeout: float | None = None) -> list[ResourceInfo]:
        """List the resources, all pages."""
        return self._list("resources", timeout)

    def list_templates(self, *, timeout: float | None = None) -> list[TemplateInfo]:
        """List the resource templates, all pages."""
        return self._list("templates", timeout)

    def read_resource(self, uri: str, *, timeout: float | None = None) -> ReadAnswer:
        """Read a resource."""
        return self._ask(operations.read_resource(uri), ReadAnswer, timeout)

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

    def request(
        self, method: str, params: Mapping[str, Any] | None = None, *, timeout: float | None = None
    ) -> dict[str, Any]:
        """Make any request and give its result as it came; the metadata is added to `params`."""
        return self.submit(method, params, timeout=timeout).result()

    def submit(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        on_progress: OnProgress | None = None,
    ) -> Pending:
        """Send any request without waiting for its answer, so that many can be under way at once."""
        return self._send(Operation(method, params), timeout, on_progress)

    def _send(
        self,
        operation: Operation,
        timeout: float | None = None,
        on_progress: OnProgress | None = None,
        relay: OnProgress | None = None,
    ) -> InFlight:
        """Send what `operations` made; `relay` gets progress at once, in the reading thread."""
        wants = on_progress is not None or relay is not None
        prepared = self._builder.prepare(operation.method, operation.params, progress=wants)
        allowed = self._timeout if timeout is None else _seconds(timeout)
        return self._opened().send(prepared, allowed, on_progress, relay)

    def _has_room(self) -> bool:
        """Say whether a request can be sent without waiting for the server to read."""
        return self._opened().has_room()

    def _opened(self) -> StdioConnection:
        connection = self._connection
        if connection is None:
            raise UsageError("the client is not open")
        return connection

    def _ask(
        self,
        operation: Operation,
        kind: type[A],
        timeout: float | None,
        on_progress: OnProgress | None = None,
    ) -> A:
        answer = self._send(operation, timeout, on_progress).answer()
        assert isinstance(answer, kind)  # noqa: S101  -- each method has one reader; for the type checker
        return answer

    def _list(self, kind: str, timeout: float | None) -> list[Any]:
        pages = Pages(kind)
        while (operation := pages.next()) is not None:
            pages.take(self._send(operation, timeout).answer())
        return pages.items

    def _first_discovery(self) -> Discovery:
        """Discover, and say of whatever fails that the server could not be connected to."""
        try:
            return self.discover()
        except RemoteError as error:
            raise ConnectFailed(
                f"{self._target} does not speak MCP {SUPPORTED[0]}: {_refusal(error)}"
            ) from error
        except (Closed, TimedOut) as error:
            raise ConnectFailed(f"{self._target} did not answer: {error}") from error


def _refusal(error: RemoteError) -> str:
    supported = error.data.get("supported") if isinstance(error.data, dict) else None
    return f"it speaks {supported}" if supported else f"it answered server/discover with {error}"


def _seconds(timeout: float) -> float:
    """Check a time limit."""
    if not timeout > 0:
        raise UsageError("a timeout is a positive number of seconds")
    return float(timeout)
