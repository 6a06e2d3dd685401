"""Framing: whole lines out of a stream, in bounded memory."""

import pytest

from readingroom.wire import LineReader, OverLong


def fed(reader: LineReader, *chunks: bytes) -> list[bytes | OverLong]:
    """All the lines that the chunks complete."""
    return [line for chunk in chunks for line in reader.feed(chunk)]


@pytest.mark.parametrize(
    ("chunks", "lines"),
    [
        ([b""], []),
        ([b"a"], []),
        ([b"a\n"], [b"a"]),
        ([b"a\nb\n"], [b"a", b"b"]),
        ([b"a", b"b\n"], [b"ab"]),
        ([b"a", b"b", b"\nc\nd"], [b"ab", b"c"]),
        ([b"a\r\n"], [b"a\r"]),
        ([b"\n\n\n"], []),
        ([b" \t\r\n"], []),
        ([b"a", b"\n", b"\n", b"b\n"], [b"a", b"b"]),
        ([b" ", b"\n"], []),
        ([b"\x0c\n\x0b\n\x00\n"], [b"\x0c", b"\x0b", b"\x00"]),
    ],
)
def test_a_line_ends_with_its_newline_alone(chunks: list[bytes], lines: list[bytes]) -> None:
    """Blank lines are dropped; a CR before the newline stays, for JSON takes it as white space."""
    assert fed(LineReader(100), *chunks) == lines


@pytest.mark.parametrize("cut", range(1, 12))
def test_a_line_of_exactly_the_limit_is_whole_and_one_byte_more_is_not(cut: int) -> None:
    """However the stream is cut, and the next line is whole again."""
    stream = b"x" * 10 + b"\n" + b"y" * 11 + b"\n" + b"z\n"
    chunks = [stream[start : start + cut] for start in range(0, len(stream), cut)]
    long = OverLong(11, b"y" * 11, b"y" * 11)
    assert fed(LineReader(10), *chunks) == [b"x" * 10, long, b"z"]


def test_of_a_line_that_is_too_long_the_edges_are_kept() -> None:
    """Its first and its last kibibyte, however it came."""
    body = bytes(range(1, 10)) * 2000
    expected = OverLong(len(body), body[:1024], body[-1024:])
    assert fed(LineReader(100), body + b"\n") == [expected]
    assert fed(LineReader(2000), *(bytes([byte]) for byte in body), b"\n") == [expected]
    assert fed(LineReader(5000), body[:4000], body[4000:4100], body[4100:], b"\nz\n") == [expected, b"z"]
    both = b"a" * 60 + b"b" * 60
    assert fed(LineReader(100), both[:60], both[60:] + b"\n") == [OverLong(120, both, both)]


def test_what_is_left_at_the_end_is_counted() -> None:
    """Bytes that are held or were skipped; blanks alone are nothing."""
    reader = LineReader(10)
    assert reader.rest() == 0
    reader.feed(b"a\n  \r")
    assert reader.rest() == 0
    reader.feed(b"b")
    assert reader.rest() == 4
    reader.feed(b"c" * 10)
    assert reader.rest() == 14
    assert reader.feed(b"\n") == [OverLong(14, b"  \rb" + b"c" * 10, b"  \rb" + b"c" * 10)]
    assert reader.rest() == 0


def test_a_line_without_end_is_held_in_the_memory_of_one() -> None:
    """A gigabyte without a newline takes no more room than the limit."""
    reader = LineReader(1000)
    chunk = b"x" * 100_000
    for _ in range(10_000):
        assert reader.feed(chunk) == []
    assert reader.rest() == 1_000_000_000
    assert len(reader._held) + len(reader._head) + len(reader._tail) <= 3 * 1024
