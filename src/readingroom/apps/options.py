"""The options that say which library is meant, as data: argparse and the quick way of `serve` are both made from them.

`split` reads the plain command lines that apps start servers with, without loading argparse, which would cost a tenth
of the time to the first answer. For whatever is not plain it gives None, and argparse reads it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Option(msgspec.Struct, frozen=True):
    """An option with a value; one that repeats gives a tuple, and one without a metavar takes none and gives True."""

    flag: str
    metavar: str
    help: str
    repeats: bool = False

    @property
    def absent(self) -> Any:
        """Its value when it is not given."""
        return () if self.repeats else None if self.metavar else False

    @property
    def name(self) -> str:
        """The name of its value."""
        return self.flag.lstrip("-").replace("-", "_")


FOLDER_HELP = "the folder that holds the documents"
FOLDERS_HELP = (
    "the folder that holds the documents; of several each is a collection, called like the folder or as NAME=FOLDER says; "
    "without any they are those of the configuration"
)
ALSO = Option(
    "--also",
    "[NAME=]FOLDER",
    "look into this folder, too: each folder is a collection then, as for `serve`; may be repeated",
    repeats=True,
)

CACHE = Option(
    "--cache",
    "DIR",
    "keep the index under this folder instead of the platform's cache folder; it holds the documents' texts",
)
CONFIG = Option(
    "--config",
    "FILE",
    "read the configuration in this file instead of the one in the platform's folder for them; this option counts before "
    "the variable READINGROOM_CONFIG",
)
LEDGER = Option(
    "--ledger",
    "DIR",
    "keep drafts and decisions under this folder instead of the platform's data folder; this option counts before the "
    "variable READINGROOM_LEDGER",
)
WHICH: tuple[Option, ...] = (
    Option(
        "--role",
        "ROLE",
        "reader (the default), who sees public documents, or editor, who sees internal ones, too; "
        "this option counts before the variable READINGROOM_ROLE",
    ),
    Option(
        "--internal",
        "GLOB",
        "documents whose path matches are internal, as if they said so; may be repeated",
        repeats=True,
    ),
    Option(
        "--leave-out",
        "GLOB",
        "paths that match are left out, as by .gitignore; may be repeated",
        repeats=True,
    ),
    CACHE,
    CONFIG,
)
"""What every command takes that opens a library: they decide which index is meant."""

JOURNAL: tuple[Option, ...] = (
    *(option for option in WHICH if option.flag in ("--internal", "--leave-out")),
    LEDGER,
    CONFIG,
)
"""What every command of the operator takes: the rules that the apps are served under, and where the ledger is."""

OPERATING: tuple[Option, ...] = (*JOURNAL, CACHE)
"""What those take that show a change: where the index is that knows the links to a document, too."""

SERVING: tuple[Option, ...] = (
    *WHICH,
    Option(
        "--principal", "NAME", "the name that cursors and drafts of this server belong to (default: local)"
    ),
    LEDGER,
    Option(
        "--rescan",
        "SECONDS",
        "look through all of the folder at least this often (default: 30): changes that the system reports are seen within "
        "a second anyway, others then",
    ),
    Option(
        "--no-watch",
        "",
        "do not ask the system to report changes: they are seen when the folder is looked through, and when a document is "
        "read",
    ),
    Option(
        "--modern-only",
        "",
        "serve clients of protocol revision 2026-07-28 and later alone, and no older ones",
    ),
)
"""What `serve` takes on stdin and stdout, and over HTTP as well."""


def split(arguments: Sequence[str], options: Sequence[Option]) -> dict[str, Any] | None:
    """Read `FOLDER` and options; None when anything about them is not plain."""
    known = {option.flag: option for option in options}
    values: dict[str, Any] = {option.name: option.absent for option in options}
    rest = iter(arguments)
    for argument in rest:
        if not argument.startswith("-"):
            if "folder" in values:
                return None
            values["folder"] = argument
        elif not _take(argument, rest, known, values):
            return None
    return values if "folder" in values else None


def _take(argument: str, rest: Iterator[str], known: Mapping[str, Option], values: dict[str, Any]) -> bool:
    """Take one option and its value; False when that is not plain."""
    flag, equals, value = argument.partition("=")
    option = known.get(flag)
    if option is None or (equals and not option.metavar):
        return False
    if not option.metavar:
        values[option.name] = True
        return True
    if not equals:
        value = next(rest, "-")
        if value.startswith("-"):
            return False
    values[option.name] = (*values[option.name], value) if option.repeats else value
    return True


def add(parser: "ArgumentParser", options: Sequence[Option]) -> None:
    """Add the options to a parser of argparse's."""
    for option in options:
        if option.repeats:
            parser.add_argument(
                option.flag,
                dest=option.name,
                metavar=option.metavar,
                help=option.help,
                action="append",
                default=[],
            )
        elif not option.metavar:
            parser.add_argument(option.flag, dest=option.name, help=option.help, action="store_true")
        else:
            parser.add_argument(option.flag, dest=option.name, metavar=option.metavar, help=option.help)
