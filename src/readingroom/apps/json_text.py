"""JSON for programs that read the command line's output: one value, in lines, harmless on a terminal.

Characters that a terminal would obey or not show are written as JSON escapes, which say the same.
"""

from typing import Any

import msgspec

from .characters import is_risky


def json_text(value: Any, **replaced: Any) -> str:
    """Give `value` as indented JSON; `replaced` are members that are told otherwise than they are kept."""
    builtins = msgspec.to_builtins(value)
    if replaced:
        builtins = {**builtins, **replaced}
    return _harmless(msgspec.json.format(msgspec.json.encode(builtins), indent=2).decode())


def json_line(value: Any) -> str:
    """Give `value` as JSON in one line."""
    return _harmless(msgspec.json.encode(value).decode())


def _harmless(text: str) -> str:
    if text.isascii() and "\x7f" not in text:
        return text
    return "".join(
        _escaped(character) if character != "\n" and is_risky(character) else character for character in text
    )


def _escaped(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def time_text(seconds: float | None) -> str | None:
    """Give a time in UTC as ISO 8601, to the second."""
    import time

    return None if seconds is None else time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
