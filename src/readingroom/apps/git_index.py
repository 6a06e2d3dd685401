"""The lock of a git index, taken as git takes it: whoever makes `index.lock` writes the index, and nobody else.

Knows nothing of what an index holds.
"""

import os
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from .git_program import GitUnusable

_PATIENCE_S = 10.0
_PAUSE_S = 0.05


def wait_until_free(index: Path, patience: float | None = None) -> None:
    """Wait until nobody holds the lock of that index. Raises GitUnusable when somebody does for 10 seconds."""
    ends = time.monotonic() + (_PATIENCE_S if patience is None else patience)
    while os.path.lexists(_lock_of(index)):
        _pause(index, ends)


def _lock_of(index: Path) -> Path:
    return index.with_name(index.name + ".lock")


def _pause(index: Path, ends: float) -> None:
    if time.monotonic() >= ends:
        raise GitUnusable(
            f"another git program is at work in the repository, or has left {_lock_of(index)} behind."
        ) from None
    time.sleep(_PAUSE_S)


class IndexLock:
    """Held within `with`; `replace` may be called once. Raises GitUnusable when another program holds it for 10 seconds."""

    def __init__(self, index: Path, patience: float = _PATIENCE_S) -> None:
        self._index = index
        self._file = _lock_of(index)
        self._patience = patience
        self._descriptor = -1

    def __enter__(self) -> Self:
        ends = time.monotonic() + self._patience
        while True:
            try:
                self._descriptor = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
                return self
            except FileExistsError:
                _pause(self._index, ends)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
            self._file.unlink(missing_ok=True)

    def replace(self, content: bytes) -> None:
        """Write the index, in one step, and let the lock go. Raises OSError; the index is then as it was.

        It keeps the time of the one before: a file that changed in the moment when that one was written is told apart by
        that time, and else would pass for unchanged.
        """
        with os.fdopen(os.dup(self._descriptor), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if self._index.exists():
            before = self._index.stat()
            self._file.chmod(before.st_mode & 0o777)
            os.utime(self._file, ns=(before.st_atime_ns, before.st_mtime_ns))
        os.close(self._descriptor)
        self._descriptor = -1
        try:
            self._file.replace(self._index)
        except OSError:
            self._file.unlink(missing_ok=True)
            raise
