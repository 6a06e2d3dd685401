"""Framing of server-sent events: bytes in, whole events out, in bounded memory (HTTP-17). Knows nothing of JSON.

As the HTML standard says: lines end with CR, LF or CRLF, a blank line ends an event, lines that begin with a colon are
comments, fields that are not known are passed over, and the lines of one event's data are joined.
"""

import msgspec

from .lines import OverLong

_EDGE = 1_024
_NAMES = 64
_BOM = b"\xef\xbb\xbf"
_MOST_RETRY_DIGITS = 9


class Event(msgspec.Struct, frozen=True, gc=False):
    """One event. `name` is empty where the stream gives none, and then means `message`."""

    data: bytes
    name: bytes = b""


class EventReader:
    """Cuts a stream of bytes into events. An unfinished event at the end is none.

    Holds at most `limit` bytes of data, as much of an unfinished line, and the chunk being fed. The time to feed is
    linear in what is fed, however the stream is cut. `last_id` is the id that a broken stream is resumed with, None
    where there is none; `retry` the milliseconds to wait before that, None where the stream does not say.
    """

    __slots__ = (
        "_after_cr",
        "_data",
        "_held",
        "_is_begun",
        "_limit",
        "_name",
        "_size",
        "_skipped",
        "last_id",
        "retry",
    )

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held = bytearray()
        # The whole length of an unfinished line of which only the beginning is held.
        self._skipped = 0
        self._is_begun = False
        self._after_cr = False
        self._data: list[bytes] = []
        self._size = 0
        self._name = b""
        self.last_id: str | None = None
        self.retry: int | None = None

    def feed(self, data: bytes) -> "list[Event | OverLong]":
        """Take the next bytes of the stream and give the events they complete, in order."""
        if not self._is_begun:
            data = self._begin(data)
        if not data:
            return []
        if self._after_cr and data[:1] == b"\n":
            data = data[1:]
        self._after_cr = False
        if b"\r" in data:
            self._after_cr = data.endswith(b"\r")
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        pieces = data.split(b"\n")
        rest = pieces.pop()
        found: list[Event | OverLong] = []
        for piece in pieces:
            if self._held or self._skipped:
                self._keep(piece)
                line, length = bytes(self._held), self._skipped
                self._held, self._skipped = bytearray(), 0
            else:
                line, length = piece, 0
            if event := self._take(line, length or len(line)):
                found.append(event)
        if rest:
            self._keep(rest)
        return found

    def over(self) -> OverLong | None:
        """Give what is known of the unfinished event, if it is too long already: there is no need to wait for its end."""
        if self._size > self._limit:
            return OverLong(self._size, self._data[0])
        if self._skipped and self._held.startswith(b"data:"):
            return OverLong(self._skipped, bytes(self._held[:_EDGE]))
        return None

    def _begin(self, data: bytes) -> bytes:
        """Pass over the mark of byte order that a stream may begin with."""
        begun = bytes(self._held) + data
        if len(begun) < len(_BOM) and _BOM.startswith(begun):
            self._held = bytearray(begun)
            return b""
        self._is_begun = True
        self._held = bytearray()
        return begun.removeprefix(_BOM)

    def _keep(self, piece: bytes) -> None:
        """Add to the unfinished line; of one that is too long, the beginning is kept and the length counted."""
        room = self._limit + _NAMES - len(self._held)
        if self._skipped:
            self._skipped += len(piece)
        elif len(piece) > room:
            self._skipped = len(self._held) + len(piece)
            self._held += piece[: max(0, _EDGE + _NAMES - len(self._held))]
            del self._held[_EDGE + _NAMES :]
        else:
            self._held += piece

    def _take(self, line: bytes, length: int) -> "Event | OverLong | None":
        """Take one line of `length` bytes; give the event that it ends."""
        if not line:
            return self._dispatch()
        field, _, value = line.partition(b":")
        if value[:1] == b" ":
            value = value[1:]
        if field == b"data":
            self._add(value, length - (len(line) - len(value)))
        elif length <= _EDGE:
            self._set(field, value)
        return None

    def _set(self, field: bytes, value: bytes) -> None:
        if field == b"event":
            self._name = value
        elif field == b"id" and b"\0" not in value:
            self.last_id = value.decode("utf-8", "replace")
        elif field == b"retry" and value.isdigit() and len(value) <= _MOST_RETRY_DIGITS:
            self.retry = int(value)

    def _add(self, value: bytes, length: int) -> None:
        """Add a line of data; beyond the limit only the beginning is kept."""
        is_within = self._size <= self._limit
        self._size += length + (1 if self._data else 0)
        if self._size <= self._limit:
            self._data.append(value)
        elif is_within:
            self._data = [b"\n".join([*self._data, value[:_EDGE]])[:_EDGE]]

    def _dispatch(self) -> "Event | OverLong | None":
        """End the event; one without data is none."""
        data, size, name = self._data, self._size, self._name
        self._data, self._size, self._name = [], 0, b""
        if size > self._limit:
            return OverLong(size, data[0])
        joined = data[0] if len(data) == 1 else b"\n".join(data)
        return Event(joined, name) if joined else None
