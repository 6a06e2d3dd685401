"""Arrays of messages, which one revision of the older era had and no other has (RPC-8). Pure."""

import msgspec

VERSION = "2025-03-26"
"""The revision that has them."""

_decode = msgspec.json.Decoder(list[msgspec.Raw]).decode


def parts(line: bytes) -> list[bytes] | None:
    """Give the messages that stand in an array; None for what is no array, or an empty one."""
    if line.lstrip()[:1] != b"[":
        return None
    try:
        found = _decode(line)
    except (msgspec.DecodeError, RecursionError):
        return None
    return [bytes(part) for part in found] or None
