"""What a frame is, by the keys it has; and how messages are written."""

import json
from typing import Any

import msgspec
import pytest

from readingroom.wire import (
    INVALID_REQUEST,
    PARSE_ERROR,
    Fault,
    Notification,
    Request,
    Response,
    classify,
    encode_error,
    encode_notification,
)


@pytest.mark.parametrize(
    ("frame", "request_id", "method", "params"),
    [
        (b'{"jsonrpc":"2.0","id":1,"method":"m"}', 1, "m", None),
        (b'{"jsonrpc":"2.0","id":"1","method":"m","params":{"a":[1]}}', "1", "m", b'{"a":[1]}'),
        (b' {"params": [ ] ,"method":"","id":0,"jsonrpc":"2.0"}\r', 0, "", b"[ ]"),
        (b'{"jsonrpc":"2.0","id":1,"method":"m","params":null}', 1, "m", b"null"),
        (b'{"jsonrpc":"2.0","id":1,"method":"m","more":{"a":1e999}}', 1, "m", None),
        ('{"jsonrpc":"2.0","id":1,"method":"читать"}'.encode(), 1, "читать", None),
        (b'{"jsonrpc":"1.0","jsonrpc":"2.0","id":true,"id":1,"method":"m"}', 1, "m", None),
        (b'{"jsonrpc":"2.0","id":1,"method":5,"method":"m","params":1,"params":2}', 1, "m", b"2"),
        (b'{"jsonrpc":"2.0","id":1,"method":5,"method":"m"}', 1, "m", None),
        (b'{"jsonrpc":"2.0","id":true,"id":1,"method":"m","params":1e999}', 1, "m", b"1e999"),
    ],
)
def test_a_request_is_what_has_an_id_and_a_method(
    frame: bytes, request_id: Any, method: str, params: bytes | None
) -> None:
    """Its parameters stay the text they came as; of duplicate keys the last wins; unknown members are passed over."""
    request = classify(frame, 64)
    assert isinstance(request, Request)
    assert (request.id, request.method) == (request_id, method)
    assert (None if request.params is msgspec.UNSET else bytes(request.params)) == params


@pytest.mark.parametrize(
    ("frame", "method", "params"),
    [
        (b'{"jsonrpc":"2.0","method":"m"}', "m", None),
        (b'{"jsonrpc":"2.0","method":"m","params":{"a":1}}', "m", {"a": 1}),
        (b'{"jsonrpc":"2.0","method":"m","params":7}', "m", 7),
        (b'{"jsonrpc":"2.0","method":"m","params":{"a":1e999}}', "m", None),
    ],
)
def test_a_notification_is_what_has_a_method_and_no_id(frame: bytes, method: str, params: Any) -> None:
    """It is never answered, so its parameters are not judged here (RPC-6)."""
    assert classify(frame, 64) == Notification(method, params)


@pytest.mark.parametrize(
    ("members", "request_id"),
    [
        ('"id":1,"result":{}', 1),
        ('"id":"1","error":{}', "1"),
        ('"error":1', None),
        ('"id":null,"result":1,"error":2', None),
    ],
)
def test_a_response_is_what_has_a_result_or_an_error(members: str, request_id: Any) -> None:
    """And no method; the rest of it is for whoever awaits it."""
    assert classify(b'{"jsonrpc":"2.0",' + members.encode() + b"}", 64) == Response(request_id)


@pytest.mark.parametrize(
    ("frame", "code", "request_id"),
    [
        (b"{", PARSE_ERROR, None),
        (b'{"jsonrpc":"2.0","id":1,"method":"m","x":"\xff"}', PARSE_ERROR, None),
        (b'{"jsonrpc":"2.0","id":1,"method":"m","x":"\\ud800"}', PARSE_ERROR, None),
        (b"[]", INVALID_REQUEST, None),
        (b"7", INVALID_REQUEST, None),
        (b"1e999", INVALID_REQUEST, None),
        (b" [1e999]", INVALID_REQUEST, None),
        (b"[1,", PARSE_ERROR, None),
        (b"{}", INVALID_REQUEST, None),
        (b'{"id":1}', INVALID_REQUEST, 1),
        (b'{"id":1,"method":"m"}', INVALID_REQUEST, 1),
        (b'{"method":"m"}', INVALID_REQUEST, None),
        (b'{"jsonrpc":"2.1","id":1,"method":"m"}', INVALID_REQUEST, 1),
        (b'{"jsonrpc":2,"id":1,"method":"m"}', INVALID_REQUEST, 1),
        (b'{"jsonrpc":"2.0","id":1,"method":null}', INVALID_REQUEST, 1),
        (b'{"jsonrpc":"2.0","id":null,"method":"m"}', INVALID_REQUEST, None),
        (b'{"jsonrpc":"2.0","id":true,"method":"m"}', INVALID_REQUEST, None),
        (b'{"jsonrpc":"2.0","id":1.0,"method":"m"}', INVALID_REQUEST, None),
        (b'{"jsonrpc":"2.0","id":1,"method":"m","result":null}', INVALID_REQUEST, 1),
        (b'{"jsonrpc":"2.0","id":1,"method":"m","error":null}', INVALID_REQUEST, 1),
        (b'{"jsonrpc":"2.0","id":1,"method":5,"x":1e999}', INVALID_REQUEST, 1),
        (b'{"jsonrpc":"2.0","id":' + b"1" * 5000 + b',"method":"m"}', INVALID_REQUEST, None),
        (b'{"jsonrpc":"2.0","id":1,"method":"m","x":' + b"[" * 64 + b"]" * 64 + b"}", INVALID_REQUEST, 1),
        (b'{"jsonrpc":"2.0","method":"m","x":' + b"[" * 64 + b"]" * 64 + b"}", INVALID_REQUEST, None),
        (b"[" * 100_000, INVALID_REQUEST, None),
    ],
)
def test_a_fault_says_how_it_is_to_be_answered(frame: bytes, code: int, request_id: Any) -> None:
    """With the id where one can be read, and never with one that is no id (RPC-3, RPC-4, RPC-8)."""
    fault = classify(frame, 64)
    assert isinstance(fault, Fault)
    assert (fault.code, fault.id) == (code, request_id)
    assert fault.message


@pytest.mark.parametrize("nesting", [1, 2, 3, 8, 20, 64, 100])
def test_the_shortest_request_that_is_too_deep_is_seen(nesting: int) -> None:
    """Measuring may be left out only where a request is too short to be deep."""
    head = b'{"id":1,"method":"","jsonrpc":"2.0","":'
    for opener, closer, core in ((b'{"":', b"}", b"{}"), (b"[", b"]", b"[]")):
        allowed = (
            head + opener * (nesting - 2) + core + closer * (nesting - 2) + b"}" if nesting > 1 else None
        )
        too_deep = head + opener * (nesting - 1) + core + closer * (nesting - 1) + b"}"
        assert isinstance(classify(too_deep, nesting), Fault)
        if allowed:
            assert isinstance(classify(allowed, nesting), Request)


def test_a_depth_that_was_allowed_but_cannot_be_decoded_is_no_json() -> None:
    """A limit beyond what the decoder's stack holds lets nothing through, and raises nothing."""
    deep = b'{"jsonrpc":"2.0","id":1,"method":"m","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    assert classify(deep, 1_000_000) == Fault(PARSE_ERROR, "Parse error")


def test_an_error_is_written_without_an_id_when_none_could_be_read() -> None:
    """And without `data` when there is none; never with an id of null (RPC-4)."""
    assert json.loads(encode_error(None, -1, "m")) == {
        "jsonrpc": "2.0",
        "error": {"code": -1, "message": "m"},
    }
    assert json.loads(encode_error(0, -1, "m", {"a": 1})) == {
        "jsonrpc": "2.0",
        "id": 0,
        "error": {"code": -1, "message": "m", "data": {"a": 1}},
    }


def test_a_notification_is_written_without_an_id() -> None:
    """On one line (RPC-6, STDIO-1)."""
    text = encode_notification("m", {"a": "b\nc"})
    assert json.loads(text) == {"jsonrpc": "2.0", "method": "m", "params": {"a": "b\nc"}}
    assert b"\n" not in text
