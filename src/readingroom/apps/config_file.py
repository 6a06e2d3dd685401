"""The file of a configuration: read only where nobody else can have written it, and laid over one another for a folder.

Nothing in it is ever executed. A fault refuses all of it, for what is left out of it might have hidden documents.
"""

import os
import stat
import sys
from collections.abc import Mapping
from typing import Any

import msgspec

from .config_keys import KEYS
from .config_text import Configuration, FolderTable, NamedFolder, decoded
from .faults import UsageFault

_LARGEST = 256 * 1024
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class Layers(msgspec.Struct, frozen=True):
    """What a configuration says for one folder: the table of the folder, None when it has none, over the general part."""

    file: str
    general: Mapping[str, Any]
    table: FolderTable | None = None
    collections: tuple[NamedFolder, ...] = ()

    def values(self) -> dict[str, Any]:
        """What holds: the table counts before the general part, and patterns of both add up."""
        own = self.table.values if self.table is not None else {}
        found = {**self.general, **own}
        for key in KEYS:
            if key.adds and key.name in found:
                found[key.name] = (*self.general.get(key.name, ()), *own.get(key.name, ()))
        return found


def layers_for(file: str, folder: str | None) -> Layers:
    """Read a configuration for a folder, or its general part alone.

    Raises: UsageFault when it cannot be read or understood, when others could have written it, and when it lies in the
    folder.
    """
    if folder is not None:
        check_outside(file, folder)
    found = decoded(contents(file))
    if found.faults:
        raise UsageFault(_faulty(file, found))
    table = None if folder is None else _table_of(file, folder, found.folders)
    return Layers(file, found.general, table, found.collections)


def contents(file: str) -> bytes:
    """Give what is in the file. Raises: UsageFault when it cannot be read, or could have been written by others."""
    return contents_of("the configuration", file, _LARGEST)


def contents_of(what: str, file: str, largest: int) -> bytes:
    """Give what is in a file that decides what apps see. Raises: UsageFault as `contents` does, with what the file is."""
    try:
        handle = os.open(file, _FLAGS)
    except OSError as error:
        raise UsageFault(f"{what} {file} cannot be read: {error.strerror or error}") from None
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise UsageFault(f"{what} {file} is no file")
        check_owner(f"{what} {file}", file, found)
        data = b""
        while len(data) <= largest and (part := os.read(handle, largest + 1 - len(data))):
            data += part
    except OSError as error:
        raise UsageFault(f"{what} {file} cannot be read: {error.strerror or error}") from None
    finally:
        os.close(handle)
    if len(data) > largest:
        raise UsageFault(f"{what} {file} is larger than {largest:,} bytes")
    return data


def check_outside(file: str, folder: str) -> None:
    """Raise UsageFault when the file lies in the folder that is served, however either is named."""
    place = os.path.realpath(file)
    while (above := os.path.dirname(place)) != place:  # noqa: PTH120  -- text all the way
        place = above
        if is_same(place, folder):
            raise UsageFault(
                f"the configuration {file} lies in the folder that is served, {folder}, and whoever changes documents could "
                "change what apps may see: move it elsewhere"
            )


def check_owner(what: str, place: str, found: os.stat_result) -> None:
    """See that nobody else can have written it but the system's own account; on Windows the access list sees to it.

    Raises: UsageFault.
    """
    if sys.platform == "win32":
        return
    why = "whoever writes it decides what apps see"
    if found.st_uid not in (os.geteuid(), 0):
        raise UsageFault(
            f"{what} belongs to another user, and {why}: make a copy of your own, and read it first"
        )
    if found.st_mode & _OTHERS_WRITE:
        raise UsageFault(f"{what} can be written by others, and {why}: run chmod go-w {place}")


def _faulty(file: str, found: Configuration) -> str:
    first, *others = found.faults
    more = f" (and {len(others)} more: readingroom config check lists them)" if others else ""
    return f"the configuration {file} is refused: {first}{more}"


def _table_of(file: str, folder: str, tables: tuple[FolderTable, ...]) -> FolderTable | None:
    found = [table for table in tables if is_same(table.folder, folder)]
    if len(found) > 1:
        raise UsageFault(
            f"the configuration {file} is refused: {found[0].path} and {found[1].path} are one folder, which has one table"
        )
    return found[0] if found else None


def same_folders(tables: tuple[FolderTable, ...]) -> list[tuple[FolderTable, FolderTable]]:
    """Give the pairs of tables that are for one folder."""
    return [
        (one, other)
        for number, one in enumerate(tables)
        for other in tables[number + 1 :]
        if is_same(one.folder, other.folder)
    ]


def is_same(one: str, other: str) -> bool:
    """Whether two names lead to one folder, by links, by case or in any other way."""
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    try:
        return os.path.samefile(one, other)  # noqa: PTH121  -- text all the way
    except OSError:
        return False
