"""The end of a change of the folder: taken back as if it had never been, or cleared up after it has been kept.

Both may be called at whatever point the change stopped, by whichever process comes next, and more than once. What
another program has written meanwhile is left in its place, or else kept under the hidden name and told of.
"""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from . import moving
from .changing import Change, beside, opened, standing_as
from .folder import Folder, read_from
from .outcomes import Refused
from .spots import Spot, remove_folders, spot
from .writers import has_writers

_TRIES = 100
_Way: TypeAlias = Callable[[Path, Spot, Change], tuple[str, ...]]


def take_back(root: Path, change: Change) -> tuple[str, ...]:
    """Bring the folder to where it stood before; sentences about what could not be.

    Touches nothing but empty folders unless a hidden file of the change stands there: a ledger that was altered does not
    suffice. Raises OSError; Refused when it has to wait for another program that is writing.
    """
    way = {"create": _uncreate, "replace": _unreplace, "rename": _unrename, "delete": _undelete}[change.step]
    try:
        with spot(root, change.temporary) as hidden:
            if not _stands(hidden) and not _stands(beside(hidden)):
                remove_folders(root, change.below, change.target)
                return ()
            told = _gone_about(way, root, hidden, change)
            told += _drop(hidden, change) + _drop(beside(hidden), change)
            hidden.folder.sync()
    except (FileNotFoundError, NotADirectoryError):
        return _without_folder(change)
    remove_folders(root, change.below, change.target)
    return told


def _gone_about(way: _Way, root: Path, hidden: Spot, change: Change) -> tuple[str, ...]:
    try:
        return way(root, hidden, change)
    except (FileNotFoundError, NotADirectoryError):
        return _without_folder(change)


def _without_folder(change: Change) -> tuple[str, ...]:
    return (f"The folder of {change.path} has gone, and what was under way in it.",)


def clear_up(root: Path, change: Change) -> tuple[str, ...]:
    """Remove the hidden files after the change has been kept; sentences about what was left. Raises OSError."""
    try:
        with spot(root, change.temporary) as hidden:
            if change.step in ("create", "rename"):
                _unlink(root, hidden, change)
            return _drop(hidden, change) + _drop(beside(hidden), change)
    except (FileNotFoundError, NotADirectoryError):
        return ()


def _unlink(root: Path, hidden: Spot, change: Change) -> None:
    """Take the second name from the file, whatever has been written into it since."""
    try:
        with spot(root, change.target) as target:
            if _is_same(hidden, target):
                hidden.folder.remove(hidden.name)
                hidden.folder.sync()
    except (FileNotFoundError, NotADirectoryError):
        return


def _unreplace(root: Path, hidden: Spot, change: Change) -> tuple[str, ...]:
    with spot(root, change.path) as target:
        folder, spare = target.folder, beside(hidden)
        ours = _unless_written(target, change)
        if ours is not None:
            if _stands(hidden) and standing_as(folder, hidden.name, change.after) is None:
                _put_back(folder, hidden.name, target.name, ours)
            elif not _stands(hidden) and standing_as(folder, spare.name, change.before) is not None:
                _put_back(folder, spare.name, target.name, ours)
            folder.sync()
        elif _is_same(spare, target):
            folder.remove(spare.name)
    return ()


def _unless_written(target: Spot, change: Change) -> os.stat_result | None:
    """The status of the file if it is the one that was put there. Raises Refused if it is, and is being written."""
    with opened(target.folder, target.name) as descriptor:
        if descriptor is None or change.after is None:
            return None
        if read_from(descriptor, len(change.after) + 1) != change.after:
            return None
        if has_writers(descriptor):
            raise Refused("being_written", f"Another program has {change.path} open for writing.")
        return os.fstat(descriptor)


def _put_back(folder: Folder, hidden: bytes, name: bytes, placed: os.stat_result) -> None:
    """Exchange until what comes out is what went in last: then the newest of what others wrote stands in its place."""
    for _ in range(_TRIES):
        coming = folder.status(hidden)
        if coming is None:
            return
        if not moving.exchange(folder, hidden, folder, name):
            moving.replace(folder, hidden, folder, name)
            return
        out = folder.status(hidden)
        if out is None or os.path.samestat(out, placed):
            return
        placed = coming


def _uncreate(root: Path, hidden: Spot, change: Change) -> tuple[str, ...]:
    try:
        with spot(root, change.path) as target:
            if not _is_made(hidden, target, change):
                return ()
            spare = beside(hidden)
            moving.replace(target.folder, target.name, spare.folder, spare.name)
            is_ours = _is_made(hidden, spare, change)
            if is_ours and standing_as(spare.folder, spare.name, change.after) is None:
                hidden.folder.remove(
                    hidden.name
                )  # another program has written into it since: it is no longer ours
                is_ours = False
            if not is_ours:
                _return(spare, target)
            target.folder.sync()
            return () if is_ours else (f"{change.path} has been written since, and stays.",)
    except (FileNotFoundError, NotADirectoryError):
        pass  # its folder was not made yet
    return ()


def _is_made(hidden: Spot, target: Spot, change: Change) -> bool:
    """Whether the file is the one that was made: the hidden one's twin, or its equal where files have but one name."""
    if _is_same(hidden, target):
        return True
    equal = (standing_as(one.folder, one.name, change.after) is not None for one in (hidden, target))
    return all(equal) and not _has_links(hidden)


def _has_links(hidden: Spot) -> bool:
    probe = hidden.name + b".link"
    hidden.folder.remove(probe)
    linked = moving.link(hidden.folder, hidden.name, hidden.folder, probe)
    hidden.folder.remove(probe)
    return linked


def _undelete(root: Path, hidden: Spot, change: Change) -> tuple[str, ...]:
    with spot(root, change.path) as target:
        _return(hidden, target)
        target.folder.sync()
    return ()


def _unrename(root: Path, hidden: Spot, change: Change) -> tuple[str, ...]:
    with spot(root, change.path) as source:
        try:
            with spot(root, change.to) as target:
                told = _moved_back(source, beside(hidden), target, change)
                target.folder.sync()
        except (FileNotFoundError, NotADirectoryError):
            told = _moved_back(source, beside(hidden), None, change)
        source.folder.sync()
        if _is_same(hidden, source):
            hidden.folder.remove(hidden.name)
    return told


def _moved_back(source: Spot, spare: Spot, target: Spot | None, change: Change) -> tuple[str, ...]:
    """Move the file from wherever it is; where moves are links and removals, it may stand in two places at once."""
    if _stands(spare):
        if target is not None and _is_same(spare, target):
            target.folder.remove(target.name)
        _return(spare, source)
    elif target is not None and _is_same(source, target):
        target.folder.remove(target.name)
    elif not _stands(source):
        if target is None or not _stands(target):
            return (f"{change.path} has gone meanwhile.",)
        _return(target, source)
    return ()


def _is_same(one: Spot, other: Spot) -> bool:
    first, second = one.folder.status(one.name), other.folder.status(other.name)
    return first is not None and second is not None and os.path.samestat(first, second)


def _return(hidden: Spot, target: Spot) -> None:
    """Move a file back to where it stood, unless another stands there by now; `_drop` sees to what then remains."""
    if _stands(hidden):
        with contextlib.suppress(FileExistsError):
            moving.place(hidden.folder, hidden.name, target.folder, target.name)


def _drop(hidden: Spot, change: Change) -> tuple[str, ...]:
    """Remove a hidden file if its bytes are known: those before, or such as had been begun to be written."""
    if not _stands(hidden):
        return ()
    known = standing_as(hidden.folder, hidden.name, change.before) is not None
    if not known and not any(_is_begun(hidden, content) for content in _begun(hidden, change)):
        kept = f"{change.below}/{os.fsdecode(hidden.name)}".lstrip("/")
        return (f"Another program wrote to {change.path} meanwhile; what it wrote is kept as {kept}.",)
    hidden.folder.remove(hidden.name)
    hidden.folder.sync()
    return ()


def _begun(hidden: Spot, change: Change) -> tuple[bytes | None, ...]:
    """What may have been begun to be written under this name, so that the beginning of it is known."""
    copied = change.step == "rename" or (change.step == "replace" and hidden.name.endswith(b".old"))
    return (change.after, change.before) if copied else (change.after,)


def _is_begun(hidden: Spot, content: bytes | None) -> bool:
    with opened(hidden.folder, hidden.name) as descriptor:
        if descriptor is None or content is None or has_writers(descriptor):
            return False
        return content.startswith(read_from(descriptor, len(content) + 1))


def _stands(there: Spot) -> bool:
    return there.folder.status(there.name) is not None
