"""However a stream is cut, its lines are the same."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from readingroom.wire import LineReader, OverLong

LIMIT = 12
STREAMS = st.lists(
    st.one_of(
        st.binary(max_size=30),
        st.sampled_from([b"\n", b"\r\n", b"\n\n", b" ", b"x" * LIMIT, b"x" * (LIMIT + 1)]),
    )
).map(b"".join)


def expected(stream: bytes) -> list[bytes | int]:
    """The lines by a plain split: whole ones as they are, ones that are too long by their length."""
    lines = stream.split(b"\n")[:-1]
    return [
        line if len(line) <= LIMIT else len(line)
        for line in lines
        if line.strip(b" \t\r") or len(line) > LIMIT
    ]


def told(lines: list[bytes | OverLong]) -> list[bytes | int]:
    """Lines as `expected` writes them."""
    return [line.length if isinstance(line, OverLong) else line for line in lines]


@given(STREAMS, st.lists(st.integers(0, 200)))
def test_any_cut_of_the_stream_gives_the_same_lines(stream: bytes, cuts: list[int]) -> None:
    """Fed whole, byte by byte, or in any pieces."""
    places = sorted({0, *(min(cut, len(stream)) for cut in cuts), len(stream)})
    pieces = [stream[start:end] for start, end in itertools.pairwise(places)]
    for chunks in ([stream], [bytes([byte]) for byte in stream], pieces):
        reader = LineReader(LIMIT)
        lines = [line for chunk in chunks for line in reader.feed(chunk)]
        assert told(lines) == expected(stream)
        rest = stream.rpartition(b"\n")[2]
        is_blank = not rest.strip(b" \t\r") and len(rest) <= LIMIT
        assert reader.rest() == (0 if is_blank else len(rest))


@given(st.binary(max_size=3000), st.integers(1, 500))
def test_of_a_long_line_the_edges_are_its_own(body: bytes, cut: int) -> None:
    """The beginning and the end that are kept are those of the line."""
    body = body.replace(b"\n", b"") + b"x" * 2000
    reader = LineReader(1500)
    chunks = [body[start : start + cut] for start in range(0, len(body), cut)]
    (line,) = [line for chunk in [*chunks, b"\n"] for line in reader.feed(chunk)]
    assert isinstance(line, OverLong)
    assert line.length == len(body)
    assert (line.head, line.tail) == (body[:1024], body[-1024:])
