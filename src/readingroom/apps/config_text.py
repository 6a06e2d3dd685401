"""The text of a configuration, decoded strictly: every fault is found and named, and nothing is repaired. Reads no file."""

from collections.abc import Mapping
from typing import Any

import msgspec

from ..library.joint_places import NAME_RULE, is_name
from ..library.strict_toml import Broken, Document, Fault, parsed, unknown_key
from .config_keys import BY_NAME, COLLECTIONS, FOLDERS, Unfit, whole_path


class FolderTable(msgspec.Struct, frozen=True):
    """What is said for one folder; `path` is as it is written, `folder` the same in full."""

    path: str
    folder: str
    values: Mapping[str, Any]


class NamedFolder(msgspec.Struct, frozen=True):
    """A collection: its name, and the folder that is served under it, in full."""

    name: str
    folder: str


class Configuration(msgspec.Struct, frozen=True):
    """The general part, the tables of folders in their order, whatever is wrong with it all, and the collections."""

    general: Mapping[str, Any]
    folders: tuple[FolderTable, ...]
    faults: tuple[Fault, ...]
    collections: tuple[NamedFolder, ...] = ()


def decoded(data: bytes) -> Configuration:
    """Decode a configuration. What is at fault is among `faults`, and not among the values."""
    try:
        document = parsed(data)
    except Broken as error:
        return Configuration({}, (), (error.fault,))
    faults: list[Fault] = []
    values = dict(document.values)
    tables = values.pop(FOLDERS, {})
    named = values.pop(COLLECTIONS, {})
    general = _part(document, (), values, faults)
    folders = _folders(document, tables, faults)
    collections = _collections(document, named, faults)
    return Configuration(
        general, folders, tuple(sorted(faults, key=lambda fault: fault.line or 0)), collections
    )


def _part(
    document: Document, above: tuple[str, ...], values: Mapping[str, Any], faults: list[Fault]
) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for name, value in values.items():
        line = document.line((*above, name))
        key = BY_NAME.get(name)
        if key is None:
            known = [*BY_NAME, *([] if above else [FOLDERS, COLLECTIONS])]
            faults.append(Fault(unknown_key(name, known), line))
            continue
        try:
            read[name] = key.read(value)
        except Unfit as error:
            faults.append(Fault(f"{name} {error}", line, error.detail))
    return read


def _folders(document: Document, tables: Any, faults: list[Fault]) -> tuple[FolderTable, ...]:
    if not isinstance(tables, dict):
        faults.append(Fault(_HOW, document.line((FOLDERS,))))
        return ()
    found: list[FolderTable] = []
    for path, values in tables.items():
        line = document.line((FOLDERS, path))
        if not isinstance(values, dict):
            faults.append(Fault(_HOW, line))
            continue
        try:
            folder = whole_path(path)
        except Unfit as error:
            faults.append(Fault(f"the name of a folder's table {error}", line))
            continue
        found.append(FolderTable(path, folder, _part(document, (FOLDERS, path), values, faults)))
    return tuple(found)


def _collections(document: Document, tables: Any, faults: list[Fault]) -> tuple[NamedFolder, ...]:
    if not isinstance(tables, dict):
        faults.append(Fault(_WHICH, document.line((COLLECTIONS,))))
        return ()
    found: list[NamedFolder] = []
    for name, values in tables.items():
        place = (COLLECTIONS, name)
        if not isinstance(values, dict) or "folder" not in values:
            faults.append(Fault(_WHICH, document.line(place)))
            continue
        if not is_name(name):
            faults.append(Fault(f"the name of a collection must be {NAME_RULE}", document.line(place), name))
        others = [key for key in values if key != "folder"]
        faults += [Fault(unknown_key(key, ["folder"]), document.line((*place, key))) for key in others]
        try:
            found.append(NamedFolder(name, whole_path(values["folder"])))
        except Unfit as error:
            faults.append(Fault(f"folder {error}", document.line((*place, "folder")), error.detail))
    return tuple(found)


_WHICH = f'{COLLECTIONS} holds one table for each collection, as [{COLLECTIONS}.notes], and in it its folder = "~/notes"'
_HOW = f'{FOLDERS} holds one table for each folder, as [{FOLDERS}."~/articles"]'
