"""Arrays of messages: what is in them, and how they are answered."""

import json
from typing import Any

import pytest

from readingroom.server.older_batches import Gathering, is_array, split
from readingroom.wire import Fault, Notification, Request, Response
from support.older import Way, handshake, message, notice


def encoded(value: Any) -> bytes:
    """As it comes."""
    return json.dumps(value).encode()


@pytest.mark.parametrize(
    ("frame", "found"), [(b" [", True), (b"[]", True), (b"{}", False), (b"", False), (b"x[", False)]
)
def test_what_begins_like_an_array(frame: bytes, found: bool) -> None:
    """White space before it does not matter."""
    assert is_array(frame) is found


@pytest.mark.parametrize("frame", [b"[]", b"[", b"{}", b"[1,]", b"null"])
def test_what_is_no_batch(frame: bytes) -> None:
    """The empty one is none."""
    assert split(frame, 64) is None


def test_each_message_is_what_it_would_be_alone() -> None:
    """But a handshake, which is none of a batch."""
    parts = [message(1, "ping"), notice("x"), {"id": 2, "result": {}}, 7, handshake(request_id=3)]
    found = split(encoded(parts), 64)
    assert found is not None
    assert [type(one) for one, _ in found] == [Request, Notification, Response, Fault, Fault]
    assert [json.loads(frame) for _, frame in found] == parts
    assert found[-1][0] == Fault(-32600, "initialize is not part of a batch", 3)


def test_answers_come_together_when_the_last_has_come() -> None:
    """What comes before them comes alone."""
    way = Way()
    gathering = Gathering(way, 3)
    assert gathering.can_ask
    gathering.answer(encoded({"id": 1}))
    gathering.tell(encoded({"method": "p"}))
    gathering.ask(encoded({"method": "q"}))
    gathering.drop()
    assert way.sent == [{"method": "p"}, {"method": "q"}]
    gathering.answer(encoded({"id": 2}))
    assert way.sent[2:] == [[{"id": 1}, {"id": 2}]]
    assert way.dropped == 0


def test_a_batch_of_which_all_is_cancelled_has_no_answer() -> None:
    """Its way is told."""
    way = Way()
    gathering = Gathering(way, 2)
    gathering.drop()
    gathering.drop()
    assert (way.sent, way.dropped) == ([], 1)
