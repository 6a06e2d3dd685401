"""From the folder to the files that are served, and to everything else with the reason why it is not.

The walk goes from the top and drops hidden and ignored folders whole; no symbolic link is followed. Nothing here reads
a document. A path is the text that names a document: NFC, `/`-separated. The name beside it is the system's own.
"""

import os
import pathlib
import stat
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from typing import TypeAlias

import msgspec

from readingroom.library import ignore
from readingroom.library.address import is_segment
from readingroom.library.entries import Listed, find, listing
from readingroom.library.errors import FolderUnusable
from readingroom.library.extras import lacking
from readingroom.library.model import FileState, Found, LeftOut
from readingroom.library.opening import NotReadable, is_link, read, reason
from readingroom.library.rules import Rules, format_of

__all__ = ["NotReadable", "folders", "look", "read", "walk", "walk_at"]

# Where to be hidden or to lead elsewhere is more than a name and a kind, each entry's status is asked for.
_ATTRIBUTES = sys.platform in ("win32", "darwin")
_HIDDEN_ATTRIBUTE = 0x2  # FILE_ATTRIBUTE_HIDDEN
_HIDDEN_FLAG = 0x8000  # UF_HIDDEN
# To read such a file is to fetch it over the network first, which may take minutes.
_ELSEWHERE_ATTRIBUTES = 0x400000 | 0x1000  # FILE_ATTRIBUTE_RECALL_ON_DATA_ACCESS, FILE_ATTRIBUTE_OFFLINE
_ELSEWHERE_FLAG = 0x40000000  # SF_DATALESS


class _Place(msgspec.Struct, frozen=True):
    """A folder on the way: the patterns that hold in it, its path and its own name, with a slash but for the root's."""

    cascade: ignore.Cascade
    path: str
    name: bytes


_Pending: TypeAlias = tuple[_Place, Iterator[Listed]]
_Folder: TypeAlias = tuple[_Place, str]
"""A folder that has been found on the way and not been listed, with its name for the system."""


def walk(root: pathlib.Path, rules: Rules) -> Iterator[Found | LeftOut]:
    """Every file under `root`, as found or as left out, in order of path; a folder left out is told once.

    The order is that of the paths as text. Only FolderUnusable is raised, for the root itself: another folder that
    cannot be listed, or whose ignore file cannot be read, is left out and the rest goes on.
    """
    top = os.fspath(root)
    try:
        pending = [_opened(top, top, _start(rules))]
    except OSError as error:
        raise _unusable(error) from None
    except NotReadable as error:
        raise FolderUnusable(f"The folder cannot be served: {error}.") from None
    yield from _walk(top, pending, rules)


def walk_at(root: pathlib.Path, rules: Rules, paths: Iterable[str]) -> Iterator[Found | LeftOut]:
    """What `walk` says at and under each of `paths`, at the price of the folders above them; "" is the root.

    Nothing is said of a path where nothing stands. Raises FolderUnusable for the root itself.
    """
    top = os.fspath(root)
    for path in paths:
        found = _looked(top, path, rules) if path else (_start(rules), top)
        if isinstance(found, tuple):
            place, folder = found
            step = _entered(top, folder, place)
            if isinstance(step, tuple):
                yield from _walk(top, [step], rules)
            elif step is not None:
                yield _below_root(step)
        elif found is not None:
            yield found


def folders(root: pathlib.Path, rules: Rules, paths: Iterable[str] = ("",)) -> Iterator[str]:
    """Every folder that `walk` enters at and under `paths`, by its whole name; one that cannot be listed is left out.

    Raises FolderUnusable for the root itself.
    """
    top = os.fspath(root)
    _check_root(top)
    pending: list[_Folder] = []
    for path in paths:
        found = _looked(top, path, rules) if path else (_start(rules), top)
        pending += [found] if isinstance(found, tuple) else []
    while pending:
        place, folder = pending.pop()
        step = _entered(top, folder, place)
        if not isinstance(step, tuple):
            if step is not None:
                _below_root(step)
            continue
        yield folder
        for listed in step[1]:
            inner = _step_down(step[0], listed, rules) if listed.key.endswith("/") else None
            if inner is not None:
                pending.append(inner)


def _below_root(left_out: LeftOut) -> LeftOut:
    """A folder that is left out; FolderUnusable when it is the root itself."""
    if not left_out.path:
        raise FolderUnusable(f"The folder cannot be served: {left_out.reason}.")
    return left_out


def _step_down(place: _Place, listed: Listed, rules: Rules) -> _Folder | None:
    try:
        verdict = _decided(place, listed, rules)
    except OSError:
        return None
    return (verdict, listed.entry.path) if isinstance(verdict, _Place) else None


def _walk(top: str, pending: list[_Pending], rules: Rules) -> Iterator[Found | LeftOut]:
    while pending:
        place, rest = pending[-1]
        for listed in rest:
            step = _step(top, place, listed, rules)
            if isinstance(step, tuple):
                pending.append(step)
                break
            if step is not None:
                yield step
        else:
            pending.pop()


def look(root: pathlib.Path, path: str, rules: Rules) -> Found | LeftOut | None:
    """What `walk` says of the one file at `path`, at the price of the folders above it.

    Below a folder that is left out, the file is left out for the folder's reason. None if nothing stands there, or
    a folder that is not left out. Raises FolderUnusable for the root itself.
    """
    found = _looked(os.fspath(root), path, rules)
    return None if isinstance(found, tuple) else found


def _looked(top: str, path: str, rules: Rules) -> Found | LeftOut | _Folder | None:
    """What stands at `path`; a folder that is not left out, too."""
    parts = unicodedata.normalize("NFC", path).split("/")
    if any(part in ("", ".", "..") or "\0" in part for part in parts):
        return None
    _check_root(top)
    try:
        return _looked_up(top, parts, rules)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return LeftOut("/".join(parts), reason(error))
    except NotReadable as error:
        return LeftOut("/".join(parts), str(error))


def _check_root(top: str) -> None:
    try:
        if not stat.S_ISDIR(os.stat(top).st_mode):  # noqa: PTH116  -- text all the way: this is called often
            raise NotADirectoryError
    except OSError as error:
        raise _unusable(error) from None


def _looked_up(top: str, parts: list[str], rules: Rules) -> Found | LeftOut | _Folder | None:
    place, folder = _start(rules), top
    for number, part in enumerate(parts, 1):
        place = _with_patterns(top, place, ignore.present(folder))
        listed = find(folder, part, folders=number < len(parts))
        if listed is None:
            return None
        verdict = _decided(place, listed, rules)
        if isinstance(verdict, _Place):
            place, folder = verdict, listed.entry.path
        elif number == len(parts) or isinstance(verdict, Found):
            return verdict
        else:
            return LeftOut("/".join(parts), f"in {verdict.path}/: {verdict.reason}")
    return place, folder


def _step(top: str, place: _Place, listed: Listed, rules: Rules) -> Found | LeftOut | _Pending | None:
    """What becomes of one entry in the walk: told, entered, or nothing when it has gone meanwhile."""
    try:
        verdict = _decided(place, listed, rules)
    except FileNotFoundError:
        return None
    except OSError as error:
        return LeftOut(_shown(place.path + listed.key.removesuffix("/")), reason(error))
    return _entered(top, listed.entry.path, verdict) if isinstance(verdict, _Place) else verdict


def _entered(top: str, folder: str, place: _Place) -> LeftOut | _Pending | None:
    """A folder, opened; left out when it cannot be, and nothing when it has gone meanwhile."""
    try:
        return _opened(top, folder, place)
    except FileNotFoundError:
        return None
    except OSError as error:
        why = reason(error)
    except NotReadable as error:
        why = str(error)
    return LeftOut(_shown(place.path.removesuffix("/")), why)


def _decided(place: _Place, listed: Listed, rules: Rules) -> Found | LeftOut | _Place:
    """The one decision: found, left out with its reason, or a folder to enter. Raises OSError of its status."""
    key, entry = listed.key, listed.entry
    folder = key.endswith("/")
    path = place.path + key.removesuffix("/")
    why = _unnamed(key) or place.cascade.verdict(place.path + key) or _elsewhere(listed)
    if why is None and listed.twin:
        why = "another entry beside it has the same name in Unicode's normal form"
    if why is None and folder:
        return _Place(place.cascade, place.path + key, place.name + os.fsencode(entry.name) + b"/")
    kind = None if why else format_of(key)
    if kind is None:
        return LeftOut(_shown(path), why or "not of a served format")
    if (needed := lacking(kind)) is not None:
        return LeftOut(path, needed)
    # on Windows a listing knows neither the inode nor the time of the last change
    status = os.lstat(entry.path) if os.name == "nt" else entry.stat(follow_symlinks=False)
    if not stat.S_ISREG(status.st_mode):
        return LeftOut(path, _kind(status.st_mode))
    if status.st_size > rules.max_file_bytes:
        return LeftOut(path, f"{status.st_size:,} bytes, over the cap of {rules.max_file_bytes:,}")
    state = FileState(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    return Found(path, place.name + os.fsencode(entry.name), kind, state)


def _unnamed(key: str) -> str | None:
    """Why a name alone leaves its entry out."""
    if key.startswith("."):
        return "hidden"
    if not is_segment(key.removesuffix("/")):
        return "its name holds a backslash, a control character or bytes that are no UTF-8"
    return None


def _elsewhere(listed: Listed) -> str | None:
    """Why the kind of an entry leaves it out whatever it holds: a link, or hidden by an attribute."""
    if listed.entry.is_symlink():
        return "a symbolic link: none is followed"
    if _ATTRIBUTES:
        status = listed.entry.stat(follow_symlinks=False)
        if is_link(status):
            return "a junction: none is followed"
        attributes, flags = getattr(status, "st_file_attributes", 0), getattr(status, "st_flags", 0)
        if attributes & _HIDDEN_ATTRIBUTE or flags & _HIDDEN_FLAG:
            return "hidden"
        if not listed.key.endswith("/") and (attributes & _ELSEWHERE_ATTRIBUTES or flags & _ELSEWHERE_FLAG):
            return "its bytes are not on this machine: a cloud drive has to fetch them first"
    return None


def _kind(mode: int) -> str:
    kinds = {stat.S_IFIFO: "a FIFO", stat.S_IFSOCK: "a socket", stat.S_IFDIR: "a folder"}
    return f"not a regular file but {kinds.get(stat.S_IFMT(mode), 'a device')}"


def _start(rules: Rules) -> _Place:
    return _Place(ignore.start(rules), "", b"")


def _opened(top: str, folder: str, place: _Place) -> _Pending:
    entries = listing(folder)
    names = tuple(listed.key for listed in entries if listed.key in ignore.FILES)
    return _with_patterns(top, place, names), iter(entries)


def _with_patterns(top: str, place: _Place, names: tuple[str, ...]) -> _Place:
    if not names:
        return place
    return _Place(place.cascade.within(top, place.name, place.path, names), place.path, place.name)


def _unusable(error: OSError) -> FolderUnusable:
    if isinstance(error, FileNotFoundError):
        return FolderUnusable("The folder does not exist.")
    if isinstance(error, NotADirectoryError):
        return FolderUnusable("That is not a folder.")
    return FolderUnusable(f"The folder {reason(error)}.")


def _shown(path: str) -> str:
    """A path as text that can be encoded and stands on one line, whatever its name holds."""
    if path.isprintable():
        return path
    text = os.fsencode(path).decode("utf-8", "backslashreplace")
    return "".join(part if part.isprintable() else part.encode("unicode_escape").decode() for part in text)
