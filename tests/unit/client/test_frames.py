"""Reading lines: answers, notifications, and what is wrong with broken ones."""

import json

import pytest

from readingroom.client.frames import Answered, Asking, Broken, read_frame
from readingroom.wire import Notification

NESTING = 64


def line(**members: object) -> bytes:
    """Encode a message with the version member and `members`."""
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


def nested(depth: int) -> bytes:
    """Encode an answer whose deepest value is `depth` levels down."""
    return b'{"jsonrpc":"2.0","id":4,"result":{"a":' + b"[" * (depth - 2) + b"]" * (depth - 2) + b"}}"


def test_result():
    """A plain result is read with its id and its members."""
    assert read_frame(line(id=1, result={"a": "é"}), NESTING) == Answered(1, {"a": "é"}, None)


def test_result_with_members_of_its_own():
    """Unknown members of an answer are tolerated (RPC-9)."""
    assert read_frame(line(id="x", result={}, extra=1), NESTING) == Answered("x", {}, None)


def test_error():
    """An error is read as it came, data and all."""
    error = {"code": -32602, "message": "no", "data": [1]}
    assert read_frame(line(id=1, error=error), NESTING) == Answered(1, None, error)


@pytest.mark.parametrize("members", [{}, {"id": None}])
def test_error_without_id(members):
    """An error may come without an id, or with null (RPC-4)."""
    error = {"code": -32700, "message": "no"}
    assert read_frame(line(**members, error=error), NESTING) == Answered(None, None, error)


def test_notification():
    """A message with a method and no id is a notification."""
    frame = read_frame(line(method="notifications/x", params={"a": 1}), NESTING)
    assert frame == Notification("notifications/x", {"a": 1})


def test_nesting_up_to_the_limit():
    """A message may nest as deep as the limit, and no deeper (RPC-10)."""
    assert isinstance(read_frame(nested(NESTING), NESTING), Answered)
    broken = read_frame(nested(NESTING + 1), NESTING)
    assert isinstance(broken, Broken)
    assert (broken.rule, broken.id) == ("RPC-10", 4)


def test_nesting_beyond_the_stack():
    """A message that nests beyond what a decoder's stack holds is a broken one, and its id is found."""
    broken = read_frame(nested(200_000), NESTING)
    assert isinstance(broken, Broken)
    assert (broken.rule, broken.id) == ("RPC-10", 4)


BROKEN = {
    "no version": (b'{"id":1,"result":{}}', "RPC-1", 1),
    "wrong version": (b'{"jsonrpc":"1.0","id":1,"result":{}}', "RPC-1", 1),
    "version of another type": (b'{"jsonrpc":2.0,"id":1,"result":{}}', "RPC-1", 1),
    "notification without version": (b'{"method":"notifications/x"}', "RPC-1", None),
    "both": (b'{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}', "RPC-5", 1),
    "result is null": (b'{"jsonrpc":"2.0","id":1,"result":null}', "RPC-5", 1),
    "result is an array": (b'{"jsonrpc":"2.0","id":1,"result":[]}', "RPC-5", 1),
    "error is a text": (b'{"jsonrpc":"2.0","id":1,"error":"no"}', "RPC-5", 1),
    "error without code": (b'{"jsonrpc":"2.0","id":1,"error":{"message":"m"}}', "ERR-5", 1),
    "code is a text": (b'{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":"m"}}', "ERR-5", 1),
    "code is true": (b'{"jsonrpc":"2.0","id":1,"error":{"code":true,"message":"m"}}', "ERR-5", 1),
    "code is a fraction": (b'{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"m"}}', "ERR-5", 1),
    "error without message": (b'{"jsonrpc":"2.0","id":1,"error":{"code":1}}', "ERR-5", 1),
    "result without id": (b'{"jsonrpc":"2.0","result":{}}', "RPC-4", None),
    "result with null as id": (b'{"jsonrpc":"2.0","id":null,"result":{}}', "RPC-4", None),
    "id is true": (b'{"jsonrpc":"2.0","id":true,"result":{}}', "RPC-4", True),
    "id is a fraction": (b'{"jsonrpc":"2.0","id":1.0,"result":{}}', "RPC-4", 1.0),
    "id is an object": (b'{"jsonrpc":"2.0","id":{},"error":{"code":1,"message":"m"}}', "RPC-4", {}),
    "request without version": (b'{"id":1,"method":"ping"}', "RPC-7", None),
    "request with null as id": (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', "RPC-7", None),
    "request with params that are none": (
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
        "RPC-7",
        None,
    ),
    "notification with id": (b'{"jsonrpc":"2.0","id":1,"method":"notifications/x"}', "RPC-6", None),
    "method and result": (b'{"jsonrpc":"2.0","id":1,"method":"x","result":{}}', "RPC-1", 1),
    "method is a number": (b'{"jsonrpc":"2.0","id":1,"method":3}', "RPC-1", 1),
    "neither": (b'{"jsonrpc":"2.0","id":1}', "STDIO-2", 1),
    "batch": (b'[{"jsonrpc":"2.0","id":1,"result":{}}]', "RPC-8", None),
    "a number": (b"17", "STDIO-2", None),
    "text": (b"Server started on port 80", "STDIO-2", None),
    "bytes": (b"\xff\xfe", "STDIO-2", None),
    "not UTF-8": (b'{"jsonrpc":"2.0","id":1,"result":{"a":"\xff"}}', "RPC-1", 1),
    "lone surrogate": (b'{"jsonrpc":"2.0","id":1,"result":{"a":"\\ud800"}}', "RPC-1", 1),
    "cut off": (b'{"jsonrpc":"2.0","id":1,"result":{"a":', "RPC-1", 1),
    "cut off before the id": (b'{"jsonrpc":"2.0",', "RPC-1", None),
    "NaN": (b'{"jsonrpc":"2.0","id":1,"result":{"a":NaN}}', "RPC-1", 1),
    "two on a line": (
        b'{"jsonrpc":"2.0","id":1,"result":{}}{"jsonrpc":"2.0","id":2,"result":{}}',
        "RPC-1",
        1,
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_line(name):
    """Each way to break a line is named by its rule, with what can be read as an id and the beginning of the line."""
    data, rule, found = BROKEN[name]
    frame = read_frame(data, NESTING)
    assert isinstance(frame, Broken)
    assert (frame.rule, frame.id, frame.excerpt) == (rule, found, data[:200])
    assert type(frame.id) is type(found)


def test_request():
    """What a server asks is told from what it answers; whether it may is for another to say."""
    data = b'{"jsonrpc":"2.0","id":"a","method":"ping"}'
    assert read_frame(data, NESTING) == Asking("a", "ping", {}, data)


def test_excerpt_is_short():
    """Of a long broken line the first 200 bytes are kept."""
    frame = read_frame(b"x" * 1000, NESTING)
    assert isinstance(frame, Broken)
    assert frame.excerpt == b"x" * 200
