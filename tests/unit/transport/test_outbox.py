"""Frames on their way out: whole, in order, and never lost while the other side reads."""

import os
import threading
import time

import pytest

from readingroom.transport.outbox import Outbox
from support.processes import until


class Pipe:
    """An outbox over a pipe, and the end that is read."""

    def __init__(self, room: int = 1000) -> None:
        self.reading, self.writing = os.pipe()
        self.broken = threading.Event()
        self.outbox = Outbox(self.writing, room, lambda _error: self.broken.set())

    def read(self, size: int) -> bytes:
        """Read exactly that many bytes."""
        data = b""
        while len(data) < size:
            piece = os.read(self.reading, size - len(data))
            assert piece
            data += piece
        return data

    def stuff(self) -> int:
        """Fill the pipe; gives with how many bytes."""
        os.set_blocking(self.writing, False)
        total = 0
        try:
            while True:
                total += os.write(self.writing, b"x" * 65_536)
        except BlockingIOError:
            os.set_blocking(self.writing, True)
            return total


def test_frames_are_written_whole_and_in_order() -> None:
    """Each with its line end, whether sent at once or left to the flusher."""
    pipe = Pipe()
    pipe.outbox.send(b"one")
    assert pipe.read(4) == b"one\n"
    pipe.outbox.add(b"two")
    pipe.outbox.add(b"three")
    assert pipe.read(10) == b"two\nthree\n"
    assert pipe.outbox.drain(time.monotonic() + 5)


def test_frames_of_many_threads_are_never_mixed() -> None:
    """Small and large, sent and left."""
    pipe = Pipe()
    frames = [bytes([65 + number]) * (1 if number % 2 else 300_000) for number in range(20)]
    threads = [
        threading.Thread(target=pipe.outbox.send if number % 3 else pipe.outbox.add, args=(frame,))
        for number, frame in enumerate(frames)
    ]
    for thread in threads:
        thread.start()
    lines = pipe.read(sum(map(len, frames)) + len(frames)).split(b"\n")
    for thread in threads:
        thread.join()
    assert sorted(lines[:-1]) == sorted(frames)
    assert lines[-1] == b""


def test_an_outbox_is_full_when_more_waits_than_there_is_room() -> None:
    """And has room again once it is read."""
    pipe = Pipe(room=100)
    assert not pipe.outbox.is_full
    stuffed = pipe.stuff()
    pipe.outbox.add(b"a" * 60)
    until(pipe.outbox._writing.locked)
    assert not pipe.outbox.is_full
    pipe.outbox.send(b"b" * 60)
    assert not pipe.outbox.is_full
    pipe.outbox.send(b"c" * 60)
    assert pipe.outbox.is_full
    assert not pipe.outbox.drain(time.monotonic() + 0.05)
    assert pipe.read(stuffed + 3 * 61)[stuffed:] == b"a" * 60 + b"\n" + b"b" * 60 + b"\n" + b"c" * 60 + b"\n"
    assert pipe.outbox.drain(time.monotonic() + 5)
    assert not pipe.outbox.is_full


def test_an_offer_holds_nobody_up() -> None:
    """It is written at once when the pipe is sure to take it, and left to the flusher otherwise."""
    pipe = Pipe()
    pipe.outbox.offer(b"small")
    assert not pipe.outbox._frames
    assert pipe.read(6) == b"small\n"
    pipe.outbox.offer(b"x" * 300_000)
    assert pipe.read(300_001) == b"x" * 300_000 + b"\n"
    stuffed = pipe.stuff()
    pipe.outbox.offer(b"waits")
    until(pipe.outbox._writing.locked)
    pipe.outbox.offer(b"too")
    assert pipe.read(stuffed + 10)[stuffed:] == b"waits\ntoo\n"
    until(lambda: not pipe.outbox._writing.locked())
    with pipe.outbox._writing:
        pipe.outbox.offer(b"another writes")
    assert pipe.read(15) == b"another writes\n"


def test_an_offer_writes_its_own_frame_alone() -> None:
    """Others may have come while it looked whether there is room."""
    pipe = Pipe()
    added = [b"second", b"first"]

    def has_room() -> bool:
        pipe.outbox._frames.appendleft(added.pop())
        return True

    pipe.outbox._has_room = has_room
    pipe.outbox.offer(b"third")
    assert pipe.read(12) == b"first\nthird\n"
    pipe.outbox._frames.clear()


def test_a_pipe_that_does_not_block_is_waited_for() -> None:
    """Nothing is lost when it is full."""
    pipe = Pipe()
    os.set_blocking(pipe.writing, False)
    frame = b"x" * 500_000
    threading.Thread(target=pipe.outbox.send, args=(frame,)).start()
    assert pipe.read(len(frame) + 1) == frame + b"\n"
    assert not pipe.broken.is_set()


@pytest.mark.parametrize("size", [1, 500_000])
def test_a_reader_that_has_gone_is_told_once(size: int) -> None:
    """What is sent afterwards goes nowhere, and nothing is raised."""
    pipe = Pipe()
    os.close(pipe.reading)
    pipe.outbox.send(b"x" * size)
    assert pipe.broken.is_set()
    pipe.broken.clear()
    pipe.outbox.send(b"x")
    pipe.outbox.add(b"x")
    assert pipe.outbox.drain(time.monotonic() + 5)
    assert not pipe.broken.is_set()


def test_how_much_waits_can_be_asked() -> None:
    """What is being written does not wait any more."""
    pipe = Pipe()
    pipe.stuff()
    assert not pipe.outbox.holds_more_than(0)
    pipe.outbox.add(b"first")
    until(lambda: not pipe.outbox.holds_more_than(0))  # the flusher has it, and is held up
    pipe.outbox.add(b"second")
    assert pipe.outbox.holds_more_than(5)
    assert not pipe.outbox.holds_more_than(6)
    assert not pipe.outbox.is_full
