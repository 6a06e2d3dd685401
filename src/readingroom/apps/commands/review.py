"""`readingroom review`: draft after draft is shown to the person, who publishes, rejects, or leaves it."""

from argparse import ArgumentParser, Namespace

from .. import exit_codes, options
from ..console import Console
from ..deciding import Signing
from ..faults import UsageFault
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
of this review alone. Invisible characters and those that change the direction of text are shown by their number.

With --web the same is done in a browser, and the history, undo, a check of the history and a search are there as well. The
page is served on this machine alone, and its address, which is printed, lets in one browser; each decision asks for the
passphrase. It needs the extra `page`: pip install 'readingroom[page]'."""
EXAMPLES = (
    ("readingroom review ~/articles", "all drafts that wait, the oldest first"),
    ("readingroom review ~/articles --git", "each publication becomes a commit"),
    ("readingroom review ~/articles --web", "in a browser, at the address that is printed"),
)
GIT_HELP = (
    "make each publication a commit of the repository that the folder lies in, with the editor as author"
)

_PORTS = 65535


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("folder", metavar="FOLDER", help=options.FOLDER_HELP)
    parser.add_argument("--git", action="store_true", help=GIT_HELP)
    parser.add_argument(
        "--web", action="store_true", help="review in a browser, on a page of this machine alone"
    )
    parser.add_argument(
        "--port", metavar="N", help="the port of that page, 1 to 65535 (default: one that is free)"
    )
    options.add(parser, options.OPERATING)


def run(values: Namespace, console: Console) -> int:
    """Review, at the terminal or on the page.

    Raises: NoPerson, Undecided, GitUnusable; what the passphrase's side refuses; what a ledger and `serve_page` raise.
    """
    settings = settings_from(vars(values), console.environment)
    if values.web:
        from ..page import serve_page

        return serve_page(settings, console, port=port_from(values.port), has_git=values.git)
    if values.port is not None:
        raise UsageFault("--port is for the page; give --web as well")
    with person_at(console.out) as person, operating(settings, console.err) as opened:
        publishing = Publishing(opened.operator, git_of(settings, opened, wanted=values.git))
        with Signing(opened.ledger, person, console.out, settings.folder) as signing:
            review = Review(opened.operator, publishing, signing, person, console.out)
            try:
                review.run()
            finally:
                publishing.tell(console.out)
    return publishing.code(exit_codes.UNDECIDED if review.refused else exit_codes.OK)


def port_from(given: str | None) -> int:
    """Read the port; 0, which takes a free one, when none was given. Raises: UsageFault."""
    if given is None:
        return 0
    is_number = given.isascii() and given.isdecimal() and len(given) <= len(str(_PORTS))
    if not is_number or not 0 < int(given) <= _PORTS:
        raise UsageFault(f"--port must be a number from 1 to {_PORTS}, not {given!r}")
    return int(given)
