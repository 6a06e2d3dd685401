"""Disks that fail, for SQLite: one that loses power, and one whose writes or syncs do not succeed.

Each is a VFS by the name that it is given. A file's content, as SQLite sees it, is that of the real file; what would be
left of it after a loss of power is kept here.
"""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

Image = dict[str, bytes]
"""What lies on a disk: bytes by the name of the file."""

_SECTOR = 512


class _Inode:
    """A file: what of it is on the disk for certain, and what was written since."""

    def __init__(self, content: bytes = b"") -> None:
        self.durable = bytearray(content)
        self.pending: list[tuple[int, bytes | None]] = []

    def sync(self) -> None:
        for change in self.pending:
            _apply(self.durable, change)
        self.pending.clear()

    def survivor(self, keeps: Callable[[], str]) -> bytes:
        """What a loss of power leaves: of each write since the last sync all, nothing, or its first sectors."""
        left = bytearray(self.durable)
        for offset, data in self.pending:
            how = keeps()
            if how == "all":
                _apply(left, (offset, data))
            elif how == "torn" and data is not None:
                _apply(left, (offset, data[: len(data) // 2 // _SECTOR * _SECTOR]))
        return bytes(left)


def _apply(content: bytearray, change: tuple[int, bytes | None]) -> None:
    offset, data = change
    if data is None:  # the file was cut
        del content[offset:]
        return
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(data)] = data


class LosingDisk(apsw.VFS):
    """Calls `event` before whatever changes a file; `lose` then tells what a loss of power would leave.

    While it `is_failing`, syncs fail, and what they should have written is taken for written afterwards, as systems do.
    """

    def __init__(self, name: str, event: Callable[[], None]) -> None:
        self.event = event
        self.names: dict[str, _Inode] = {}
        self.durable: dict[str, _Inode] = {}
        self.is_failing = False
        super().__init__(name, "")

    def xOpen(self, name: Any, flags: Any) -> Any:  # noqa: N802  -- SQLite's name
        """Open a file."""
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        return _LosingFile(self, path, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802  -- SQLite's own
        """Remove a file; for certain only if the folder is synced."""
        self.event()
        super().xDelete(filename, syncdir)
        self.names.pop(filename, None)
        if syncdir:
            self.durable.pop(filename, None)

    def inode(self, path: str) -> _Inode:
        """The file of that name, which the first look finds as it is."""
        if path not in self.names:
            exists = path not in self.durable and Path(path).stat().st_size == 0 and path.endswith(".db")
            self.names[path] = _Inode()
            if exists:  # made, and its name synced, by whoever opened the ledger
                self.durable[path] = self.names[path]
        return self.names[path]

    def lose(self, how: str, chance: random.Random) -> Image:
        """What is there after a loss of power: `none` of what was not synced, `all`, or a `random` part of it."""
        choices = {"none": ["none"], "all": ["all"], "random": ["none", "all", "torn"]}[how]
        image: Image = {}
        for path in sorted({*self.durable, *self.names}):
            named = {"none": self.durable.get(path), "all": self.names.get(path)}
            inode = named["none" if chance.choice(choices) == "none" else "all"]
            if inode is not None:
                image[Path(path).name] = inode.survivor(lambda: chance.choice(choices))
        return image


class _LosingFile(apsw.VFSFile):
    def __init__(self, disk: LosingDisk, path: str | None, name: Any, flags: Any) -> None:
        super().__init__("", name, flags)
        self.disk = disk
        self.path = path
        self.inode = disk.inode(path) if path else _Inode()
        logs = apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_WAL
        self.syncs_folder = bool(flags[0] & apsw.SQLITE_OPEN_CREATE and flags[0] & logs)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802  -- the name that SQLite's method has
        self.disk.event()
        super().xWrite(data, offset)
        self.inode.pending.append((offset, bytes(data)))

    def xTruncate(self, size: int) -> None:  # noqa: N802  -- as above
        self.disk.event()
        super().xTruncate(size)
        self.inode.pending.append((size, None))

    def xSync(self, flags: int) -> None:  # noqa: N802  -- as above
        """Nothing needs to be on the real disk."""
        self.disk.event()
        if self.disk.is_failing:
            self.inode.pending.clear()
            raise apsw.exception_for(apsw.SQLITE_IOERR_FSYNC)
        self.inode.sync()
        if self.path is None:
            return
        self.disk.durable[self.path] = self.inode
        if self.syncs_folder:  # SQLite does so with the first sync of a new log
            self.disk.durable = dict(self.disk.names)
            self.syncs_folder = False


class FailingDisk(apsw.VFS):
    """Asks `fails` before each write, sync, cut and removal: the result code of SQLite's that it fails with, or 0."""

    def __init__(self, name: str, fails: Callable[[str], int] = lambda _: 0) -> None:
        self.fails = fails
        super().__init__(name, "")

    def xOpen(self, name: Any, flags: Any) -> Any:  # noqa: N802  -- as above
        """Open a file."""
        return _FailingFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802  -- as above
        """Remove a file."""
        self.ask("delete")
        super().xDelete(filename, syncdir)

    def ask(self, what: str) -> None:
        """Fail, if it is time to."""
        code = self.fails(what)
        if code:
            raise apsw.exception_for(code)


class _FailingFile(apsw.VFSFile):
    def __init__(self, disk: FailingDisk, name: Any, flags: Any) -> None:
        super().__init__("", name, flags)
        self.disk = disk

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802  -- as above
        self.disk.ask("write")
        super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:  # noqa: N802  -- as above
        self.disk.ask("truncate")
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:  # noqa: N802  -- as above
        """Nothing needs to be on the real disk."""
        self.disk.ask("sync")
