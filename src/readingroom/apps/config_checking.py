"""Everything that is wrong with a configuration, as sentences: what refuses it, and what may be meant otherwise."""

import os

import msgspec

from ..library import FolderUnusable, Rules
from ..library.narrowing import FILE, narrowing_of
from ..library.opening import NotReadable
from .config_file import Layers, check_outside, contents, same_folders
from .config_text import Configuration, FolderTable, decoded
from .faults import UsageFault
from .prompt_folder import prompts_in


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
    faults = [f"{fault}: {fault.detail}" if fault.detail else str(fault) for fault in found.faults]
    faults += [
        f"{one.path} and {other.path} are one folder, which has one table"
        for one, other in same_folders(found.folders)
    ]
    faults += [said for table in found.folders if (said := _inside(file, table))]
    of_prompts = _prompts(found)
    faults += of_prompts.faults
    remarks = [
        f"there is no folder {table.path}, so its table counts for nothing"
        for table in found.folders
        if not os.path.isdir(table.folder)  # noqa: PTH112  -- text all the way
    ]
    return Checked(tuple(faults), (*remarks, *of_prompts.remarks))


def _prompts(found: Configuration) -> Checked:
    """Look at the folders of prompts: a fault of a folder refuses the configuration, one of a prompt does not."""
    faults: list[str] = []
    remarks: list[str] = []
    for table in (None, *found.folders):
        layers = Layers("", found.general, table)
        values = layers.values()
        if "prompts" not in values or (table is None and found.folders):
            continue
        root = table.folder if table is not None and os.path.isdir(table.folder) else None  # noqa: PTH112  -- as above
        rules = Rules(leave_out=values.get("leave_out", ()))
        try:
            remarks += prompts_in(values["prompts"], root, rules).faults
        except UsageFault as error:
            faults.append(str(error))
        except FolderUnusable as error:
            remarks.append(f"whether prompts lie in {table.path if table else ''} cannot be told: {error}")
    return Checked(tuple(dict.fromkeys(faults)), tuple(dict.fromkeys(remarks)))


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
