"""A folder beneath the root, opened step by step, following no link: what is done in it is done there and nowhere else.

Where the system has no such steps (Windows), each is looked at before it is taken. Knows names, bytes and the disk; no
ledger, no rule. Names are the system's own, in bytes; parts of a path are text in NFC.
"""

import contextlib
import errno
import os
import stat
import unicodedata
from pathlib import Path
from types import TracebackType
from typing import Self

from readingroom.library.opening import NotReadable, is_link

_STEPWISE = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW") and hasattr(os, "O_DIRECTORY")
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_NO_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EBADF)
_LINKS = (errno.ELOOP, errno.EMLINK)  # what systems say of a link that is not to be followed
_PERMISSIONS = 0o777


class Folder:
    """An open folder. All of it raises OSError as the system does, and FileNotFoundError for what is not there."""

    def __init__(self, path: str, descriptor: int | None) -> None:
        self._path = path
        self.descriptor = descriptor

    @classmethod
    def root(cls, root: Path) -> Self:
        """The root itself, which the operator named; links on the way to it are the operator's."""
        path = os.fspath(root)
        return cls(path, os.open(path, os.O_RDONLY | os.O_DIRECTORY) if _STEPWISE else None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None

    def named(self, name: bytes) -> bytes | str:
        """The name as the system takes it beside `descriptor`: the whole path where there is none."""
        if self.descriptor is not None:
            return name
        return os.path.join(self._path, os.fsdecode(name))  # noqa: PTH118  -- text, as the calls of `os` take it

    def step(self, name: bytes) -> "Folder":
        """The folder `name` in this one. Raises NotADirectoryError (or another OSError) for a link or anything else."""
        path = os.path.join(self._path, os.fsdecode(name))  # noqa: PTH118  -- text, as os.open takes it
        if self.descriptor is not None:
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
            try:
                return Folder(path, os.open(name, flags, dir_fd=self.descriptor))
            except OSError as error:
                if error.errno in _LINKS:
                    raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from None
                raise
        found = os.lstat(path)
        if is_link(found) or not stat.S_ISDIR(found.st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        return Folder(path, None)

    def spelling(self, part: str) -> bytes | None:
        """The system's own name of the entry that is `part` in NFC, the first by bytes if there are several; or None."""
        with os.scandir(self._path if self.descriptor is None else self.descriptor) as entries:
            names = sorted(os.fsencode(entry.name) for entry in entries)
        return next((name for name in names if unicodedata.normalize("NFC", os.fsdecode(name)) == part), None)

    def status(self, name: bytes) -> os.stat_result | None:
        """What stands there, a link itself for a link; None if nothing does."""
        try:
            return os.stat(self.named(name), dir_fd=self.descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def open(self, name: bytes) -> int:
        """A descriptor to read the regular file. Raises NotReadable if it is a link or none."""
        try:
            descriptor = os.open(self.named(name), _READ | _BINARY, dir_fd=self.descriptor)
        except OSError as error:
            if error.errno in _LINKS:
                raise NotReadable("a symbolic link: none is followed") from None
            raise
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise NotReadable("not a regular file")
        return descriptor

    def read(self, name: bytes, limit: int) -> bytes:
        """The first `limit` bytes of the regular file. Raises NotReadable if it is a link or none."""
        descriptor = self.open(name)
        try:
            return read_from(descriptor, limit)
        finally:
            os.close(descriptor)

    def write(self, name: bytes, content: bytes, like: os.stat_result | None) -> None:
        """Make the file with these bytes, on the disk when this returns, its mode and owner those of `like`.

        Raises FileExistsError if something stands there. On any other error it is removed again, if that can be.
        """
        made = os.open(
            self.named(name), _MAKE | _BINARY, 0o666 if like is None else 0o600, dir_fd=self.descriptor
        )
        try:
            try:
                _fill(made, content)
                if like is not None:
                    _liken(made, like)
                os.fsync(made)
            finally:
                os.close(made)
        except OSError:
            with contextlib.suppress(OSError):
                self.remove(name)
            raise

    def remove(self, name: bytes) -> None:
        """Remove the file, if it is there."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.named(name), dir_fd=self.descriptor)

    def make(self, name: bytes) -> None:
        """Make a folder. Raises FileExistsError if something stands there."""
        os.mkdir(self.named(name), dir_fd=self.descriptor)

    def unmake(self, name: bytes) -> bool:
        """Remove a folder if it is there and empty; whether it is gone."""
        try:
            os.rmdir(self.named(name), dir_fd=self.descriptor)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return True

    def sync(self) -> None:
        """See that the names in the folder are on the disk, where the file system can promise that."""
        if self.descriptor is None:
            return
        try:
            os.fsync(self.descriptor)
        except OSError as error:
            if error.errno not in _NO_SYNC:
                raise


def read_from(descriptor: int, limit: int) -> bytes:
    """The first `limit` bytes behind a descriptor."""
    parts: list[bytes] = []
    while limit > 0 and (part := os.read(descriptor, limit)):
        parts.append(part)
        limit -= len(part)
    return b"".join(parts)


def _fill(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _liken(descriptor: int, like: os.stat_result) -> None:
    """Owner first, for to give a file away takes bits of its mode; who may not give it away keeps it."""
    if not hasattr(os, "fchown"):
        return
    mine = os.fstat(descriptor)
    if (mine.st_uid, mine.st_gid) != (like.st_uid, like.st_gid):
        with contextlib.suppress(PermissionError):
            os.fchown(descriptor, like.st_uid, like.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(like.st_mode) & _PERMISSIONS)
