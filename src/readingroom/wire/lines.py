"""Newline framing: bytes in, whole lines out, in bounded memory (STDIO-1). Knows nothing of JSON."""

import msgspec

_EDGE = 1_024
_BLANKS = b" \t\r"


class OverLong(msgspec.Struct, frozen=True):
    """Stands in the place of a line that was longer than allowed and was skipped to its end.

    `head` is its beginning and `tail` its end, each of at most 1,024 bytes.
    """

    length: int
    head: bytes = b""
    tail: bytes = b""


class LineReader:
    """Cuts a stream of bytes into lines. A line ends with `\\n`, which is not given; blank lines are dropped.

    Holds at most `limit` bytes and the chunk being fed. The time to feed is linear in what is fed, however the stream
    is cut.
    """

    __slots__ = ("_head", "_held", "_limit", "_skipped", "_tail")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held = bytearray()
        self._skipped = 0
        self._head = b""
        self._tail = b""

    def feed(self, data: bytes) -> "list[bytes | OverLong]":
        """Take the next bytes of the stream and give the lines they complete, in order."""
        if b"\n" not in data:
            self._keep(data)
            return []
        pieces: list[bytes] = data.split(b"\n")
        rest = pieces.pop()
        lines: list[bytes | OverLong] = []
        if self._held or self._skipped:
            self._keep(pieces[0])
            lines.append(self._finish())
            del pieces[0]
        if len(data) <= self._limit:
            lines += pieces
        else:
            lines += [piece if len(piece) <= self._limit else _over_long(piece) for piece in pieces]
        if rest:
            self._keep(rest)
        return [line for line in lines if isinstance(line, OverLong) or not _is_blank(line)]

    def rest(self) -> int:
        """Give how many bytes of an unfinished line are held or were skipped: at the end, what was cut off.

        Blanks alone are nothing.
        """
        return self._skipped or (0 if _is_blank(bytes(self._held)) else len(self._held))

    def _keep(self, data: bytes) -> None:
        """Add to the unfinished line; once it is over the limit only its length and its edges are kept."""
        if self._skipped:
            self._skipped += len(data)
            self._tail = (self._tail + data[-_EDGE:])[-_EDGE:]
        elif len(self._held) + len(data) > self._limit:
            self._skipped = len(self._held) + len(data)
            self._head = bytes(self._held[:_EDGE] + data[:_EDGE])[:_EDGE]
            self._tail = bytes(self._held[-_EDGE:] + data[-_EDGE:])[-_EDGE:]
            self._held = bytearray()
        else:
            self._held += data

    def _finish(self) -> "bytes | OverLong":
        """End the unfinished line and give it."""
        line = OverLong(self._skipped, self._head, self._tail) if self._skipped else bytes(self._held)
        self._held = bytearray()
        self._skipped = 0
        return line


def _over_long(line: bytes) -> OverLong:
    return OverLong(len(line), line[:_EDGE], line[-_EDGE:])


def _is_blank(line: bytes) -> bool:
    """Say whether there is nothing but blanks of JSON; `isspace` alone would take a form feed for one."""
    return not line or (line.isspace() and not line.strip(_BLANKS))
