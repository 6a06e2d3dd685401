"""Newline framing: bytes in, whole lines out, in bounded memory (STDIO-1). Knows nothing of JSON."""

import msgspec

_HEAD = 1_024


class OverLong(msgspec.Struct, frozen=True):
    """Stands in the place of a line that was longer than allowed and was skipped to its end; `head` is its beginning."""

    length: int
    head: bytes = b""


class LineReader:
    """Cuts a stream of bytes into lines. A line ends with `\\n`; a `\\r` before it and blank lines are dropped.

    Holds at most `limit` bytes and the chunk being fed. The time to feed is linear in what is fed, however the stream
    is cut: a rest is kept in parts and joined once.
    """

    __slots__ = ("_head", "_held", "_limit", "_parts", "_skipped")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._held = 0
        self._skipped = 0
        self._head = b""

    def feed(self, data: bytes) -> "list[bytes | OverLong]":
        """Take the next bytes of the stream and give the lines they complete, in order."""
        if b"\n" not in data:
            self._keep(data)
            return []
        pieces: list[bytes] = data.split(b"\n")
        rest = pieces.pop()
        lines: list[bytes | OverLong] = []
        if self._parts or self._skipped:
            self._keep(pieces[0])
            lines.append(self._finish())
            del pieces[0]
        if len(data) <= self._limit:
            lines += pieces
        else:
            lines += [piece if len(piece) <= self._limit else _skip(piece) for piece in pieces]
        if rest:
            self._keep(rest)
        return [line for line in lines if line.__class__ is OverLong or not _is_blank(line)]

    def rest(self) -> int:
        """Give how many bytes of an unfinished line are held or were skipped: at the end, what was cut off."""
        return self._held + self._skipped

    def _keep(self, data: bytes) -> None:
        """Add to the unfinished line; once it is over the limit only its length is kept."""
        if self._skipped:
            self._skipped += len(data)
        elif self._held + len(data) > self._limit:
            self._skipped = self._held + len(data)
            self._head = b"".join(part[:_HEAD] for part in [*self._parts[:_HEAD], data])[:_HEAD]
            self._parts.clear()
            self._held = 0
        elif data:
            self._parts.append(data)
            self._held += len(data)

    def _finish(self) -> "bytes | OverLong":
        """End the unfinished line and give it."""
        line = OverLong(self._skipped, self._head) if self._skipped else b"".join(self._parts)
        self._parts.clear()
        self._held = self._skipped = 0
        return line


def _skip(line: bytes) -> OverLong:
    return OverLong(len(line), line[:_HEAD])


def _is_blank(line: "bytes | OverLong") -> bool:
    return not line or (isinstance(line, bytes) and line.isspace())
