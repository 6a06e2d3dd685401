"""Opening a file beneath a folder in one call, which the system itself keeps from leaving it: openat2 of Linux.

Says None wherever the call cannot be made: on other systems, on kernels before 5.6, and where a container's filter of
system calls does not let it through. Whoever asked then goes step by step, and gets the same.
"""

import errno
import functools
import os
import sys
from collections.abc import Callable
from typing import TypeAlias

_Call: TypeAlias = Callable[[int, bytes, bytes], int]
"""Folder, name and how; a descriptor, or the negative of an error's number."""

_NUMBER = 437  # of openat2, on each of these
_PROCESSORS = frozenset({"x86_64", "i686", "aarch64", "armv7l", "ppc64le", "s390x", "riscv64", "loongarch64"})

_BENEATH = 0x08  # RESOLVE_BENEATH: no step leads out of the folder
_NO_SYMLINKS = 0x04  # RESOLVE_NO_SYMLINKS: there is no link on the way nor at its end
_NO_MAGIC_LINKS = 0x02  # RESOLVE_NO_MAGICLINKS: nor one of those in /proc

# The call is not there or not let through, or was not sure this once: nothing has been said of the file.
_NO_ANSWER = frozenset({errno.ENOSYS, errno.EPERM, errno.EINVAL, errno.E2BIG, errno.EAGAIN, errno.EINTR})


def open_beneath(folder: int, name: bytes, flags: int) -> int | None:
    """A descriptor of `name`, looked up from the folder behind a descriptor; None when another way has to be gone.

    Raises OSError: ELOOP for a link anywhere, EXDEV for a name that leads out of the folder, and what any opening raises.
    """
    call = _call()
    if call is None:
        return None
    found = call(folder, name, _how(flags))
    if found >= 0:
        return found
    if -found in _NO_ANSWER:
        return None
    raise OSError(-found, os.strerror(-found))


@functools.lru_cache(maxsize=4)
def _how(flags: int) -> bytes:
    """The kernel's struct open_how: flags, mode and resolve, each of 64 bits."""
    words = (flags | os.O_CLOEXEC, 0, _BENEATH | _NO_SYMLINKS | _NO_MAGIC_LINKS)
    return b"".join(word.to_bytes(8, sys.byteorder) for word in words)


@functools.cache
def _call() -> _Call | None:
    """The call; None where the system has none, or this Python cannot make it."""
    if sys.platform != "linux" or os.uname().machine not in _PROCESSORS:
        return None
    try:
        import ctypes

        system = ctypes.CDLL(None, use_errno=True).syscall
    except (ImportError, OSError, AttributeError):
        return None
    system.argtypes = (ctypes.c_long, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t)
    system.restype = ctypes.c_long

    def call(folder: int, name: bytes, how: bytes) -> int:
        found = int(system(_NUMBER, folder, name, how, len(how)))
        return found if found >= 0 else -ctypes.get_errno()

    return call
