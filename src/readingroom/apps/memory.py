"""Keeps the memory of this process from other programs of the account, as far as the system offers that to anybody.

On Linux no debugger may then look into it, and nowhere a core dump is written. The administrator, and whatever was started
before, may still do more.
"""

import sys
from contextlib import suppress

_SET_DUMPABLE = 4  # <linux/prctl.h>; 0 also takes /proc/PID/mem from every other process of the account


def shut() -> None:
    """Do it, before a passphrase is typed; what the system does not offer is left."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_DUMPABLE, 0, 0, 0, 0)
