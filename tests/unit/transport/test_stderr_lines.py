"""What a server writes to stderr, passed on and kept."""

import io
import os

import pytest

from readingroom.transport.pipes import PipeReader, Stop
from readingroom.transport.stderr_lines import StderrLines


def passed(data: bytes, sink: object) -> list[str]:
    """Write to a stderr, and give the lines kept once all has been read."""
    reader, writer = os.pipe()
    stop = Stop()
    lines = StderrLines(PipeReader(reader, stop), sink)
    os.write(writer, data)
    os.close(writer)
    assert lines.join(30)
    stop.close()
    return lines.last()


def test_lines_go_to_a_callable():
    """A callable gets each line without its end, the unfinished last one too."""
    got = []
    assert passed("eins\r\nzwei — 二\n\nrest".encode(), got.append) == ["eins", "zwei — 二", "", "rest"]
    assert got == ["eins", "zwei — 二", "", "rest"]


def test_lines_go_to_a_file():
    """A file gets each line with its end."""
    file = io.StringIO()
    passed(b"a\nb\n", file)
    assert file.getvalue() == "a\nb\n"


def test_bytes_that_are_no_text():
    """Bytes that are not UTF-8 are replaced, for a log is only read by people."""
    assert passed(b"a\xff\n", lambda _: None) == ["a\ufffd"]


def test_the_last_lines_are_kept():
    """The last ten lines are kept, each cut to a readable length."""
    kept = passed(b"".join(b"%d\n" % number for number in range(50)) + b"x" * 3000 + b"\n", lambda _: None)
    assert kept == [*(str(number) for number in range(41, 50)), "x" * 500]


def test_a_line_without_end():
    """A line that does not end is passed in pieces, so that memory is bounded."""
    got = []
    passed(b"x" * 50_000, got.append)
    assert "".join(got) == "x" * 50_000
    assert len(got) >= 1
    assert max(map(len, got)) <= 8_192 + 65_536


def test_a_receiver_that_fails():
    """A receiver that fails gets no more lines; the stream is read on, and the failure is among the lines kept."""
    got = []

    def take(line: str) -> None:
        got.append(line)
        raise ValueError("full")

    kept = passed(b"a\nb\nc\n", take)
    assert got == ["a"]
    assert kept == ["a", "(what receives these lines failed: ValueError('full'))", "b", "c"]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_lines_in_pieces(size):
    """Lines and characters may come in pieces of any size."""
    reader, writer = os.pipe()
    stop = Stop()
    got = []
    lines = StderrLines(PipeReader(reader, stop), got.append)
    data = "añ\nb二\n".encode()
    for start in range(0, len(data), size):
        os.write(writer, data[start : start + size])
    os.close(writer)
    assert lines.join(30)
    stop.close()
    assert got == ["añ", "b二"]
