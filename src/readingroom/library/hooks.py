"""What a scan calls and tells, apart from the scan itself, so that whoever starts one need not load what it works with."""

import time
from collections.abc import Callable
from typing import Literal

import msgspec

MIDWAY_S = 0.5
"""A file that was changed so recently and is shorter than before may be in the middle of being written in place."""


class ScanProgress(msgspec.Struct, frozen=True):
    """How far a scan is, for the operator alone: it counts internal files too. `total` is None while it is unknown."""

    phase: Literal["looking", "reading", "finishing"]
    done: int
    total: int | None


class Stopped(Exception):
    """The scan was asked to end; what it had read is kept."""


def _not_heard(_path: str) -> bool:
    """Nobody looks again, and what seems half written stays as it was."""
    return True


class Hooks(msgspec.Struct, frozen=True):
    """What a scan calls: `pause` before each file, which may wait for more urgent work or raise Stopped; `tell` with
    how far it is; `clock` for seconds since the epoch; `again` with the path of a file that seems to be in the middle of
    being written: whether it is to be doubted, and so looked at again soon, or to be taken as it is."""

    pause: Callable[[], None]
    tell: Callable[[ScanProgress], None]
    clock: Callable[[], float] = time.time
    again: Callable[[str], bool] = _not_heard
