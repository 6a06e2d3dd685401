"""`readingroom restore`: puts a backup of a ledger in the place of the ledger. The folder itself is never touched."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from .. import exit_codes, options
from ..characters import one_line
from ..console import Console
from ..operating import real_root
from ..parsing import CommandParser
from ..settings import settings_from
from .backup import contents

USAGE = "[options] FILE FOLDER"
DESCRIPTION = """\
Bring back the ledger of a folder from a backup, which is looked at first.

A ledger that holds anything that the backup does not, and one that is damaged, is replaced only with `--replace`; it is
then kept under another name beside the new one. Servers may go on meanwhile.

Nothing is published by it, and no document is changed. Drafts that were open then are open again, also those decided since:
look through them, for an app does not know. An app's call that was answered after the backup and is sent again is done
again. The passphrase is the one of that time. `readingroom log --verify` then names the files that were published after it.

A backup may be that of another folder: so the ledger follows a folder that was moved or renamed."""
EXAMPLES = (
    ("readingroom restore ~/backups/articles.ledger ~/articles", "after the ledger was lost"),
    ("readingroom restore --replace ~/backups/articles.ledger ~/articles", "back to the time of the backup"),
)


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("file", metavar="FILE", help="what `readingroom backup` wrote")
    parser.add_argument("folder", metavar="FOLDER", help=options.FOLDER_HELP)
    parser.add_argument(
        "--replace",
        action="store_true",
        help="replace a ledger that is damaged or holds more than the backup, and keep it under another name",
    )
    options.add(parser, (options.LEDGER,))


def read(parser: CommandParser, arguments: list[str]) -> Namespace:
    """Read the command line; options may stand between its arguments. Raises: UsageFault."""
    return parser.read_mixed(arguments)


def run(values: Namespace, console: Console) -> int:
    """Put it back. Raises: FolderUnusable; BadQuery, what a ledger raises, OSError."""
    from ...library.ledger import restore

    settings = settings_from(vars(values), console.environment)
    folder = None if settings.ledger is None else Path(settings.ledger)
    done = restore(Path(values.file), real_root(settings), folder, replace=values.replace)
    console.out.line(f"Restored {one_line(settings.folder)}: {contents(done.info)}.")
    if done.info.root != str(real_root(settings)):
        console.out.line(f"The backup was made of {one_line(done.info.root)}.")
    if done.aside is not None:
        console.out.line(f"The ledger that was there is kept as {one_line(str(done.aside))}.")
    return exit_codes.OK
