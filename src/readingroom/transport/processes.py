"""A server's process: started without a shell, with a chosen environment, in a group of its own that is ended whole.

Ending never waits for a pipe, only for the process, and every wait has an end. Children that outlive the process they
were started by are ended as well.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence

from ..errors import ConnectFailed, UsageError
from . import groups

_TERMINATE_SECONDS = 2.0
_KILL_SECONDS = 2.0

_KEPT = ("HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER")
_KEPT_WINDOWS = (
    "APPDATA",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
)


def default_environment() -> dict[str, str]:
    """Give the variables that a server gets unless told otherwise: what programs need to run, and no secrets (STDIO-8)."""
    kept = _KEPT_WINDOWS if sys.platform == "win32" else _KEPT
    found = {name: value for name in kept if (value := os.environ.get(name)) is not None}
    locale = {name: value for name, value in os.environ.items() if name.startswith("LC_")}
    # A value that begins so is a function of a shell, which a shell among the children would run.
    return {name: value for name, value in (found | locale).items() if not value.startswith("()")}


class ServerProcess:
    """One process of a server and its group, from its start until nothing of it is left."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: str | os.PathLike[str] | None,
        env: Mapping[str, str],
        keep_stderr: bool,
        on_exit: Callable[[], None],
    ) -> None:
        """Start the process; `on_exit` is called in another thread as soon as it has ended.

        `stdin`, `stdout` and, if kept, `stderr` are our ends of its pipes; whoever takes them closes them.

        Raises: UsageError for a command that is none; ConnectFailed when it cannot be started.
        """
        self.command = _checked(command)
        self._on_exit = on_exit
        self._lock = threading.Lock()
        self._exited = threading.Event()
        self._reaped = False
        self._popen, self.stdin, self.stdout, self.stderr = _start(
            self.command, cwd, env, keep_stderr=keep_stderr
        )
        self._group = groups.Group(self._popen)
        self._watcher = threading.Thread(target=self._watch, name="readingroom-process", daemon=True)
        self._watcher.start()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._popen.pid

    def exit_code(self, timeout: float) -> int | None:
        """Wait up to `timeout` seconds for the process to end and give its code; negative for a signal (POSIX)."""
        return self._popen.returncode if self._exited.wait(timeout) else None

    def end(self, grace: float) -> None:
        """End the process and its group; its stdin must have been closed (STDIO-5).

        Waits up to `grace` seconds for it to end by itself, then terminates the group, then kills it, and reaps it.
        Takes at most `grace` and some seconds more, and may be called again.
        """
        if not self._exited.wait(grace):
            self._signal(self._group.terminate)
            if not self._exited.wait(_TERMINATE_SECONDS):
                self._signal(self._group.kill)
        self._watcher.join(_TERMINATE_SECONDS + 2 * _KILL_SECONDS)

    def _signal(self, send: Callable[[], None]) -> None:
        """Send to the group, unless the process is reaped: its number may be another's then."""
        with self._lock:
            if not self._exited.is_set():
                send()

    def _watch(self) -> None:
        """Wait for the process, reap it, and end what is left of its group."""
        self._group.wait_leader()
        # Until it is reaped, the number of its group cannot be given to another.
        self._signal(self._group.terminate)
        with self._lock:
            self._popen.wait()
            self._exited.set()
        self._on_exit()
        self._group.finish(_TERMINATE_SECONDS, _KILL_SECONDS)


def _checked(command: Sequence[str]) -> list[str]:
    """Give the command as a list of texts."""
    if isinstance(command, str | bytes) or not all(isinstance(part, str | os.PathLike) for part in command):
        raise UsageError('a command is a list of texts, such as ["python", "server.py"]; there is no shell')
    parts = [os.fspath(part) for part in command]
    if not parts or not parts[0] or any("\0" in part for part in parts):
        raise UsageError("a command names a program, and none of its parts may hold a zero byte")
    return parts


def _start(
    command: list[str], cwd: str | os.PathLike[str] | None, env: Mapping[str, str], *, keep_stderr: bool
) -> tuple["subprocess.Popen[bytes]", int, int, int | None]:
    """Start a process with pipes of our own, and give it with our ends of them."""
    pipes = [os.pipe(), os.pipe()] + ([os.pipe()] if keep_stderr else [])
    (child_in, our_in), (our_out, child_out) = pipes[:2]
    our_err, child_err = pipes[2] if keep_stderr else (None, None)
    try:
        popen = subprocess.Popen(
            _resolved(command, env),
            stdin=child_in,
            stdout=child_out,
            stderr=child_err,
            cwd=cwd,
            env=dict(env),
            **groups.STARTED_APART,
        )
    except (OSError, ValueError) as error:
        for fd in (our_in, our_out, our_err):
            if fd is not None:
                os.close(fd)
        raise ConnectFailed(f"cannot start {command[0]}: {error}") from error
    finally:
        for fd in (child_in, child_out, child_err):
            if fd is not None:
                os.close(fd)
    return popen, our_in, our_out, our_err


def _resolved(command: list[str], env: Mapping[str, str]) -> list[str]:
    """Give the command with its program found; Windows itself would not look for `.cmd` and the like."""
    if sys.platform == "win32":
        import shutil

        return [shutil.which(command[0], path=env.get("PATH")) or command[0], *command[1:]]
    return command
