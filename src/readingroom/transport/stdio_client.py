"""The client's side of a stdio connection: one process, one thread that reads, and whoever asks.

Runs `client.Calls`: lines from the server go in, and the effects end the requests that callers wait for. Threads of the
callers write; nothing but the reading thread reads.
"""

import atexit
import os
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from ..client import Asked, Calls, Noticed, Prepared, Reported, RequestBuilder, Settled, Violations
from ..errors import Closed, ReadingRoomError, RemoteError, TimedOut, TransportError
from ..limits import Limits
from ..wire import LineReader, OverLong, RequestId, encode, encode_notification
from .connection import OnAsked
from .pending import InFlight, OnNotice, OnProgress
from .pipes import PipeReader, PipeWriter, Stop
from .processes import ServerProcess
from .stderr_lines import StderrLines, StderrSink

# How long the end of a process is waited for once its output has ended, so that errors can name its exit code.
_CODE_SECONDS = 0.25
_JOIN_SECONDS = 2.0
_EXIT_GRACE = 1.0
_LISTEN = "subscriptions/listen"
# A server of the older era gets no notification before it has agreed on a version, nor is that cancelled.
_NEVER_CANCELLED = ("server/discover", "initialize")


class StdioConnection:
    """One running server. Opened by construction; `close` ends the process, whatever state it is in."""

    def __init__(
        self,
        command: Sequence[str],
        builder: RequestBuilder,
        *,
        cwd: str | os.PathLike[str] | None,
        env: Mapping[str, str],
        stderr: StderrSink | None,
        limits: Limits,
        strict: bool,
        violations: Violations | None = None,
    ) -> None:
        """Start the server.

        Raises: UsageError, ConnectFailed.
        """
        self._limits = limits
        self._calls = Calls(builder.capabilities, limits.nesting, strict=strict, violations=violations)
        self._lock = threading.Lock()
        self._over: str | None = None
        self._questions = 0
        self._on_asked: OnAsked = _ignore
        self._on_notice: OnNotice = _ignore
        self._stop = Stop()
        try:
            self._process = ServerProcess(
                command, cwd=cwd, env=env, keep_stderr=stderr is not None, on_exit=self._stop.set
            )
        except ReadingRoomError:
            self._stop.close()
            raise
        process = self._process
        self._writer = PipeWriter(process.stdin, limits.bytes_in_flight, self._lost)
        self._source = PipeReader(process.stdout, self._stop)
        self._stderr = None
        if process.stderr is not None and stderr is not None:
            self._stderr = StderrLines(PipeReader(process.stderr, self._stop), stderr)
        self._reader = threading.Thread(target=self._read, name="readingroom-reader", daemon=True)
        self._reader.start()
        self._closing = threading.Lock()
        self.owner = os.getpid()
        _close_at_exit()
        _OPEN.add(self)

    @property
    def pid(self) -> int:
        """The number of the server's process."""
        return self._process.pid

    @property
    def over(self) -> str | None:
        """Why no more requests are taken; None while they are."""
        return self._over

    @property
    def principal(self) -> None:
        """Nobody in particular: whoever has the process has all of it."""
        return

    def send(
        self,
        prepared: Prepared,
        timeout: float,
        on_progress: OnProgress | None = None,
        relay: OnProgress | None = None,
        *,
        ceiling: float | None = None,
        on_notice: OnNotice | None = None,
    ) -> InFlight:
        """Send a request whose answer may take `timeout` seconds; does not wait for it.

        Waits only when very much is held back because the server does not read.

        Raises: Closed; TimedOut when the server reads nothing for so long.
        """
        pending = InFlight(
            prepared.method,
            timeout,
            self._withdraw,
            on_progress,
            relay,
            ceiling=ceiling,
            on_notice=on_notice,
        )
        if not self._writer.wait_for_room(timeout):
            raise TimedOut(f"{prepared.method} could not be sent in {timeout:g} s: the server does not read")
        with self._lock:
            if self._over is not None:
                raise Closed(f"{prepared.method} was not sent: {self._over}")
            if prepared.method != _LISTEN:
                pending.id = self._calls.add(
                    pending, prepared.method, has_token=prepared.has_token, wants_log=prepared.wants_log
                )
            else:
                wanted = (prepared.params or {}).get("notifications", {})
                pending.id = self._calls.add_listen(pending, wanted)
            is_written = self._writer.write(prepared.framed(pending.id))
        if not is_written:
            self._lost()
        return pending

    def suggests_older(self, error: ReadingRoomError) -> bool:
        """Say whether a failed discovery speaks for an older server: any answer but a modern one, silence, or its end."""
        return isinstance(error, RemoteError | TimedOut | Closed)

    def turn_older(self, on_asked: OnAsked, on_notice: OnNotice) -> None:
        """Read what comes by the rules of the older era: its requests go to `on_asked`, changes to `on_notice`."""
        self._on_asked, self._on_notice = on_asked, on_notice
        self._calls.turn_older()

    def reply(self, request_id: RequestId, answer: Mapping[str, Any]) -> None:
        """Answer a request of an older server."""
        with self._lock:
            self._questions -= 1
            owners = [] if self._questions else self._calls.owners()
        for pending in owners:
            pending.resume()
        self._write(encode({"jsonrpc": "2.0", "id": request_id, **answer}) + b"\n")

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send a notification."""
        self._write(encode_notification(method, None if params is None else dict(params)) + b"\n")

    def _write(self, line: bytes) -> None:
        with self._lock:
            if self._over is None:
                self._writer.write(line)

    def has_room(self) -> bool:
        """Say whether `send` would return at once."""
        return self._writer.wait_for_room(0)

    def hang_up(self) -> None:
        """Fail what is in flight, and end the server's input."""
        self._finish("the client was closed")
        self._writer.close()

    def close(self, grace: float) -> None:
        """End the connection and the server: its input ends, and it has `grace` seconds to end by itself (STDIO-5).

        What is in flight fails with Closed. May be called again and from several threads: each returns when it is done.
        """
        self.hang_up()
        with self._closing:
            self._process.end(grace)
            self._stop.set()
            if self._join_all():
                self._stop.close()
            _OPEN.discard(self)

    def _join_all(self) -> bool:
        """Wait for our own threads, each of which gives its pipe back."""
        self._writer.join(_JOIN_SECONDS)
        if threading.current_thread() is not self._reader:
            self._reader.join(_JOIN_SECONDS)
        return (self._stderr is None or self._stderr.join(_JOIN_SECONDS)) and not self._reader.is_alive()

    def _read(self) -> None:
        """Read until the end; whatever happens here, nobody is left waiting."""
        lines = LineReader(self._limits.answer_bytes)
        try:
            while data := self._source.read():
                self._calls.hear()
                for line in lines.feed(data):
                    self._take(line)
        finally:
            self._source.close()
            cut = lines.rest()
            where = f" within a line, after {cut} bytes of it" if cut else ""
            self._finish(self._story(f"the server's output ended{where}"))

    def _take(self, line: bytes | OverLong) -> None:
        """Take one line, and do what it means."""
        if isinstance(line, OverLong):
            effects = self._calls.take_overlong(line.length, self._limits.answer_bytes, line.head, line.tail)
        else:
            effects = self._calls.take(line)
        for effect in effects:
            if isinstance(effect, Settled):
                if effect.owed is not None:
                    self._tell_cancelled(effect.owed, "the connection is broken")
                effect.owner.end(effect.result, effect.value, effect.error)
            elif isinstance(effect, Reported):
                effect.owner.report(effect.progress)
            elif isinstance(effect, Noticed):
                tell = self._on_notice if effect.owner is None else effect.owner.notice
                tell(effect.method, effect.params)
            else:
                self._take_question(effect)

    def _take_question(self, question: Asked) -> None:
        """Pass a question on. Until it is answered, it is not the server that is silent."""
        with self._lock:
            self._questions += 1
        if question.method == "ping":
            self.reply(question.id, {"result": {}})
            return
        for pending in self._calls.owners():
            pending.pause()
        self._on_asked(question.id, question.method, question.params)

    def _withdraw(self, pending: InFlight, error: TransportError) -> bool:
        """End a request before its answer, and tell the server (CAN-1)."""
        if pending.id is None or not self._calls.drop(pending.id):
            return False
        if pending.method not in _NEVER_CANCELLED:
            self._tell_cancelled(pending.id, str(error))
        pending.end(error=error)
        return True

    def _tell_cancelled(self, request_id: int, reason: str) -> None:
        self._write(RequestBuilder.cancelled(request_id, reason))

    def _lost(self) -> None:
        """End what is in flight because the server no longer reads."""
        # Where it has ended, what it still wrote tells more, and the thread that reads comes to it.
        if threading.current_thread() is not self._reader:
            self._reader.join(_CODE_SECONDS)
        self._finish(self._story("the server closed its input"))

    def _finish(self, reason: str) -> None:
        """Take no more requests, and fail those in flight."""
        with self._lock:
            if self._over is None:
                self._over = reason
            text = self._over
            owners = self._calls.drop_all()
        for pending in owners:
            pending.end(error=Closed(f"{pending.method} got no answer: {text}"))

    def _story(self, reason: str) -> str:
        """Tell how the connection ended: the exit code, and the last that the server wrote to stderr."""
        code = self._process.exit_code(_CODE_SECONDS)
        parts = [reason, "it still runs" if code is None else _ending(code)]
        if self._stderr is not None:
            if code is not None:
                self._stderr.join(_CODE_SECONDS)
            last = self._stderr.last()
            parts += ["its last lines on stderr:\n  " + "\n  ".join(last)] if last else []
        return "; ".join(parts)


def _ignore(*_: object) -> None:
    """Take what nobody has asked for."""


def _ending(code: int) -> str:
    return f"it ended by signal {-code}" if code < 0 else f"it ended with exit code {code}"


_OPEN: set[StdioConnection] = set()


@cache
def _close_at_exit() -> None:
    """Have the servers that are open at the end of the program ended with it."""
    atexit.register(_close_all)


def _close_all() -> None:
    """End every server that this program has started; a copy that was forked off has started none."""
    ours = [connection for connection in list(_OPEN) if connection.owner == os.getpid()]
    for connection in ours:
        connection.hang_up()
    for connection in ours:
        connection.close(_EXIT_GRACE)
