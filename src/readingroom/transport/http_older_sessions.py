"""The sessions of the older era over HTTP: found by an id that nobody can guess, capped in number, gone when idle (LEG-2).

A session belongs to the principal that began it; for everybody else it is not there. On the loop's thread only.
"""

from collections.abc import Callable, Iterator

from ..limits import Limits
from ..server import Dispatcher
from ..server.older import Session
from .http_older_streams import Channel

_FINISHED_KEPT = 8
_LOOKED_AT = 16


class Held:
    """A session with the streams that its client may follow or come back to."""

    __slots__ = ("_channels", "_count", "_limits", "dispatcher", "id", "main", "principal", "session", "used")

    def __init__(self, session_id: str, dispatcher: Dispatcher, principal: str, limits: Limits) -> None:
        self.id = session_id
        self.dispatcher = dispatcher
        self.principal = principal
        self.used = 0.0
        self.session: Session
        self.main: Channel | None = None
        self._limits = limits
        self._count = 0
        self._channels: dict[int, Channel] = {}

    def new_channel(self, on_end: Callable[[], None]) -> Channel:
        """Give a channel for what one POST brings; `on_end` is called once, when it is over."""
        self._count += 1
        return Channel(self._count, self._limits, on_end)

    def keep(self, channel: Channel) -> None:
        """Keep a channel that has become a stream, so that its client may come back to it; only a few that are over."""
        self._channels[channel.number] = channel
        over = [number for number, one in self._channels.items() if one.is_over]
        for number in over[:-_FINISHED_KEPT]:
            del self._channels[number]

    def main_channel(self) -> Channel:
        """Give the channel of messages that belong to no request, which is there from the first GET on."""
        if self.main is None:
            self.main = Channel(0, self._limits)
        return self.main

    def resumed(self, event_id: str) -> tuple[Channel, int] | None:
        """Give the channel of an event and the event's number; None for an event that is of no channel any more."""
        number, _, position = event_id.partition("-")
        if not (number.isascii() and number.isdigit() and position.isascii() and position.isdigit()):
            return None
        channel = self.main if int(number) == 0 else self._channels.get(int(number))
        return None if channel is None else (channel, int(position))

    @property
    def is_busy(self) -> bool:
        """Whether something runs for it, or its client is connected."""
        channels = (self.main, *self._channels.values())
        return self.session.running > 0 or any(one is not None and one.is_followed for one in channels)

    def close(self) -> None:
        """End everything."""
        self.session.close()
        for channel in (self.main, *self._channels.values()):
            if channel is not None:
                channel.finish(None)


class Sessions:
    """All sessions of one server, the one that was used longest ago first."""

    def __init__(self, limits: Limits, clock: Callable[[], float], make_id: Callable[[], str]) -> None:
        self._limits = limits
        self._clock = clock
        self._make_id = make_id
        self._held: dict[str, Held] = {}

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self) -> Iterator[Held]:
        return iter(list(self._held.values()))

    def new(self, dispatcher: Dispatcher, principal: str) -> Held:
        """Give a session that is not among the others yet."""
        return Held(self._make_id(), dispatcher, principal, self._limits)

    def add(self, held: Held) -> None:
        """Let a session be found from here on; when there are too many, one that was not used for long goes."""
        self._drop_idle()
        while len(self._held) >= self._limits.older_sessions:
            self._drop(self._to_go())
        held.used = self._clock()
        self._held[held.id] = held

    def find(self, session_id: str, dispatcher: Dispatcher | None, principal: str) -> Held | None:
        """Give a session to the principal that it belongs to, and note that it is used."""
        self._drop_idle()
        held = self._held.get(session_id)
        if held is None or held.principal != principal or held.dispatcher is not dispatcher:
            return None
        self._touch(held)
        return held

    def end(self, held: Held) -> None:
        """End a session because its client wants it to."""
        if held.id in self._held:
            self._drop(held)

    def _touch(self, held: Held) -> None:
        held.used = self._clock()
        del self._held[held.id]
        self._held[held.id] = held

    def _drop_idle(self) -> None:
        """Drop those that were not used for too long, unless something is under way for them."""
        limit = self._clock() - self._limits.older_idle_seconds
        while self._held:
            oldest = next(iter(self._held.values()))
            if oldest.used > limit:
                return
            if oldest.is_busy:
                self._touch(oldest)
            else:
                self._drop(oldest)

    def _to_go(self) -> Held:
        """Give the one that goes when there are too many: of the oldest few one that is not busy."""
        oldest = [held for held, _ in zip(self._held.values(), range(_LOOKED_AT), strict=False)]
        return next((held for held in oldest if not held.is_busy), oldest[0])

    def _drop(self, held: Held) -> None:
        del self._held[held.id]
        held.close()
