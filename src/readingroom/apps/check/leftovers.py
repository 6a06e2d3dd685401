"""Which processes a server has started that still run, and their end. Linux tells by /proc; elsewhere the group tells.

A process is known by a variable that the server was given and every child inherits, so one that left the group counts too.
"""

import contextlib
import os
import signal
import sys
import time
from pathlib import Path

MARK = "READINGROOM_CHECK"
"""The variable of the environment by which the processes of one start are known."""

_LOOK_SECONDS = 0.02


def marked(mark: str, leader: int) -> list[int]:
    """Give the processes, but the leader, that run with this mark; none where there is no /proc."""
    wanted = f"{MARK}={mark}".encode()
    found: list[int] = []
    for place in Path("/proc").glob("[0-9]*"):
        number = int(place.name)
        if number not in (leader, os.getpid()) and _runs(place) and wanted in _environment(place):
            found.append(number)
    return found


def _environment(place: Path) -> list[bytes]:
    try:
        return place.joinpath("environ").read_bytes().split(b"\0")
    except OSError:
        return []


def _runs(place: Path) -> bool:
    """Whether a process is more than dead and not yet reaped."""
    try:
        stat = place.joinpath("stat").read_bytes()
    except OSError:
        return False
    return stat[stat.rindex(b")") + 2 :][:1] not in (b"Z", b"X")


def remaining(mark: str, leader: int, seconds: float) -> list[int]:
    """Wait up to `seconds` for the processes with this mark to end, and give those that do not."""
    until = time.monotonic() + seconds
    while found := marked(mark, leader):
        if time.monotonic() > until:
            break
        time.sleep(_LOOK_SECONDS)
    return found


def end(mark: str, leader: int) -> None:
    """End whatever runs with this mark."""
    if sys.platform != "win32":
        for _ in range(3):  # what is ended may have started another meanwhile
            for number in marked(mark, leader):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(number, signal.SIGKILL)
            if not remaining(mark, leader, 1.0):
                return
