"""`readingroom serve`, when its command line is not the plain one that `options.split` reads."""

from argparse import ArgumentParser, Namespace

from .. import options
from ..console import Console

USAGE = "[options] FOLDER"
DESCRIPTION = """\
Serve a folder of documents over the Model Context Protocol, on stdin and stdout.

An AI app starts this command by itself, from its configuration. Nothing is written into the folder. What the app may
see depends on the role: a reader (the default) sees public documents; an editor sees internal ones, too. An editor has
no tools to draft changes yet. Nothing in a request can change the role."""
EXAMPLES = (
    ("readingroom serve ~/articles", "to be put into the configuration of an AI app"),
    ("readingroom serve ~/articles --internal 'private/**'", "what lies in private/ is not for readers"),
    ("readingroom serve ~/articles --role editor --principal desk", "for an app that is trusted more"),
    (
        "readingroom serve examples/library < examples/discover.json",
        "ask by hand: one request, one line of answer",
    ),
)


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("folder", metavar="FOLDER", help=options.FOLDER_HELP)
    options.add(parser, options.SERVING)


def run(values: Namespace, console: Console) -> int:
    """Serve; exits the process when the client is done."""
    from ..serving import serve

    serve(vars(values), console.environment)
