"""`readingroom complete`: the values that an MCP server suggests for an argument."""

from argparse import ArgumentParser, Namespace

from .. import exit_codes, naming, peers
from ..characters import one_line
from ..console import Console
from ..faults import UsageFault
from ..json_text import json_text
from .prompt import texts_from

USAGE = "[options] (--prompt NAME | --template URI) ARGUMENT [VALUE] SERVER"
DESCRIPTION = """\
Ask an MCP server how an argument of a prompt, or a variable of a resource template, may go on from VALUE, and print what it
suggests, one a line, best first.

SERVER is -- COMMAND…, which is started without a shell and ended, or --url URL, or --server NAME.

The exit code is 1 when it suggests nothing."""
EXAMPLES = (
    (
        "readingroom complete --prompt summarize_document document bor -- readingroom serve ~/articles",
        "documents whose path goes on from bor",
    ),
    (
        "readingroom complete --template 'library:///{+path}' path --server articles",
        "values of a variable of a resource template, of a server by its name",
    ),
)
read = naming.read


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("argument", metavar="ARGUMENT", help="the argument, or the variable of the template")
    parser.add_argument("value", metavar="VALUE", nargs="?", default="", help="what has been typed of it")
    parser.add_argument("--prompt", metavar="NAME", help="the prompt whose argument it is")
    parser.add_argument("--template", metavar="URI", help="the resource template whose variable it is")
    parser.add_argument(
        "--chosen", metavar="KEY=VALUE", action="append", default=[],
        help="another argument that has its value already; may be repeated",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the completion as JSON")
    peers.configure(parser)


def run(values: Namespace, console: Console) -> int:
    """Ask and print. Raises: the client's errors, UsageFault."""
    if (values.prompt is None) == (values.template is None):
        raise UsageFault("say what the argument is of: --prompt NAME or --template URI")
    ref = (
        {"type": "ref/resource", "uri": values.template}
        if values.prompt is None
        else {"type": "ref/prompt", "name": values.prompt}
    )
    chosen = texts_from(values.chosen)
    with peers.client_of(values, console) as client:
        if "completions" not in client.server.capabilities:
            raise UsageFault("the server suggests no values: it does not declare completions")
        answer = client.complete(ref, values.argument, values.value, arguments=chosen or None)
    if values.json:
        console.out.line(json_text(answer.raw["completion"]))
    else:
        for value in answer.values:
            console.out.line(one_line(value))
        if answer.has_more:
            total = "" if answer.total is None else f" of {answer.total:,}"
            console.err.line(f"There are more than these {len(answer.values):,}{total}.")
    return exit_codes.OK if answer.values else exit_codes.NOTHING
