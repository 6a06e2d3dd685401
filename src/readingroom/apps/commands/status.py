"""`readingroom status`: what the last scan found, for the operator. It names internal and left-out files.

Looks only: it neither scans nor writes, but may bring a ledger of an older version up to date. It is the person's command;
nothing of it reaches an app through the protocol.
"""

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .. import compose, exit_codes, options
from ..characters import one_line
from ..console import Console
from ..json_text import json_text, time_text
from ..parsing import CommandParser
from ..planning import Plan, planned
from ..status_text import status_lines

if TYPE_CHECKING:
    from ...library.operator import Status

USAGE = "[options] [NAME=]FOLDER…"
DESCRIPTION = """\
Tell what is indexed of a folder, what is left out and why, what should be mended in documents, and how fresh it all is;
and, where there are drafts or decisions, where the ledger lies and whether it is sound.

Of several folders, each is told by itself, as a collection; one that cannot be read keeps none from being told.

This is the operator's view: internal documents are named, too. It tells what the last scan found and does not scan."""
EXAMPLES = (
    ("readingroom status ~/articles", "an overview"),
    ("readingroom status ~/articles --all", "every file that is left out, each with its reason"),
    ("readingroom status ~/articles --json", "all of it, for a program"),
)


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("folder", metavar="FOLDER", nargs="*", help=options.FOLDERS_HELP)
    parser.add_argument("--all", action="store_true", help="list everything, however long the lists are")
    parser.add_argument("--json", action="store_true", help="print the state as JSON")
    options.add(parser, (*options.WHICH, options.LEDGER))


def read(parser: CommandParser, arguments: Sequence[str]) -> Namespace:
    """Parse the command line, in which options may stand between the folders. Raises: UsageFault."""
    return parser.read_mixed(arguments)


def run(values: Namespace, console: Console) -> int:
    """Print the state. Raises: what opening a library raises."""
    from ...library.operator import status

    plan = planned(vars(values), console.environment)
    if plan.collections:
        return _each(plan, values, console)
    with compose.open_library(plan.settings) as library:
        found = status(library)
    if values.json:
        console.out.line(told_as_json(found))
    else:
        for line in status_lines(found, console.out, now=time.time(), everything=values.all):
            console.out.line(line)
    return exit_codes.OK


def _each(plan: Plan, values: Namespace, console: Console) -> int:
    """Print the state of each collection; one that cannot be used is told so, and the code is that of such a folder."""
    import msgspec

    from ...library import LibraryError
    from ...library.operator import status

    code = exit_codes.OK
    shown: list[dict[str, Any]] = []
    for collection in plan.collections:
        name = one_line(collection.name)
        try:
            with compose.open_library(collection.settings) as library:
                found = status(library)
        except LibraryError as error:
            code = exit_codes.FOLDER
            shown.append({"collection": collection.name, "trouble": str(error)})
            told = [f"cannot be served now: {one_line(str(error))}"]
        else:
            shown.append({"collection": collection.name, **msgspec.json.decode(told_as_json(found))})
            told = status_lines(found, console.out, now=time.time(), everything=values.all)
        if not values.json:
            for line in (f"Collection {name}", *told, ""):
                console.out.line(line)
    if values.json:
        console.out.line(json_text(shown))
    return code


def told_as_json(status: "Status") -> str:
    """Give the state as JSON, its times as ISO 8601."""
    import msgspec

    roles = [{**msgspec.to_builtins(role), "reconciled": time_text(role.reconciled)} for role in status.roles]
    return json_text(status, roles=roles, began=time_text(status.began), ended=time_text(status.ended))
