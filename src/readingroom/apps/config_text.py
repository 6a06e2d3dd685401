"""The text of a configuration, decoded strictly: every fault is found and named, and nothing is repaired. Reads no file."""

from collections.abc import Mapping
from typing import Any

import msgspec

from ..library.strict_toml import Broken, Document, Fault, parsed, unknown_key
from .config_keys import BY_NAME, FOLDERS, Unfit, whole_path


class FolderTable(msgspec.Struct, frozen=True):
    """What is said for one folder; `path` is as it is written, `folder` the same in full."""

    path: str
    folder: str
    values: Mapping[str, Any]


class Configuration(msgspec.Struct, frozen=True):
    """The general part, the tables of folders in their order, and whatever is wrong with it all."""

    general: Mapping[str, Any]
    folders: tuple[FolderTable, ...]
    faults: tuple[Fault, ...]


def decoded(data: bytes) -> Configuration:
    """Decode a configuration. What is at fault is among `faults`, and not among the values."""
    try:
        document = parsed(data)
    except Broken as error:
        return Configuration({}, (), (error.fault,))
    faults: list[Fault] = []
    values = dict(document.values)
    tables = values.pop(FOLDERS, {})
    general = _part(document, (), values, faults)
    folders = _folders(document, tables, faults)
    return Configuration(general, folders, tuple(sorted(faults, key=lambda fault: fault.line or 0)))


def _part(
    document: Document, above: tuple[str, ...], values: Mapping[str, Any], faults: list[Fault]
) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for name, value in values.items():
        line = document.line((*above, name))
        key = BY_NAME.get(name)
        if key is None:
            known = [*BY_NAME, *([] if above else [FOLDERS])]
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


_HOW = f'{FOLDERS} holds one table for each folder, as [{FOLDERS}."~/articles"]'
