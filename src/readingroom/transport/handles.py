"""Takes stdin and stdout away from everything but the protocol (STDIO-2).

Afterwards descriptor 0 reads nothing and descriptor 1 writes to stderr, so that a stray `print`, a library that writes
to stdout, and the children of handlers can neither read nor write a byte of the protocol.
"""

import contextlib
import os
import sys
from typing import TextIO

import msgspec

_PIPE_BYTES = 1024 * 1024


class Handles(msgspec.Struct, frozen=True):
    """The protocol's own descriptors; no child process inherits them."""

    reading: int
    writing: int


def take_over() -> Handles:
    """Move stdin and stdout to private descriptors and give these.

    Raises: OSError when stdin or stdout is not open.
    """
    sys.stdout.flush()
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
    for descriptor in (reading, writing):
        _widen(descriptor)
    sys.stdout = _line_buffered(sys.stdout)
    return Handles(reading, writing)


def _widen(descriptor: int) -> None:
    """Let a pipe hold more, where the system allows it: under load both sides then take turns less often."""
    if sys.platform == "linux":
        import fcntl

        with contextlib.suppress(OSError):  # no pipe, or no room left for wide ones
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _line_buffered(stream: TextIO) -> TextIO:
    """Make a stray print appear at once and in order, as stderr does."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(line_buffering=True, errors="backslashreplace")
    return stream
