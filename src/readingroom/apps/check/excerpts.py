"""What was sent and what came, as evidence: one line, bounded, harmless on a terminal. Pure."""

import msgspec

from ..characters import one_line

_LENGTH = 160


def excerpt(what: object, length: int = _LENGTH) -> str:
    """Give the beginning of bytes, of a text or of a JSON value on one line."""
    if isinstance(what, bytes | bytearray):
        text = bytes(what[: 4 * length]).decode("utf-8", "backslashreplace")
    elif isinstance(what, str):
        text = what[: 4 * length]
    else:
        text = msgspec.json.encode(what)[: 4 * length].decode("utf-8", "backslashreplace")
    text = one_line(text.rstrip("\r\n"))
    return text if len(text) <= length else text[: length - 1] + "…"
