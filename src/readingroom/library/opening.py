"""Reading a file beneath the root without following a link at any step.

What was looked at may have been exchanged since, so nothing is trusted but the file that is open: the system finds it
beneath the root in one call, or each step is opened from the one before it and must not be a link; and what is read is a
regular file within the cap. Where another file system begins beneath the root is not asked: what is mounted there belongs
to the folder.
"""

import os
import pathlib
import stat

from readingroom.library.beneath import open_beneath
from readingroom.library.errors import NotFound
from readingroom.library.model import Found
from readingroom.library.rules import MAX_FILE_BYTES

_STEPWISE = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW") and hasattr(os, "O_DIRECTORY")
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)
_FLAGS |= getattr(os, "O_NONBLOCK", 0)  # a FIFO that has taken the file's place may not hold us up
_TRIES = 3
_MOUNT_POINT = (
    0xA0000003  # IO_REPARSE_TAG_MOUNT_POINT: a junction, which Windows does not call a symbolic link
)


class NotReadable(NotFound):
    """The file is there, but not one that is read: a link, no regular file, over the cap, or refused by the system.

    For whoever asked it is as good as not there; the text says why to whoever lists what is left out.
    """


def read(root: pathlib.Path, found: Found, max_bytes: int | None = None) -> bytes:
    """The bytes of the file that `found` names, as they are now.

    `max_bytes` is the cap; without one it is the default of `Rules`, or the size that was found if that is more.
    Raises NotFound if the file has gone, NotReadable if something stands in the way.
    """
    limit = max(found.state.size, MAX_FILE_BYTES) if max_bytes is None else max_bytes
    return content(os.fspath(root), found.name, limit)


def content(root: str, name: bytes, limit: int) -> bytes:
    """The bytes of the regular file `name`, which is relative to `root` and `/`-separated, if they are at most `limit`.

    Raises NotFound if it has gone, NotReadable for a link on the way, another kind of file, more bytes, or an error.
    """
    try:
        descriptor = (_open_from_root if _STEPWISE else _open_checked)(root, name)
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound("There is no such file any more.") from None
    except OSError as error:
        raise NotReadable(reason(error)) from None
    try:
        return _bytes(descriptor, limit)
    except OSError as error:
        raise NotReadable(reason(error)) from None
    finally:
        os.close(descriptor)


def reason(error: OSError) -> str:
    """Why the system refused, in plain words and without a path."""
    return f"cannot be read: {error.strerror or type(error).__name__}"


def is_link(status: os.stat_result) -> bool:
    """Whether the entry leads elsewhere: a symbolic link, or a junction on Windows."""
    return stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) == _MOUNT_POINT


def _open_from_root(root: str, name: bytes) -> int:
    here = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        found = open_beneath(here, name, _FLAGS)
        return _open_stepwise(here, name) if found is None else found
    finally:
        os.close(here)


def _open_stepwise(root: int, name: bytes) -> int:
    *folders, last = name.split(b"/")
    here = root
    try:
        for folder in folders:
            step = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
            if here != root:
                os.close(here)
            here = step
        return os.open(last, _FLAGS | os.O_NOFOLLOW, dir_fd=here)
    finally:
        if here != root:
            os.close(here)


def _open_checked(root: str, name: bytes) -> int:
    """The way of a system without openat: look at every step, then see that what was opened is what was looked at."""
    path = root
    status = None
    for part in os.fsdecode(name).split("/"):
        path = os.path.join(path, part)  # noqa: PTH118  -- plain text is what the calls below take
        status = os.lstat(path)
        if is_link(status):
            raise NotReadable("a symbolic link: none is followed")
    descriptor = os.open(path, _FLAGS)
    if status is None or not os.path.samestat(status, os.fstat(descriptor)):
        os.close(descriptor)
        raise NotReadable("exchanged while it was opened")
    return descriptor


def _bytes(descriptor: int, limit: int) -> bytes:
    """All bytes of the file, read anew while it changes under the reading; of one that never stops, as read last."""
    status, data = os.fstat(descriptor), b""
    if not stat.S_ISREG(status.st_mode):
        raise NotReadable("not a regular file")
    for _ in range(_TRIES):
        data = _read(descriptor, limit, status.st_size)
        if len(data) > limit:
            raise NotReadable(f"over the cap of {limit:,} bytes")
        before, status = status, os.fstat(descriptor)
        if (len(data), before.st_mtime_ns) == (status.st_size, status.st_mtime_ns):
            break
        os.lseek(descriptor, 0, os.SEEK_SET)
    return data


def _read(descriptor: int, limit: int, size: int) -> bytes:
    """The bytes from here on, and never more than one behind the cap."""
    parts = []
    left = limit + 1
    while left > 0 and (part := os.read(descriptor, min(left, max(size + 1, 65_536)))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
