"""Everything that is wrong with a configuration, as sentences: what refuses it, and what may be meant otherwise."""

import os

import msgspec

from ..library.narrowing import FILE, narrowing_of
from ..library.opening import NotReadable
from .config_file import check_outside, contents, same_folders
from .config_text import FolderTable, decoded
from .faults import UsageFault


class Checked(msgspec.Struct, frozen=True):
    """`faults` refuse the configuration; `remarks` do not."""

    faults: tuple[str, ...]
    remarks: tuple[str, ...] = ()


def checked(file: str) -> Checked:
    """Check a configuration, or what a folder says of itself when the file has that name.

    Raises: UsageFault when it cannot be read, or others could have written a configuration.
    """
    if os.path.basename(file) == FILE:  # noqa: PTH119  -- text all the way
        return _narrowing(os.path.dirname(file))  # noqa: PTH120  -- as above
    found = decoded(contents(file))
    faults = [str(fault) for fault in found.faults]
    faults += [
        f"{one.path} and {other.path} are one folder, which has one table"
        for one, other in same_folders(found.folders)
    ]
    faults += [said for table in found.folders if (said := _inside(file, table))]
    remarks = [
        f"there is no folder {table.path}, so its table counts for nothing"
        for table in found.folders
        if not os.path.isdir(table.folder)  # noqa: PTH112  -- text all the way
    ]
    return Checked(tuple(faults), tuple(remarks))


def _narrowing(folder: str) -> Checked:
    """Check the file of a folder, which anybody may write who may write documents: it can hide alone."""
    try:
        narrowing_of(folder or ".")
    except NotReadable as error:
        return Checked((f"nothing of the folder is served until it is mended: {error}",))
    return Checked(())


def _inside(file: str, table: FolderTable) -> str:
    try:
        check_outside(file, table.folder)
    except UsageFault as error:
        return str(error)
    return ""
