"""The end of a change of the folder: taken back as if it had never been, or cleared up after it has been kept.

Both may be called at whatever point the change stopped, by whichever process comes next, and more than once. What
another program has written meanwhile is left in its place, or else kept under the hidden name and told of.
"""

import contextlib
import os
from pathlib import Path

from . import moving
from .changing import Change, opened, standing_as
from .folder import Folder, read_from
from .outcomes import Refused
from .spots import Spot, remove_folders, spot
from .writers import has_writers

_TRIES = 100
_SPARE = b".old"


def take_back(root: Path, change: Change) -> tuple[str, ...]:
    """Bring the folder to where it stood before; sentences about what could not be.

    Raises OSError; Refused when it has to wait for another program that is writing.
    """
    way = {"create": _uncreate, "replace": _unreplace, "rename": _unrename, "delete": _undelete}[change.step]
    try:
        told = way(root, change)
    except (FileNotFoundError, NotADirectoryError):
        return (f"The folder of {change.path} has gone, and what was under way in it.",)
    remove_folders(root, change.below, change.target)
    return told


def clear_up(root: Path, change: Change) -> tuple[str, ...]:
    """Remove the hidden file after the change has been kept; sentences about what was left. Raises OSError."""
    try:
        with spot(root, change.temporary) as hidden:
            return _drop(hidden, change)
    except (FileNotFoundError, NotADirectoryError):
        return ()


def _unreplace(root: Path, change: Change) -> tuple[str, ...]:
    with spot(root, change.path) as target, spot(root, change.temporary) as hidden:
        folder, spare = target.folder, Spot(target.folder, hidden.name + _SPARE)
        ours = _unless_written(target, change)
        if ours is not None and not _stands(hidden):
            _restore(spare, target, change, ours)
        elif ours is not None and standing_as(folder, hidden.name, change.after) is None:
            _put_back(folder, hidden.name, target.name, ours)
        told = _drop(hidden, change) + _drop(spare, change)
        folder.sync()
        return told


def _restore(spare: Spot, target: Spot, change: Change, ours: os.stat_result) -> None:
    """Bring back the bytes from before, where the old file went with the exchange that the system does not have.

    Under a name of its own: what a crash leaves of it must not be taken for a file that came out.
    """
    assert change.before is not None  # noqa: S101  -- what a change is
    spare.folder.remove(spare.name)
    spare.folder.write(spare.name, change.before, ours)
    _put_back(spare.folder, spare.name, target.name, ours)


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


def _uncreate(root: Path, change: Change) -> tuple[str, ...]:
    told: tuple[str, ...] = ()
    with spot(root, change.temporary) as hidden:
        waiting = hidden.folder.status(hidden.name)
        try:
            with spot(root, change.path) as target:
                standing = target.folder.status(target.name)
                if standing is not None and (waiting is None or os.path.samestat(waiting, standing)):
                    hidden.folder.remove(hidden.name)
                    told = _withdraw(target, hidden, change)
                    target.folder.sync()
        except (FileNotFoundError, NotADirectoryError):
            pass  # its folder was not made yet
        told += _drop(hidden, change)
        hidden.folder.sync()
    return told


def _withdraw(target: Spot, hidden: Spot, change: Change) -> tuple[str, ...]:
    """Take away the file that was made, unless it is another by now."""
    if standing_as(target.folder, target.name, change.after) is None:
        return (f"{change.path} is not what was being published, and stays.",)
    moving.replace(target.folder, target.name, hidden.folder, hidden.name)
    if standing_as(hidden.folder, hidden.name, change.after) is None:
        _return(hidden, target)
    return ()


def _undelete(root: Path, change: Change) -> tuple[str, ...]:
    with spot(root, change.path) as target, spot(root, change.temporary) as hidden:
        if _stands(hidden):
            _return(hidden, target)
        told = _drop(hidden, change)
        target.folder.sync()
        return told


def _unrename(root: Path, change: Change) -> tuple[str, ...]:
    with spot(root, change.path) as source, spot(root, change.temporary) as hidden:
        try:
            with spot(root, change.to) as target:
                told = _moved_back(source, hidden, target, change)
                target.folder.sync()
        except (FileNotFoundError, NotADirectoryError):
            told = _moved_back(source, hidden, None, change)
        told += _drop(hidden, change)
        source.folder.sync()
        return told


def _moved_back(source: Spot, hidden: Spot, target: Spot | None, change: Change) -> tuple[str, ...]:
    """Move the file from wherever it is; where moves are links and removals, it may stand in two places at once."""
    if _stands(hidden):
        if target is not None and _is_same(hidden, target):
            target.folder.remove(target.name)
        _return(hidden, source)
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
    with contextlib.suppress(FileExistsError):
        moving.place(hidden.folder, hidden.name, target.folder, target.name)


def _drop(hidden: Spot, change: Change) -> tuple[str, ...]:
    """Remove a hidden file if its bytes are known: those before, or such as had been begun to be written."""
    if not _stands(hidden):
        return ()
    begun = (change.after, change.before if hidden.name.endswith(_SPARE) else None)
    known = standing_as(hidden.folder, hidden.name, change.before) is not None
    if not known and not any(_is_begun(hidden, content) for content in begun):
        kept = f"{change.below}/{os.fsdecode(hidden.name)}".lstrip("/")
        return (f"Another program wrote to {change.path} meanwhile; what it wrote is kept as {kept}.",)
    hidden.folder.remove(hidden.name)
    hidden.folder.sync()
    return ()


def _is_begun(hidden: Spot, content: bytes | None) -> bool:
    with opened(hidden.folder, hidden.name) as descriptor:
        if descriptor is None or content is None or has_writers(descriptor):
            return False
        return content.startswith(read_from(descriptor, len(content) + 1))


def _stands(there: Spot) -> bool:
    return there.folder.status(there.name) is not None
