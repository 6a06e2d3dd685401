"""Strict JSON: bytes in, values out, or Malformed. RFC 8259 in UTF-8, no NaN, no lone surrogates, bounded nesting.

Of duplicate keys the last wins (RPC-10). Knows nothing of JSON-RPC.
"""

from typing import Any, TypeAlias

import msgspec

Json: TypeAlias = Any

_decode = msgspec.json.Decoder().decode
_step_over = msgspec.json.Decoder(msgspec.Raw).decode
encode = msgspec.json.Encoder().encode

# Brackets of both kinds become square ones, and everything else goes.
_TO_SQUARE = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
_OPENER = ord("[")
_BEGINNING = 256

# Wherever it begins it matches, in one pass and without going back: another pattern would be tried from every quote on.
STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)'
"""A string, as a pattern for bytes: up to its closing quote, or to the end of what is searched if it has none."""


class Malformed(ValueError):
    """The bytes are not JSON as RFC 8259 defines it, in UTF-8, or hold a number that no double can hold."""


class TooDeep(ValueError):
    """The JSON nests deeper than allowed."""


def decode(data: bytes, nesting: int) -> Json:
    """Give the value of `data`.

    Raises: Malformed, TooDeep (nested deeper than `nesting`).
    """
    if is_deeper(data, nesting):
        raise TooDeep
    try:
        return _decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Malformed(str(error)) from error


def is_json(data: bytes) -> bool:
    """Say whether `data`, which is UTF-8 and not too deep, is JSON: a decoder steps over what nobody wants to know."""
    try:
        _step_over(data)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def encode_value(value: Any) -> bytes:
    """Encode what a program gave.

    Raises: TypeError, ValueError and their kind for what JSON cannot say. NaN and infinity are among it, for which the
    encoder writes null.
    """
    text = encode(value)
    if b"null" in text:
        _refuse_nan(msgspec.to_builtins(value))
    return text


def _refuse_nan(value: Any) -> None:
    if isinstance(value, float) and value - value != 0:
        raise ValueError(f"JSON has no {value}")
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list | tuple):
        return
    for item in value:
        _refuse_nan(item)


def is_utf8(data: bytes) -> bool:
    """Say whether `data` is UTF-8: a decoder that steps over a value does not look at its bytes."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def is_deeper(data: bytes, nesting: int) -> bool:
    """Say whether `data` nests deeper than `nesting`, without recursion and without trusting that it is JSON."""
    if data.count(b"{") + data.count(b"[") <= nesting:
        return False
    brackets = _without_strings(data).translate(_TO_SQUARE, _NO_BRACKETS)
    # Each pass takes the innermost pairs away, so what is whole and flat enough vanishes without a loop over bytes.
    # A bomb is found at its beginning, before it has cost anything; where passes take little away, bytes are counted.
    if _peaks_over(brackets[:_BEGINNING], nesting):
        return True
    left = brackets
    for _ in range(nesting):
        left, before = left.replace(b"[]", b""), len(left)
        if not left:
            return False
        if len(left) > before * 7 // 8:
            break
    return _peaks_over(brackets, nesting)


def _peaks_over(brackets: bytes, nesting: int) -> bool:
    """Say whether the depth ever exceeds `nesting`, whether or not every bracket is closed."""
    depth = 0
    for byte in brackets:
        depth += 1 if byte == _OPENER else -1
        if depth > nesting:
            return True
    return False


def _without_strings(data: bytes) -> bytes:
    """Cut the strings out of `data`, for they may hold brackets; an unfinished one ends with the data."""
    import re

    return re.sub(STRING, b"", data, flags=re.DOTALL)
