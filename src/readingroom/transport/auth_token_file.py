"""The file of static tokens: of each it holds the SHA-256 and what it allows, never the token itself.

Only its owner may read or write it and its folder. It is changed whole, by one process at a time, so that whoever reads it
sees what was before or what is after, and a change that breaks off changes nothing.
"""

import contextlib
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import msgspec

from ..errors import UsageError

LARGEST = 4 * 1024 * 1024
VERSION = 1
_PATIENCE_S = 10.0
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_SECRET = re.compile(rb"rr_[a-z]+_[A-Za-z0-9_-]{43}")

Id = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]{8}\Z")]
Hash = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]
RoleName = Annotated[str, msgspec.Meta(pattern=r"^[a-z]{1,32}\Z")]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
Second = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class TokensUnusable(UsageError):
    """The file of tokens cannot be used as it stands; the text says why, and what to do."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A token. Times are seconds since the epoch; `expires` is None without an end; `last_used` is a day (ISO 8601).

    `successor` is the id of the token that takes its place, if it has been rotated.
    """

    id: Id
    hash: Hash
    role: RoleName
    principal: Name
    label: Annotated[str, msgspec.Meta(max_length=100)] = ""
    created: Second
    expires: Second | None
    revoked: Second | None = None
    successor: str = ""
    last_used: str = ""

    def is_good(self, now: float) -> bool:
        """Whether it can be used."""
        return self.revoked is None and (self.expires is None or now < self.expires)


Records = tuple[Record, ...]


class _Written(msgspec.Struct, forbid_unknown_fields=True):
    version: int
    tokens: Records


State = tuple[int, ...]
"""What changes whenever the file does."""


def state_of(file: Path) -> State:
    """Give the state of the file. Raises: OSError when it is not there."""
    found = file.lstat()
    return (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_mode)


def read(file: Path) -> Records:
    """Give the tokens. Raises: TokensUnusable when they are not there, not private, or not well formed."""
    try:
        _check_folder(file.parent)
        data = _contents(file)
    except FileNotFoundError:
        raise TokensUnusable(
            f"there is no file of tokens at {file}; `readingroom token add` makes one"
        ) from None
    except OSError as error:
        raise TokensUnusable(f"the tokens at {file} cannot be read: {error.strerror or error}") from None
    return _records(data, file)


@contextlib.contextmanager
def changing(file: Path) -> Iterator[Callable[[Records], None]]:
    """Hold the file for a change and give what writes its new tokens; read it within, if at all.

    Makes it and its folder when they are not there. Raises: TokensUnusable.
    """
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_folder(file.parent)
        with _lock(file.with_name(f".{file.name}.lock")):
            for left in file.parent.glob(f".{file.name}.*.new"):  # of changes that broke off
                left.unlink(missing_ok=True)
            yield lambda records: _write(file, records)
    except OSError as error:
        raise TokensUnusable(f"the tokens at {file} cannot be changed: {error.strerror or error}") from error


def exists(file: Path) -> bool:
    """Whether something is there, be it usable or not."""
    return os.path.lexists(file)


def _contents(file: Path) -> bytes:
    if file.is_symlink():
        raise TokensUnusable(f"{file} is a symbolic link; name the file itself")
    handle = os.open(file, os.O_RDONLY | _NO_FOLLOW | _BINARY)
    with os.fdopen(handle, "rb") as stream:
        found = os.fstat(stream.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise TokensUnusable(f"{file} is no file")
        _check_private(file, found, "600")
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise TokensUnusable(f"{file} is larger than {LARGEST} bytes")
    return data


def _check_folder(folder: Path) -> None:
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise TokensUnusable(f"{folder} is a symbolic link or no folder; name the folder itself")
    _check_private(folder, found, "700")


def _check_private(path: Path, found: os.stat_result, mode: str) -> None:
    """Check that nobody else may read or write it; on Windows a user's profile is private by its access list."""
    if sys.platform == "win32":
        return
    if found.st_uid != os.geteuid():
        raise TokensUnusable(f"{path} belongs to another user")
    if stat.S_IMODE(found.st_mode) & 0o077:
        raise TokensUnusable(f"{path} is open to others; run: chmod {mode} {path}")


def _records(data: bytes, file: Path) -> Records:
    if _SECRET.search(data):
        raise TokensUnusable(
            f"{file} holds a token itself; revoke that token, for it is known to whoever read this"
        )
    try:
        found = msgspec.json.decode(data, type=_Written)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise TokensUnusable(f"{file} is no file of tokens: {error}") from None
    if found.version != VERSION:
        raise TokensUnusable(
            f"{file} is of version {found.version}, and this program knows version {VERSION}"
        )
    for what, values in (
        ("hash", [record.hash for record in found.tokens]),
        ("id", [record.id for record in found.tokens]),
    ):
        if len(set(values)) != len(values):
            raise TokensUnusable(f"{file} has two tokens of one {what}")
    if not all(record.principal.isprintable() and record.label.isprintable() for record in found.tokens):
        raise TokensUnusable(f"{file} has a name that cannot be printed")
    return found.tokens


def _write(file: Path, records: Records) -> None:
    """Put the file in place whole: what is on the disk is what was, or what is to be."""
    data = msgspec.json.format(msgspec.json.encode(_Written(VERSION, records)), indent=1) + b"\n"
    fresh = file.with_name(f".{file.name}.{secrets.token_hex(8)}.new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW | _BINARY
    try:
        with os.fdopen(os.open(fresh, flags, 0o600), "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        fresh.replace(file)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    _sync(file.parent)


def _sync(folder: Path) -> None:
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def _lock(file: Path) -> Iterator[None]:
    """Hold a lock that the system frees when this process ends; it is held for moments, so there is a wait for it."""
    handle = os.open(file, os.O_RDWR | os.O_CREAT | _NO_FOLLOW, 0o600)
    try:
        ends = time.monotonic() + _PATIENCE_S
        while not _taken(handle):
            if time.monotonic() > ends:
                raise TokensUnusable(f"another process is changing the tokens; {file} is held")
            time.sleep(0.02)
        yield
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
