"""The sessions of the older era over HTTP: found by an id that nobody can guess, capped in number, gone when idle (LEG-2).

A session belongs to the principal that began it; for everybody else it is not there. On the loop's thread only.
"""

from collections.abc import Callable, Iterator

from ..limits import Limits
from ..server import Dispatcher
from ..server.older import Session
from .http_older_keeping import Keeping
from .http_older_streams import Channel

_FINISHED_KEPT = 8
_LOOKED_AT = 16
_LONGEST_NUMBER = 18


class Held:
    """A session with the streams that its client may follow or come back to."""

    __slots__ = (
        "_channels",
        "_count",
        "_keeping",
        "_limits",
        "dispatcher",
        "id",
        "main",
        "principal",
        "session",
        "used",
    )

    def __init__(
        self, session_id: str, dispatcher: Dispatcher, principal: str, limits: Limits, keeping: Keeping
    ) -> None:
        self.id = session_id
        self.dispatcher = dispatcher
        self.principal = principal
        self.used = 0.0
        self.session: Session
        self.main: Channel | None = None
        self._limits = limits
        self._keeping = keeping
        self._count = 0
        self._channels: dict[int, Channel] = {}

    def new_channel(self) -> Channel:
        """Give a channel for what one POST brings."""
        self._count += 1
        return Channel(self._count, self._limits)

    def keep(self, channel: Channel) -> None:
        """Keep a channel that has become a stream, so that its client may come back to it; only a few that are over."""
        if self.session.is_closed:
            return
        self._channels[channel.number] = channel
        self._keeping.keep(self.principal, channel)
        over = [number for number, one in self._channels.items() if one.is_over]
        for number in over[:-_FINISHED_KEPT]:
            self._keeping.forget(self._channels.pop(number))

    def look(self, now: float) -> None:
        """Note which streams nobody follows, and fail the calls that have waited for their client for too long."""
        for channel in self._channels.values():
            channel.look(now)
        self.session.questions.expire()

    def main_channel(self) -> Channel:
        """Give the channel of messages that belong to no request, which is there from the first GET on."""
        if self.main is None:
            self.main = Channel(0, self._limits)
            self._keeping.keep(self.principal, self.main)
        return self.main

    def resumed(self, event_id: str) -> tuple[Channel, int] | None:
        """Give the channel of an event and the event's number; None for an event that is of no channel any more."""
        number, _, position = event_id.partition("-")
        if not (_is_number(number) and _is_number(position)):
            return None
        channel = self.main if int(number) == 0 else self._channels.get(int(number))
        return None if channel is None else (channel, int(position))

    @property
    def is_busy(self) -> bool:
        """Whether something runs for it, or its client is connected."""
        channels = (self.main, *self._channels.values())
        return self.session.is_busy or any(one is not None and one.is_followed for one in channels)

    def close(self) -> None:
        """End everything."""
        self.session.close()
        for channel in (self.main, *self._channels.values()):
            if channel is not None:
                channel.finish(None)
                self._keeping.forget(channel)


class Sessions:
    """All sessions of one server, the one that was used longest ago first; `most_of_one` of one principal."""

    def __init__(
        self,
        limits: Limits,
        clock: Callable[[], float],
        make_id: Callable[[], str],
        *,
        most_of_one: int | None = None,
    ) -> None:
        self._limits = limits
        self._clock = clock
        self._make_id = make_id
        self._most_of_one = most_of_one or limits.older_sessions
        self._held: dict[str, Held] = {}
        self._of: dict[str, dict[str, Held]] = {}
        self._keeping = Keeping(limits.older_kept_bytes)

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self) -> Iterator[Held]:
        return iter(list(self._held.values()))

    def new(self, dispatcher: Dispatcher, principal: str) -> Held:
        """Give a session that is not among the others yet."""
        return Held(self._make_id(), dispatcher, principal, self._limits, self._keeping)

    def add(self, held: Held) -> None:
        """Let a session be found from here on; when there are too many, one that was not used for long goes.

        It is one of the same principal when that has its share, and else one of whoever has most.
        """
        self._drop_idle()
        while (crowd := self._crowd(held.principal)) is not None:
            self._drop(_to_go(crowd))
        held.used = self._clock()
        self._held[held.id] = held
        self._of.setdefault(held.principal, {})[held.id] = held

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

    def look(self) -> None:
        """Look after what has waited for too long; to be called from time to time."""
        self._drop_idle()
        now = self._clock()
        for held in self:
            held.look(now)

    def _touch(self, held: Held) -> None:
        held.used = self._clock()
        for table in (self._held, self._of[held.principal]):
            del table[held.id]
            table[held.id] = held

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

    def _crowd(self, principal: str) -> dict[str, Held] | None:
        """Give the sessions of which one has to go before that principal may have one more; None when there is room."""
        own = self._of.get(principal, {})
        if len(own) >= self._most_of_one:
            return own
        if len(self._held) < self._limits.older_sessions:
            return None
        most = max(self._of.values(), key=len)
        return own if len(own) == len(most) else most

    def _drop(self, held: Held) -> None:
        del self._held[held.id]
        own = self._of[held.principal]
        del own[held.id]
        if not own:
            del self._of[held.principal]
        held.close()


def _to_go(crowd: dict[str, Held]) -> Held:
    """Give the one that goes: of the few that were used longest ago one that is not busy."""
    oldest = [held for held, _ in zip(crowd.values(), range(_LOOKED_AT), strict=False)]
    return next((held for held in oldest if not held.is_busy), oldest[0])


def _is_number(text: str) -> bool:
    """Say whether that is a number as events have them: others may be so long that no `int` is made of them."""
    return len(text) <= _LONGEST_NUMBER and text.isascii() and text.isdigit()
