"""`readingroom reject`: shows drafts that are named, and decides against them with a comment for the app."""

from argparse import ArgumentParser, Namespace

from .. import options
from ..choosing import chosen
from ..console import Console
from ..deciding import Undecided, comment_of
from ..reviewing import rejected, these, told
from ..settings import settings_from
from ..sitting import sitting

USAGE = "[options] FOLDER DRAFT…"
DESCRIPTION = """\
Show each of the drafts, ask whether to reject them, and ask for the passphrase. The app that proposed them can read the
comment. Nothing in the folder changes."""
EXAMPLES = (("readingroom reject ~/articles d-4k2m --comment 'the figure is from 2019'", "with the reason"),)


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("folder", metavar="FOLDER", help=options.FOLDER_HELP)
    parser.add_argument("draft", metavar="DRAFT", nargs="+", help="the id of a draft, or the beginning of it")
    parser.add_argument("--comment", metavar="TEXT", default="", help="why, for the app that proposed it")
    options.add(parser, options.OPERATING)


def run(values: Namespace, console: Console) -> int:
    """Show, ask, reject. Raises: NoPerson, Undecided, NothingFound; what deciding raises."""
    settings = settings_from(vars(values), console.environment)
    out, comment = console.out, comment_of(values.comment)
    with sitting(settings, console) as (opened, person, signing):
        shown = chosen(opened.operator, values.draft, out)
        if not person.agrees(f"Reject {these(shown)}?"):
            raise Undecided("nothing was rejected")
        return told((rejected(one, opened.operator, signing, comment) for one in shown), out)
