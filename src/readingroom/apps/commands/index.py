"""`readingroom index`: brings the index up to date now, so that the first question of an app need not wait for it."""

import time
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from .. import compose, exit_codes, options
from ..console import Console
from ..counting import counted
from ..progress import ScanBar
from ..refreshing import bring_up_to_date
from ..settings import settings_from

if TYPE_CHECKING:
    from ...library.operator import Status

USAGE = "[options] FOLDER"
DESCRIPTION = """\
Bring the index of a folder up to date now. `serve` and `search` do so by themselves; on a large folder this command
spares the first question the wait. An index belongs to a role and to its rules: give the options that `serve` is given."""
EXAMPLES = (
    ("readingroom index ~/articles", "what is new or changed is read, and nothing else"),
    ("readingroom index ~/articles --rebuild", "from the beginning"),
)


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("folder", metavar="FOLDER", help=options.FOLDER_HELP)
    parser.add_argument(
        "--rebuild",
        action="store_true",
        help="remove every index of the folder first, also those of other rules",
    )
    options.add(parser, options.WHICH)


def run(values: Namespace, console: Console) -> int:
    """Index and tell what there is. Raises: IndexBusy for a rebuild while a server writes, and what opening raises."""
    from ...library.operator import status

    settings = settings_from(vars(values), console.environment)
    began = time.monotonic()
    with compose.open_library(settings) as library:
        if values.rebuild:
            library.forget()
        bar = ScanBar(console.err, eager=True)
        try:
            is_ours = bring_up_to_date(library, bar)
        finally:
            bar.end()
        for line in summary(status(library), time.monotonic() - began):
            console.out.line(line)
    if not is_ours:
        console.err.line("Another process is bringing this index up to date; this is what it holds so far.")
    return exit_codes.OK


def summary(status: "Status", seconds: float) -> list[str]:
    """Tell what the index holds now."""
    documents = sum(role.documents for role in status.roles)
    lines = [
        f"{counted(documents, 'document')} can be found by the {status.roles[0].role}; it took {seconds:.1f} s."
    ]
    if status.left_out:
        left_out = counted(len(status.left_out), "file or folder is", "files and folders are")
        lines.append(f"{left_out} left out; `readingroom status` tells which, and why.")
    if status.notices:
        warnings = counted(len(status.notices), "warning")
        lines.append(f"{warnings}; `readingroom status` tells what should be mended.")
    return lines
