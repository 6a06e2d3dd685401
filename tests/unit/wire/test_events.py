"""Server-sent events, example by example."""

import pytest

from readingroom.wire import OverLong
from readingroom.wire.events import Event, EventReader


def read(stream, limit=1000):
    """Give the events of a stream that comes at once."""
    return EventReader(limit).feed(stream)


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        (b"data: a\n\n", [Event(b"a")]),
        (b"data:a\r\n\r\n", [Event(b"a")]),
        (b"data:a\r\rdata:b\r\r", [Event(b"a"), Event(b"b")]),
        (b"\xef\xbb\xbfdata: a\n\n", [Event(b"a")]),
        (b"data: a\ndata: b\ndata\n\n", [Event(b"a\nb\n")]),
        (b"data:  a\n\n", [Event(b" a")]),
        (b": hello\n\ndata: a\n: ping\n\n", [Event(b"a")]),
        (b"event: ping\ndata: a\n\ndata: b\n\n", [Event(b"a", b"ping"), Event(b"b")]),
        (b"what: ever\nDATA: no\ndata: a\n\n", [Event(b"a")]),
        (b"data: a\n", []),
        (b"data: \n\nevent: x\n\n", []),
        (b"", []),
    ],
)
def test_events(stream, expected):
    """Fields, ends of lines, comments and joined data are read as the standard says."""
    assert read(stream) == expected


def test_ids_and_times_are_kept_without_data():
    """An event without data is none, but its id and its time to retry count, for a stream that breaks after it."""
    reader = EventReader(100)
    assert reader.feed(b"id: e1\nretry: 500\ndata: \n\n") == []
    assert (reader.last_id, reader.retry) == ("e1", 500)
    reader.feed(b"id: bad\0id\nretry: soon\nretry: 12345678901\nid\n")
    assert (reader.last_id, reader.retry) == ("", 500)


def test_what_is_too_long_is_named_and_passed_over():
    """Data beyond the limit is dropped as it comes, and its beginning kept, in one line or in many."""
    reader = EventReader(2000)
    assert reader.feed(b"data: " + b"x" * 5000) == []
    assert reader.feed(b"y" * 5000 + b"\ndata: z\n") == []
    assert reader.feed(b"\ndata: ok\n\n") == [OverLong(10002, b"x" * 1024), Event(b"ok")]
    many = b"".join(b"data: " + b"x" * 90 + b"\n" for _ in range(30))
    [event] = read(many + b"\n", 100)
    assert isinstance(event, OverLong)
    assert event.length == 30 * 91 - 1


def test_other_fields_that_are_too_long_are_passed_over():
    """An id or a comment without end costs nothing and means nothing."""
    reader = EventReader(2000)
    reader.feed(b"id: " + b"x" * 1_000_000 + b"\n:" + b"y" * 1_000_000)
    assert reader.feed(b"\ndata: ok\n\n") == [Event(b"ok")]
    assert reader.last_id is None


def test_what_is_too_long_is_known_before_its_end():
    """An event without end is known to be too long while it comes, be it one line or many."""
    reader = EventReader(2000)
    assert reader.over() is None
    reader.feed(b"data: " + b"x" * 5000)
    assert reader.over() == OverLong(5006, b"data: " + b"x" * 1018)
    reader.feed(b"\n")
    assert reader.over() == OverLong(5000, b"x" * 1024)
    reader.feed(b"\n: " + b"x" * 5000)
    assert reader.over() is None
