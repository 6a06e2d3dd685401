"""Who listens to which changes of one server, and what each has not been told yet.

Shared by all dispatchers and carriers of a server in the process; any thread may publish, subscribe, take or close. What
waits for a listener is kept once for each topic, so that it is bounded by what the listener asked for, however slow it
reads. Knows no carrier: a listener is woken by a callable and fetches its frames itself.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable
from sys import getsizeof

import msgspec

from ..errors import InvalidParams, MissingCapability, Refused
from ..limits import Limits
from ..protocol import SUBSCRIPTION_ID, Admitted, Filter, Wrapper
from ..protocol.params import TASKS, declares_tasks
from ..protocol.subscriptions import (
    Event,
    ListenResult,
    Topic,
    acknowledgement,
    honoured,
    tag,
    topics_of,
)
from ..wire import RequestId

Wake = Callable[[], None]
Watcher = Callable[[str, bool], None]
# What a topic costs besides its text.
_TOPIC_BYTES = 150


class Subscription:
    """One open listen. A carrier writes `acknowledgement` first, then what `take` gives, whenever it is woken.

    `take`, `end` and `close` may be called from any thread; frames are in order if one thread at a time takes and writes.
    The waker is called from any thread, at most once between two takes, perhaps before `listen` has returned; it must
    return at once.
    """

    __slots__ = (
        "_hub",
        "_is_woken",
        "_pending",
        "_result",
        "_state",
        "_tag",
        "_wake",
        "acknowledgement",
        "principal",
        "topics",
    )

    def __init__(
        self,
        hub: "Hub",
        request_id: RequestId,
        accepted: Filter,
        wake: Wake,
        result: bytes,
        principal: str = "",
    ) -> None:
        self.topics = topics_of(accepted)
        self.principal = principal
        self._hub = hub
        self._state = "open"  # then "ending", when the server ends it, and "ended"
        self._wake = wake
        self._tag = tag(request_id)
        self._result = result
        self._pending: dict[Topic, Event] = {}
        self._is_woken = False
        self.acknowledgement = acknowledgement(accepted, self._tag)

    @property
    def ended(self) -> bool:
        """Whether nothing more is sent: it was closed, or its result has been given out."""
        return self._state == "ended"

    @property
    def cost(self) -> int:
        """How many bytes it holds on to, roughly."""
        return sum(_TOPIC_BYTES + getsizeof(name) for _kind, name in self.topics)

    def take(self) -> list[bytes]:
        """Give the frames that are due, each topic once; the result comes last when the server ends it (SUB-11).

        Look at `ended` afterwards: whether that was the end.
        """
        return self._hub.take(self)

    def end(self) -> bytes:
        """End it from the server's side and give the result's frame; b"" when it has ended already (SUB-11).

        What it has not been told yet is dropped.
        """
        return self._result if self._hub.drop(self) else b""

    def close(self) -> None:
        """End it because its client did, or is gone: nothing more is sent (SUB-10). Closing twice does nothing."""
        self._hub.drop(self)

    # What follows is the hub's, called under its lock.

    def note(self, event: Event) -> bool:
        """Keep an event until it is taken, in the place of an older one of its topic; says whether to wake."""
        self._pending[event.topic] = event
        return self._rouse()

    def finish(self) -> bool:
        """Let the next take be the last; says whether to wake."""
        self._state = "ending"
        return self._rouse()

    def _rouse(self) -> bool:
        was_woken, self._is_woken = self._is_woken, True
        return not was_woken

    def empty(self) -> tuple[dict[Topic, Event], bool]:
        """Give what waits, and whether the result is to follow."""
        waiting, self._pending = self._pending, {}
        self._is_woken = False
        return waiting, self._state == "ending"

    def forget(self) -> None:
        """Hold on to nothing any more."""
        self._state = "ended"
        self._pending = {}

    def wake(self) -> None:
        """Wake its carrier. Called without the lock."""
        self._wake()

    def frames(self, events: dict[Topic, Event], *, is_last: bool) -> list[bytes]:
        """Put its id on events."""
        ending = self._tag
        frames = [event.head + ending for event in events.values()]
        return [*frames, self._result] if is_last else frames


class Hub:
    """The listeners of one server. `report` is told of whatever a waker or a watcher raises, and in whose name."""

    def __init__(
        self, served: tuple[str, ...], limits: Limits, report: Callable[[BaseException, str], object]
    ) -> None:
        self.served = served
        self._limits = limits
        self._report = report
        self._lock = threading.Lock()
        self._listeners: dict[Topic, dict[Subscription, None]] = {}
        self._open: dict[Subscription, None] = {}
        self._cost = 0
        self._watchers: list[Watcher] = []
        self._turns: deque[tuple[str, bool]] = deque()
        self._telling = threading.Lock()
        # Gives those of the task ids that the principal may listen to; set by what serves tasks.
        self.accept_tasks: Callable[[tuple[str, ...], str], Iterable[str]] | None = None

    @property
    def count(self) -> int:
        """How many subscriptions are open."""
        return len(self._open)

    def on_watch(self, watcher: Watcher) -> None:
        """Call `watcher` when the first listener of a resource comes (True), and when the last one goes (False).

        The calls come one at a time and in order, without the hub's lock.
        """
        self._watchers.append(watcher)

    def hears(self, topic: Topic) -> bool:
        """Say whether somebody listens to that topic."""
        return topic in self._listeners

    def is_watched(self, uri: str) -> bool:
        """Say whether somebody listens to that resource."""
        return self.hears(("updates", uri))

    def listen(self, request: Admitted, principal: str, wake: Wake, wrapper: Wrapper) -> Subscription:
        """Open the subscription that a request asks for, to as much of it as is served.

        Raises: InvalidParams for too many resources and tasks in one listen; MissingCapability for tasks, from a client
        that did not declare them; Refused when too many subscriptions are open already (SUB-15).
        """
        wanted: Filter = request.params.notifications  # type: ignore[attr-defined]  # the table of methods says so
        if len(wanted.resource_subscriptions or ()) + len(wanted.task_ids or ()) > self._limits.listen_topics:
            most = self._limits.listen_topics
            raise InvalidParams(f"Too many resources and tasks: one listen names at most {most}")
        accepted = honoured(wanted, self.served, self._accepted_tasks(request, principal, wanted))
        result = wrapper.answer(request.id, ListenResult(meta={SUBSCRIPTION_ID: request.id}))
        return self.subscribe(request.id, accepted, wake, result, principal)

    def _accepted_tasks(
        self, request: Admitted, principal: str, wanted: Filter
    ) -> tuple[str, ...] | msgspec.UnsetType:
        if self.accept_tasks is None or wanted.task_ids is msgspec.UNSET:
            return msgspec.UNSET
        if not declares_tasks(request.params.meta.capabilities):
            raise MissingCapability({"extensions": {TASKS: {}}})
        return tuple(dict.fromkeys(self.accept_tasks(wanted.task_ids or (), principal)))

    def subscribe(
        self, request_id: RequestId, accepted: Filter, wake: Wake, result: bytes, principal: str = ""
    ) -> Subscription:
        """Open a principal's subscription to what has been accepted; `result` is the frame that ends it.

        Raises: Refused when too many are open already (SUB-15).
        """
        subscription = Subscription(self, request_id, accepted, wake, result, principal)
        with self._lock:
            cost = self._cost + subscription.cost
            if len(self._open) >= self._limits.subscriptions or cost > self._limits.subscribed_bytes:
                raise Refused("Too many subscriptions are open; try again later")
            self._cost = cost
            self._open[subscription] = None
            for topic in subscription.topics:
                listeners = self._listeners.setdefault(topic, {})
                if not listeners and topic[0] == "updates":
                    self._turns.append((topic[1], True))
                listeners[subscription] = None
        self._tell_watchers()
        return subscription

    def publish(self, event: Event, principal: str | None = None) -> None:
        """Let everybody who listens to its topic have the event: once each, and once for all that is not taken yet.

        What belongs to a principal is told to nobody else, whoever listens to it.
        """
        if event.topic not in self._listeners:
            return
        with self._lock:
            listeners = self._listeners.get(event.topic, ())
            meant = [one for one in listeners if principal is None or one.principal == principal]
            woken = [one for one in meant if one.note(event)]
        self._wake(woken)

    def close(self) -> None:
        """End all subscriptions that are open: each takes what waits for it, and then its result (SUB-11)."""
        with self._lock:
            woken = [one for one in self._open if one.finish()]
        self._wake(woken)

    def take(self, subscription: Subscription) -> list[bytes]:
        """Give the frames that are due to a subscription."""
        with self._lock:
            events, is_last = subscription.empty()
            is_last = is_last and self._remove(subscription)
        if is_last:
            self._tell_watchers()
        return subscription.frames(events, is_last=is_last)

    def drop(self, subscription: Subscription) -> bool:
        """Forget a subscription; says whether it was open."""
        with self._lock:
            was_open = self._remove(subscription)
        self._tell_watchers()
        return was_open

    def _remove(self, subscription: Subscription) -> bool:
        if subscription not in self._open:
            return False
        del self._open[subscription]
        self._cost -= subscription.cost
        for topic in subscription.topics:
            listeners = self._listeners[topic]
            del listeners[subscription]
            if not listeners:
                del self._listeners[topic]
                if topic[0] == "updates":
                    self._turns.append((topic[1], False))
        subscription.forget()
        return True

    def _wake(self, woken: list[Subscription]) -> None:
        for subscription in woken:
            try:
                subscription.wake()
            except Exception as error:  # noqa: BLE001  -- a carrier that is gone must not cost the others their news
                subscription.close()
                self._report(error, "subscription")

    def _tell_watchers(self) -> None:
        """Tell the watchers whose turn it is, on one thread at a time: another one leaves it to that."""
        while self._turns and self._telling.acquire(blocking=False):
            try:
                while self._turns:
                    self._tell(*self._turns.popleft())
            finally:
                self._telling.release()

    def _tell(self, uri: str, is_watched: bool) -> None:
        for watcher in self._watchers:
            try:
                watcher(uri, is_watched)
            except Exception as error:  # noqa: BLE001  -- whatever a hook raises, the request goes on
                self._report(error, "on_watch")
