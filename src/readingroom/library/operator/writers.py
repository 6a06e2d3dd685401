"""Whether a program has a file open for writing, asked of the system by a lease, where it has leases (Linux).

A file that has been moved out of everybody's sight and that nobody has open for writing stays as it is.
"""

import errno
import sys
from pathlib import Path

from ..mounts import remote_kind


def has_writers(descriptor: int) -> bool:
    """Whether some program has the file behind this read-only descriptor open for writing; false where none can tell."""
    if sys.platform != "linux":
        return False
    import fcntl
    import signal

    try:
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)  # the default would end this process
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        # else not its owner, or no leases on this file system; on another machine's, EAGAIN says no more than that
        return error.errno == errno.EAGAIN and not remote_kind(_path_of(descriptor))
    fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return False


def _path_of(descriptor: int) -> str:
    return str(Path(f"/proc/self/fd/{descriptor}").readlink())
