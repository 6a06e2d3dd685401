"""One change of the folder: create, replace, rename or delete, each by names that move in one step.

Knows files and nothing of the ledger: whoever calls has checked what there is to check, has noted the change where a
crash does not reach, and calls `take_back` for whatever goes wrong and `clear_up` when all is kept.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from readingroom.library.opening import NotReadable

from . import moving
from .folder import Folder, read_from
from .outcomes import Refused
from .spots import Spot, make_folders, spot
from .writers import has_writers

Step: TypeAlias = Literal["create", "replace", "rename", "delete"]

_PREFIX, _SUFFIX = ".readingroom-", ".tmp"


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A change of the file at `path` from the bytes `before` to `after`, None where there is no file.

    A rename goes to `to` and has both. `temporary` is the path of the hidden file that is used on the way, and that stands
    there until the change is decided; the folders below its own are made.
    """

    step: Step
    path: str
    before: bytes | None
    after: bytes | None
    temporary: str
    to: str = ""

    @property
    def target(self) -> str:
        """The path at which `after` stands when the change is done."""
        return self.to or self.path

    @property
    def below(self) -> str:
        """The folder in which the hidden file lies."""
        return self.temporary.rpartition("/")[0]


def hidden_name(below: str, identifier: str) -> str:
    """The path of a hidden file in the folder `below`."""
    return f"{below}/{_PREFIX}{identifier}{_SUFFIX}".lstrip("/")


def beside(hidden: Spot) -> Spot:
    """The second hidden name, used where one is not enough. It is not to be closed."""
    return Spot(hidden.folder, hidden.name + b".old")


def standing_as(folder: Folder, name: bytes, content: bytes | None) -> os.stat_result | None:
    """The status of the file when it is a regular one with these bytes that nobody is writing; else None."""
    with opened(folder, name) as descriptor:
        if descriptor is None or content is None or has_writers(descriptor):
            return None
        status = os.fstat(descriptor)
        if status.st_size != len(content) or read_from(descriptor, len(content) + 1) != content:
            return None
        return status


@contextlib.contextmanager
def opened(folder: Folder, name: bytes) -> Iterator[int | None]:
    """A descriptor to read the file; None when there is no regular one."""
    try:
        descriptor = folder.open(name)
    except (FileNotFoundError, NotReadable):
        yield None
        return
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def carry_out(root: Path, change: Change) -> None:
    """Make the change. Raises Refused when the file is not what it should be; OSError. `take_back` puts either right."""
    {"create": _create, "replace": _replace, "rename": _rename, "delete": _delete}[change.step](root, change)


def _create(root: Path, change: Change) -> None:
    """The hidden file stays until all is decided: it is the sign that the file is ours."""
    assert change.after is not None  # noqa: S101  -- what a change is
    with spot(root, change.temporary) as hidden:
        hidden.folder.write(hidden.name, change.after, None)
        make_folders(root, change.below, change.path)
        with spot(root, change.path) as target:
            try:
                if not moving.link(hidden.folder, hidden.name, target.folder, target.name):
                    spare = beside(hidden)
                    hidden.folder.write(spare.name, change.after, None)
                    moving.place(spare.folder, spare.name, target.folder, target.name)
            except FileExistsError:
                raise Refused.exists(change.path) from None
            target.folder.sync()
        hidden.folder.sync()


def _replace(root: Path, change: Change) -> None:
    assert change.after is not None  # noqa: S101  -- what a change is
    with spot(root, change.path) as target, spot(root, change.temporary) as hidden:
        folder = target.folder
        like = standing_as(folder, target.name, change.before)
        if like is None:
            raise Refused.changed(change.path)
        folder.write(hidden.name, change.after, like)
        if moving.exchange(folder, hidden.name, folder, target.name):
            _check(folder, hidden.name, change)
        else:
            _keep(target, beside(hidden), change, like)
            _check(folder, target.name, change)
            moving.replace(folder, hidden.name, folder, target.name)
        folder.sync()


def _delete(root: Path, change: Change) -> None:
    with spot(root, change.path) as target, spot(root, change.temporary) as hidden:
        _check(target.folder, target.name, change)
        _take(target, hidden, change)
        target.folder.sync()


def _rename(root: Path, change: Change) -> None:
    """The hidden name stays until all is decided: it is the sign that the file was moved by us."""
    with spot(root, change.path) as source, spot(root, change.temporary) as hidden:
        like = standing_as(source.folder, source.name, change.before)
        if like is None:
            raise Refused.changed(change.path)
        _keep(source, hidden, change, like)
        make_folders(root, change.below, change.to)
        with spot(root, change.to) as target:
            try:
                if moving.move(source.folder, source.name, target.folder, target.name):
                    _check(target.folder, target.name, change)
                else:
                    spare = beside(hidden)
                    _take(source, spare, change)
                    moving.place(spare.folder, spare.name, target.folder, target.name)
            except FileExistsError:
                raise Refused.exists(change.to) from None
            except FileNotFoundError:
                raise Refused.changed(change.path) from None
            target.folder.sync()
        hidden.folder.sync()
        source.folder.sync()


def _keep(file: Spot, hidden: Spot, change: Change, like: os.stat_result) -> None:
    """Give the file a hidden second name, or keep a copy where files have but one. Raises Refused when it has changed."""
    assert change.before is not None  # noqa: S101  -- what a change is
    try:
        linked = moving.link(file.folder, file.name, hidden.folder, hidden.name)
    except FileNotFoundError:
        raise Refused.changed(change.path) from None
    if not linked:
        hidden.folder.write(hidden.name, change.before, like)
    hidden.folder.sync()
    _check(hidden.folder, hidden.name, change)


def _take(source: Spot, hidden: Spot, change: Change) -> None:
    """Move the file out of sight; only then can it be seen that it is the one that was meant."""
    try:
        moving.replace(source.folder, source.name, hidden.folder, hidden.name)
    except FileNotFoundError:
        raise Refused.changed(change.path) from None
    _check(hidden.folder, hidden.name, change)


def _check(folder: Folder, name: bytes, change: Change) -> None:
    if standing_as(folder, name, change.before) is None:
        raise Refused.changed(change.path)
