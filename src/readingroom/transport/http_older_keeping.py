"""What all streams of the older era keep for clients that may come back, in bytes, and who lets go when it is too much.

Knows nothing of sessions. On the loop's thread only.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .http_older_streams import Channel


class Keeping:
    """An account of channels by principal. Beyond `most` bytes whoever keeps most lets go, of what it kept first.

    What a client that is there has not been sent yet is not let go of: that it is not long is for its way to see to.
    """

    __slots__ = ("_most", "_of", "_principals", "_sizes", "total")

    def __init__(self, most: int) -> None:
        self._most = most
        self._of: dict[str, dict[Channel, None]] = {}
        self._principals: dict[Channel, str] = {}
        self._sizes: dict[str, int] = {}
        self.total = 0

    def keep(self, principal: str, channel: "Channel") -> None:
        """Count a channel from here on."""
        if channel.keeping is None:
            channel.keeping = self
            channel.kept_bytes = 0
            self._principals[channel] = principal
            self._of.setdefault(principal, {})[channel] = None
            self.resize(channel)

    def forget(self, channel: "Channel") -> None:
        """Count a channel no more."""
        if channel.keeping is None:
            return
        channel.keeping = None
        principal = self._principals.pop(channel)
        self._count(principal, -channel.kept_bytes)
        del self._of[principal][channel]
        if not self._of[principal]:
            del self._of[principal], self._sizes[principal]

    def resize(self, channel: "Channel") -> None:
        """Note that a channel has become longer or shorter."""
        change = channel.size - channel.kept_bytes
        channel.kept_bytes = channel.size
        self._count(self._principals[channel], change)
        if change > 0 and self.total > self._most:
            self._let_go()

    def _count(self, principal: str, change: int) -> None:
        self._sizes[principal] = self._sizes.get(principal, 0) + change
        self.total += change

    def _let_go(self) -> None:
        """Shrink the channels of whoever keeps most, the first first, until there is room again for a while."""
        for principal in sorted(self._sizes, key=lambda one: self._sizes[one], reverse=True):
            for channel in list(self._of[principal]):
                channel.shrink()
                if self.total <= self._most * 3 // 4:
                    return
