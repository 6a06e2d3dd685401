"""Whatever is listened to, published, taken and ended in whatever order: each listener hears what a simple model says."""

import json
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from readingroom.errors import Refused
from readingroom.limits import Limits
from readingroom.protocol import Filter
from readingroom.protocol.subscriptions import (
    Event,
    ListNotice,
    honoured,
    list_event,
    topics_of,
    update_event,
)
from readingroom.server import Hub, Subscription

SERVED = ("tools", "resources", "updates")
MOST = 4
URIS = st.sampled_from(["a:///1", "a:///2", ""])
FILTERS = st.builds(
    Filter,
    tools_list_changed=st.booleans(),
    prompts_list_changed=st.booleans(),
    resources_list_changed=st.booleans(),
    resource_subscriptions=st.lists(URIS, max_size=3).map(tuple),
)
LISTS: tuple[ListNotice, ...] = ("tools", "prompts", "resources")
EVENTS = st.one_of(st.sampled_from([list_event(kind) for kind in LISTS]), URIS.map(update_event))


class Listener:
    """A subscription beside what it should be told, and how often it was woken since the last take."""

    def __init__(self, request_id: int, wanted: Filter) -> None:
        self.id = request_id
        self.topics = {topic for topic in topics_of(wanted) if topic[0] in SERVED}
        self.due: list[tuple[str, str]] = []
        self.wakes = 0
        self.is_woken = False
        self.state = "open"
        self.subscription: Subscription

    def wake(self) -> None:
        """Count."""
        self.wakes += 1

    def rouse(self) -> None:
        """Expect a wake, unless one is due already."""
        self.is_woken = True


class Listening(RuleBasedStateMachine):
    """A hub beside a model of it."""

    listeners: Any = Bundle("listeners")

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[Any] = []
        self.hub = Hub(SERVED, Limits(subscriptions=MOST), lambda error, what: self.faults.append(error))
        self.watched: dict[str, bool] = {}
        self.hub.on_watch(self.watch)
        self.open: list[Listener] = []
        self.count = 0

    def watch(self, uri: str, is_watched: bool) -> None:
        """Each turn changes something."""
        assert self.watched.get(uri, False) is not is_watched
        self.watched[uri] = is_watched

    @rule(target=listeners, wanted=FILTERS)
    def listen(self, wanted: Filter) -> Any:
        """A subscription is opened, or refused when there are as many as may be."""
        self.count += 1
        listener = Listener(self.count, wanted)
        accepted = honoured(wanted, SERVED)
        result = b'{"id":%d}' % self.count
        if len(self.open) == MOST:
            with pytest.raises(Refused):
                self.hub.subscribe(self.count, accepted, listener.wake, result)
            return None
        listener.subscription = self.hub.subscribe(self.count, accepted, listener.wake, result)
        told = json.loads(listener.subscription.acknowledgement)["params"]["notifications"]
        assert bool(told) is bool(listener.topics)
        self.open.append(listener)
        return listener

    @rule(event=EVENTS)
    def publish(self, event: Event) -> None:
        """Whoever listens to it is due it once, in its place."""
        self.hub.publish(event)
        for listener in self.open:
            if event.topic in listener.topics:
                if event.topic not in listener.due:
                    listener.due.append(event.topic)
                listener.rouse()

    @rule(listener=listeners)
    def take(self, listener: Listener | None) -> None:
        """What is due comes, in order and under its id; the result is the last."""
        if listener is None:
            return
        frames = [json.loads(frame) for frame in listener.subscription.take()]
        if listener.state == "ending":
            assert frames.pop() == {"id": listener.id}
        found = []
        for frame in frames:
            assert list(frame["params"]["_meta"].values()) == [listener.id]
            kind = frame["method"].split("/")[1]
            found.append(("updates", frame["params"]["uri"]) if "uri" in frame["params"] else (kind, ""))
        assert found == listener.due
        listener.due, listener.is_woken, listener.wakes = [], False, 0
        if listener.state == "ending":
            self.forget(listener)

    @rule(listener=consumes(listeners))
    def close(self, listener: Listener | None) -> None:
        """Nothing comes afterwards."""
        if listener is None:
            return
        listener.subscription.close()
        self.forget(listener)
        assert listener.subscription.take() == []
        assert listener.subscription.end() == b""

    @rule(listener=listeners)
    def end(self, listener: Listener | None) -> None:
        """The result comes, once."""
        if listener is None:
            return
        was_open = listener in self.open
        assert bool(listener.subscription.end()) is was_open
        self.forget(listener)

    @rule()
    def close_all(self) -> None:
        """Everybody is to take the result."""
        self.hub.close()
        for listener in self.open:
            listener.state = "ending"
            listener.rouse()

    def forget(self, listener: Listener) -> None:
        """It has ended."""
        if listener in self.open:
            self.open.remove(listener)
        listener.state, listener.due = "ended", []
        # What was woken before the end may have been woken for nothing.
        listener.is_woken = listener.wakes > 0

    @invariant()
    def is_as_the_model_says(self) -> None:
        """Who is open, who was woken, what is watched; and nothing is left over."""
        assert self.faults == []
        assert self.hub.count == len(self.open)
        for listener in self.open:
            assert not listener.subscription.ended
            assert listener.wakes == int(listener.is_woken)
        topics = {topic for listener in self.open for topic in listener.topics}
        assert {uri for uri, is_watched in self.watched.items() if is_watched} == {
            name for kind, name in topics if kind == "updates"
        }
        assert set(self.hub._listeners) == topics
        assert self.hub._cost == sum(one.subscription.cost for one in self.open)


Listening.TestCase.settings = settings(max_examples=100, stateful_step_count=30)
test_subscriptions = Listening.TestCase
