"""The client's ends of pipes: reading that can be stopped, and writing that never blocks the caller."""

import os
import select
import sys
import threading

import pytest

from readingroom.transport.pipes import PipeReader, PipeWriter, Stop

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes are polled on POSIX alone")


@pytest.fixture
def stop():
    """Give a stop, and give its descriptors back."""
    made = Stop()
    yield made
    made.close()


@pytest.fixture
def pipe():
    """Give a pipe, and close what is still open of it."""
    ends = os.pipe()
    yield ends
    for fd in ends:
        try:
            os.close(fd)
        except OSError:
            continue


def read_all(fd: int) -> bytes:
    """Read until the end."""
    parts = []
    while part := os.read(fd, 65_536):
        parts.append(part)
    return b"".join(parts)


def test_read_to_the_end(pipe, stop):
    """A pipe is read until its other end is closed."""
    reader, writer = pipe
    source = PipeReader(reader, stop)
    os.write(writer, b"abc")
    assert source.read() == b"abc"
    os.close(writer)
    assert source.read() == b""


def test_stop_takes_what_is_there(pipe, stop):
    """A stop lets what is there be read, and then ends, though the other end is open."""
    reader, writer = pipe
    source = PipeReader(reader, stop)
    os.write(writer, b"abc")
    stop.set()
    stop.set()
    assert source.read() == b"abc"
    assert source.read() == b""


def test_stop_wakes(pipe, stop):
    """A stop wakes a thread that waits for bytes."""
    source = PipeReader(pipe[0], stop)
    found = []
    thread = threading.Thread(target=lambda: found.append(source.read()))
    thread.start()
    stop.set()
    thread.join()
    assert found == [b""]


def test_stop_ends_a_flood(pipe, stop):
    """A writer that never ends does not keep a stopped reader for ever."""
    reader, writer = pipe
    source = PipeReader(reader, stop)
    stop.set()
    rounds = 0
    os.write(writer, b"x")
    while source.read():
        os.write(writer, b"x")
        rounds += 1
    assert rounds == 2048


def test_small_frames_are_written_at_once(pipe):
    """A frame that the pipe takes is written in the caller's thread, and no thread is started."""
    reader, writer = pipe
    out = PipeWriter(writer, 1000, lambda: None)
    assert out.write(b"abc\n")
    assert os.read(reader, 10) == b"abc\n"
    assert out._thread is None
    out.close()
    assert os.read(reader, 10) == b""
    out.join(1)


def test_large_frames_never_block(pipe):
    """Frames that the pipe does not take are held back and written in order."""
    reader, writer = pipe
    out = PipeWriter(writer, 1000, lambda: None)
    frames = [bytes([65 + number]) * 300_000 for number in range(5)]
    for frame in frames:
        assert out.write(frame)
    assert not out.wait_for_room(0)
    wanted = b"".join(frames)
    got = b""
    while len(got) < len(wanted):
        got += os.read(reader, 65_536)
    assert got == wanted
    assert out.wait_for_room(30)
    assert out.write(b"last")
    assert os.read(reader, 10) == b"last"
    out.close()
    assert read_all(reader) == b""
    out.join(30)
    assert not out._thread.is_alive()


def test_nothing_overtakes_what_is_held_back(pipe, monkeypatch):
    """A frame waits behind one that is held back, also when the pipe could take it."""
    monkeypatch.setattr(threading.Thread, "start", lambda _: None)
    reader, writer = pipe
    out = PipeWriter(writer, 1000, lambda: None)
    assert out.write(b"x" * 1_000_000)
    os.set_blocking(reader, False)
    while os.read(reader, 1_000_000).endswith(b"x") and not is_empty(reader):
        continue
    assert out.write(b"y")
    assert is_empty(reader)
    out._thread = None
    out.close()


def is_empty(fd: int) -> bool:
    """Say whether nothing can be read now."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return not poll.poll(0)


def test_close_drops_what_is_held_back(pipe):
    """Closing does not wait for a reader that reads nothing; writing after it fails."""
    reader, writer = pipe
    out = PipeWriter(writer, 1000, lambda: None)
    assert out.write(b"x" * 1_000_000)
    out.close()
    out.close()
    out.join(30)
    assert not out._thread.is_alive()
    assert not out.write(b"y")
    assert out.wait_for_room(0)
    assert len(read_all(reader)) < 1_000_000


def test_broken_pipe_at_once(pipe):
    """Writing to a pipe that nobody reads says so, and calls nobody back."""
    reader, writer = pipe
    broken = []
    out = PipeWriter(writer, 1000, lambda: broken.append(1))
    os.close(reader)
    assert not out.write(b"x")
    assert not out.write(b"x")
    out.close()
    assert broken == []


def test_pipe_that_breaks_later(pipe):
    """A pipe that breaks while a frame is held back is reported by the thread, once."""
    reader, writer = pipe
    broken = threading.Event()
    out = PipeWriter(writer, 1000, broken.set)
    assert out.write(b"x" * 1_000_000)
    os.close(reader)
    assert broken.wait(30)
    out.join(30)
    assert not out.write(b"x")


def test_waiting_for_room_ends(pipe):
    """Whoever waits for room is woken when there is some, and when the writer is closed."""
    reader, writer = pipe
    out = PipeWriter(writer, 100_000, lambda: None)
    assert out.write(b"x" * 1_000_000)
    found = []
    thread = threading.Thread(target=lambda: found.append(out.wait_for_room(30)))
    thread.start()
    out.close()
    thread.join()
    out.join(30)
    assert found == [True]
    read_all(reader)
