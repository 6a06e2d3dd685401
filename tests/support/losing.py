"""A folder whose disk loses power: what of the names and bytes would be left, at each call that changes them.

Names are kept by the disk in the order they were changed, as file systems with a journal do: a sync of a folder keeps what
was changed in it and all before, and of what came later any beginning may be left. The bytes of a file are those of its
last sync; one that was never synced is empty.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.stopping import CALLS, hooked

Names = dict[int, dict[str, int]]
"""The entries of each folder, folders and files by their inodes."""
_NAMING = ("open", "mkdir", "rmdir", "unlink", "link", "replace", "renameat2")


_open = os.open  # not the one that is watched


def _content(descriptor: int) -> bytes:
    """What the file holds, whatever it is open for."""
    opened = _open(f"/proc/self/fd/{descriptor}", os.O_RDONLY)
    try:
        return os.pread(opened, os.fstat(opened).st_size, 0)
    finally:
        os.close(opened)


class LosingFolder:
    """Watches a folder; `images` are what losses of power would leave, by what was true when they came."""

    def __init__(self, root: Path, *, files_sync: bool = True, folders_sync: bool = True) -> None:
        self.root = root
        self.phase = ""
        self.images: list[tuple[str, Names, dict[int, bytes]]] = []
        self._files_sync = files_sync
        self._folders_sync = folders_sync
        self._synced: dict[int, bytes] = {}
        self._history = [self._names()]
        self._durable = 0
        for file in root.rglob("*"):
            if file.is_file():
                self._synced[file.stat().st_ino] = file.read_bytes()

    @contextmanager
    def watched(self, phase: str) -> Iterator[None]:
        """Collect what would be left, for as long as `phase` is true."""
        self.phase = phase
        self.lose()
        with hooked(self, CALLS):  # type: ignore[arg-type]  # it has what is called of one
            yield
        self.lose()

    def call(self, name: str, function: Any, *args: Any, **kwargs: Any) -> Any:
        """Make the call, and see what a loss after it would leave."""
        result = function(*args, **kwargs)
        if name == "fsync":
            self._sync(args[0])
        if name in _NAMING:
            now = self._names()
            if now != self._history[-1]:
                self._history.append(now)
        self.lose()
        return result

    def lose(self) -> None:
        """Note what is left now, with every beginning of what was not synced."""
        for names in self._history[self._durable :]:
            self.images.append((self.phase, names, dict(self._synced)))

    def _sync(self, descriptor: int) -> None:
        status = os.fstat(descriptor)
        if not stat.S_ISDIR(status.st_mode):
            if self._files_sync:
                self._synced[status.st_ino] = _content(descriptor)
        elif self._folders_sync:
            for number in range(self._durable + 1, len(self._history)):
                before, after = self._history[number - 1], self._history[number]
                if before.get(status.st_ino) != after.get(status.st_ino):
                    self._durable = number

    def _names(self) -> Names:
        found: Names = {}
        for folder, folders, files in os.walk(self.root):
            here = {name: Path(folder, name).lstat().st_ino for name in (*folders, *files)}
            found[Path(folder).lstat().st_ino] = here
        return found

    def materialise(self, names: Names, synced: dict[int, bytes], at: Path) -> None:
        """Make the folder that is left."""
        made: dict[int, Path] = {}
        pending = [(self.root.lstat().st_ino, at)]
        while pending:
            inode, folder = pending.pop()
            folder.mkdir(parents=True)
            for name, entry in names[inode].items():
                if entry in names:
                    pending.append((entry, folder / name))
                elif entry in made:
                    (folder / name).hardlink_to(made[entry])
                else:
                    (folder / name).write_bytes(synced.get(entry, b""))
                    made[entry] = folder / name
