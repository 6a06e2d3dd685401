"""What poll tells: that something can be read or written again, or that the other side has gone."""

import os
import socket
import sys
import threading

import pytest

from readingroom.transport.readiness import await_readable, await_writable, has_hung_up

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no poll for pipes")


def test_reading_is_waited_for() -> None:
    """Until there is something, or nothing will ever come."""
    reading, writing = os.pipe()
    threading.Timer(0.01, os.write, (writing, b"x")).start()
    await_readable(reading)
    assert os.read(reading, 1) == b"x"
    threading.Timer(0.01, os.close, (writing,)).start()
    await_readable(reading)
    assert os.read(reading, 1) == b""
    os.close(reading)


def test_writing_is_waited_for() -> None:
    """Until there is room."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, b"x" * 65_536)
    except BlockingIOError:
        threading.Timer(0.01, os.read, (reading, 2_000_000)).start()
        await_writable(writing)
        assert os.write(writing, b"x") == 1
    os.close(reading)
    os.close(writing)


def test_a_pipe_whose_writer_has_gone_has_hung_up() -> None:
    """Also while there is still something to read."""
    reading, writing = os.pipe()
    assert not has_hung_up(reading)
    os.write(writing, b"x")
    assert not has_hung_up(reading)
    os.close(writing)
    assert has_hung_up(reading)
    os.close(reading)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell before everything is read")
def test_a_socket_whose_other_side_writes_no_more_has_hung_up() -> None:
    """Some clients give a server sockets in place of pipes."""
    mine, theirs = socket.socketpair()
    with mine, theirs:
        assert not has_hung_up(mine.fileno())
        theirs.send(b"x")
        theirs.shutdown(socket.SHUT_WR)
        assert has_hung_up(mine.fileno())


def test_a_file_never_hangs_up(tmp_path: object) -> None:
    """Its end is simply read."""
    descriptor = os.open(os.devnull, os.O_RDONLY)
    assert not has_hung_up(descriptor)
    os.close(descriptor)
