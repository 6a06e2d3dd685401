"""What holds for a folder, or for any, and where each value comes from; as rows, for a person or a program."""

from collections.abc import Mapping
from typing import Any

import msgspec

from ..library.narrowing import FILE, NOTHING, Narrowing
from ..library.rules import MAX_FILE_BYTES, PASSAGE_CHARACTERS
from .config_file import Layers
from .config_keys import KEYS, Key
from .settings import LEDGER_VARIABLE, RESCAN_S, ROLE_VARIABLE

_VARIABLES = {"role": ROLE_VARIABLE, "ledger": LEDGER_VARIABLE}
_DEFAULTS: dict[str, Any] = {
    "name": "readingroom",
    "title": "Reading Room",
    "role": "reader",
    "principal": "local",
    "rescan": RESCAN_S,
    "watch": True,
    "modern_only": False,
    "max_file_bytes": MAX_FILE_BYTES,
    "passage_characters": PASSAGE_CHARACTERS,
}
DEFAULT = "default"
GENERAL = "the general part"


class Row(msgspec.Struct, frozen=True):
    """One value that holds, None when nothing is set, and where it comes from. Patterns have a row for each place."""

    key: str
    value: Any
    source: str


def rows(layers: Layers | None, environment: Mapping[str, str], narrowing: Narrowing = NOTHING) -> list[Row]:
    """Give what holds, in the order of the table of keys; options of a command would count before all of it.

    `narrowing` is what the folder says of itself.
    """
    return [row for key in KEYS for row in _rows_of(key, layers, environment, narrowing)]


def _rows_of(
    key: Key, layers: Layers | None, environment: Mapping[str, str], narrowing: Narrowing
) -> list[Row]:
    variable = environment.get(_VARIABLES.get(key.name, ""))
    if variable:
        return [Row(key.name, variable, _VARIABLES[key.name])]
    told = [*_told(key.name, layers), Row(key.name, getattr(narrowing, key.name, None), f"its {FILE}")]
    told = [row for row in told if row.value not in (None, ())]
    if not told:
        return [Row(key.name, () if key.adds else _DEFAULTS.get(key.name), DEFAULT)]
    return told if key.adds else told[-1:]


def _told(name: str, layers: Layers | None) -> list[Row]:
    if layers is None:
        return []
    told = [Row(name, layers.general.get(name), GENERAL)]
    if layers.table is not None:
        told.append(Row(name, layers.table.values.get(name), f"the table of {layers.table.path}"))
    return told


def value_text(row: Row) -> str:
    """Give a value as it would be written in the file; of a long text the beginning."""
    if row.value is None:
        return "not set"
    if isinstance(row.value, tuple):
        return ", ".join(row.value) or "none"
    if isinstance(row.value, bool):
        return str(row.value).lower()
    text = f"{row.value:g}" if isinstance(row.value, float) else str(row.value)
    first, newline, _ = text.partition("\n")
    return f"{first} …" if newline else text
