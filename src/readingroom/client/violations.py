"""What a server broke, counted and remembered: one record for a client, whatever connections it has had."""

from collections import deque

from ..errors import PeerProtocolError

_REMEMBERED = 100


class Violations:
    """Counts the rules that a server broke, and keeps the last hundred."""

    __slots__ = ("count", "last")

    def __init__(self) -> None:
        self.count = 0
        self.last: deque[PeerProtocolError] = deque(maxlen=_REMEMBERED)

    def record(self, rule: str, detail: str, excerpt: bytes | str = b"") -> PeerProtocolError:
        """Remember a violation and give it as an error, to be raised or not."""
        error = PeerProtocolError(rule, detail, excerpt)
        self.last.append(error)
        self.count += 1
        return error
