"""The keys of a configuration: one table, which the decoder, `config show` and the reference page are held by.

Each says what its value must be; nothing is coerced, and nothing is looked up but the home folder that ~ stands for.
"""

import os
from collections.abc import Callable
from typing import Any

import msgspec

from ..library import BadQuery
from ..library.rules import MAX_FILE_BYTES, PASSAGE_CHARACTERS
from ..library.strict_toml import kind_of
from .settings import LEAST_RESCAN_S, MOST_RESCAN_S, RESCAN_S, ROLES

_MOST_BYTES = 1024 * 1024 * 1024
_MOST_PATTERNS = 1_000


class Unfit(Exception):
    """A value is not what its key takes; the text goes on after the key's name, and `detail` may hold the value."""

    def __init__(self, text: str, detail: str = "") -> None:
        super().__init__(text)
        self.detail = detail


class Key(msgspec.Struct, frozen=True):
    """A key: what it takes and what holds without it, in words, what it means, and what checks a value.

    `read` gives the value as it is used, or raises Unfit. `adds` says that the general part and a folder's table add up.
    """

    name: str
    takes: str
    default: str
    means: str
    read: Callable[[Any], Any]
    adds: bool = False


def _text(most: int, *, lines: bool = False) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise Unfit(f"must be a text in quotes, not {kind_of(value)}")
        shown = value.replace("\n", "").replace("\t", "") if lines else value
        if not value.strip() or len(value) > most or not shown.isprintable():
            raise Unfit(f"must be 1 to {most:,} printable characters")
        return value

    return read


def _yes_or_no(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Unfit(f"must be true or false, not {kind_of(value)}")
    return value


def _whole(least: int, most: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise Unfit(f"must be a whole number from {least:,} to {most:,}")
        return value

    return read


def _seconds(value: Any) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not LEAST_RESCAN_S <= value <= MOST_RESCAN_S:
        raise Unfit(f"must be a number of seconds from {LEAST_RESCAN_S:g} to {MOST_RESCAN_S:g}")
    return float(value)


def _role(value: Any) -> str:
    if not isinstance(value, str) or value not in ROLES:
        raise Unfit('must be "reader" or "editor"')
    return value


def whole_path(value: Any) -> str:
    """Give a path that means the same wherever the command is started. Raises: Unfit."""
    if not isinstance(value, str) or not value or "\0" in value:
        raise Unfit("must be a path in quotes")
    path = os.path.expanduser(value)  # noqa: PTH111  -- text is what all of it works with
    if not os.path.isabs(path):  # noqa: PTH117  -- as above
        raise Unfit("must be a full path, or begin with ~/: an app may start the command anywhere")
    return path


def _patterns(value: Any) -> tuple[str, ...]:
    from ..library.patterns import check

    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise Unfit('must be an array of patterns, as ["private/", "*.bak"]')
    if len(value) > _MOST_PATTERNS:
        raise Unfit(f"has more than {_MOST_PATTERNS:,} patterns")
    for number, item in enumerate(value, 1):
        try:
            check(item)
        except BadQuery as error:
            raise Unfit(f"has a pattern that cannot be used, number {number}", str(error)) from None
    return tuple(value)


KEYS: tuple[Key, ...] = (
    Key("name", "a text", "`readingroom`", "the name by which the server tells apps who it is", _text(100)),
    Key("title", "a text", "`Reading Room`", "the name that apps show to people", _text(200)),
    Key("description", "a text", "nothing", "what the library is, in a sentence", _text(1_000)),
    Key(
        "instructions",
        "a text, of several lines if need be",
        "nothing",
        "what a model is told about this library, after what Reading Room says about its tools",
        _text(4_000, lines=True),
    ),
    Key("role", '`"reader"` or `"editor"`', '`"reader"`', "who the app is that is served", _role),
    Key("principal", "a text", '`"local"`', "the name that cursors and drafts belong to", _text(100)),
    Key(
        "internal",
        "an array of patterns",
        "none",
        "documents whose path matches are internal, as if they said so",
        _patterns,
        adds=True,
    ),
    Key("leave_out", "an array of patterns", "none", "paths that match are left out", _patterns, adds=True),
    Key("cache", "a path", "the platform's cache folder", "under which folder the index is kept", whole_path),
    Key(
        "ledger", "a path", "the platform's data folder", "under which folder the ledger is kept", whole_path
    ),
    Key("prompts", "a path", "none", "the folder of your own prompts, Markdown files", whole_path),
    Key(
        "rescan",
        f"seconds, {LEAST_RESCAN_S:g} to {MOST_RESCAN_S:g}",
        f"`{RESCAN_S:g}`",
        "how often all of the folder is looked through at least",
        _seconds,
    ),
    Key("watch", "`true` or `false`", "`true`", "whether the system is asked to report changes", _yes_or_no),
    Key(
        "modern_only",
        "`true` or `false`",
        "`false`",
        "whether clients of older protocol revisions are refused",
        _yes_or_no,
    ),
    Key(
        "max_file_bytes",
        f"a whole number, 1 to {_MOST_BYTES:,}",
        f"`{MAX_FILE_BYTES:_}`",
        "files that are larger are left out",
        _whole(1, _MOST_BYTES),
    ),
    Key(
        "passage_characters",
        "a whole number, 200 to 20,000",
        f"`{PASSAGE_CHARACTERS:_}`",
        "about how long a passage may become before its section is split",
        _whole(200, 20_000),
    ),
)
"""What may stand in the general part, and in the table of a folder."""

BY_NAME: dict[str, Key] = {key.name: key for key in KEYS}
FOLDERS = "folders"
"""The key of the tables of single folders."""
COLLECTIONS = "collections"
"""The key of the tables of collections, by name; each says which `folder` is served under it."""
