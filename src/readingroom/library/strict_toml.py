"""TOML, read so that whatever is wrong can be named: with its line, and a wrong key with the nearest right one.

Knows no configuration. Errors name keys and lines, never values: a value may be a path that not everybody is to know.
"""

import functools
import re
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import msgspec

Path: TypeAlias = tuple[str, ...]
"""A key with the tables it stands in, the outermost first."""

_MOST_READ = 300_000  # characters: the largest configuration once over
_WHERE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")
_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),
    (int, "a whole number"),
    (float, "a number"),
    (str, "a text"),
    (list, "an array"),
    (dict, "a table"),
)


class Fault(msgspec.Struct, frozen=True):
    """One thing that is wrong, as a part of a sentence, and the line it stands in where that can be told.

    `detail` may hold a value: it is for the person who wrote it, and never for a stream that an app may read.
    """

    text: str
    line: int | None = None
    detail: str = ""

    def __str__(self) -> str:
        return self.text if self.line is None else f"line {self.line}: {self.text}"


class Broken(Exception):
    """The bytes are no TOML; `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


class Document(msgspec.Struct, frozen=True):
    """What a file says, and its text, from which lines are told."""

    values: dict[str, Any]
    text: str

    def line(self, path: Path) -> int | None:
        """The line that a key or a table begins in, or None."""
        return _lines(self.text).get(path)


def parsed(data: bytes) -> Document:
    """Read a file. Raises Broken for what is no TOML in UTF-8, and for keys and tables that are there twice."""
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise Broken(Fault("this is no text in UTF-8", data.count(b"\n", 0, error.start) + 1)) from None
    try:
        return Document(tomllib.loads(text), text)
    except tomllib.TOMLDecodeError as error:
        raise Broken(_syntax(str(error), text)) from None
    except (ValueError, RecursionError):
        raise Broken(
            Fault("this is no TOML that can be read: a number is too long, or tables are too deep")
        ) from None


def unknown_key(key: str, known: Iterable[str]) -> str:
    """Say that there is no such key, and which was probably meant."""
    meant = nearest(key, known)
    return (
        f"there is no key {_shown(key)}; did you mean {meant}?" if meant else f"there is no key {_shown(key)}"
    )


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that was probably meant, or ""."""
    import difflib

    found = difflib.get_close_matches(word.lower().replace("-", "_"), list(known), n=1, cutoff=0.6)
    return found[0] if found else ""


def kind_of(value: Any) -> str:
    """What a value is, in words."""
    return next((words for kind, words in _KINDS if isinstance(value, kind)), "a date or time")


def _shown(key: str) -> str:
    return key if key.isprintable() and 0 < len(key) <= 60 else ascii(key[:60])


def _syntax(message: str, text: str) -> Fault:
    where = _WHERE.search(message)
    said = _WHERE.sub("", message).strip().rstrip(".")
    line = int(where[1]) if where is not None and where[1] else text.count("\n") + 1
    if said.startswith("Cannot overwrite"):
        return Fault("a key is there twice", line)
    if said.startswith(("Cannot declare", "Cannot mutate")):
        return Fault("a table is there twice", line)
    # what tomllib says of a character quotes it; of all else it says what it looked for
    return Fault(f"this is no TOML ({said[:1].lower()}{said[1:]})", line)


@functools.lru_cache(maxsize=4)
def _lines(text: str) -> Mapping[Path, int]:
    """The first line of each key and table of a text that is TOML.

    What is read statement by statement needs no grammar of its own: a statement ends where what has been gathered can be
    read by itself. Where that takes too long, in a long array whose every line may be its last, lines are not told.
    """
    found: dict[Path, int] = {}
    left = _MOST_READ
    table: Path = ()
    gathered: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        gathered.append(line)
        if not _may_be_whole(gathered):
            continue
        left -= sum(map(len, gathered))
        if left < 0:
            break
        values = _statement(gathered)
        if values is None:
            continue
        first = number - len(gathered) + 1
        is_table = gathered[0].lstrip().startswith("[")
        gathered = []
        table = _named(values) if is_table else table
        for path in [table] if is_table else _paths(values, table):
            found.setdefault(path, first)
    return found


def _may_be_whole(gathered: list[str]) -> bool:
    """Lines can be a statement only where something is closed, or was never open."""
    return len(gathered) == 1 or any(mark in gathered[-1] for mark in ("]", "}", '"""', "'''"))


def _statement(gathered: list[str]) -> dict[str, Any] | None:
    """What the lines say, or None when they are not whole."""
    try:
        return tomllib.loads("\n".join(gathered))
    except ValueError:
        return None


def _named(values: Any) -> Path:
    """The name of a table, as its header alone gives it."""
    path: list[str] = []
    while isinstance(values, dict | list) and values:
        if isinstance(values, list):
            values = values[0]
            continue
        key = next(iter(values))
        path.append(key)
        values = values[key]
    return tuple(path)


def _paths(values: dict[str, Any], above: Path) -> list[Path]:
    found: list[Path] = []
    for key, value in values.items():
        path = (*above, key)
        found.append(path)
        if isinstance(value, dict):
            found += _paths(value, path)
    return found
