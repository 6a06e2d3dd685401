"""Ids: strings and integers with their type, and what can be read of one in a line that is no message."""

from typing import Any

import pytest

from readingroom.wire import encode_id, is_request_id, readable_id


@pytest.mark.parametrize("value", [0, -1, 2**70, "", "7", "читатель"])
def test_strings_and_integers_are_ids(value: Any) -> None:
    """Each with its JSON type (RPC-2)."""
    assert is_request_id(value)


@pytest.mark.parametrize("value", [None, True, False, 1.0, [], {}, b"7"])
def test_nothing_else_is_an_id(value: Any) -> None:
    """A bool is none, though Python counts it among the integers (RPC-3)."""
    assert not is_request_id(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [(7, b"7"), (-7, b"-7"), (2**70, b"1180591620717411303424"), ("7", b'"7"'), ('"', b'"\\""'), ("", b'""')],
)
def test_an_id_is_encoded_as_it_came(value: Any, text: bytes) -> None:
    """The same JSON, type and all (RPC-4)."""
    assert encode_id(value) == text


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b'{"id":7', None),
        (b'{"id":7,', 7),
        (b'{ "id" : "a\\"b" , "x', 'a"b'),
        (b'{"jsonrpc":"2.0","id":-7,"params":[[[[', -7),
        (b'{"params":{"id":1},"id":2,', 2),
        (b'{"params":[{"id":1}],"id":"z"}', "z"),
        (b'{"x":"\\"id\\":5","id":6}', 6),
        (b'{"id":true,"method":"x"}', None),
        (b'{"id":1.5}', None),
        (b'{"id":null,', None),
        (b'{"id":{"id":1},', None),
        (b'{"a":"id","b":1}', None),
        (b'{"params":{"id":1}}', None),
        (b'[{"id":7}]', None),
        (b'{"id":"cut of', None),
        (b"", None),
        (b"\xff\xfe", None),
    ],
)
def test_an_id_is_read_at_the_outermost_level_alone(line: bytes, found: Any) -> None:
    """It is whole and of a type that ids have, or it is none."""
    assert readable_id(line) == found


FAR = b'{"method":"tools/call","params":{"id":1,"text":"' + b"x" * 100_000


@pytest.mark.parametrize(
    ("end", "found"),
    [
        (b'"},"jsonrpc":"2.0","id":7}', 7),
        (b'"},"id":"seven","jsonrpc":"2.0"}', "seven"),
        (b'"},"id":-7,"x":null,"y":"z" } ', -7),
        (b'","id":5}}', None),
        (b'"},"id":5', None),
        (b'"},"id":true}', None),
        (b'"},"x":{"id":5}}', None),
        (b'"},"id":5}]', None),
    ],
)
def test_an_id_is_read_near_the_end_too(end: bytes, found: Any) -> None:
    """For some clients write it last, behind parameters of any length."""
    assert readable_id(FAR + end) == found
    assert readable_id(FAR[:1024], (FAR + end)[-1024:]) == found


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 4_000_000,
        b'"' + b'\\"' * 2_000_000 + b"\\",
        b'{"id":"' + b'\\"' * 2_000_000 + b"\\",
        b'{"id":' * 600_000,
        b',"id":1' * 600_000 + b"x",
        b'{"id":1,"a":"b"' + b',"a":"b"' * 500_000,
    ],
)
def test_looking_for_an_id_takes_a_moment(line: bytes) -> None:
    """Whatever a line of megabytes holds; if time grew faster than the line, this would take hours."""
    readable_id(line)
