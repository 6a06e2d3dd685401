"""What a command works with: where results go, where everything else goes, and the environment."""

import io
import os
import sys
from collections.abc import Mapping
from typing import TextIO, cast

import msgspec

from .faults import UsageFault
from .terminal import Terminal


class Console(msgspec.Struct, frozen=True):
    """Results go to `out`; progress and faults go to `err`, so that a pipe holds results alone."""

    out: Terminal
    err: Terminal
    environment: Mapping[str, str]


def standard() -> Console:
    """Give the process's own streams.

    Raises: UsageFault when stdout is not open; a stderr that is not open is done without.
    """
    # The stubs say that the streams are there; a process that was started with them closed has None.
    out, err = cast("TextIO | None", sys.stdout), cast("TextIO | None", sys.stderr)
    if out is None:
        raise UsageFault("stdout is not open: there is no place for results")
    return Console(Terminal(out), Terminal(err or io.StringIO()), os.environ)
