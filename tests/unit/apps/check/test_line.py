"""One process of a server that is looked at."""

import os
import sys
from pathlib import Path

import pytest

from readingroom.apps.check.line import Line

PROC = Path("/proc/self/fd")


@pytest.mark.skipif(not PROC.exists(), reason="this system does not show a process its descriptors")
def test_nothing_stays_open_after_the_end() -> None:
    """A check starts some fifteen processes, and a program may make many checks."""
    echo = "import sys; sys.stdout.write(sys.stdin.readline())"
    before = len(os.listdir(PROC))  # noqa: PTH208  -- the names alone, as they are
    for _ in range(3):
        line = Line([sys.executable, "-c", echo], None, os.environ)
        line.write(b"{}\n")
        assert line.take(20) == b"{}"
        line.end()
    assert len(os.listdir(PROC)) == before  # noqa: PTH208  -- as above
