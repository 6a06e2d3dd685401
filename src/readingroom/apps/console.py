"""What a command works with: where results go, where everything else goes, and the environment."""

import io
import os
import sys
from collections.abc import Callable, Mapping
from typing import TextIO, cast

import msgspec

from .faults import UsageFault
from .terminal import Terminal


class Console(msgspec.Struct, frozen=True):
    """Results go to `out`; progress and faults go to `err`, so that a pipe holds results alone."""

    out: Terminal
    err: Terminal
    environment: Mapping[str, str]
    answers: Callable[[], str | None] | None = None
    """Gives the next line that a person types, without its end, and None at the end; None where nobody can be asked."""


def standard() -> Console:
    """Give the process's own streams.

    Raises: UsageFault when stdout is not open; a stderr that is not open is done without.
    """
    # The stubs say that the streams are there; a process that was started with them closed has None.
    out, err = cast("TextIO | None", sys.stdout), cast("TextIO | None", sys.stderr)
    if out is None:
        raise UsageFault("stdout is not open: there is no place for results")
    told = Terminal(err or io.StringIO())
    return Console(Terminal(out), told, os.environ, _answers(told))


def _answers(told: Terminal) -> Callable[[], str | None] | None:
    """Give what reads lines from a person who sits at a terminal and sees what is asked there.

    The stream is one of its own: a thread that still waits for a line when the program ends would hold that of `sys`.
    """
    stdin = cast("TextIO | None", sys.stdin)
    if stdin is None or not stdin.isatty() or not told.is_terminal:
        return None
    stream = stdin
    if os.name != "nt":  # a console of Windows is read through its own stream alone
        stream = open(os.dup(stdin.fileno()), encoding="utf-8", errors="replace")  # noqa: PTH123, SIM115  -- as long as we live

    def next_line() -> str | None:
        line = stream.readline()
        return line.rstrip("\r\n") if line else None

    return next_line
