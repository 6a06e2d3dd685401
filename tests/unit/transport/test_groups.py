"""Ending a process with whatever it has started, where the system gives less help than usual."""

import ctypes
import os
import signal
import subprocess
import sys

import pytest

from readingroom.transport.groups import STARTED_APART, Group
from readingroom.transport.windows_job import ExtendedLimits, JobGroup

posix = pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")
SLEEPER = [sys.executable, "-S", "-c", "import time; time.sleep(600)"]


@posix
def test_without_waitid(monkeypatch):
    """Where a process cannot be waited for without reaping it, it is reaped at once."""
    monkeypatch.delattr(os, "waitid")
    popen = subprocess.Popen(SLEEPER, **STARTED_APART)
    group = Group(popen)
    group.terminate()
    group.wait_leader()
    assert popen.returncode == -signal.SIGTERM
    group.finish(5, 5)


@posix
def test_a_group_that_may_not_be_signalled(monkeypatch):
    """Where a part of the group runs as another user, ending it takes no longer than it may."""

    def refuse(group: int, number: int) -> None:
        raise PermissionError(group, number)

    popen = subprocess.Popen(SLEEPER, **STARTED_APART)
    group = Group(popen)
    with monkeypatch.context() as patch:
        patch.setattr(os, "killpg", refuse)
        group.terminate()
        group.finish(0.02, 0.02)
        assert popen.poll() is None
    group.kill()
    group.wait_leader()
    assert popen.wait() == -signal.SIGKILL


@posix
def test_where_there_is_no_proc(monkeypatch):
    """Where the states of processes cannot be read, every process of the group counts as running."""
    monkeypatch.setattr("pathlib.Path.glob", lambda *_: iter(()))
    popen = subprocess.Popen(SLEEPER, **STARTED_APART)
    group = Group(popen)
    group.finish(0.02, 0.02)
    group.wait_leader()
    assert popen.wait() == -signal.SIGKILL


class Kernel:
    """Stands for the functions of Windows, and keeps what was called."""

    def __init__(self, *, jobs: bool = True) -> None:
        self.calls: list[tuple] = []
        self.jobs = jobs

    def CreateJobObjectW(self, *arguments: object) -> int:  # noqa: N802  -- the system's name
        """Make a job."""
        self.calls.append(("create", *arguments))
        return 77 if self.jobs else 0

    def SetInformationJobObject(self, job: int, kind: int, limits: object, size: int) -> int:  # noqa: N802  -- as above
        """Set what a job does when it is closed."""
        flags = ctypes.cast(limits, ctypes.POINTER(ExtendedLimits)).contents.BasicLimitInformation.LimitFlags
        self.calls.append(("set", job, kind, flags, size))
        return 1

    def AssignProcessToJobObject(self, job: int, handle: int) -> int:  # noqa: N802  -- as above
        """Put a process into a job."""
        self.calls.append(("assign", job, handle))
        return 1

    def TerminateJobObject(self, job: int, code: int) -> int:  # noqa: N802  -- as above
        """End the processes of a job."""
        self.calls.append(("terminate", job, code))
        return int(self.jobs)

    def CloseHandle(self, job: int) -> int:  # noqa: N802  -- as above
        """Give a handle back."""
        self.calls.append(("close", job))
        return 1


class Process:
    """Stands for a process of Windows."""

    _handle = 55

    def __init__(self) -> None:
        self.done: list[object] = []

    def wait(self) -> None:
        """End."""
        self.done.append("waited")

    def send_signal(self, number: int) -> None:
        """Take a signal, and fail as for a process without a console."""
        self.done.append(number)
        raise OSError

    def kill(self) -> None:
        """Be killed."""
        self.done.append("killed")


@pytest.mark.skipif(ctypes.sizeof(ctypes.c_void_p) != 8, reason="the size is that of a 64-bit system")
def test_a_job_is_made_as_windows_wants_it():
    """The process is put into a job that ends with its handle; the record has the size that Windows expects."""
    kernel = Kernel()
    JobGroup(Process(), kernel)
    assert kernel.calls == [("create", None, None), ("set", 77, 9, 0x2000, 144), ("assign", 77, 55)]


def test_a_job_ends_whole():
    """A job is asked to end by an interrupt, ended whole, and its handle is given back."""
    kernel, process = Kernel(), Process()
    group = JobGroup(process, kernel)
    del kernel.calls[:]
    group.terminate()
    group.wait_leader()
    group.finish(2, 2)
    assert kernel.calls == [("terminate", 77, 1), ("close", 77)]
    assert process.done == [getattr(signal, "CTRL_BREAK_EVENT", signal.SIGTERM), "waited"]


def test_without_a_job():
    """Where no job could be made, the process itself is killed."""
    process = Process()
    JobGroup(process, Kernel(jobs=False)).kill()
    assert process.done == ["killed"]


@posix
def test_jobs_are_of_windows():
    """Elsewhere there are no jobs."""
    with pytest.raises(OSError, match="Windows"):
        JobGroup(Process())
