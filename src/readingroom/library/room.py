"""What a view of one role works with, and how long it waits: an index that is being begun is waited for, nothing else.

Holds no way to another role's documents.
"""

import time
from collections.abc import Callable
from typing import TypeAlias, TypeVar

import msgspec

from .errors import IndexUnusable
from .files import Files
from .gate import Gate
from .model import Role
from .shelf import OpenEdition, Shelf

WAIT_S = 5.0
_LOOK_EVERY_S = 0.03
_TRIES = 3

Answer = TypeVar("Answer")


Progress: TypeAlias = Callable[[int], None]
"""Told how many documents this role can find already, while the first index is being built. How many there will be is
not told: before they have been read, nobody knows which of them this role will see."""


class Room(msgspec.Struct, frozen=True):
    """What is needed to answer. `nudge` asks for a scan; `is_kept` says whether one will come in this process."""

    role: Role
    shelf: Callable[[], Shelf]
    files: Files
    gate: Gate
    nudge: Callable[[], None]
    is_kept: Callable[[], bool]

    def answer(
        self,
        work: Callable[[OpenEdition], Answer],
        nothing: Callable[[], Answer],
        *,
        wait: float = WAIT_S,
        progress: Progress | None = None,
        until: Callable[[Answer], bool] = lambda _: True,
    ) -> Answer:
        """What `work` says of the current edition, or `nothing()` when there is none after `wait` seconds.

        While the index has not been finished once, work is done again after each commit until `until` is content or the
        time is up. A damaged edition is given up, and waited for likewise. Raises IndexUnusable when the time is up, and
        whatever `work` raises.
        """
        patience = _Patience(self, wait, progress)
        failed = 0
        while True:
            edition = self.shelf().edition()
            if edition is None:
                if not patience.waits():
                    return nothing()
                continue
            try:
                with self.gate:
                    found = work(edition)
                    finished = edition.catalog.facts().reconciled is not None
            except IndexUnusable as error:
                failed += 1
                if _is_passing(error) or not self.shelf().condemn(edition):
                    if failed < _TRIES:
                        continue
                    raise
                self.nudge()
                if not patience.waits():
                    raise
                continue
            if until(found) or finished or not patience.waits(edition):
                return found


class _Patience:
    """Waiting for a commit, for as long as somebody may make one."""

    def __init__(self, room: Room, seconds: float, progress: Progress | None) -> None:
        self._room = room
        self._deadline = time.monotonic() + seconds
        self._progress = progress
        self._told = -1

    def waits(self, edition: OpenEdition | None = None) -> bool:
        """Wait a moment and say so; false when there is nothing to wait for, or no time."""
        if not self._room.is_kept() or time.monotonic() >= self._deadline:
            return False
        if self._progress is not None:
            documents = edition.catalog.facts().documents if edition is not None else 0
            if documents != self._told:
                self._told = documents
                self._progress(documents)
        time.sleep(_LOOK_EVERY_S)
        return True


def _is_passing(error: BaseException) -> bool:
    """Whether the fault lies in the moment and not in the files: no descriptors or no memory left."""
    import errno

    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.errno in (errno.EMFILE, errno.ENFILE, errno.ENOMEM):
            return True
        if "os error 24" in str(cause).lower() or "too many open files" in str(cause).lower():
            return True
        cause = cause.__cause__
    return False
