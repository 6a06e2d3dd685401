"""Bounds of a process that works on one thing and ends: whatever that holds, it costs no more time and memory than these.

Imports nothing of the package's; called by such a process itself, before it reads what it works on.
"""

import sys


def bound(processor_seconds: int, memory_bytes: int) -> None:
    """Take no more than so many seconds of the processor, and on Linux so many bytes of memory, and leave no dump.

    Nothing is bound where the system knows no such bounds, as Windows does not.
    """
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (processor_seconds, processor_seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
