"""One writer at a time: a lock on a file, held by the scanning process and freed by the system when that process dies.

Readers never touch it. Nothing ever waits here: the lock is had at once or not at all.
"""

import os
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from .errors import IndexBusy

if sys.platform == "win32":  # pragma: no cover  -- the same promise by the means that Windows has
    import msvcrt

    def _take(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _take(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class WriterLock:
    """Held between `with` and its end. Entering raises IndexBusy at once when another process, or thread, holds it."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._handle: int | None = None

    def __enter__(self) -> Self:
        if not self._try():
            raise IndexBusy("Another process is indexing this folder.")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._release()

    def _try(self) -> bool:
        while True:
            handle = os.open(self._file, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
            if not _take(handle):
                os.close(handle)
                return False
            if self._is_same_file(handle):
                self._handle = handle
                return True
            os.close(handle)  # it was removed between opening and locking: that lock guards nothing

    def _is_same_file(self, handle: int) -> bool:
        try:
            return os.path.samestat(os.fstat(handle), self._file.stat())
        except FileNotFoundError:
            return False

    def remove(self) -> None:
        """Remove the file while holding it; whoever opened it meanwhile notices and opens the next one."""
        if os.name == "nt":  # pragma: no cover  -- an open file cannot be removed there
            self._release()
        self._file.unlink(missing_ok=True)

    def _release(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def is_held(file: Path) -> bool:
    """Whether somebody holds the lock right now."""
    try:
        with WriterLock(file):
            return False
    except IndexBusy:
        return True
    except FileNotFoundError:
        return False
