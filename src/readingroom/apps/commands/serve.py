"""`readingroom serve`, when its command line is not the plain one that `options.split` reads."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from .. import options
from ..console import Console
from ..http_settings import HTTP, check_none
from ..parsing import CommandParser

USAGE = "[options] [NAME=]FOLDER…"
DESCRIPTION = """\
Serve a folder of documents over the Model Context Protocol, on stdin and stdout, or over HTTP with --http.

On stdin and stdout an AI app starts this command by itself, from its configuration. Nothing is written into the folder. What
the app may see depends on the role: a reader (the default) sees public documents; an editor sees internal ones, too, and
may keep drafts of changes, which only you publish. Nothing in a request can change the role.

Several folders are served as collections of one library, each under its name: the folder's own, or NAME. Without a FOLDER
the collections are served that the configuration names.

Over HTTP many apps use one server. Without authorization everybody is a reader, and only this machine is served; with
--tokens or --oauth-issuer the role is that of the token, and never more than --role."""
EXAMPLES = (
    ("readingroom serve ~/articles", "to be put into the configuration of an AI app"),
    ("readingroom serve ~/articles --internal 'private/**'", "what lies in private/ is not for readers"),
    ("readingroom serve ~/articles --role editor --principal desk", "for an app that is trusted more"),
    ("readingroom serve ~/articles manuals=/srv/docs", "two collections, articles and manuals"),
    (
        "readingroom serve examples/library < examples/discover.json",
        "ask by hand: one request, one line of answer",
    ),
    (
        "readingroom serve ~/articles --http 127.0.0.1:8000",
        "for apps of this machine, at http://127.0.0.1:8000/mcp",
    ),
    (
        "readingroom serve ~/docs --http 127.0.0.1:8000 --behind-proxy --public-url https://doc.example/mcp --tokens t",
        "behind a proxy that speaks TLS, for whoever has a token",
    ),
    (
        "readingroom serve ~/docs --http 0.0.0.0:443 --tls-cert c.pem --tls-key k.pem --allowed-host doc.example --tokens t",
        "with TLS of its own",
    ),
)


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("folder", metavar="FOLDER", nargs="*", help=options.FOLDERS_HELP)
    options.add(parser, options.SERVING)
    options.add(parser, HTTP)


def read(parser: CommandParser, arguments: Sequence[str]) -> Namespace:
    """Parse the command line, in which options may stand between the folders. Raises: UsageFault."""
    return parser.read_mixed(arguments)


def run(values: Namespace, console: Console) -> int:
    """Serve; exits the process when it ends."""
    if values.http is not None:
        from ..http_serving import serve_http

        serve_http(vars(values), console.environment)
    check_none(vars(values))
    from ..serving import serve

    serve(vars(values), console.environment)
