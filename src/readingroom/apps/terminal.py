"""Where the command line writes to: one stream, with what it is able to show.

The only module of the command line that knows escapes. Text from outside goes through `characters` before it is painted.
"""

import os
from collections.abc import Mapping
from typing import TextIO

from .characters import cut, harmless, width

_STYLES = {
    "bold": "1",
    "dim": "2",
    "mark": "1;33",
    "good": "32",
    "bad": "31",
    "added": "1;4;32",
    "removed": "1;4;31",
    "address": "36",
}
_COLUMNS = 80
_MOST_COLUMNS = 100


class Terminal:
    """A stream to write to. `is_terminal` says whether somebody looks at it; `colours` whether escapes are sent."""

    def __init__(self, stream: TextIO, environment: Mapping[str, str] = os.environ) -> None:
        as_utf8(stream)
        self._stream = stream
        self.is_terminal = stream.isatty()
        self.colours = _wants_colours(environment, is_terminal=self.is_terminal) and _obeys_escapes(stream)
        self._written = 0

    @property
    def columns(self) -> int:
        """How wide a line may be: the terminal's width, at most what reads well."""
        if not self.is_terminal:
            return _COLUMNS
        try:
            found = os.get_terminal_size(self._stream.fileno()).columns
        except (OSError, ValueError):
            found = 0
        return max(20, min(found or _COLUMNS, _MOST_COLUMNS))

    @property
    def whole_width(self) -> int | None:
        """How many columns a line has before the terminal folds it; None where nobody looks."""
        if not self.is_terminal:
            return None
        try:
            found = os.get_terminal_size(self._stream.fileno()).columns
        except (OSError, ValueError):
            found = 0
        return found or _COLUMNS

    @property
    def rows(self) -> int | None:
        """How many lines are seen at once; None where nobody looks, or the terminal does not say."""
        if not self.is_terminal:
            return None
        try:
            return os.get_terminal_size(self._stream.fileno()).lines or None
        except (OSError, ValueError):
            return None

    def paint(self, style: str, text: str) -> str:
        """The text in a style, if this terminal shows colours."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.colours else text

    def line(self, text: str = "") -> None:
        """Write one line of our own, whose parts from outside have been made harmless."""
        self._stream.write(text + "\n")

    def text(self, text: str) -> None:
        """Write text from outside: made harmless where somebody looks at it, else as it is."""
        self._stream.write(harmless(text) if self.is_terminal else text)

    def write(self, text: str) -> None:
        """Write a part of a line of our own, at once."""
        self._stream.write(text)
        self._stream.flush()

    def rewrite(self, text: str) -> None:
        """Write over the line that the cursor is in; "" clears it. For terminals; needs no escapes."""
        text = cut(text, self.columns - 1)  # a line that wraps could not be written over
        columns = width(text)
        self._stream.write("\r" + text + " " * (self._written - columns) + ("" if text else "\r"))
        self._written = columns
        self._stream.flush()

    def flush(self) -> None:
        """See that everything is written. Raises OSError when nobody reads any more."""
        self._stream.flush()


def as_utf8(stream: TextIO) -> None:
    """Make a standard stream write UTF-8 and LF on every system, whatever its locale; half pairs are written as escapes."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def _wants_colours(environment: Mapping[str, str], *, is_terminal: bool) -> bool:
    """NO_COLOR, when not empty, forbids colours (no-color.org); FORCE_COLOR, when not empty or 0, asks for them."""
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return is_terminal and environment.get("TERM") != "dumb"


def _obeys_escapes(stream: TextIO) -> bool:
    """Whether escapes are obeyed: always but on a Windows console, which must be asked to."""
    if not _is_windows() or not stream.isatty():
        return True
    from . import windows

    return windows.enable_escapes(stream)


def _is_windows() -> bool:
    return os.name == "nt"
