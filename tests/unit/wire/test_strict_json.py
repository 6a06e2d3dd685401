"""Strict JSON: what RFC 8259 says in UTF-8, with a bounded depth, in time that no input can stretch."""

import json
from typing import Any

import pytest

from readingroom.wire import Malformed, TooDeep, decode, encode_value, is_deeper


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b"null", None),
        (b' {"a":[1,2.5,"x",true,false,null]} ', {"a": [1, 2.5, "x", True, False, None]}),
        (b'{"a":1,"a":2}', {"a": 2}),
        (b"-0", 0),
        (b"1" * 400, int("1" * 400)),
        (b'"\\ud83d\\udcda"', "\U0001f4da"),
        ('"читатель"'.encode(), "читатель"),
        (b'"\\u0000\\/"', "\x00/"),
        (b"1e308", 1e308),
        (b"1e-999", 0.0),
    ],
)
def test_json_is_decoded(text: bytes, value: Any) -> None:
    """Of duplicate keys the last wins (RPC-10)."""
    assert decode(text, 64) == value


@pytest.mark.parametrize(
    "text",
    [
        *(b"", b" ", b"nul", b"NaN", b"-Infinity", b"01", b"1.", b".5", b"+1", b"[1,]", b"{a:1}", b"'a'"),
        *(
            b'"\x01"',
            b'"\t"',
            b'"\\ud800"',
            b'"\\udc00\\ud800"',
            b'"\\x"',
            b'"\xff"',
            b'"\xed\xa0\x80"',
            b'"',
        ),
        *(b"\xef\xbb\xbf1", b"1 2", b"[1", b"[1e999", b'[1e999,"\xff"]', b"[1e999]x"),
    ],
)
def test_what_is_not_json_is_malformed(text: bytes) -> None:
    """NaN, lone surrogates, comments, and what is not UTF-8 are no JSON, whatever else is wrong with them."""
    with pytest.raises(Malformed):
        decode(text, 64)


@pytest.mark.parametrize("text", [b"1e999", b"[-1e999]", b'{"a":' + b"1" * 5000 + b"}"])
def test_a_number_without_a_value_cannot_be_decoded(text: bytes) -> None:
    """It is JSON by its grammar, but has no value here (RPC-10)."""
    with pytest.raises(Malformed):
        decode(text, 64)


NAN, INFINITY = float("nan"), float("inf")


@pytest.mark.parametrize("value", [NAN, [1, -INFINITY], {"a": [{"b": (NAN,)}]}, (None, INFINITY)])
def test_numbers_that_json_does_not_have_are_not_written_as_null(value: Any) -> None:
    """They are found wherever they stand."""
    with pytest.raises(ValueError, match="JSON has no"):
        encode_value(value)


@pytest.mark.parametrize("value", [None, [None, 1.5], {"null": "null"}, "null", [0.0, -0.0, 1e308]])
def test_null_is_written_where_it_is_meant(value: Any) -> None:
    """As any other value."""
    assert json.loads(encode_value(value)) == value


@pytest.mark.parametrize("nesting", [0, 1, 2, 64, 500])
@pytest.mark.parametrize(("opener", "closer"), [(b"[", b"]"), (b'{"a":', b"}"), (b'[{"]":', b"}]")])
def test_depth_is_measured_to_the_level(nesting: int, opener: bytes, closer: bytes) -> None:
    """As deep as allowed is allowed, one level more is not, in whatever brackets."""
    levels = opener.count(b"[") + opener.count(b"{")
    times = nesting // levels
    assert not is_deeper(opener * times + b"1" + closer * times, times * levels)
    assert is_deeper(opener * (times + 1) + b"1" + closer * (times + 1), times * levels)
    if times:
        assert is_deeper(opener * times + b"1" + closer * times, times * levels - 1)


@pytest.mark.parametrize(
    "text",
    [
        b'["' + b"[" * 1000 + b'"]',
        b'["\\"' + b"[" * 1000 + b'"]',
        b'["\\\\","' + b"{" * 1000 + b'"]',
        b'["' + b"[" * 1000,
        b'["' + b"[" * 1000 + b"\\",
        b"[]" * 1000,
        b'{"a":[]}' * 1000,
        b"[[" + b"[]," * 1000 + b"[]]]",
    ],
)
def test_brackets_in_strings_and_brackets_side_by_side_are_not_deep(text: bytes) -> None:
    """Depth is what is open at once, and an unfinished string ends with the data."""
    assert not is_deeper(text, 3)


@pytest.mark.parametrize(
    "text", [b"[" * 65, b"]" * 10 + b"[" * 75, b'{"a":' * 65, b"[]" * 500 + b"[" * 65, b"[1," * 65]
)
def test_brackets_that_are_never_closed_are_deep(text: bytes) -> None:
    """Nothing is trusted to be JSON before its depth is known."""
    assert is_deeper(text, 64)
    with pytest.raises(TooDeep):
        decode(text, 64)


BOMBS = {
    "quotes after quotes": b"[" * 70 + b'"' + b'\\"' * 500_000 + b"\\",
    "quotes": b"[" * 70 + b'"' * 1_000_000,
    "backslashes": b"[" * 70 + b'"' + b"\\" * 1_000_000,
    "openers": b"[" * 1_000_000,
    "closers": b"]" * 1_000_000 + b"[" * 70,
    "pairs": b"[]" * 500_000,
    "flat in deep": (b"[" * 63 + b"]" * 63) * 8_000,
    "a saw": (b"[" * 40 + b"]" * 39) * 10_000,
    "stairs": b"[[]" * 300_000,
    "strings": b"[" * 70 + b'"",' * 300_000,
}


@pytest.mark.parametrize("text", BOMBS.values(), ids=BOMBS)
def test_no_line_holds_the_reader_up(text: bytes) -> None:
    """Whatever the brackets and quotes are, time grows with the line: if it grew faster, this would take hours."""
    is_deeper(text, 64)


def test_depth_behind_a_long_flat_beginning_is_seen() -> None:
    """What stands far in is found as well."""
    assert is_deeper(b"[]" * 200 + b"[[]]", 1)
    assert not is_deeper(b"[]" * 200 + b"[[]]", 2)
    assert is_deeper(b"[[]]" * 200 + b"[[[]]]", 2)


def test_depth_agrees_with_a_plain_count() -> None:
    """On documents that are JSON, with the depth that a recursive look finds."""

    def depth(value: Any) -> int:
        children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
        return 0 if children is None else 1 + max(map(depth, children), default=0)

    value: Any = 1
    for step in range(40):
        value = [value, step] if step % 3 else {"k[": value, "l": [[]]}
        text = json.dumps(value).encode()
        assert not is_deeper(text, depth(value))
        assert is_deeper(text, depth(value) - 1)
