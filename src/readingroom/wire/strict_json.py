"""Strict JSON: bytes in, values out, or Malformed. RFC 8259 in UTF-8, no NaN, no lone surrogates, bounded nesting.

Of duplicate keys the last wins (RPC-10). Knows nothing of JSON-RPC.
"""

from typing import Any, TypeAlias

import msgspec

Json: TypeAlias = Any

_decode = msgspec.json.Decoder().decode
encode = msgspec.json.Encoder().encode

_OPENERS = frozenset(b"[{")
_CLOSERS = frozenset(b"]}")


class Malformed(ValueError):
    """The bytes are not JSON as RFC 8259 defines it, in UTF-8."""


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
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Malformed(str(error)) from error


def check_utf8(data: bytes) -> None:
    """Raise Malformed unless `data` is UTF-8: a decoder that skips a value does not look at its bytes."""
    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError as error:
            raise Malformed("not UTF-8") from error


def is_deeper(data: bytes, nesting: int) -> bool:
    """Say whether `data` nests deeper than `nesting`, without recursion and without trusting that it is JSON."""
    if data.count(b"{") + data.count(b"[") <= nesting:
        return False
    depth = 0
    # Strings may hold brackets, so they are cut out first: what is left is structure.
    for part in _outside_strings(data):
        for byte in part:
            if byte in _OPENERS:
                depth += 1
                if depth > nesting:
                    return True
            elif byte in _CLOSERS:
                depth -= 1
    return False


def _outside_strings(data: bytes) -> "list[bytes]":
    """Cut the strings out of `data`; an unfinished one ends with the data."""
    import re

    return re.split(rb'"(?:[^"\\]|\\.)*(?:"|\Z)', data, flags=re.DOTALL)
