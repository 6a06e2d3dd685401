"""What a command works with: where results go, where everything else goes, and the environment."""

import os
import sys
from collections.abc import Mapping

import msgspec

from .terminal import Terminal


class Console(msgspec.Struct, frozen=True):
    """Results go to `out`; progress and faults go to `err`, so that a pipe holds results alone."""

    out: Terminal
    err: Terminal
    environment: Mapping[str, str]


def standard() -> Console:
    """The process's own streams."""
    return Console(Terminal(sys.stdout), Terminal(sys.stderr), os.environ)
