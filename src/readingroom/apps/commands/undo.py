"""`readingroom undo`: shows what taking back a decision changes, asks, and brings back the bytes from before."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from .. import options
from ..console import Console
from ..deciding import Undecided, comment_of
from ..faults import NothingFound
from ..journal_text import undoing_lines
from ..operating import Operating, git_of
from ..parsing import CommandParser
from ..publishing import Publishing
from ..reviewing import told, warn
from ..settings import settings_from
from ..sitting import sitting
from ..terminal import Terminal
from .review import GIT_HELP

if TYPE_CHECKING:
    from ...library.operator import ShownUndo

USAGE = "[options] FOLDER NUMBER"
DESCRIPTION = """\
Take back what a decision published: the bytes from before come back, if the file is still what that decision left.

The number is that of `readingroom log`. Undoing is a decision of its own, asks for the passphrase, and can be undone."""
EXAMPLES = (("readingroom undo ~/articles 12", "what decision 12 published"),)


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("folder", metavar="FOLDER", help=options.FOLDER_HELP)
    parser.add_argument("number", metavar="NUMBER", type=int, help="the number of the decision")
    parser.add_argument("--comment", metavar="TEXT", default="", help="why, for the journal")
    parser.add_argument("--git", action="store_true", help=GIT_HELP)
    options.add(parser, options.OPERATING)


def read(parser: CommandParser, arguments: list[str]) -> Namespace:
    """Read the command line; options may stand between its arguments. Raises: UsageFault."""
    return parser.read_mixed(arguments)


def run(values: Namespace, console: Console) -> int:
    """Show, ask, undo. Raises: NoPerson, Undecided, NothingFound, GitUnusable; what deciding raises."""
    settings = settings_from(vars(values), console.environment)
    out, comment = console.out, comment_of(values.comment)
    with sitting(settings, console) as (opened, person, signing):
        publishing = Publishing(opened.operator, git_of(settings, opened, wanted=values.git))
        shown = _shown(opened, values.number, out)
        publishing.check_undo(values.number)
        warn(shown.warnings, out)
        if not person.agrees(f"Undo decision {values.number}?"):
            raise Undecided("nothing was undone")
        done = signing.signed(lambda key: publishing.undo(values.number, key, comment))
        code = told([done], out)
        publishing.tell(out)
        return publishing.code(code)


def _shown(opened: Operating, number: int, out: Terminal) -> "ShownUndo":
    """Show what undoing it would change. Raises: NothingFound; Undecided when it could not be undone as things are."""
    from ...library import NotFound

    try:
        shown = opened.operator.show_undo(number)
    except NotFound:
        raise NothingFound(f"there is no decision {number}; `readingroom log` shows them") from None
    for line in undoing_lines(shown, out.paint, out.whole_width):
        out.line(line)
    out.line()
    if shown.against:
        raise Undecided(f"decision {number} was not undone")
    return shown
