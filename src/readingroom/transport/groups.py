"""Ending a process together with whatever it has started: process groups on POSIX, job objects on Windows."""

import contextlib
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

_LOOK_SECONDS = 0.01

if sys.platform == "win32":
    from . import windows_job

    STARTED_APART: dict[str, Any] = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    Group = windows_job.JobGroup
else:
    import os
    import signal

    if TYPE_CHECKING:
        from pathlib import Path

    STARTED_APART: dict[str, Any] = {"start_new_session": True}

    class Group:
        """The process group of a process that leads a session of its own."""

        def __init__(self, popen: "subprocess.Popen[bytes]") -> None:
            self._popen = popen
            self._id = popen.pid

        def wait_leader(self) -> None:
            """Wait until the process has ended, without reaping it where the system can do that."""
            if hasattr(os, "waitid"):
                # There is nothing to wait for where the program ignores SIGCHLD, or reaps every child itself.
                with contextlib.suppress(ChildProcessError):
                    os.waitid(os.P_PID, self._id, os.WEXITED | os.WNOWAIT)
            else:
                self._popen.wait()

        def terminate(self) -> None:
            """Ask every process of the group to end."""
            self._send(signal.SIGTERM)

        def kill(self) -> None:
            """End every process of the group."""
            self._send(signal.SIGKILL)

        def finish(self, grace: float, last: float) -> None:
            """Wait up to `grace` seconds for the rest of the group, then kill it and wait up to `last` seconds."""
            if not self._is_gone(grace):
                self.kill()
                self._is_gone(last)

        def _is_gone(self, seconds: float) -> bool:
            """Wait until no process of the group runs."""
            until = time.monotonic() + seconds
            while self._send(0) and _runs(self._id):
                if time.monotonic() > until:
                    return False
                time.sleep(_LOOK_SECONDS)
            return True

        def _send(self, number: int) -> bool:
            """Send a signal; False when there is no such group."""
            try:
                os.killpg(self._id, number)
            except ProcessLookupError:
                return False
            except PermissionError:
                # Something of the group runs as another user, or is dead and not reaped (macOS).
                return True
            return True

    def _runs(group: int) -> bool:
        """Say whether a process of a group runs, and is not only dead and unreaped, as in a container without an init.

        Known where there is /proc; elsewhere every process counts.
        """
        from pathlib import Path

        stats = list(Path("/proc").glob("[0-9]*/stat"))
        return not stats or any(_is_of(path, group) for path in stats)

    def _is_of(path: "Path", group: int) -> bool:
        """Say whether the process whose stat file this is runs in a group."""
        try:
            stat = path.read_bytes()
        except OSError:
            return False
        # The name stands in parentheses and may hold anything; the state, the parent and the group follow it.
        state, _, process_group = stat[stat.rindex(b")") + 1 :].split()[:3]
        return state not in (b"Z", b"X") and int(process_group) == group
