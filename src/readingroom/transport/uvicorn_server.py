"""Runs an ASGI application on uvicorn's HTTP connection: sockets, TLS, the sweeper, and a graceful end.

uvicorn's own server is not used: it exits with 143 after a clean SIGTERM, waits for streams without end, and gives a TLS
handshake a minute. Needs the extra `http`; imported only when HTTP is served. Exit codes: docs/reference/exit-codes.md.
"""

import asyncio
import contextlib
import os
import signal
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Iterator
from email.utils import formatdate
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec

from ..errors import TransportError, UsageError
from ..limits import DEFAULT_LIMITS, Limits
from .listening_sockets import listen

try:
    import httptools  # noqa: F401  -- without it uvicorn would take another parser, which is not strict
    from uvicorn.config import Config
    from uvicorn.server import ServerState
except ModuleNotFoundError as error:
    raise UsageError("HTTP needs more packages: pip install 'readingroom[http]'") from error

from .connection_counts import ConnectionCounts
from .uvicorn_protocol import GuardedProtocol

EXIT_OK = 0
_BACKLOG = 2048
_TICK_S = 1.0
_STEP_S = 0.02
_LAST_S = 1.0
# The index, the streams, what a library opens.
_OTHER_DESCRIPTORS = 128


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """Where to listen, and how. `certificate` and `key` are files in PEM; with `shares_port` several processes may listen.

    `has_proxy` says that every connection comes from a proxy, whose word on the client's address is taken.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    certificate: str | None = None
    key: str | None = None
    shares_port: bool = False
    has_proxy: bool = False


def serve(
    app: Any,
    site: Site,
    *,
    limits: Limits = DEFAULT_LIMITS,
    end_streams: Callable[[], None] = lambda: None,
    started: Callable[[str], None] = lambda _: None,
    tell: Callable[[str], None] = lambda _: None,
    stopping: threading.Event | None = None,
) -> int:
    """Serve until a signal comes, or `stopping` is set; give the exit code.

    `started` is called with the origin that is served, e.g. `http://127.0.0.1:8000`, once connections are taken. At the end
    `end_streams` lets the application end its open streams; answers under way have `limits.drain_seconds`. A second signal
    ends the process at once. Raises: UsageError for a certificate that cannot be used, TransportError for an address that
    cannot be listened at and for an application that does not start.
    """
    context = tls_context(site)
    sockets = listen(site.host, site.port, shares_port=site.shares_port)
    loop = asyncio.new_event_loop()
    try:
        asyncio.set_event_loop(loop)
        running = _Running(app, site, _within_descriptors(limits, tell), tell)
        return loop.run_until_complete(running.run(sockets, context, end_streams, started, stopping))
    finally:
        _close(loop)
        for each in sockets:
            each.close()


def _close(loop: asyncio.AbstractEventLoop) -> None:
    """Close the loop, without waiting for threads that handlers may have got stuck in."""
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    if tasks:
        loop.run_until_complete(asyncio.wait(tasks, timeout=_LAST_S))
    loop.run_until_complete(loop.shutdown_asyncgens())
    asyncio.set_event_loop(None)
    loop.close()


def _within_descriptors(limits: Limits, tell: Callable[[str], None]) -> Limits:
    """Ask the system for as many descriptors as the connections need; where it gives fewer, take fewer connections."""
    if sys.platform == "win32":
        return limits
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.connections + _OTHER_DESCRIPTORS
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return limits
    room = max(1, soft - _OTHER_DESCRIPTORS)
    tell(
        f"HTTP: the system gives {soft} descriptors, so that at most {room} connections are taken (ulimit -n)"
    )
    return msgspec.structs.replace(limits, connections=room)


def tls_context(site: Site) -> ssl.SSLContext | None:
    """Give what TLS is spoken with: 1.2 or newer. Raises: UsageError for files that cannot be used."""
    if site.certificate is None:
        if site.key is not None:
            raise UsageError("a TLS key is of no use without its certificate")
        return None
    for what, file in (("certificate", site.certificate), ("key", site.key)):
        _check_readable(what, file)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(site.certificate, site.key, password=_no_password)
    except (OSError, ValueError) as error:
        files = site.certificate if site.key is None else f"{site.certificate} with {site.key}"
        hint = "; a key of its own is not given, so the file must hold it as well" if site.key is None else ""
        raise UsageError(f"the TLS certificate {files} cannot be used: {error}{hint}") from error
    return context


def _check_readable(what: str, file: str | None) -> None:
    """Say which file it is that cannot be read, which the loading of both does not. Raises: UsageError."""
    if file is None:
        return
    try:
        with Path(file).open("rb"):
            pass
    except OSError as error:
        raise UsageError(f"the TLS {what} {file} cannot be read: {error.strerror}") from error


def _no_password() -> str:
    raise ValueError("the key has a password; give one without, in a file that nobody else can read")


class _Running:
    """One run of a server."""

    def __init__(self, app: Any, site: Site, limits: Limits, tell: Callable[[str], None]) -> None:
        self._config = Config(
            app,
            http=GuardedProtocol,
            ws="none",
            loop="none",
            lifespan="auto",
            interface="asgi3",
            log_config=None,
            proxy_headers=False,
            server_header=False,
        )
        self._site = site
        self._limits = limits
        self._tell = tell
        self._state = ServerState()
        self._ending = asyncio.Event()
        self._is_ending = False

    async def run(
        self,
        sockets: list[socket.socket],
        context: ssl.SSLContext | None,
        end_streams: Callable[[], None],
        started: Callable[[str], None],
        stopping: threading.Event | None,
    ) -> int:
        self._config.load()
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._tell_fault)
        lifespan = self._config.lifespan_class(self._config)
        await lifespan.startup()
        if lifespan.should_exit:
            raise TransportError("the application did not start; its log says why")
        with self._hearing_signals(loop):
            servers = [
                await loop.create_server(
                    self._protocol_factory(lifespan.state, loop),
                    sock=each,
                    ssl=context,
                    ssl_handshake_timeout=self._limits.head_seconds if context else None,
                    backlog=_BACKLOG,
                )
                for each in sockets
            ]
            started(self._origin(sockets[0]))
            await self._sweep_until_end(loop, stopping)
            for server in servers:
                server.close()
            end_streams()
            await self._drain(loop)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(lifespan.shutdown(), _LAST_S)
        return EXIT_OK

    def _protocol_factory(
        self, state: dict[str, Any], loop: asyncio.AbstractEventLoop
    ) -> Callable[[], GuardedProtocol]:
        return partial(
            GuardedProtocol,
            self._config,
            self._state,
            state,
            loop,
            limits=self._limits,
            counts=ConnectionCounts(self._limits, has_proxy=self._site.has_proxy),
            tell=self._tell,
            has_proxy=self._site.has_proxy,
        )

    def _origin(self, first: socket.socket) -> str:
        scheme = "https" if self._site.certificate else "http"
        host = f"[{self._site.host}]" if ":" in self._site.host else self._site.host
        return f"{scheme}://{host}:{first.getsockname()[1]}"

    async def _sweep_until_end(
        self, loop: asyncio.AbstractEventLoop, stopping: threading.Event | None
    ) -> None:
        while not self._is_ending and not (stopping is not None and stopping.is_set()):
            self._state.default_headers = [(b"date", formatdate(usegmt=True).encode())]
            self._look(loop.time())
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), _STEP_S if stopping is not None else _TICK_S)

    def _look(self, now: float) -> None:
        for connection in list(self._connections()):
            try:
                connection.look(now)
            except Exception as error:  # noqa: BLE001  -- the others, and whoever comes, are served on
                self._tell(
                    f"HTTP: a connection was cut after a fault of this server ({type(error).__name__})"
                )
                connection.cut()

    def _connections(self) -> Iterator[GuardedProtocol]:
        return (each for each in self._state.connections if isinstance(each, GuardedProtocol))

    async def _drain(self, loop: asyncio.AbstractEventLoop) -> None:
        """Let what is under way come to its end; then there is one, whatever runs."""
        for connection in list(self._connections()):
            connection.shutdown()
        deadline = loop.time() + self._limits.drain_seconds
        while (self._state.connections or self._state.tasks) and loop.time() < deadline:
            self._look(loop.time())
            await asyncio.sleep(_STEP_S)
        cut_off = list(self._connections())
        if cut_off:
            connections = (
                "1 connection that was" if len(cut_off) == 1 else f"{len(cut_off)} connections that were"
            )
            self._tell(f"HTTP: cut {connections} still open at the end")
        for connection in cut_off:
            connection.cut()
        if self._state.tasks:
            _, pending = await asyncio.wait(self._state.tasks, timeout=_LAST_S)
            for task in pending:
                task.cancel()

    @contextlib.contextmanager
    def _hearing_signals(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        """Let signals end the server; only the main thread may hear them."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def hear(_number: int, _frame: FrameType | None) -> None:
            if self._is_ending:
                os._exit(EXIT_OK)
            self._is_ending = True
            loop.call_soon_threadsafe(self._ending.set)

        before = {number: signal.signal(number, hear) for number in _signals()}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _tell_fault(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Tell a fault of the loop by its kind; a client that breaks a handshake or a connection is none."""
        error = context.get("exception")
        if isinstance(error, (ssl.SSLError, ConnectionError, TimeoutError)):
            return
        self._tell(f"HTTP: {context.get('message')} ({type(error).__name__})")


def _signals() -> list[signal.Signals]:
    """Give the signals that end a server; whoever starts one with `nohup` wants it to outlive the terminal."""
    known = [getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")]
    hup = getattr(signal, "SIGHUP", None)
    return [each for each in known if each and not (each == hup and signal.getsignal(each) is signal.SIG_IGN)]
