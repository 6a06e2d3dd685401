"""Sessions of the older era over HTTP: whose they are, how many there are, and when they go."""

import asyncio
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


def some(clock: Clock | None = None, **limits: Any) -> Sessions:
    """Sessions with ids that are easy to read."""
    ids = iter(range(10_000))
    return Sessions(Limits(**limits), clock or Clock(), lambda: f"id{next(ids)}")


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
    channel = second.new_channel(lambda: None)
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
    channels = [held.new_channel(lambda: None) for _ in range(12)]
    for channel in channels:
        held.keep(channel)
    for channel in channels[1:]:
        channel.finish(None)
    held.keep(channels[-1])
    assert held.resumed("1-5") == (channels[0], 5)
    assert held.resumed("2-5") is None
    assert held.resumed("12-0") == (channels[-1], 0)
    for wrong in ("", "x", "1", "1-", "-1", "1-x", "²-1", "99-1"):
        assert held.resumed(wrong) is None
