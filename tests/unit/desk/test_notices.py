"""What a library tells of changes becomes notices of its server, to who asked for them."""

import json
from collections.abc import Callable
from typing import Any

from readingroom.desk import open_desk
from readingroom.kit import Server
from readingroom.library import Changes, Follower
from readingroom.server import Connection, Flight
from support.messages import frame

A, B = "library:///a.md", "library:///%62.md"


class Joined:
    """A desk's server, and the follower that a library would be given."""

    def __init__(self) -> None:
        self.given: list[Callable[[], Follower]] = []
        self.app = open_desk(no_view, version="1", cursor_key=b"k" * 32, follow=self.given.append)
        self.dispatcher = self.app.dispatcher()

    @property
    def follower(self) -> Follower:
        """What is to follow the library: one and the same, whenever it is asked for."""
        (make,) = self.given
        return make()

    def listen(self, **wanted: Any) -> Any:
        """Open a subscription."""
        flight = Connection(self.dispatcher.capabilities).receive(
            frame(1, "subscriptions/listen", {"notifications": wanted})
        )
        assert isinstance(flight, Flight)
        return self.dispatcher.listen(flight.request, "local", lambda: None)


def no_view() -> Any:
    """The library is not needed to listen to it."""
    raise AssertionError


def told(subscription: Any) -> list[str]:
    """What a listener is told: the method, or the address of what changed."""
    messages = [json.loads(line) for line in subscription.take()]
    return [message["params"].get("uri", message["method"].rpartition("/")[2]) for message in messages]


def test_what_the_server_declares() -> None:
    """Changes of the list and of documents where a library is followed, and none where none is."""
    assert Joined().app.dispatcher().capabilities >= {"resources", "subscriptions"}
    alone: Server = open_desk(no_view, version="1", cursor_key=b"k" * 32)
    assert "subscriptions" not in alone.dispatcher().capabilities


def test_who_listens_is_told_what_was_asked_for() -> None:
    """The addresses as they are spelt, the list to who listens to the list."""
    at = Joined()
    both, one = (
        at.listen(resourceSubscriptions=[A, B], resourcesListChanged=True),
        at.listen(resourceSubscriptions=[B]),
    )
    at.follower._told(Changes(listed=True, updated=(A, B)))
    assert sorted(told(both)) == sorted([A, B, "list_changed"])
    assert told(one) == [B]
    at.follower._told(Changes(listed=False, updated=(A,)))
    assert (told(both), told(one)) == ([A], [])


def test_the_follower_watches_what_somebody_listens_to() -> None:
    """Before the library is opened, too, and no longer than the last one listens."""
    at = Joined()
    first, second = at.listen(resourceSubscriptions=[A, B]), at.listen(resourceSubscriptions=[B])
    assert set(at.follower._watched) == {A, B}
    first.close()
    assert set(at.follower._watched) == {B}
    second.close()
    assert at.follower._watched == {}
