"""Channels of the older era: numbered messages that are kept as long as somebody may want them."""

import asyncio
import json
from collections.abc import Iterator

import pytest

from readingroom.limits import Limits
from readingroom.transport.http_older_streams import Channel

MOST = 64


@pytest.fixture(autouse=True)
def loop() -> Iterator[None]:
    """A loop of its own, for events."""
    with asyncio.Runner() as runner:
        runner.get_loop()
        yield


def numbers(channel: Channel, position: int = 0) -> list[int]:
    """The numbers of the events that are still there."""
    return [number for number, _ in channel.after(position)]


def test_messages_are_numbered_in_their_order() -> None:
    """And given from any position on."""
    channel = Channel(3, Limits())
    for frame in (b"a", b"b", b"c"):
        channel.add(frame, False)
    assert channel.after(0) == [(1, b"a"), (2, b"b"), (3, b"c")]
    assert channel.after(2) == [(3, b"c")]
    assert channel.woken.is_set()


def test_only_what_was_sent_is_forgotten() -> None:
    """However much waits."""
    channel = Channel(0, Limits())
    for _ in range(MOST + 6):
        channel.add(b"x", False)
    assert len(numbers(channel)) == MOST + 6
    channel.mark_sent(MOST)
    assert numbers(channel)[0] == 7
    channel.mark_sent(10)
    assert channel.sent == MOST


def test_what_may_be_dropped_is_when_too_much_waits() -> None:
    """What may not is kept."""
    channel = Channel(0, Limits())
    for _ in range(MOST + 1):
        channel.add(b"x", True)
    assert channel.last == MOST
    channel.add(b"y", False)
    assert channel.last == MOST + 1


def test_bytes_that_were_sent_are_bounded() -> None:
    """The oldest go first."""
    channel = Channel(0, Limits(older_replay_bytes=10))
    for _ in range(4):
        channel.add(b"12345", False)
    channel.mark_sent(3)
    assert numbers(channel) == [3, 4]


def test_the_end() -> None:
    """Nothing comes after it; the answer is known when it was the only message."""
    channel = Channel(0, Limits())
    assert channel.answer is None
    channel.finish(b"a")
    assert (channel.answer, channel.is_over) == (b"a", True)
    channel.add(b"b", False)
    assert channel.last == 1
    channel = Channel(0, Limits())
    channel.add(b"a", True)
    channel.finish(b"b")
    assert channel.answer is None
    channel = Channel(0, Limits())
    channel.finish(None)
    assert (channel.answer, channel.is_over) == (None, True)


def test_the_last_to_come_follows() -> None:
    """Whoever did before does no more; leaving is noticed."""
    channel = Channel(0, Limits())
    assert not channel.is_followed
    first = channel.attach()
    assert channel.is_mine(first)
    second = channel.attach()
    assert (channel.is_mine(first), channel.is_mine(second)) == (False, True)
    channel.detach(first)
    assert channel.is_followed
    channel.detach(second)
    assert not channel.is_followed
    third = channel.attach()
    assert third not in (first, second)


def test_what_waits_for_a_client_that_is_there_is_bounded_in_bytes() -> None:
    """Where it may be dropped; an answer comes whole."""
    channel = Channel(0, Limits(older_replay_bytes=100, older_unsent_bytes=100))
    channel.attach()
    for _ in range(50):
        channel.add(b"x" * 30, True)
    assert channel.size == 90
    channel.finish(b"y" * 500)
    assert channel.after(3) == [(4, b"y" * 500)]


def test_an_answer_too_long_for_a_client_that_has_gone() -> None:
    """Is lost, and what is kept says so; what else waited goes with it."""
    answer = b'{"jsonrpc":"2.0","id":5,"result":"' + b"y" * 500 + b'"}'
    for leaves_late in (False, True):
        channel = Channel(0, Limits(older_unsent_bytes=400))
        reader = channel.attach() if leaves_late else -1
        channel.add(b"x", True)
        channel.finish(answer)
        channel.detach(reader)
        ((number, lost),) = channel.after(0)
        assert (number, channel.last, channel.is_over) == (2, 2, True)
        assert json.loads(lost)["id"] == 5
        assert "ask again" in json.loads(lost)["error"]["message"]


def test_a_channel_that_nobody_follows_may_have_to_let_go() -> None:
    """Of what was sent only, while somebody does; its call is not to wait for a client that cannot have been asked."""
    channel = Channel(0, Limits())
    reader = channel.attach()
    channel.add(b"sent", False)
    channel.mark_sent(1)
    channel.add(b"question", False)
    channel.shrink()
    assert (channel.after(0), channel.is_abandoned) == ([(2, b"question")], False)
    channel.detach(reader)
    channel.shrink()
    assert (channel.after(0), channel.is_abandoned, channel.size) == ([], True, 0)
    channel.attach()
    assert not channel.is_abandoned


def test_who_was_not_there_for_long_is_not_waited_for() -> None:
    """Whoever comes back in time is."""
    channel = Channel(0, Limits(older_absent_seconds=10))
    for now in (0, 9):
        channel.look(now)
    assert not channel.is_abandoned
    reader = channel.attach()
    channel.look(11)
    channel.detach(reader)
    for now in (12, 21):
        channel.look(now)
    assert not channel.is_abandoned
    channel.look(22)
    assert channel.is_abandoned
