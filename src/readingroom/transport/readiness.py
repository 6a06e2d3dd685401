"""What poll tells of a descriptor: that it can be read or written again, or that the other side has gone.

Descriptors handed over by a client may be set not to block, for that is a property of what both sides share. Windows has
neither such descriptors nor poll for pipes; there nothing is waited for, and nobody is seen to go.
"""

import select
import sys
from collections.abc import Callable

AT_ONCE = getattr(select, "PIPE_BUF", 512)
"""So many bytes a pipe takes whole when it can be written to at all."""

if sys.platform == "win32":

    def await_readable(_descriptor: int) -> None:
        """Return at once: reading blocks."""

    def await_writable(_descriptor: int) -> None:
        """Return at once: writing blocks."""

    def watch_room(_descriptor: int) -> Callable[[], bool]:
        """Give what says no: it cannot be told."""
        return lambda: False

    def has_hung_up(_descriptor: int) -> bool:
        """Say no: it cannot be told before everything is read."""
        return False

else:
    # Linux alone tells of a socket whose other side will write no more before everything is read.
    _GONE = getattr(select, "POLLRDHUP", 0)

    def await_readable(descriptor: int) -> None:
        """Wait until there is something to read, or nothing will ever come."""
        _poll(descriptor, select.POLLIN, None)

    def await_writable(descriptor: int) -> None:
        """Wait until something can be written, or nobody will ever read it."""
        _poll(descriptor, select.POLLOUT, None)

    def watch_room(descriptor: int) -> Callable[[], bool]:
        """Give what says whether `AT_ONCE` bytes can be written now without being held up."""
        poll = select.poll()
        poll.register(descriptor, select.POLLOUT)
        return lambda: bool(poll.poll(0))

    def has_hung_up(descriptor: int) -> bool:
        """Say whether the other side will write no more, though there may still be something to read."""
        return bool(_poll(descriptor, _GONE, 0) & (select.POLLHUP | select.POLLERR | _GONE))

    def _poll(descriptor: int, events: int, milliseconds: int | None) -> int:
        poll = select.poll()
        poll.register(descriptor, events)
        return sum(found for _, found in poll.poll(milliseconds))
