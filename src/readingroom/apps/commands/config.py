"""`readingroom config`: says whether a configuration can be used, and what holds where. Changes nothing."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from ...library import FolderUnusable
from ...library.narrowing import NOTHING, Narrowings
from .. import exit_codes, options
from ..characters import one_line
from ..config_checking import checked
from ..config_file import layers_for
from ..config_place import default_place, place_of
from ..config_showing import Row, rows, value_text
from ..console import Console
from ..faults import UsageFault
from ..json_text import json_text
from ..layout import two_columns
from ..parsing import CommandParser

USAGE = "[options] check [FILE] | show [FOLDER]"
DESCRIPTION = """\
Say whether a configuration can be used, and what holds.

`check` names everything that is wrong with a configuration, each with its line: with the one that a server would read, or
with FILE, which may also be the .readingroom.toml of a folder. A configuration with a fault is refused as a whole, by every
command. `show` tells which values hold for FOLDER, or for a folder that has no table of its own, and where each comes from;
options of a command count before all of it."""
EXAMPLES = (
    ("readingroom config check", "the configuration that commands read"),
    ("readingroom config check new.toml", "another one, before it is put in place"),
    ("readingroom config show ~/articles", "what holds for a folder"),
)
_ACTIONS = ("check", "show")


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("action", metavar="ACTION", choices=_ACTIONS, help=", ".join(_ACTIONS))
    parser.add_argument(
        "place",
        metavar="PLACE",
        nargs="?",
        help="check: the file; show: the folder that holds the documents",
    )
    parser.add_argument("--json", action="store_true", help="show: print the values as JSON")
    options.add(parser, (options.CONFIG,))


def read(parser: CommandParser, arguments: Sequence[str]) -> Namespace:
    """Read the command line; options may stand before the place as well as after it. Raises: UsageFault."""
    return parser.read_mixed(arguments)


def run(values: Namespace, console: Console) -> int:
    """Do one of them. Raises: UsageFault when the configuration cannot be read, and for `show` when it has a fault;
    FolderUnusable when what the folder says of itself has one.
    """
    if values.action == "show":
        return _show(values, console)
    if values.json:
        raise UsageFault("--json is not for `config check`")
    if values.place is not None and values.config is not None:
        raise UsageFault("give either FILE or --config")
    return _check(values.place if values.place is not None else values.config, console)


def _check(named: str | None, console: Console) -> int:
    place = place_of(named, console.environment)
    if place is None:
        console.out.line(f"There is no configuration at {one_line(default_place())}: the defaults hold.")
        return exit_codes.OK
    file = place[0]
    found = checked(file)
    for sentence in (*found.faults, *found.remarks):
        console.out.line(f"{one_line(file)}: {one_line(sentence)}")
    if not found.faults:
        console.out.line(f"{one_line(file)}: it can be used.")
    return exit_codes.USAGE if found.faults else exit_codes.OK


def _show(values: Namespace, console: Console) -> int:
    place = place_of(values.config, console.environment)
    layers = None if place is None else layers_for(place[0], values.place)
    narrowing = NOTHING if values.place is None else Narrowings(_folder(values.place)).now()
    found = rows(layers, console.environment, narrowing)
    file = None if place is None else place[0]
    if values.json:
        console.out.line(json_text({"file": file, "values": found}))
        return exit_codes.OK
    console.out.line(_headline(file, place[1] if place is not None else ""))
    for line in two_columns([(row.key, _said(row)) for row in found], console.out.columns):
        console.out.line(line)
    return exit_codes.OK


def _folder(place: str) -> str:
    """Give the folder itself. Raises: FolderUnusable, which says what becomes of a folder that is not there."""
    if not os.path.isdir(place):  # noqa: PTH112  -- text all the way
        raise FolderUnusable(f"There is no folder {place}.")
    return os.path.realpath(place)


def _headline(file: str | None, named_by: str) -> str:
    if file is None:
        return f"There is no configuration at {one_line(default_place())}."
    return f"The configuration is {one_line(file)}" + (f", named by {named_by}." if named_by else ".")


def _said(row: Row) -> str:
    return f"{one_line(value_text(row))} ({one_line(row.source)})"
