"""`readingroom review`: draft after draft is shown to the person, who publishes, rejects, or leaves it."""

from argparse import ArgumentParser, Namespace

from .. import exit_codes, options
from ..console import Console
from ..deciding import Signing
from ..operating import git_of, operating
from ..person import person_at
from ..publishing import Publishing
from ..reviewing import Review
from ..settings import settings_from

USAGE = "[options] FOLDER"
DESCRIPTION = """\
Show the drafts that AI apps have proposed, one after another, each with what to beware of and the change itself, and ask
what becomes of it: publish it, reject it with a comment that the app will read, mark it to publish several with one answer,
or leave it.

The passphrase is asked for with the first decision. Its key is kept in memory for five minutes at most, for the decisions
of this review alone. Invisible characters and those that change the direction of text are shown by their number."""
EXAMPLES = (
    ("readingroom review ~/articles", "all drafts that wait, the oldest first"),
    ("readingroom review ~/articles --git", "each publication becomes a commit"),
)
GIT_HELP = (
    "make each publication a commit of the repository that the folder lies in, with the editor as author"
)


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("folder", metavar="FOLDER", help=options.FOLDER_HELP)
    parser.add_argument("--git", action="store_true", help=GIT_HELP)
    options.add(parser, options.OPERATING)


def run(values: Namespace, console: Console) -> int:
    """Review. Raises: NoPerson, Undecided, GitUnusable; what the passphrase's side refuses; what a ledger raises."""
    settings = settings_from(vars(values), console.environment)
    with person_at(console.out) as person, operating(settings, console.err) as opened:
        publishing = Publishing(opened.operator, git_of(settings, opened, wanted=values.git))
        with Signing(opened.ledger, person, console.out, settings.folder) as signing:
            review = Review(opened.operator, publishing, signing, person, console.out)
            review.run()
    return exit_codes.UNDECIDED if review.refused else exit_codes.OK
