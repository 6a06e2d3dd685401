"""A subscription to changes as a program uses it: entered, iterated over, and left."""

import math
import time
from typing import TYPE_CHECKING, Any, Self

from ..client.notices import Notice
from ..errors import ReadingRoomError
from .listener import Listener, next_of

if TYPE_CHECKING:
    from types import TracebackType


class Subscription:
    """What a server tells of changes. Enter it, iterate over it, leave it: made by `Client.listen`.

    Entering it waits until the server has acknowledged. The iteration waits for changes; it ends when the server ends the
    subscription, or when `close` is called, and raises Closed when it is lost and cannot be had again.
    """

    def __init__(self, listener: Listener) -> None:
        """Used by `Client.listen`."""
        self._listener = listener

    @property
    def granted(self) -> dict[str, Any]:
        """The part of what was asked for that the server tells of, as the protocol spells it (SUB-7)."""
        return dict(self._listener.granted or {})

    def __enter__(self) -> Self:
        self._listener.begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None"
    ) -> None:
        self.close()

    def close(self) -> None:
        """End it; an iteration in another thread ends as well."""
        self._listener.close()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Notice:
        notice = self.next(math.inf)
        assert notice is not None  # noqa: S101  -- there is no end to its patience; for the type checker
        return notice

    def next(self, timeout: float) -> Notice | None:
        """Wait at most `timeout` seconds for the next notice; None when there is none by then.

        Raises: StopIteration at the end; Closed and others when the subscription is lost.
        """
        until = time.monotonic() + timeout
        while True:
            found = next_of(self._listener)
            if isinstance(found, ReadingRoomError):
                self._listener.renew(found)
            elif found is not None:
                return found
            elif (left := until - time.monotonic()) <= 0:
                return None
            else:
                self._listener.box.wait(left)
