"""Arrays of messages: what is in them, and how they are answered."""

import json
from typing import Any

import pytest

from readingroom.errors import Refused
from readingroom.limits import Limits
from readingroom.server.older_batches import Gathering, in_place_of, is_array, split
from readingroom.wire import Fault, Notification, Request, Response
from support.older import Way, handshake, message, notice


def refused(frame: bytes, most: int = 9) -> str:
    """What is said to a frame that is no batch, or is too long a one."""
    with pytest.raises(Refused) as raised:
        split(frame, Limits(older_batch_messages=most))
    assert raised.value.code == -32600
    return raised.value.message


def named(answer: dict[str, Any]) -> dict[str, Any]:
    """The id of an answer, if it has one."""
    return {"id": answer["id"]} if "id" in answer else {}


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
    assert refused(frame)


def test_each_message_is_what_it_would_be_alone() -> None:
    """But a handshake, which is none of a batch."""
    parts = [message(1, "ping"), notice("x"), {"id": 2, "result": {}}, 7, handshake(request_id=3)]
    found = split(encoded(parts), Limits())
    assert [type(one) for one, _ in found] == [Request, Notification, Response, Fault, Fault]
    assert [json.loads(frame) for _, frame in found] == parts
    assert found[-1][0] == Fault(-32600, "initialize is not part of a batch", 3)


def test_answers_come_together_when_the_last_has_come() -> None:
    """What comes before them comes alone."""
    way = Way()
    gathering = Gathering(way, 3, 1000)
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
    gathering = Gathering(way, 2, 1000)
    gathering.drop()
    gathering.drop()
    assert (way.sent, way.dropped) == ([], 1)


def test_a_batch_has_so_many_messages_and_no_more() -> None:
    """One more, or millions more, are refused, and none of them is made into anything."""
    frame = encoded([notice("x")] * 9)
    assert len(split(frame, Limits(older_batch_messages=9))) == 9
    for number in (10, 100_000):
        assert refused(b"[" + b",".join([b"0"] * number) + b"]") == "A batch has at most 9 messages"


def test_the_bytes_of_its_answers_are_bounded() -> None:
    """What does not fit becomes an error with its id, and from there on nothing need be done."""
    way = Way()
    gathering = Gathering(way, 4, 150)
    gathering.answer(encoded({"id": 2**70, "result": "x" * 60}))
    assert not gathering.is_full
    gathering.answer(encoded({"id": "b", "result": "x" * 60}))
    assert gathering.is_full
    for last in (3, 4):
        gathering.answer(encoded({"id": last, "result": 1}))
    (answers,) = way.sent
    assert [one["id"] for one in answers] == [2**70, "b", 3, 4]
    assert ["error" in one for one in answers] == [False, True, True, True]
    assert "by itself" in answers[1]["error"]["message"]


def test_an_answer_that_is_alone_may_be_long() -> None:
    """As long as if it were no part of a batch."""
    way = Way()
    Gathering(way, 1, 10).answer(encoded({"id": 1, "result": "x" * 60}))
    assert len(way.sent[0][0]["result"]) == 60


def test_whether_the_client_is_there_its_own_way_knows() -> None:
    """A batch has none of its own."""
    way = Way()
    gathering = Gathering(way, 1, 10)
    assert not gathering.is_absent
    way.is_absent = True
    assert gathering.is_absent


@pytest.mark.parametrize("frame", [{"id": 1, "result": {"a": [1]}}, [{"id": 1, "result": 1}, {"error": {}}]])
def test_what_stands_in_the_place_of_an_answer(frame: Any) -> None:
    """Has the same ids, and says why."""
    told = json.loads(in_place_of(encoded(frame), "why"))
    pairs = zip(told, frame, strict=True) if isinstance(frame, list) else [(told, frame)]
    for one, was in pairs:
        assert one == {"jsonrpc": "2.0", **named(was), "error": {"code": -32603, "message": "why"}}
