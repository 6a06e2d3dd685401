"""Sessions of the older era over HTTP: whose they are, how many there are, and when they go."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from readingroom.limits import Limits
from readingroom.server.older import Session
from readingroom.transport.http_older_sessions import Held, Sessions
from support.everything import app

DISPATCHER = app.dispatcher()


@pytest.fixture(autouse=True)
def loop() -> Iterator[None]:
    """A loop of its own, for events."""
    with asyncio.Runner() as runner:
        runner.get_loop()
        yield


class Clock:
    """Time that stands still until it is moved."""

    now = 0.0

    def __call__(self) -> float:
        """Give the time."""
        return self.now


def opened(sessions: Sessions, principal: str = "me") -> Held:
    """A session that was begun."""
    held = sessions.new(DISPATCHER, principal)
    held.session = Session(DISPATCHER, principal, lambda frame: None)
    sessions.add(held)
    return held


def some(clock: Clock | None = None, most_of_one: int | None = None, **limits: Any) -> Sessions:
    """Sessions with ids that are easy to read."""
    ids = iter(range(10_000))
    return Sessions(Limits(**limits), clock or Clock(), lambda: f"id{next(ids)}", most_of_one=most_of_one)


def test_a_session_is_its_principals() -> None:
    """For others, and with what serves others, it is not there."""
    sessions = some()
    held = opened(sessions)
    assert sessions.find(held.id, DISPATCHER, "me") is held
    assert sessions.find(held.id, DISPATCHER, "you") is None
    assert sessions.find(held.id, app.dispatcher(), "me") is None
    assert sessions.find(held.id, None, "me") is None
    assert sessions.find("id9", DISPATCHER, "me") is None


def test_the_one_used_longest_ago_goes() -> None:
    """When there are too many."""
    sessions = some(older_sessions=2)
    first, second = opened(sessions), opened(sessions)
    assert sessions.find(first.id, DISPATCHER, "me") is first
    third = opened(sessions)
    assert sessions.find(second.id, DISPATCHER, "me") is None
    assert {held.id for held in sessions} == {first.id, third.id}


def test_one_that_is_busy_stays() -> None:
    """While another can go; else even that one goes."""
    sessions = some(older_sessions=2)
    first, second = opened(sessions), opened(sessions)
    first.main_channel().attach()
    third = opened(sessions)
    assert {held.id for held in sessions} == {first.id, third.id}
    third.main_channel().attach()
    opened(sessions)
    assert first.id not in {held.id for held in sessions}
    assert first.main_channel().is_over
    assert second.main is None


def test_idle_ones_go() -> None:
    """In time, but for those that are busy."""
    clock = Clock()
    sessions = some(clock, older_idle_seconds=10)
    first, second, third = (opened(sessions) for _ in range(3))
    channel = second.new_channel()
    second.keep(channel)
    channel.attach()
    clock.now = 5
    sessions.find(third.id, DISPATCHER, "me")
    clock.now = 12
    assert sessions.find(first.id, DISPATCHER, "me") is None
    assert {held.id for held in sessions} == {second.id, third.id}
    clock.now = 30
    opened(sessions)
    assert {held.id for held in sessions} == {second.id, "id3"}


def test_ending_one() -> None:
    """Twice does nothing."""
    sessions = some()
    held = opened(sessions)
    sessions.end(held)
    sessions.end(held)
    assert len(sessions) == 0


def test_ten_thousand_sessions_leave_what_is_allowed() -> None:
    """And no more."""
    sessions = some(older_sessions=50)
    for _ in range(10_000):
        opened(sessions)
    assert len(sessions) == 50


def test_a_client_may_come_back_to_a_stream() -> None:
    """By the id of an event, to one of the last that are over, and to any that is not."""
    held = opened(some())
    assert held.resumed("0-1") is None
    main = held.main_channel()
    assert held.resumed("0-1") == (main, 1)
    channels = [held.new_channel() for _ in range(12)]
    for channel in channels:
        held.keep(channel)
    for channel in channels[1:]:
        channel.finish(None)
    held.keep(channels[-1])
    assert held.resumed("1-5") == (channels[0], 5)
    assert held.resumed("2-5") is None
    assert held.resumed("12-0") == (channels[-1], 0)
    for wrong in (
        "",
        "x",
        "1",
        "1-",
        "-1",
        "1-x",
        "²-1",
        "99-1",
        "9" * 5000 + "-1",
        "1-" + "9" * 5000,
        "0-" + "9" * 19,
    ):
        assert held.resumed(wrong) is None


def test_one_principal_has_its_share_of_sessions() -> None:
    """Beyond that one of its own goes, and nobody else's."""
    sessions = some(most_of_one=3)
    other = opened(sessions, "other")
    own = [opened(sessions) for _ in range(5)]
    assert {held.id for held in sessions} == {other.id, *(held.id for held in own[2:])}


def test_whoever_has_most_loses_one_when_there_are_too_many() -> None:
    """So nobody can make all the others' go, but who begins one when others have no more than it has loses its own."""
    sessions = some(older_sessions=6)
    others = [opened(sessions, "other"), opened(sessions, "third")]
    for _ in range(1_000):
        opened(sessions)
    assert all(sessions.find(held.id, DISPATCHER, held.principal) is held for held in others)
    for _ in range(1_000):
        opened(sessions, "fourth")
    held = [one.principal for one in sessions]
    assert sorted((name, held.count(name)) for name in set(held)) == [
        ("fourth", 2), ("me", 2), ("other", 1), ("third", 1),
    ]  # fmt: skip


def test_a_session_that_has_ended_keeps_nothing() -> None:
    """Nor is anything counted of it."""
    sessions = some()
    held = opened(sessions)
    channel = held.new_channel()
    held.keep(channel)
    channel.add(b"x" * 100, False)
    held.main_channel().add(b"y", False)
    assert sessions._keeping.total == 101
    sessions.end(held)
    assert (sessions._keeping.total, sessions._keeping._of, sessions._of) == (0, {}, {})
    late = held.new_channel()
    held.keep(late)
    late.add(b"x", False)
    assert sessions._keeping.total == 0


def test_streams_of_all_sessions_are_bounded_in_bytes() -> None:
    """Whoever keeps most loses what it kept first; of an answer stays that it was lost, for nobody waits in vain."""
    sessions = some(older_kept_bytes=10_000)
    other = opened(sessions, "other")
    kept = other.new_channel()
    other.keep(kept)
    kept.finish(b'{"id":7,"result":"' + b"x" * 200 + b'"}')
    channels = []
    for number in range(20):
        held = opened(sessions)
        channel = held.new_channel()
        held.keep(channel)
        channel.finish(b'{"id":%d,"result":"' % number + b"x" * 3000 + b'"}')
        channels.append(channel)
        assert sessions._keeping.total <= 10_000
    assert len(kept.after(0)[0][1]) > 200
    assert len(channels[-1].after(0)[0][1]) > 3000
    ((number, lost),) = channels[0].after(0)
    assert (number, json.loads(lost)["id"], json.loads(lost)["error"]["code"]) == (1, 0, -32603)
    assert sessions._keeping.total == sum(one.size for one in [kept, *channels])
