"""The connections of one ledger in one process: one that writes, and as many as look at once.

None is ever used across a fork: those that are idle are closed before it, and where one was in use, the child is refused.
Knows how a connection is set up, and nothing of what is kept.
"""

import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw

from ..errors import LedgerBusy, LedgerUnusable
from . import faults

BUSY_S = 5.0
"""How long a writer waits for another one."""
_AGAIN_S = 0.01
_IDLE = 4
_SETTINGS = """
PRAGMA synchronous=EXTRA;
PRAGMA fullfsync=ON;
PRAGMA checkpoint_fullfsync=ON;
PRAGMA foreign_keys=ON;
PRAGMA cell_size_check=ON;
"""


def connect(path: Path, vfs: str = "") -> Any:
    """Open a connection that syncs every commit and runs nothing that a file could bring along. Raises apsw.Error."""
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOFOLLOW
    connection = apsw.Connection(str(path), flags=flags, vfs=vfs or None)
    try:
        connection.set_busy_timeout(int(BUSY_S * 1000))
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        connection.wal_autocheckpoint(0)  # the ledger does it itself, for a fault of it must not go unheard
        connection.execute(_SETTINGS)
    except BaseException:
        connection.close()
        raise
    return connection


class Connections:
    """Opens connections as they are needed, in the process that needs them."""

    def __init__(self, path: Path, opener: Callable[[], Any]) -> None:
        self._path = path
        self._opener = opener
        self._idle: list[Any] = []
        self._used = 0
        self._writer: Any = None
        self._is_writing = False
        self._is_closed = False
        self._write_lock = threading.Lock()
        self._lock = threading.Lock()
        _all.add(self)

    @contextmanager
    def reading(self) -> Iterator[Any]:
        """A connection to look with. Raises LedgerUnusable."""
        connection = self._take()
        try:
            yield connection
        finally:
            self._give_back(connection)

    @contextmanager
    def writing(self, *, anew: bool = False) -> Iterator[Any]:
        """The connection to write with, opened anew if so asked, with all that are idle closed.

        Raises LedgerBusy when another thread has it for too long, LedgerUnusable.
        """
        if not self._write_lock.acquire(timeout=BUSY_S):
            raise LedgerBusy(f"The ledger {self._path} is being written by another thread; try again.")
        try:
            yield self._begin_writing(anew=anew)
        finally:
            self._is_writing = False
            if self._is_closed:
                self.close()
            self._write_lock.release()

    def _begin_writing(self, *, anew: bool) -> Any:
        with self._lock:
            if anew:
                self.close_idle()
            self._check()
            if self._writer is None:
                self._writer = self._open()
            self._is_writing = True
            return self._writer

    def close(self) -> None:
        """Close what is idle now, the rest as it comes back; nothing is opened any more."""
        with self._lock:
            self._is_closed = True
            self.close_idle()

    def reset(self) -> None:
        """Close what is idle; the next use opens it anew."""
        with self._lock:
            self.close_idle()

    def close_idle(self) -> None:
        """Close what nobody uses; for whoever holds the lock."""
        while self._idle:
            _shut(self._idle.pop())
        if self._writer is not None and not self._is_writing:
            _shut(self._writer)
            self._writer = None

    def _take(self) -> Any:
        with self._lock:
            self._check()
            connection = self._idle.pop() if self._idle else self._open()
            self._used += 1
            return connection

    def _give_back(self, connection: Any) -> None:
        with self._lock:
            self._used -= 1
            if self._is_closed or len(self._idle) >= _IDLE:
                _shut(connection)
            else:
                self._idle.append(connection)

    def _check(self) -> None:
        if self._is_closed:
            raise LedgerUnusable(f"The ledger {self._path} has been closed.")
        if str(self._path) in _forked:
            raise LedgerUnusable(
                f"The ledger {self._path} was in use when this process was forked; use a new process."
            )

    def _open(self) -> Any:
        with faults.told(self._path):
            return self._opener()

    def before_fork(self) -> None:
        """Close what is idle, and keep others from opening more."""
        self._lock.acquire()
        self.close_idle()

    def after_fork(self, *, in_child: bool) -> None:
        """Go on; in the child only if nothing was in use, for SQLite then takes this process for the other one."""
        if in_child and (self._used or self._is_writing):
            _forked.add(str(self._path))
            _foreign.extend([self._writer, self._idle])
        self._lock.release()


def _shut(connection: Any) -> None:
    """Close it. What was committed is on the disk, whatever SQLite meets while it tidies up."""
    with suppress(apsw.Error):
        connection.close()


def patiently(work: Callable[[], None]) -> None:
    """Do again what raises LedgerBusy, for SQLite does not wait for everything. Raises it when it has been long enough."""
    until = time.monotonic() + BUSY_S
    while True:
        try:
            return work()
        except LedgerBusy:
            if time.monotonic() > until:
                raise
            time.sleep(_AGAIN_S)


_all: "weakref.WeakSet[Connections]" = weakref.WeakSet()
_forked: set[str] = set()
_foreign: list[Any] = []
"""Connections of another process: they are never closed here."""
_held: list[Connections] = []


def _before_fork() -> None:
    for connections in list(_all):
        connections.before_fork()
        _held.append(connections)


def _in_parent() -> None:
    while _held:
        _held.pop().after_fork(in_child=False)


def _in_child() -> None:
    while _held:
        _held.pop().after_fork(in_child=True)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_in_parent, after_in_child=_in_child)
