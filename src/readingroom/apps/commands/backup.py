"""`readingroom backup`: writes the ledger of a folder into one file, while servers and the operator go on."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from .. import exit_codes, options
from ..characters import one_line
from ..console import Console
from ..counting import counted, size_text
from ..faults import NothingFound
from ..parsing import CommandParser
from ..settings import settings_from

if TYPE_CHECKING:
    from ...library.ledger import BackupInfo

USAGE = "[options] FOLDER FILE"
DESCRIPTION = """\
Write the ledger of a folder into a new file, and look whether that is sound.

The ledger holds drafts, the decisions with their journal, what was answered to apps, and the bytes of documents from
before each publication: none of it is in the folder, and none can be made anew. The file holds all of it as it is at one
moment; servers go on meanwhile. It is readable by you alone, holds texts of internal documents, and overwrites nothing.

The documents themselves are not in it: back the folder up, too, the ledger first."""
EXAMPLES = (
    ("readingroom backup ~/articles ~/backups/articles.ledger", "all that Reading Room keeps of the folder"),
)


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("folder", metavar="FOLDER", help="the folder of documents, which may be gone already")
    parser.add_argument("file", metavar="FILE", help="the file to write, which must not be there yet")
    options.add(parser, (options.LEDGER,))


def read(parser: CommandParser, arguments: list[str]) -> Namespace:
    """Read the command line; options may stand between its arguments. Raises: UsageFault."""
    return parser.read_mixed(arguments)


def run(values: Namespace, console: Console) -> int:
    """Write it. Raises: NothingFound when there is no ledger; BadQuery, what a ledger raises, OSError."""
    from ...library import LedgerUnusable
    from ...library.ledger import Ledger, look

    settings = settings_from(vars(values), console.environment)
    root = Path(settings.folder)
    folder = None if settings.ledger is None else Path(settings.ledger)
    if not Ledger.place(root, folder).exists():
        lost = look(root, folder)
        if lost is not None:
            raise LedgerUnusable(f"{lost.trouble} Put a backup in its place: readingroom restore --replace.")
        raise NothingFound(f"no ledger is kept of {settings.folder}")
    with Ledger.open(root, folder) as ledger:
        found = ledger.backup(Path(values.file))
    console.out.line(f"Wrote {one_line(values.file)}, {size_text(found.bytes)}: {contents(found)}.")
    return exit_codes.OK


def contents(found: "BackupInfo") -> str:
    """Give what a backup holds, in words."""
    return (
        f"{counted(found.drafts, 'draft')}, {found.open_drafts:,} of them open, {counted(found.decisions, 'decision')}, "
        f"{counted(found.operations, 'answer')} to apps"
    )
