"""The hub of a server: who is woken, what is taken, who watches, and what becomes of those that fail."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from readingroom import InvalidParams, MissingCapability, Refused
from readingroom.limits import Limits
from readingroom.protocol import Admitted, Filter, Implementation, ListenParams, Meta, Wrapper
from readingroom.protocol.subscriptions import list_event, task_event, update_event
from readingroom.server import Hub, Subscription

TASKS: dict[str, Any] = {"extensions": {"io.modelcontextprotocol/tasks": {}}}


class Listeners:
    """A hub with what it reported."""

    def __init__(self, *served: str, limits: Limits | None = None) -> None:
        self.reported: list[tuple[str, str]] = []
        self.hub = Hub(served or ("tools", "updates"), limits or Limits(), self.report)

    def report(self, error: BaseException, what: str) -> None:
        """Remember."""
        self.reported.append((type(error).__name__, what))

    def listen(
        self,
        wanted: Filter,
        wake: Callable[[], None] = lambda: None,
        capabilities: dict[str, Any] | None = None,
        principal: str = "me",
    ) -> Subscription:
        """Listen as a client does."""
        params = ListenParams(Meta("2026-07-28", capabilities or {}), wanted)
        request = Admitted(1, "subscriptions/listen", params)
        return self.hub.listen(request, principal, wake, Wrapper(Implementation("srv", "1")))


def uris(*names: str) -> Filter:
    """A filter for resources."""
    return Filter(resource_subscriptions=names)


def test_a_listener_is_woken_once_between_two_takes() -> None:
    """However much happens."""
    room = Listeners()
    wakes: list[None] = []
    subscription = room.listen(Filter(tools_list_changed=True), lambda: wakes.append(None))
    for count in (1, 2):
        for _ in range(3):
            room.hub.publish(list_event("tools"))
        assert len(wakes) == count
        assert len(subscription.take()) == 1
        assert subscription.take() == []
        assert not subscription.ended


def test_a_newer_event_stands_in_for_an_older_one_in_its_place() -> None:
    """Of a task the last state is told."""
    room = Listeners()
    room.hub.accept_tasks = lambda ids, principal: ids
    asked = Filter(tools_list_changed=True, task_ids=("t",))
    subscription = room.listen(asked, capabilities=TASKS)
    room.hub.publish(task_event("t", {"taskId": "t", "status": "working"}))
    room.hub.publish(list_event("tools"))
    room.hub.publish(task_event("t", {"taskId": "t", "status": "completed"}))
    first, second = subscription.take()
    assert b"completed" in first
    assert b"list_changed" in second


def test_an_end_from_the_servers_side_is_given_out_once() -> None:
    """And nothing is told any more."""
    room = Listeners()
    subscription = room.listen(Filter(tools_list_changed=True))
    room.hub.publish(list_event("tools"))
    assert b'"result"' in subscription.end()
    assert subscription.ended
    assert (subscription.end(), subscription.take()) == (b"", [])
    subscription.close()
    assert room.hub.count == 0


def test_all_are_ended_with_what_they_are_due() -> None:
    """Each when it takes; it is open until then."""
    room = Listeners()
    wakes: list[None] = []
    subscription = room.listen(Filter(tools_list_changed=True), lambda: wakes.append(None))
    room.hub.publish(list_event("tools"))
    room.hub.close()
    assert len(wakes) == 1
    assert (subscription.ended, room.hub.count) == (False, 1)
    event, result = subscription.take()
    assert b"list_changed" in event
    assert b'"result"' in result
    assert (subscription.ended, room.hub.count) == (True, 0)


def test_what_is_a_principals_own_is_told_to_nobody_else() -> None:
    """Whoever listens to its address; what belongs to nobody is told to all."""
    room = Listeners()
    mine, theirs = room.listen(uris("a")), room.listen(uris("a"), principal="them")
    room.hub.publish(update_event("a"), "me")
    assert (len(mine.take()), theirs.take()) == (1, [])
    room.hub.publish(update_event("a"), "nobody")
    assert (mine.take(), theirs.take()) == ([], [])
    room.hub.publish(update_event("a"))
    assert (len(mine.take()), len(theirs.take())) == (1, 1)


def test_a_waker_that_fails_costs_nobody_else_anything() -> None:
    """Its own subscription is closed, for nobody would ever take from it."""
    room = Listeners()

    def fail() -> None:
        raise RuntimeError("the carrier is gone")

    wanted = Filter(tools_list_changed=True)
    gone, there = room.listen(wanted, fail), room.listen(wanted)
    room.hub.publish(list_event("tools"))
    assert (gone.ended, len(there.take())) == (True, 1)
    assert room.reported == [("RuntimeError", "subscription")]


def test_watchers_hear_of_the_first_and_the_last_listener() -> None:
    """Not of those between, and of each resource by itself."""
    room = Listeners()
    told: list[tuple[str, bool]] = []
    room.hub.on_watch(lambda uri, is_watched: told.append((uri, is_watched)))
    first = room.listen(uris("a", "b"))
    second = room.listen(uris("b"))
    assert told == [("a", True), ("b", True)]
    assert (room.hub.is_watched("b"), room.hub.is_watched("c")) == (True, False)
    first.close()
    assert told[2:] == [("a", False)]
    second.end()
    assert told[3:] == [("b", False)]


def test_lists_and_tasks_are_not_watched() -> None:
    """Only resources are; nor those that are not served."""
    room = Listeners("tools")
    room.hub.accept_tasks = lambda ids, principal: ids
    room.hub.on_watch(lambda uri, is_watched: pytest.fail(uri))
    asked = Filter(tools_list_changed=True, resource_subscriptions=("a",), task_ids=("t",))
    room.listen(asked, capabilities=TASKS).close()


def test_a_watcher_that_fails_is_reported_and_the_next_is_called() -> None:
    """The subscription is opened all the same."""
    room = Listeners()
    told: list[str] = []

    def fail(uri: str, is_watched: bool) -> None:
        raise OSError(uri)

    room.hub.on_watch(fail)
    room.hub.on_watch(lambda uri, is_watched: told.append(uri))
    subscription = room.listen(uris("a"))
    assert (subscription.ended, told, room.reported) == (False, ["a"], [("OSError", "on_watch")])


def test_a_watcher_may_use_the_hub() -> None:
    """It is called without the lock; what it brings about is told in its turn."""
    room = Listeners()
    told: list[tuple[str, bool]] = []

    def watch(uri: str, is_watched: bool) -> None:
        told.append((uri, is_watched))
        if is_watched and uri == "a":
            room.listen(uris("b")).close()
            room.hub.publish(update_event("a"))

    room.hub.on_watch(watch)
    subscription = room.listen(uris("a"))
    assert told == [("a", True), ("b", True), ("b", False)]
    assert len(subscription.take()) == 1


def test_turns_are_told_in_order_whoever_brings_them_about() -> None:
    """Many threads that come and go: each turn is the other one than before, and the last is the truth."""
    room = Listeners()
    told: list[bool] = []
    room.hub.on_watch(lambda uri, is_watched: told.append(is_watched))

    def come_and_go() -> None:
        for _ in range(200):
            room.listen(uris("a")).close()

    threads = [threading.Thread(target=come_and_go) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == [True, False] * (len(told) // 2)
    assert not room.hub.is_watched("a")


def test_many_threads_publish_take_and_leave() -> None:
    """No event is lost: what was published after the last take is there to be taken."""
    room = Listeners(limits=Limits(subscriptions=10))
    wanted = Filter(tools_list_changed=True, resource_subscriptions=("a",))
    woken = threading.Semaphore(0)
    subscription = room.listen(wanted, woken.release)
    taken: list[bytes] = []
    is_over = threading.Event()

    def take() -> None:
        while not is_over.is_set() or woken.acquire(blocking=False):
            if woken.acquire(timeout=0.01):
                taken.extend(subscription.take())

    def publish() -> None:
        for _ in range(300):
            room.hub.publish(list_event("tools"))
            room.hub.publish(update_event("a"))
            room.listen(wanted).close()

    taker = threading.Thread(target=take)
    publishers = [threading.Thread(target=publish) for _ in range(4)]
    for thread in (taker, *publishers):
        thread.start()
    for thread in publishers:
        thread.join()
    is_over.set()
    taker.join()
    taken.extend(subscription.take())
    assert 2 <= len(taken) <= 2 * 1200
    assert b"list_changed" in b"".join(taken)
    assert room.hub.count == 1
    subscription.close()
    assert room.hub.count == 0
    assert room.reported == []


def test_more_than_may_be_named_at_once_is_refused() -> None:
    """Resources and tasks together, and before anybody looks at the tasks."""
    room = Listeners(limits=Limits(listen_topics=3))
    room.hub.accept_tasks = lambda ids, principal: pytest.fail("was asked")
    room.listen(uris("a", "b", "c"))
    with pytest.raises(InvalidParams, match="at most 3"):
        room.listen(Filter(resource_subscriptions=("a", "b"), task_ids=("t", "u")), capabilities=TASKS)
    assert room.hub.count == 1


@pytest.mark.parametrize("limits", [Limits(subscriptions=1), Limits(subscribed_bytes=250)])
def test_more_subscriptions_than_may_be_open_are_refused(limits: Limits) -> None:
    """Until one has ended; nobody is told that somebody watches."""
    room = Listeners(limits=limits)
    first = room.listen(uris("a"))
    told: list[str] = []
    room.hub.on_watch(lambda uri, is_watched: told.append(uri))
    with pytest.raises(Refused) as caught:
        room.listen(uris("b"))
    assert caught.value.code == -32603
    assert told == []
    first.close()
    assert not room.listen(uris("b")).ended


@pytest.mark.parametrize(
    "capabilities",
    [{}, {"extensions": None}, {"extensions": {}}, {"extensions": {"io.modelcontextprotocol/tasks": True}}],
)
def test_tasks_are_for_clients_that_declared_them(capabilities: dict[str, Any]) -> None:
    """On this very request, and before the ids are looked at (TASK-11)."""
    room = Listeners()
    room.hub.accept_tasks = lambda ids, principal: pytest.fail("was asked")
    with pytest.raises(MissingCapability) as caught:
        room.listen(Filter(task_ids=("t",)), capabilities=capabilities)
    assert caught.value.data == {"requiredCapabilities": TASKS}
    assert room.hub.count == 0


def test_tasks_are_accepted_by_who_serves_them() -> None:
    """For the principal who asks; those that are not accepted are not told of."""
    room = Listeners()
    asked: list[Any] = []

    def accept(ids: tuple[str, ...], principal: str) -> list[str]:
        asked.append((ids, principal))
        return ["t", "t"]

    room.hub.accept_tasks = accept
    subscription = room.listen(Filter(task_ids=("t", "u")), capabilities=TASKS)
    assert asked == [(("t", "u"), "me")]
    assert b'"taskIds":["t"]' in subscription.acknowledgement
    room.hub.publish(task_event("u", {"taskId": "u"}))
    assert subscription.take() == []


def test_tasks_that_nobody_serves_are_left_out() -> None:
    """As everything that is not served."""
    assert b"taskIds" not in Listeners().listen(Filter(task_ids=("t",))).acknowledgement
