"""Where a path leads beneath the root: the open folder and the system's own name there, and the folders on the way.

Paths are text in NFC; a folder or file that the system spells otherwise is found under its own name.
"""

import errno
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from .folder import Folder


class Spot:
    """A name in an open folder, whether or not something stands there; closed by leaving `with`."""

    def __init__(self, folder: Folder, name: bytes) -> None:
        self.folder = folder
        self.name = name

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.folder.__exit__(kind, error, trace)


def spot(root: Path, path: str) -> Spot:
    """The spot of `path`. Raises FileNotFoundError if a folder above it is missing, OSError if one is no folder."""
    above, _, last = path.rpartition("/")
    folder = open_folder(root, above)
    try:
        _check(last)
        return Spot(folder, folder.spelling(last) or last.encode())
    except BaseException:
        folder.__exit__(None, None, None)
        raise


def open_folder(root: Path, path: str) -> Folder:
    """The folder at `path`, "" for the root. Raises FileNotFoundError if it is missing, OSError if it is no folder."""
    folder = Folder.root(root)
    for part in _parts(path):
        with folder:
            _check(part)
            folder = folder.step(folder.spelling(part) or part.encode())
    return folder


def deepest(root: Path, path: str) -> str:
    """The path of the last folder above `path` that is there, "" for the root. Raises OSError for one that is no folder."""
    parts = _parts(path)[:-1]
    for count in range(len(parts), 0, -1):
        above = "/".join(parts[:count])
        try:
            with open_folder(root, above):
                return above
        except FileNotFoundError:
            continue
    return ""


def make_folders(root: Path, below: str, path: str) -> None:
    """Make the folders between `below`, which is there, and the last part of `path`. Raises OSError."""
    for made in _between(below, path):
        with spot(root, made) as here:
            if here.folder.status(here.name) is None:
                here.folder.make(here.name)
                here.folder.sync()


def remove_folders(root: Path, below: str, path: str) -> None:
    """Remove those of the folders between `below` and the last part of `path` that are empty, the deepest first."""
    for made in reversed(_between(below, path)):
        try:
            with spot(root, made) as here:
                if not here.folder.unmake(here.name):
                    return
                here.folder.sync()
        except FileNotFoundError:
            continue


def _check(part: str) -> None:
    """Whoever checks paths has let none of these through; here they would lead out of the root."""
    if part in ("", ".", ".."):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))


def _between(below: str, path: str) -> list[str]:
    parts = _parts(path)[:-1]
    return ["/".join(parts[:count]) for count in range(len(_parts(below)) + 1, len(parts) + 1)]


def _parts(path: str) -> list[str]:
    return path.split("/") if path else []
