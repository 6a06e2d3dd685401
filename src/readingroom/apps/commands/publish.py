"""`readingroom publish`: shows drafts that are named, asks once, and publishes exactly what was shown."""

from argparse import ArgumentParser, Namespace

from .. import options
from ..choosing import chosen
from ..console import Console
from ..deciding import Undecided
from ..operating import git_of
from ..publishing import Publishing
from ..reviewing import agreed, may_publish, published, told
from ..settings import settings_from
from ..sitting import sitting
from .review import GIT_HELP

USAGE = "[options] FOLDER DRAFT…"
DESCRIPTION = """\
Show each of the drafts, ask whether to publish them, ask for the passphrase, and write them into the folder, one by one.

A draft is published only as it was shown, and only while its file is what it was made against; otherwise nothing is written.
`undo` takes a publication back."""
EXAMPLES = (
    ("readingroom publish ~/articles d-4k2m", "the draft whose id begins so"),
    ("readingroom publish ~/articles d-4k2m d-9xqa --git", "two with one answer, each a commit"),
)


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("folder", metavar="FOLDER", help=options.FOLDER_HELP)
    parser.add_argument("draft", metavar="DRAFT", nargs="+", help="the id of a draft, or the beginning of it")
    parser.add_argument("--git", action="store_true", help=GIT_HELP)
    options.add(parser, options.OPERATING)


def run(values: Namespace, console: Console) -> int:
    """Show, ask, publish. Raises: NoPerson, Undecided, NothingFound, GitUnusable; what deciding raises."""
    settings = settings_from(vars(values), console.environment)
    out = console.out
    with sitting(settings, console) as (opened, person, signing):
        publishing = Publishing(opened.operator, git_of(settings, opened, wanted=values.git))
        shown = chosen(opened.operator, values.draft, out)
        publishing.check(shown)
        if not all(may_publish(one, person, out) for one in shown) or not agreed(shown, person, out):
            raise Undecided("nothing was published")
        try:
            code = told((published(one, publishing, signing) for one in shown), out)
        finally:
            publishing.tell(out)
        return publishing.code(code)
