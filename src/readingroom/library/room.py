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
        whole: bool = False,
        until: Callable[[Answer], bool] = lambda _: True,
    ) -> Answer:
        """What `work` says of the current edition, or `nothing()` when there is none after `wait` seconds.

        While the first index is being built there is a part of it: with `whole`, work is not begun on a part before the
        time is up; else it is done again until `until` is content. A damaged edition is given up, and waited for
        likewise. Raises IndexUnusable when the time is up, FolderUnusable as `Files.check_rules` does, and whatever `work`
        raises.
        """
        patience = _Patience(self, wait, progress)
        while True:
            edition = None
            try:
                edition = self.shelf().edition()
                if edition is None:
                    if not patience.waits(edition):
                        return nothing()
                elif not whole or _is_whole(edition) or not patience.waits(edition):
                    self.files.check_rules()
                    with self.gate:
                        found = work(edition)
                    if until(found) or _is_whole(edition) or not patience.waits(edition):
                        return found
            except IndexUnusable as error:
                if not patience.bears(edition, error):
                    raise


def _is_whole(edition: OpenEdition) -> bool:
    return edition.catalog.facts().reconciled is not None


class _Patience:
    """Waiting for a commit, for as long as somebody may make one."""

    def __init__(self, room: Room, seconds: float, progress: Progress | None) -> None:
        self._room = room
        self._deadline = time.monotonic() + seconds
        self._progress = progress
        self._told = -1
        self._failed = 0

    def bears(self, edition: OpenEdition | None, error: IndexUnusable) -> bool:
        """Whether to try again after a fault: at once when the edition was merely replaced, or when the system had
        nothing left for the moment; else it is condemned, and the next one is waited for."""
        if edition is None or _is_passing(error) or not self._room.shelf().condemn(edition):
            self._failed += 1
            return self._failed < _TRIES
        self._room.nudge()
        return self.waits(None)

    def waits(self, edition: OpenEdition | None) -> bool:
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
