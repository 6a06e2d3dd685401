"""Ending a process together with whatever it has started, on Windows: a job object that holds them all.

A job keeps what its processes start, also when the first of them is gone, and ends all of it when it is terminated or
when its last handle is closed, which the system does when this program ends.
"""

import contextlib
import ctypes
import signal
import subprocess
import sys
from ctypes import wintypes
from typing import Any

_KILL_ON_CLOSE = 0x2000
_EXTENDED_LIMITS = 9


class _BasicLimits(ctypes.Structure):
    _fields_ = (
        ("PerProcessUserTimeLimit", ctypes.c_int64),
        ("PerJobUserTimeLimit", ctypes.c_int64),
        ("LimitFlags", ctypes.c_uint32),
        ("MinimumWorkingSetSize", ctypes.c_size_t),
        ("MaximumWorkingSetSize", ctypes.c_size_t),
        ("ActiveProcessLimit", ctypes.c_uint32),
        ("Affinity", ctypes.c_size_t),
        ("PriorityClass", ctypes.c_uint32),
        ("SchedulingClass", ctypes.c_uint32),
    )


class ExtendedLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION of winnt.h."""

    _fields_ = (
        ("BasicLimitInformation", _BasicLimits),
        ("IoInfo", ctypes.c_uint64 * 6),
        ("ProcessMemoryLimit", ctypes.c_size_t),
        ("JobMemoryLimit", ctypes.c_size_t),
        ("PeakProcessMemoryUsed", ctypes.c_size_t),
        ("PeakJobMemoryUsed", ctypes.c_size_t),
    )


class JobGroup:
    """The counterpart of a POSIX process group: the processes of one job."""

    def __init__(self, popen: "subprocess.Popen[bytes]", kernel: Any = None) -> None:
        """Put the process into a new job; `kernel` is the system's library, unless a test gives another."""
        self._popen = popen
        self._kernel = _system() if kernel is None else kernel
        self._job = self._kernel.CreateJobObjectW(None, None)
        limits = ExtendedLimits()
        limits.BasicLimitInformation.LimitFlags = _KILL_ON_CLOSE
        size = ctypes.sizeof(limits)
        self._kernel.SetInformationJobObject(self._job, _EXTENDED_LIMITS, ctypes.byref(limits), size)
        self._kernel.AssignProcessToJobObject(self._job, _handle(popen))

    def wait_leader(self) -> None:
        """Wait until the process has ended."""
        self._popen.wait()

    def terminate(self) -> None:
        """Ask the process to end: an interrupt of the group that it was started in."""
        with contextlib.suppress(OSError):
            self._popen.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGTERM))

    def kill(self) -> None:
        """End every process of the job; the first alone where there is no job."""
        if not self._kernel.TerminateJobObject(self._job, 1):
            self._popen.kill()

    def finish(self, grace: float, last: float) -> None:
        """End what is left of the job, and give its handle back. A job ends at once, so there is nothing to wait for."""
        del grace, last
        self.kill()
        self._kernel.CloseHandle(self._job)


def _handle(popen: "subprocess.Popen[bytes]") -> int:
    """Give the handle of a process; opening one by its number could find another process."""
    return int(getattr(popen, "_handle", 0))


def _system() -> Any:
    """Give the system's functions, with the types of what they take and give."""
    if sys.platform == "win32":
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        handle = wintypes.HANDLE
        kernel.CreateJobObjectW.argtypes = (ctypes.c_void_p, wintypes.LPCWSTR)
        kernel.CreateJobObjectW.restype = handle
        kernel.SetInformationJobObject.argtypes = (handle, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD)
        kernel.AssignProcessToJobObject.argtypes = (handle, handle)
        kernel.TerminateJobObject.argtypes = (handle, wintypes.UINT)
        kernel.CloseHandle.argtypes = (handle,)
        return kernel
    raise OSError("jobs are objects of Windows")
