"""What the system reports of changes in the folder, as hints where to look; nothing is believed but what a scan finds.

A daemon thread, for which watchfiles is loaded. On Linux every folder that a walk enters is watched by itself, so that no
link is followed and nothing that is left out costs anything; elsewhere the system watches the root with all that is in it.
Where it cannot be watched, the scans from time to time find the changes. What is said of it names nothing in the folder.
"""

import os
import stat
import sys
import threading
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import mounts, walk
from .errors import FolderUnusable
from .ignore import FILES
from .rules import Rules, format_of

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

Hint = Callable[[Iterable[str], float], None]
"""Told the paths at or under which something may have changed, "" for the root, and in how many seconds to look."""

_FIRST_S = 0.05  # who has just started the library should have the processor
_STEP_MS = 50  # so long nothing may change before changes are told,
_DEBOUNCE_MS = 200  # but they are told after this
_LOOK_MS = 1_000  # how often to see that the root still is what is watched
_AGAIN_S = 0.5
_REFUSED_S = 60.0
_FLOOD = 1_000  # of so many changes at once the system may have dropped some
_FLOOD_S = 2.0
_WHOLE = sys.platform in ("win32", "darwin")


class Watching:
    """Watches the folder `root` between `start` and `stop`, and calls `hint`, from its thread.

    `every` is how often the folder is scanned anyway, for what is said when it cannot be watched.
    """

    def __init__(self, root: Path, rules: Rules, hint: Hint, *, every: float) -> None:
        self._root = root
        self._top = os.fspath(root)
        self._rules = rules
        self._hint = hint
        self._every = every
        self._names: set[str] = set()
        self._watcher: RustNotify | None = None
        self._stopping = threading.Event()
        self._said: set[str] = set()
        self.is_watching = threading.Event()
        self._thread = threading.Thread(target=self._run, name="readingroom-watch", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self, timeout: float = 1.0) -> None:
        """End. Waits up to `timeout` seconds."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout)

    def _run(self) -> None:
        rest = _FIRST_S
        while not self._stopping.wait(rest):
            try:
                self._watch()
                rest = _AGAIN_S
            except (FolderUnusable, FileNotFoundError):
                rest = _AGAIN_S  # the scans say that it is gone; it may come back
            except Exception as error:  # noqa: BLE001  -- the scans go on without it, and the operator is told
                rest = _REFUSED_S
                self._say_refused(error)
            finally:
                self.is_watching.clear()
                self._close()

    def _watch(self) -> None:
        """Watch until the root is not what it was, or an event could not be understood. Raises what opening raises."""
        from watchfiles._rust_notify import WatchfilesRustInternalError

        identity = _identity(self._top)
        self._names = set(walk.folders(self._root, self._rules))
        watcher = self._watcher = self._opened()
        self.is_watching.set()
        self._say_elsewhere()
        self._hint([""], 0.0)  # nobody has watched until now
        while _identity(self._top) == identity:
            try:
                found = watcher.watch(_DEBOUNCE_MS, _STEP_MS, _LOOK_MS, self._stopping)
            except WatchfilesRustInternalError:
                return  # a name that is no text
            if found == "stop":
                return
            if isinstance(found, set):
                watcher = self._take(found, watcher)

    def _take(self, found: set[tuple[int, str]], watcher: "RustNotify") -> "RustNotify":
        """Tell what was reported; what watches from now on, another one when folders have come or gone."""
        hints, folders = self._sorted(found)
        if folders:
            watcher = self._follow(folders, watcher, hints)
        if hints:
            self._hint(hints, 0.0)
        if len(found) > _FLOOD:
            self._hint([""], _FLOOD_S)
        return watcher

    def _follow(self, folders: set[str], old: "RustNotify", hints: set[str]) -> "RustNotify":
        """Watch what stands at these paths now. The old one ends when the new one has begun, so nothing is missed."""
        for folder in folders:
            name = self._name(folder)
            self._names = {known for known in self._names if known != name and not _is_under(known, name)}
        self._names.update(walk.folders(self._root, self._rules, folders))
        self._watcher = self._opened()
        last = old.watch(1, 1, 1, None)
        old.close()
        if isinstance(last, set):
            hints.update(*self._sorted(last))
        return self._watcher

    def _opened(self) -> "RustNotify":
        # The module's own generator begins to watch when it is first asked, so two of them could not overlap.
        from watchfiles._rust_notify import RustNotify

        names = [self._top] if _WHOLE else sorted(self._names)
        return RustNotify(names, False, False, 0, _WHOLE, True)

    def _close(self) -> None:
        if self._watcher is not None:
            self._watcher.close()
            self._watcher = None

    def _sorted(self, found: set[tuple[int, str]]) -> tuple[set[str], set[str]]:
        """The paths to look at, and those of them that are or were folders, or decide on folders."""
        hints: set[str] = set()
        folders: set[str] = set()
        for _kind, name in found:
            path = self._path(name)
            if path is None:
                continue
            above, _, last = path.rpartition("/")
            if last in FILES:
                hints.add(above)
                folders.add(above)
            elif last.startswith("."):
                continue
            elif name in self._names or _is_folder(name):
                hints.add(path)
                folders.add(path)
            elif format_of(last) is not None:
                hints.add(path)
        return hints, folders

    def _path(self, name: str) -> str | None:
        """The path that a name stands for; None when it lies in a hidden folder, or elsewhere."""
        if name == self._top:
            return ""
        if not _is_under(name, self._top):
            return None
        path = unicodedata.normalize("NFC", name[len(self._top) :].replace(os.sep, "/").strip("/"))
        return None if (path.startswith(".") and "/" in path) or "/." in path.rpartition("/")[0] else path

    def _name(self, path: str) -> str:
        return os.path.join(self._top, path) if path else self._top  # noqa: PTH118  -- text all the way

    def _say_refused(self, error: Exception) -> None:
        kind = (error.strerror if isinstance(error, OSError) else None) or type(error).__name__
        if not self._stopping.is_set():
            self._say(
                f"The system does not report changes in the folder ({kind}): there may be more folders, or more programs "
                "that watch, than it allows (on Linux fs.inotify.max_user_watches and max_user_instances). The folder is "
                f"looked through every {self._every:g} seconds instead."
            )

    def _say_elsewhere(self) -> None:
        kind = mounts.remote_kind(self._top)
        if kind:
            self._say(
                f"The folder lies on a file system of another machine ({kind}): changes made there are not reported, and "
                f"seen when the folder is looked through, every {self._every:g} seconds."
            )

    def _say(self, sentence: str) -> None:
        """Once, however often it is so."""
        if sentence not in self._said:
            self._said.add(sentence)
            import logging

            logging.getLogger(__name__).warning(sentence)


def _identity(top: str) -> Any:
    """What tells a folder from another one that takes its name. Raises OSError when there is none."""
    found = os.stat(top)  # noqa: PTH116  -- called often
    return found.st_dev, found.st_ino


def _is_folder(name: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(name).st_mode)
    except OSError:
        return False


def _is_under(name: str, folder: str) -> bool:
    return name.startswith(folder.rstrip(os.sep) + os.sep)
