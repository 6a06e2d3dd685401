"""Takes stdin and stdout away from everything but the protocol (STDIO-2).

Afterwards descriptor 0 reads nothing and descriptor 1 writes to stderr, so that a stray `print`, a library that writes
to stdout, and the children of handlers can neither read nor write a byte of the protocol.
"""

import contextlib
import os
import sys
from typing import NoReturn, TextIO

import msgspec

from ..errors import TransportError

_PIPE_BYTES = 1024 * 1024


class Handles(msgspec.Struct, frozen=True):
    """The protocol's own descriptors; no child process inherits them."""

    reading: int
    writing: int


def take_over() -> Handles:
    """Move stdin and stdout to private descriptors and give these.

    Raises: TransportError when stdin or stdout is not open.
    """
    for descriptor, name in ((0, "stdin"), (1, "stdout")):
        if not _is_open(descriptor):
            raise TransportError(f"{name} is not open")
    _open_stderr()
    # dup gives descriptors that are not inherited (PEP 446); the standard ones, which are, lead elsewhere from here on.
    reading, writing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(reading, os.O_BINARY)
        msvcrt.setmode(writing, os.O_BINARY)
    else:
        # A child made by fork alone would keep them, and the client would wait for the end of what it holds open.
        os.register_at_fork(after_in_child=lambda: _close(reading, writing))
    for descriptor in (reading, writing):
        _widen(descriptor)
    sys.stdout = _line_buffered(sys.stdout)
    return Handles(reading, writing)


def leave(code: int) -> NoReturn:
    """End the process with `code`, at once and quietly.

    Handlers that are stuck run on daemon threads; ending the interpreter by the book would wait for their locks.
    """
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # broken, closed, or not there
            stream.flush()
    os._exit(code)


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _open_stderr() -> None:
    """Let descriptor 2 lead nowhere if it is not open, or a private descriptor would come to stand in its place."""
    if not _is_open(2):
        # The lowest that is free is given, and 0 and 1 are open.
        os.set_inheritable(os.open(os.devnull, os.O_WRONLY), True)


def _close(*descriptors: int) -> None:
    for descriptor in descriptors:
        with contextlib.suppress(OSError):
            os.close(descriptor)


def _widen(descriptor: int) -> None:
    """Let a pipe hold more, where the system allows it: under load both sides then take turns less often."""
    if sys.platform == "linux":
        import fcntl

        with contextlib.suppress(OSError):  # no pipe, or no room left for wide ones
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _line_buffered(stream: TextIO) -> TextIO:
    """Make a stray print appear at once and in order, as stderr does; what was printed before appears now."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        with contextlib.suppress(OSError):  # nobody reads stderr
            reconfigure(line_buffering=True, errors="backslashreplace")
    return stream
