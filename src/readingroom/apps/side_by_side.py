"""Many servers asked at the same time, each in a thread of its own, so that a broken one holds up none of the others."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from .faults import CommandFault
from .targets import Target

if TYPE_CHECKING:
    from ..client import Discovery
    from ..kit.client import Client

_CLOSE_S = 10.0


class Heard(msgspec.Struct, frozen=True):
    """What came of asking one server: what it is and offers, or the error that it ended with."""

    target: Target
    server: "Discovery | None" = None
    found: dict[str, list[Any]] = {}
    error: Exception | None = None


class _Asked(threading.Thread):
    """One server being asked."""

    def __init__(self, target: Target, make: Callable[[Target], "Client"]) -> None:
        super().__init__(name=f"readingroom-list-{target.name}"[:40], daemon=True)
        self.target = target
        self.heard: Heard | None = None
        self._make = make
        self.client: Client | None = None

    def run(self) -> None:
        """Ask, and keep what is heard."""
        from ..errors import ReadingRoomError
        from .listing import features_of

        try:
            self.client = self._make(self.target)
            with self.client as client:
                found = features_of(client)
                self.heard = Heard(self.target, client.server, found)
        except (ReadingRoomError, CommandFault, OSError) as error:
            self.heard = Heard(self.target, error=error)


def asked(targets: Sequence[Target], make: Callable[[Target], "Client"], allowed: float) -> Iterator[Heard]:
    """Ask all servers at once, and give what came of each, in their order; none takes longer than `allowed` seconds.

    `make` gives a client that is yet to be opened. Whoever stops early leaves no server running.
    """
    from ..errors import TimedOut

    late = TimedOut(f"it had not listed everything after {allowed:g} s")
    ended = CommandFault("it could not be asked, for a fault of Reading Room; ask it alone with --server")
    threads = [_Asked(target, make) for target in targets]
    until = time.monotonic() + allowed
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))
            yield thread.heard or Heard(thread.target, error=late if thread.is_alive() else ended)
    finally:
        for thread in threads:
            if thread.is_alive() and thread.client is not None:
                thread.client.close()
        for thread in threads:
            thread.join(_CLOSE_S)
