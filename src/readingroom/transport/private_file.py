"""A file of secrets: only its owner may read or write it and its folder.

It is changed whole, by one process at a time, so that whoever reads it sees what was before or what is after, and a change
that breaks off changes nothing. Knows nothing of what is in it.
"""

import contextlib
import os
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ..errors import UsageError

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)


class PrivateFile(msgspec.Struct, frozen=True):
    """A file, what it holds ("the tokens"), the error for whatever is wrong with it, and how many bytes it may have.

    `patience` is how long to wait, in seconds, for another process that holds it.
    """

    path: Path
    what: str
    fault: type[UsageError]
    largest: int
    patience: float

    def read(self) -> bytes:
        """Give what is in it. Raises: FileNotFoundError; the fault when it is not private, or cannot be read."""
        try:
            self._check_folder()
            return self._contents()
        except FileNotFoundError:
            raise
        except OSError as error:
            raise self.fault(
                f"{self.what} at {self.path} cannot be read: {error.strerror or error}"
            ) from None

    @contextlib.contextmanager
    def changing(self) -> Iterator[None]:
        """Hold the file for a change; makes its folder when it is not there. Raises: the fault."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._check_folder()
            with self._lock(self.path.with_name(f".{self.path.name}.lock")):
                for left in self.path.parent.glob(f".{self.path.name}.*.new"):  # of changes that broke off
                    left.unlink(missing_ok=True)
                yield
        except OSError as error:
            raise self.fault(
                f"{self.what} at {self.path} cannot be changed: {error.strerror or error}"
            ) from error

    def write(self, data: bytes) -> None:
        """Put the file in place whole, while it is held. Raises: OSError, which `changing` turns into the fault."""
        fresh = self.path.with_name(f".{self.path.name}.{secrets.token_hex(8)}.new")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW | _BINARY
        try:
            with os.fdopen(os.open(fresh, flags, 0o600), "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            fresh.replace(self.path)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise
        _sync(self.path.parent)

    def _contents(self) -> bytes:
        if self.path.is_symlink():
            raise self.fault(f"{self.path} is a symbolic link; name the file itself")
        handle = os.open(self.path, os.O_RDONLY | _NO_FOLLOW | _BINARY)
        with os.fdopen(handle, "rb") as stream:
            found = os.fstat(stream.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise self.fault(f"{self.path} is no file")
            self._check_private(self.path, found, "600")
            data = stream.read(self.largest + 1)
        if len(data) > self.largest:
            raise self.fault(f"{self.path} is larger than {self.largest} bytes")
        return data

    def _check_folder(self) -> None:
        folder = self.path.parent
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode):
            raise self.fault(f"{folder} is a symbolic link or no folder; name the folder itself")
        self._check_private(folder, found, "700")

    def _check_private(self, path: Path, found: os.stat_result, mode: str) -> None:
        """Check that nobody else may read or write it; on Windows a user's profile is private by its access list."""
        if sys.platform == "win32":
            return
        if found.st_uid != os.geteuid():
            raise self.fault(f"{path} belongs to another user")
        if stat.S_IMODE(found.st_mode) & 0o077:
            raise self.fault(f"{path} is open to others; run: chmod {mode} {path}")

    @contextlib.contextmanager
    def _lock(self, file: Path) -> Iterator[None]:
        """Hold a lock that the system frees when this process ends; it is held for moments, so there is a wait for it."""
        handle = os.open(file, os.O_RDWR | os.O_CREAT | _NO_FOLLOW, 0o600)
        try:
            ends = time.monotonic() + self.patience
            while not _taken(handle):
                if time.monotonic() > ends:
                    raise self.fault(f"another process is changing {self.what}; {file} is held")
                time.sleep(0.02)
            yield
        finally:
            os.close(handle)


def _sync(folder: Path) -> None:
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _taken(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
