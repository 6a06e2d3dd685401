"""How a stdio server ends, and what it must have begun before."""

import sys
import time

import pytest

from .processes import ServerProcess

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes of POSIX")
WITHIN = 3.0
"""Seconds within which a server has ended once there is nothing more to wait for. One is promised, and a machine that is
busy with other tests takes its own time; what would be wrong takes five, or for ever."""


def ended_within(server: ServerProcess, seconds: float = WITHIN) -> int:
    """Wait for the end and give the code; says so if it took longer than promised."""
    began = time.monotonic()
    code = server.wait()
    assert time.monotonic() - began < seconds
    return code
