"""The one call that the Windows console needs before it obeys escapes; loaded on Windows alone."""

import sys
from typing import TextIO

_ENABLE_VIRTUAL_TERMINAL_PROCESSING = 0x0004


def enable_escapes(stream: TextIO) -> bool:
    """Ask the console behind `stream` to obey escapes; False when it is none or cannot."""
    if sys.platform == "win32":  # pragma: no cover  -- there is no such console elsewhere
        import ctypes
        import msvcrt

        kernel = ctypes.windll.kernel32
        handle = msvcrt.get_osfhandle(stream.fileno())
        mode = ctypes.c_ulong()
        if kernel.GetConsoleMode(handle, ctypes.byref(mode)):
            return bool(kernel.SetConsoleMode(handle, mode.value | _ENABLE_VIRTUAL_TERMINAL_PROCESSING))
    return False
