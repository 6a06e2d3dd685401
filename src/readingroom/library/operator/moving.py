"""Moves of names in one step: two that change places, and one that moves only where nothing stands.

Linux has both in renameat2, macOS in renameatx_np; not every file system knows them. Elsewhere the second is a link and
a removal, and the first does not exist: who asked has to do with less, and is told so. Windows' own rename is the second.
A second name for a file is of the same kind: it is given only where nothing stands.
"""

import errno
import os
import sys
from collections.abc import Callable

from .folder import Folder

_MISSING = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP)
_NO_LINKS = (errno.EPERM, errno.EMLINK, *_MISSING)
# The same two by the words of each system: only where nothing stands; change places.
_NO_REPLACE, _EXCHANGE = (4, 2) if sys.platform == "darwin" else (1, 2)
_CALL = "renameatx_np" if sys.platform == "darwin" else "renameat2"


def exchange(here: Folder, name: bytes, there: Folder, other: bytes) -> bool:
    """Let two files change places in one step; false, with nothing done, where that cannot be had. Raises OSError."""
    return _renamed(here, name, there, other, _EXCHANGE)


def move(here: Folder, name: bytes, there: Folder, other: bytes) -> bool:
    """Move a file to where nothing stands, in one step; false, with nothing done, where that cannot be had.

    Raises FileExistsError if something stands there; OSError.
    """
    if os.name == "nt":
        os.rename(here.named(name), there.named(other))  # noqa: PTH104  -- beside a descriptor elsewhere
        return True
    return _renamed(here, name, there, other, _NO_REPLACE)


def place(here: Folder, name: bytes, there: Folder, other: bytes) -> None:
    """Move a file that is ours alone to where nothing stands, by whatever way there is.

    The last way, on a file system without links, is to look and then rename: a file that comes in between is lost.
    Raises FileExistsError if something stands there; OSError.
    """
    if move(here, name, there, other):
        return
    if link(here, name, there, other):
        here.remove(name)
        return
    if there.status(other) is not None:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    replace(here, name, there, other)


def replace(here: Folder, name: bytes, there: Folder, other: bytes) -> None:
    """Move a file in one step, over what stands there. Raises OSError."""
    os.replace(here.named(name), there.named(other), src_dir_fd=here.descriptor, dst_dir_fd=there.descriptor)


def link(here: Folder, name: bytes, there: Folder, other: bytes) -> bool:
    """Give a file a second name where nothing stands; false, with nothing done, where files have but one.

    Raises FileExistsError if something stands there; OSError.
    """
    try:
        if here.descriptor is None or there.descriptor is None:
            os.link(here.named(name), there.named(other))
        else:
            beside = {"src_dir_fd": here.descriptor, "dst_dir_fd": there.descriptor}
            os.link(name, other, **beside, follow_symlinks=False)
    except OSError as error:
        if error.errno in _NO_LINKS:
            return False
        raise
    return True


def _renamed(here: Folder, name: bytes, there: Folder, other: bytes, flag: int) -> bool:
    call = _call()
    if call is None or here.descriptor is None or there.descriptor is None:
        return False
    number = call(here.descriptor, name, there.descriptor, other, flag)
    if number in _MISSING:
        return False
    if number:
        raise OSError(number, os.strerror(number))
    return True


def _call() -> Callable[[int, bytes, int, bytes, int], int] | None:
    """The system's call, giving 0 or the number of its error; None where there is none."""
    import ctypes

    try:
        function = getattr(ctypes.CDLL(None, use_errno=True), _CALL)
    except (AttributeError, OSError, TypeError):
        return None
    function.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    function.restype = ctypes.c_int

    def called(here: int, name: bytes, there: int, other: bytes, flag: int) -> int:
        return 0 if function(here, name, there, other, flag) == 0 else ctypes.get_errno()

    return called
