"""Server-sent events: what is read does not depend on how the bytes are cut up, and is what the standard says."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from readingroom.wire import OverLong
from readingroom.wire.events import Event, EventReader

LINES = st.one_of(
    st.sampled_from(
        [
            b"",
            b"",
            b":",
            b": ping",
            b"data",
            b"data:",
            b"data: ",
            b"event: message",
            b"event:other",
            b"id",
            b"id: 7",
        ]
    ),
    st.sampled_from([b"id: a\0b", b"retry: 500", b"retry: x", b"what: ever", b"data:  two", b"datax: no"]),
    st.binary(max_size=30).map(lambda body: b"data: " + body.replace(b"\r", b"").replace(b"\n", b"")),
)
ENDS = st.sampled_from([b"\n", b"\r", b"\r\n"])
STREAMS = st.tuples(
    st.sampled_from([b"", b"\xef\xbb\xbf", b"\xef\xbb"]),
    st.lists(st.tuples(LINES, ENDS).map(b"".join), max_size=30).map(b"".join),
    LINES,
).map(b"".join)


def read(pieces, limit=64):
    """Give everything that a reader makes of the pieces."""
    reader = EventReader(limit)
    events = [event for piece in pieces for event in reader.feed(piece)]
    return events, reader.last_id, reader.retry


def cut(stream, places):
    """Cut a stream at some places."""
    edges = sorted({0, len(stream), *(place % (len(stream) + 1) for place in places)})
    return [stream[start:end] for start, end in itertools.pairwise(edges)]


@given(STREAMS, st.lists(st.integers(0, 2000), max_size=8))
def test_any_cut_gives_the_same_events(stream, places):
    """However a stream is cut up, also byte by byte, the same events, id and time come of it."""
    whole = read([stream])
    assert read(cut(stream, places)) == whole
    assert read([stream[i : i + 1] for i in range(len(stream))]) == whole


@given(STREAMS)
def test_what_is_read_is_what_the_standard_says(stream):
    """The events are those of a reader written down from the standard, line by line."""
    text = stream.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    events, data, name = [], [], b""
    for line in text.split(b"\n")[:-1]:
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if not line:
            if joined := b"\n".join(data):
                events.append(Event(joined, name))
            data, name = [], b""
        elif field == b"data":
            data.append(value)
        elif field == b"event":
            name = value
    assert read([stream], limit=100_000)[0] == events


@given(st.lists(st.integers(0, 90), min_size=1, max_size=5), st.integers(1, 80), st.integers(1, 40))
def test_what_is_too_long_is_counted(sizes, limit, step):
    """An event of more data than the limit is named with its length, however it came; the next one is read."""
    stream = b"".join(b"data:" + b"x" * size + b"\n" for size in sizes) + b"\ndata:ok\n\n"
    length = sum(sizes) + len(sizes) - 1
    events = read([stream[i : i + step] for i in range(0, len(stream), step)], limit)[0]
    if length > limit:
        assert isinstance(events[0], OverLong)
        assert events[0].length == length
    assert len(events) == (2 if length else 1)
    assert isinstance(events[-1], OverLong) if limit < 2 else events[-1] == Event(b"ok")
