"""A request that has been sent, and whoever waits for it: what the reading thread and the callers share.

Cheaper than a future of the standard library, whose import alone takes longer than a call. Knows no carrier: how a
request is withdrawn is handed in.
"""

import _thread
import math
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from ..client import Answer, Progress
from ..errors import ReadingRoomError, TimedOut, TransportError, Withdrawn

# A wait for a lock goes in steps, because an interrupt that another thread receives, and on Windows any, only takes
# effect between them.
_STEP = 1.0
_PROGRESS_HELD = 256
_NO_PROGRESS: deque[Progress] = deque(maxlen=0)

OnProgress = Callable[[Progress], None]

OnNotice = Callable[[str, Mapping[str, Any]], None]
"""Gets the method and the parameters of a notification, in the reading thread: it must return at once."""


class Pending:
    """One request in flight. It ends exactly once: answered, failed, withdrawn, or when its time is over.

    May be used from any thread. `id` is None until the request has been sent.
    """

    __slots__ = (
        "_callbacks",
        "_ceiling",
        "_deadline",
        "_done",
        "_error",
        "_news",
        "_on_notice",
        "_on_progress",
        "_progress",
        "_relay",
        "_result",
        "_silence",
        "_value",
        "_withdraw",
        "id",
        "method",
    )

    def __init__(
        self,
        method: str,
        timeout: float,
        withdraw: "Callable[[Any, TransportError], bool]",
        on_progress: OnProgress | None = None,
        relay: OnProgress | None = None,
        *,
        ceiling: float | None = None,
        on_notice: OnNotice | None = None,
    ) -> None:
        """`on_progress` is called in the thread that waits for the result, `relay` at once in the reading thread.

        `timeout` is begun anew by progress, up to `ceiling` seconds in all (CAN-6). `on_notice` gets the notifications of
        a subscription, in the reading thread.
        """
        self.method = method
        self.id: int | None = None
        now = time.monotonic()
        self._deadline = now + timeout
        self._silence = timeout
        self._ceiling = None if ceiling is None else now + ceiling
        self._on_notice = on_notice
        self._withdraw = withdraw
        self._relay = relay
        self._on_progress = on_progress
        self._progress: deque[Progress] = deque(maxlen=_PROGRESS_HELD) if on_progress else _NO_PROGRESS
        self._callbacks: list[Callable[[], None]] = []
        self._done = False
        self._result: dict[str, Any] = {}
        self._value: Answer | None = None
        self._error: ReadingRoomError | None = None
        self._news = _thread.allocate_lock()
        self._news.acquire()

    def done(self) -> bool:
        """Say whether the request has ended."""
        return self._done

    def result(self, timeout: float | None = None) -> dict[str, Any]:
        """Wait for the answer and give its result, verified.

        Waits at most `timeout` seconds, and in any case no longer than the request's own time, which began when it was
        made; then the request is cancelled.

        Raises: RemoteError, InputRequired, PeerProtocolError, Closed, TimedOut, Withdrawn.
        """
        self._wait(timeout)
        if self._error is not None:
            raise self._error
        return self._result

    def answer(self, timeout: float | None = None) -> Answer | None:
        """Do as `result`, and give the value read from it; None for a method that is not of the core."""
        self.result(timeout)
        return self._value

    def cancel(self) -> bool:
        """Tell the server that nobody waits any more; False when the request has ended already."""
        return self._withdraw(self, Withdrawn(f"{self.method} was cancelled"))

    def add_done_callback(self, callback: Callable[[], None]) -> None:
        """Call `callback` once the request has ended: in the thread that ends it, or now if it has ended.

        It should return at once, for the thread may be the one that reads.
        """
        self._callbacks.append(callback)
        if self._done:
            self._call_back()

    def _expire(self) -> bool:
        """End the request because its time is over; False when it has ended already."""
        return self._withdraw(self, TimedOut(f"{self.method} got no answer in time and was cancelled"))

    def _wait(self, timeout: float | None) -> None:
        """Wait until the request has ended, ending it when the time is over; calls `on_progress` meanwhile."""
        until = None if timeout is None else time.monotonic() + timeout
        try:
            while not self._done:
                # Progress may have moved the deadline.
                deadline = self._deadline if until is None else min(self._deadline, until)
                left = deadline - time.monotonic()
                if left > 0:
                    self._news.acquire(timeout=min(left, _STEP))
                elif not self._expire():
                    # Another thread is ending it at this moment.
                    self._news.acquire()
                self._pass_progress()
            self._tell_waiter()
            self._pass_progress()
        except BaseException:
            self.cancel()
            raise

    def _pass_progress(self) -> None:
        """Call `on_progress` with what has come since the last time."""
        if self._on_progress is None:
            return
        while True:
            try:
                progress = self._progress.popleft()
            except IndexError:
                return
            self._on_progress(progress)

    def _tell_waiter(self) -> None:
        """Wake a thread that waits; where several do, each wakes the next."""
        # Releasing fails when one is awake already; a context would cost more than the rest of a call's bookkeeping.
        try:
            self._news.release()
        except RuntimeError:
            return

    def _call_back(self) -> None:
        """Call what was left to be called, each once, whichever threads come here together."""
        while self._callbacks:
            try:
                callback = self._callbacks.pop()
            except IndexError:
                return
            try:
                callback()
            except Exception:  # noqa: BLE001  -- the reading thread must outlive whatever a callback raises
                sys.excepthook(*sys.exc_info())


class InFlight(Pending):
    """The same request as its carrier has it: what ends it and passes its progress on is not for whoever waits."""

    __slots__ = ()

    @property
    def error(self) -> ReadingRoomError | None:
        """What the request ended with, if it has ended and not with an answer."""
        return self._error

    @property
    def value(self) -> Answer | None:
        """What was read from the answer, once it has come and `result` was asked for."""
        return self._value

    def expire(self) -> bool:
        """End the request because its time is over; False when it has ended already."""
        return self._expire()

    def left(self) -> float:
        """Give how many seconds the request still has; negative when its time is over."""
        return self._deadline - time.monotonic()

    def end(
        self,
        result: dict[str, Any] | None = None,
        value: Answer | None = None,
        error: ReadingRoomError | None = None,
    ) -> None:
        """End the request. Only whoever took it out of flight may call this, once."""
        if result is not None:
            self._result = result
        self._value = value
        self._error = error
        self._done = True
        self._tell_waiter()
        if self._callbacks:
            self._call_back()

    def report(self, progress: Progress) -> None:
        """Pass progress on; of what nobody fetches, the newest is kept. Whoever waits has reason to wait longer (CAN-6)."""
        if self._ceiling is not None:
            self._deadline = min(self._ceiling, time.monotonic() + self._silence)
        if self._relay is not None:
            self._relay(progress)
        elif self._on_progress is not None:
            self._progress.append(progress)
            self._tell_waiter()

    def pause(self) -> None:
        """Count no silence: the server waits for an answer of this side. The ceiling stays."""
        self._deadline = math.inf if self._ceiling is None else self._ceiling

    def resume(self) -> None:
        """Count silence from now on."""
        now = time.monotonic()
        self._deadline = min(self._deadline, now + self._silence)

    def notice(self, method: str, params: Mapping[str, Any]) -> None:
        """Pass a notification of a subscription on. Once one has come, the subscription has all the time there is."""
        self._deadline = math.inf
        if self._on_notice is not None:
            self._on_notice(method, params)
