"""Notices between the thread that reads and whoever listens: each once, however often it came, and never too many."""

import threading
from collections.abc import Callable

from ..client.notices import Notice, Resumed
from ..errors import ReadingRoomError

MOST = 1024
"""Notices that wait to be taken; when there are more, they are dropped, and Resumed says so."""

# A wait goes in steps, because an interrupt that another thread receives only takes effect between them.
_STEP = 1.0


class Mailbox:
    """Keeps what has come until it is taken, and how it ended. Any thread may put; one takes at a time."""

    __slots__ = ("_changed", "_error", "_is_over", "_notices", "wake")

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._notices: dict[Notice, None] = {}
        self._is_over = False
        self._error: ReadingRoomError | None = None
        self.wake: Callable[[], None] | None = None

    def put(self, notice: Notice) -> None:
        """Keep a notice, unless the same one waits already."""
        with self._changed:
            if len(self._notices) >= MOST and notice not in self._notices:
                self._notices = {Resumed(): None}
            else:
                self._notices[notice] = None
            self._tell()

    def end(self, error: ReadingRoomError | None) -> None:
        """Say that nothing more comes: because of `error`, or because the server said so."""
        with self._changed:
            self._is_over, self._error = True, error
            self._tell()

    def begin_anew(self) -> None:
        """Forget that it was over."""
        with self._changed:
            self._is_over, self._error = False, None

    def tell(self) -> None:
        """Wake whoever waits, so that they look at something else than what is kept here."""
        with self._changed:
            self._tell()

    def take(self) -> Notice | None:
        """Give the oldest notice, if there is one."""
        with self._changed:
            for notice in self._notices:
                del self._notices[notice]
                return notice
            return None

    @property
    def ended(self) -> tuple[bool, ReadingRoomError | None]:
        """Whether nothing more comes, and why."""
        with self._changed:
            return self._is_over, self._error

    def wait(self, seconds: float) -> None:
        """Wait until there is a notice, or an end, or a reason to look, at most a second or so."""
        with self._changed:
            if not (self._notices or self._is_over):
                self._changed.wait(max(0.0, min(seconds, _STEP)))

    def _tell(self) -> None:
        self._changed.notify_all()
        if self.wake is not None:
            self.wake()
